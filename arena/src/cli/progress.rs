//! Progress of a run on stderr: a bar on a terminal, otherwise plain lines.

use super::{logging, output};
use hattari_agents::text::{counted, grouped};
use hattari_play::runner::{Progress, RunObserver};
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::VecDeque;
use std::io::IsTerminal;
use std::time::Duration;

/// Interval between plain lines.
const LINE_EVERY: Duration = Duration::from_secs(5);
/// Length of the period over which the speed is measured.
const WINDOW: Duration = Duration::from_secs(10);
/// Minimum interval between two measurements.
const SAMPLE_EVERY: Duration = Duration::from_millis(500);

/// Returns the progress display for stderr.
pub(super) fn observer(quiet: bool) -> Box<dyn RunObserver> {
    if quiet {
        return Box::new(());
    }
    let bar = std::io::stderr().is_terminal().then(|| {
        let style = ProgressStyle::with_template("{bar:32} {percent:>3} %  {msg}")
            .unwrap_or_else(|_| ProgressStyle::default_bar());
        ProgressBar::new(0).with_style(style)
    });
    logging::set_progress_bar(bar.as_ref());
    Box::new(ProgressDisplay {
        bar,
        speed: Speed::default(),
        last_printed: Duration::ZERO,
        told_stopping: false,
    })
}

/// A measurement of the speed over the last [`WINDOW`].
#[derive(Default)]
struct Speed {
    samples: VecDeque<Progress>,
}

impl Speed {
    fn add_sample(&mut self, progress: &Progress) {
        let age = |sample: &Progress| progress.elapsed.saturating_sub(sample.elapsed);
        let last = self.samples.back();
        if last.is_none_or(|last| age(last) >= SAMPLE_EVERY) {
            self.samples.push_back(*progress);
        }
        while self.samples.len() > 2 && age(&self.samples[0]) > WINDOW {
            self.samples.pop_front();
        }
    }

    /// Returns the speed in deals per second, or `None` if there are too few measurements.
    fn deals_per_second(&self, progress: &Progress) -> Option<f64> {
        let first = self.samples.front()?;
        let elapsed = progress.elapsed.saturating_sub(first.elapsed);
        let (seconds, deals) = (
            elapsed.as_secs_f64(),
            progress.deals.saturating_sub(first.deals),
        );
        (seconds > 0.2 && deals > 0).then(|| deals as f64 / seconds)
    }

    /// Returns a text such as "12,345 deals/s, 1 min 3 s left, 2 faults".
    fn describe(&mut self, progress: &Progress) -> String {
        self.add_sample(progress);
        let mut text = String::new();
        if let Some(speed) = self.deals_per_second(progress) {
            let seconds = progress.deals_planned.saturating_sub(progress.deals) as f64 / speed;
            text = format!("{} deals/s, ", rounded(speed));
            if !progress.stopping {
                text += &format!(
                    "{} left, ",
                    duration(Duration::from_secs_f64(seconds.min(1e10)))
                );
            }
        }
        text += &counted(progress.faults, "fault");
        if progress.stopping {
            text += "; finishing the running blocks (Ctrl-C again to stop at once)";
        }
        text
    }
}

/// Returns a speed as an integer with thousands separators.
#[must_use]
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "speeds are positive and within bounds"
)]
pub(super) fn rounded(speed: f64) -> String {
    grouped(speed.clamp(0.0, 1e15).round() as u64)
}

/// Returns a duration with its two largest units: "43 s", "5 min 2 s", "3 h 20 min", "12 days 3 h".
pub(super) fn duration(duration: Duration) -> String {
    let seconds = duration.as_secs_f64().round();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "durations are positive and within bounds"
    )]
    let seconds = seconds as u64;
    let (minutes, hours, days) = (seconds / 60, seconds / 3600, seconds / 86_400);
    match (days, hours, minutes) {
        (0, 0, 0) => format!("{seconds} s"),
        (0, 0, _) => format!("{minutes} min {} s", seconds % 60),
        (0, ..) => format!("{hours} h {} min", minutes % 60),
        _ => format!("{} {} h", counted(days, "day"), hours % 24),
    }
}

/// A bar that is updated in place on a terminal; otherwise a line every few seconds.
struct ProgressDisplay {
    bar: Option<ProgressBar>,
    speed: Speed,
    /// Time of the last line.
    last_printed: Duration,
    told_stopping: bool,
}

impl RunObserver for ProgressDisplay {
    fn progress(&mut self, progress: &Progress) {
        let (blocks, planned) = (grouped(progress.blocks), grouped(progress.blocks_planned));
        let text = format!(
            "{blocks}/{planned} blocks, {}",
            self.speed.describe(progress)
        );
        if let Some(bar) = &self.bar {
            bar.set_length(progress.deals_planned);
            bar.set_position(progress.deals);
            bar.set_message(text);
            return;
        }
        let is_news =
            progress.stopping && !self.told_stopping && progress.blocks < progress.blocks_planned;
        if !is_news && progress.elapsed.saturating_sub(self.last_printed) < LINE_EVERY {
            return;
        }
        self.last_printed = progress.elapsed;
        self.told_stopping |= progress.stopping;
        let share = 100 * progress.deals / progress.deals_planned.max(1);
        output::tell(format_args!("{share:>3} %, {text}"));
    }
}

impl Drop for ProgressDisplay {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
            logging::set_progress_bar(None);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_two_units() {
        let text = |seconds| duration(Duration::from_secs(seconds));
        assert_eq!([text(0), text(59), text(61)], ["0 s", "59 s", "1 min 1 s"]);
        assert_eq!(
            [text(3600), text(86_400 + 7200)],
            ["1 h 0 min", "1 day 2 h"]
        );
    }

    #[test]
    fn the_speed_is_measured_over_the_last_seconds() {
        let mut speed = Speed::default();
        let progress_at = |seconds, deals| Progress {
            elapsed: Duration::from_secs(seconds),
            deals,
            deals_planned: 100_000,
            ..Progress::default()
        };
        assert_eq!(speed.describe(&progress_at(0, 0)), "0 faults");
        for second in 1..=100 {
            speed.add_sample(&progress_at(
                second,
                if second < 50 {
                    10 * second
                } else {
                    490 + 1000 * (second - 49)
                },
            ));
        }
        assert_eq!(
            speed.describe(&progress_at(101, 52_490)),
            "1,000 deals/s, 48 s left, 0 faults"
        );
        let stopping = Progress {
            stopping: true,
            faults: 1,
            ..progress_at(102, 53_490)
        };
        assert!(
            speed
                .describe(&stopping)
                .starts_with("1,000 deals/s, 1 fault; finishing")
        );
    }
}
