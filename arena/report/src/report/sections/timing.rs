//! Thinking times: mean and slowest decision on a logarithmic axis.

use super::*;
use crate::report::svg::extent;

const ROW: f64 = 26.0;

/// Returns a time as text: `340 ns`, `5.2 µs`.
fn time(nanos: f64) -> String {
    let (scaled, unit) = match nanos {
        n if n < 1e3 => (n, "ns"),
        n if n < 1e6 => (n / 1e3, "µs"),
        n if n < 1e9 => (n / 1e6, "ms"),
        n => (n / 1e9, "s"),
    };
    let digits = usize::from(scaled < 9.95 && unit != "ns");
    format!("{scaled:.digits$} {unit}")
}

/// Returns the times per decision for a page; `None` in other formats.
pub(super) fn part(standings: &Standings, detail: Detail) -> Option<ReportPart> {
    if !detail.is_page() {
        return None;
    }
    let mut part = ReportPart::new("timing", "Timing", "Time per decision");
    let timed: Vec<_> = standings
        .bots
        .iter()
        .filter(|bot| bot.thinking.timed > 0 && bot.thinking.nanos > 0)
        .collect();
    if timed.is_empty() {
        return Some(part.sentence("No decision was timed."));
    }
    let shown = &timed[..timed.len().min(BOTS_MAX)];
    let label = format!(
        "Time per decision of {}: mean and slowest.",
        counted(shown.len() as u64, "bot")
    );
    let caption = "Time per decision on a logarithmic axis: the dot is the mean, the bar ends at \
         the slowest measured decision."
        .to_owned()
        + &omitted_bots(timed.len());
    part.figures
        .push(Figure::both(|width| draw(shown, &label, width)).caption(caption));
    let table = grid! { bot in timed;
        "bot", Left = &bot.name;
        "decisions", Right = bot.thinking.decisions;
        "timed", Right = bot.thinking.timed;
        "mean", Right = time(mean(bot));
        "slowest", Right = time(worst(bot));
        "decisions/s", Right = bot.decisions_per_second.map(short);
    };
    let section = Section::of("Times of decisions", table).folded().note(
        "Measured on a sample of the decisions, on the machine that played the league; times \
         differ from run to run.",
    );
    Some(part.with([section]))
}

/// Returns the mean time of a decision, in nanoseconds.
fn mean(bot: &BotStanding) -> f64 {
    bot.thinking.nanos as f64 / bot.thinking.timed as f64
}

/// Returns the time of the slowest decision, in nanoseconds.
fn worst(bot: &BotStanding) -> f64 {
    bot.thinking.worst_nanos as f64
}

fn draw(rows: &[&BotStanding], label: &str, width: f64) -> String {
    let left = name_column_width(rows.iter().map(|bot| bot.name.as_str()), width * 0.3);
    let bottom = 8.0 + ROW * rows.len() as f64;
    let mut svg = Svg::new(width, bottom + 24.0);
    let logs = rows
        .iter()
        .flat_map(|bot| [mean(bot), worst(bot)])
        .filter(|n| *n > 0.0)
        .map(f64::log10);
    let (low, high) = extent(logs).map_or((0.0, 1.0), |(low, high)| {
        (low.floor(), high.ceil().max(low.floor() + 1.0))
    });
    let axis = Axis::between(low, high, left + 16.0, width - 24.0);
    let step = if width < 500.0 && high - low > 4.0 {
        2.0
    } else {
        1.0
    };
    let mut power = low;
    while power <= high {
        svg.line("grid", (axis.at(power), 4.0), (axis.at(power), bottom));
        svg.text(
            "tick",
            (axis.at(power), bottom + 15.0),
            "middle",
            &time(10_f64.powf(power)),
        );
        power += step;
    }
    for (number, bot) in rows.iter().enumerate() {
        let y = 8.0 + ROW * (number as f64 + 0.5);
        let title = format!(
            "{}: {} on average, {} at most",
            bot.name,
            time(mean(bot)),
            time(worst(bot))
        );
        let [mean, worst] = [mean(bot), worst(bot)].map(|nanos| axis.at(nanos.log10()));
        svg.with_tooltip(&title, |svg| {
            svg.row_name(left, y + 4.0, &bot.name);
            svg.line("reach", (mean, y), (worst, y));
            svg.circle("dot", (mean, y), 4.5);
            svg.line("end", (worst, y - 5.0), (worst, y + 5.0));
        });
    }
    svg.finish(label)
}
