//! Score and thinking time as a function of a setting: figures 5 and 6 of the paper.

use super::chart::{Chart, ChartLine, ChartPoint};
use crate::host::{AtPath, Interrupted, StopFlag, StudyResult, write_csv};
use crate::league::daihinmin_league;
use anyhow::{Context, bail, ensure};
use hattari_agents::record::JobId;
use hattari_agents::table::{Decider, TakenStep, TypedObserver};
use hattari_agents::text::{escape_cell, joined};
use hattari_play::league::{Duel, Format, League};
use hattari_play::play_blocks::play_blocks;
use hattari_play::samples::{BotSample, Samples};
use hattari_play::session::Session;
use hattari_plugin::games::daihinmin::{Action, Block, Daihinmin, Deal};
use hattari_report::grid;
use hattari_report::report::PrintedResult;
use hattari_report::report::table::Section;
use hattari_report::standings::{ReportOptions, of_store};
use hattari_stats::ratio::score_ratio;
use rustix::time::{ClockId, clock_gettime};
use serde::Serialize;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Arguments of `hattari study sensitivity budget`.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Reads the results of a league of the format `duel`: several entrants that differ in one numeric \
setting, each at a table with the same rival. Prints each entrant's share a / (a + b) of the \
points a of the entrant and b of the rival, with its interval over blocks, and the thinking time \
in seconds per deal. Also prints at which settings the share crosses one half and the thinking \
times are equal.

Times are those of the league's run, from a sample of timed decisions. With --measure, \
additional deals are played on one thread, and times are processor times, which depend less on \
other work of the machine.

Writes share.svg (figure 5 of Nishino and Nishino, 大貧民における偶然手番感度), seconds.svg (figure 6) and \
points.csv to the folder of --output.

Examples:
  hattari study sensitivity budget leagues/monte-carlo.yaml --measure 20 --output monte-carlo
  hattari study sensitivity budget leagues/monte-carlo.yaml --json

Exit codes: 0 done, 2 any error, 130 interrupted.")]
pub(super) struct Arguments {
    /// The league, or its store
    #[arg(value_name = "LEAGUE.yaml|STORE.sqlite")]
    file: PathBuf,
    /// The store of the league (default: next to the league, with the same name)
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    /// The setting in which the entrants differ
    #[arg(long, value_name = "NAME", default_value = "playouts")]
    setting: String,
    /// Number of deals to play at each table to measure processor times (daihinmin only, and only
    /// bots that run in Hattari's own process)
    #[arg(long, value_name = "DEALS", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    measure: Option<u32>,
    /// Output folder for figures and numbers (default: none are written)
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// An additional folder with bots; may be repeated
    #[arg(long, value_name = "DIR")]
    bots: Vec<PathBuf>,
}

/// Results of an entrant against the rival, the bot that all entrants play against.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Point {
    /// Name of the entrant.
    name: String,
    /// Value of the setting for this entrant.
    setting: f64,
    /// Number of deals.
    deals: u64,
    /// Mean points of the entrant per deal.
    points: f64,
    /// Mean points of the rival per deal.
    rival_points: f64,
    /// Share of the entrant in the points of both bots.
    share: f64,
    /// Confidence interval of the share; `None` if there are too few blocks.
    interval: Option<(f64, f64)>,
    /// Thinking time per deal in seconds; `None` if no decisions were timed.
    seconds: Option<f64>,
}

/// The result of the study.
#[derive(Serialize)]
struct BudgetResult {
    /// Name of the setting.
    setting: String,
    /// Name of the rival.
    rival: String,
    /// Thinking time of the rival per deal in seconds; `None` if no decisions were timed.
    rival_seconds: Option<f64>,
    /// Number of deals played to measure processor time; `None` if the times are wall-clock times
    /// of the league's run.
    measured: Option<u32>,
    /// Confidence level of the intervals.
    confidence: f64,
    /// The entrants, ordered by their setting.
    points: Vec<Point>,
    /// Values of the setting at which the share crosses one half, by linear interpolation over the
    /// logarithm of the setting.
    parity: Vec<f64>,
    /// Values of the setting at which entrant and rival have the same thinking time, by linear
    /// interpolation.
    equal_time: Vec<f64>,
}

/// Evaluates the results of a league and draws the figures.
pub(super) fn run(arguments: &Arguments, stop_flag: StopFlag) -> anyhow::Result<StudyResult> {
    let (league, store) =
        Session::open(&arguments.file, arguments.store.as_deref())?.into_stored()?;
    let wishes = ReportOptions {
        for_readers: true,
        ..ReportOptions::default()
    };
    let (standings, samples) = of_store(&store, league.as_ref(), &wishes)?;
    let measured = arguments
        .measure
        .map(|deals| measure(arguments, deals, stop_flag))
        .transpose()?;
    let seconds = |entrant: usize| match &measured {
        Some(seconds) => seconds.get(entrant).copied().flatten(),
        None => wall_clock_seconds(&samples, entrant),
    };
    let mut found = evaluate(
        store.league(),
        &samples,
        &arguments.setting,
        standings.settings.confidence,
        seconds,
    )?;
    found.measured = arguments.measure;
    if let Some(folder) = &arguments.output {
        write(folder, &found)?;
    }
    Ok(PrintedResult::json_or(arguments.json, &found, || vec![section(&found)])?.into())
}

/// Returns the thinking time per deal in seconds, from the wall-clock times of the decisions that
/// were timed in the league's run. Returns `None` if no decision was timed.
fn wall_clock_seconds(samples: &Samples, entrant: usize) -> Option<f64> {
    let deals: u64 = samples
        .line_ups
        .iter()
        .filter_map(|sample| Some(sample.bot(entrant)?.deals))
        .sum();
    let thinking = samples
        .thinking
        .get(entrant)
        .filter(|thinking| thinking.timed > 0 && deals > 0)?;
    let decision = thinking.nanos as f64 * 1e-9 / thinking.timed as f64;
    Some(decision * thinking.decisions as f64 / deals as f64)
}

/// An observer that measures the processor time of all decisions in a line-up.
struct Stopwatch {
    /// Processor time at the start of the current decision.
    decision_start: Duration,
    /// Total processor time of each place in the line-up.
    spent: Vec<Duration>,
}

impl TypedObserver<Daihinmin> for Stopwatch {
    fn asked(&mut self, _: &Daihinmin, _: &Block, _: &Deal, _: u8, _: usize, _: &[Action]) {
        self.decision_start = processor_time();
    }

    fn acted(&mut self, _: &Daihinmin, _: &Deal, step: &TakenStep<'_, Daihinmin>) {
        if step.decider != Decider::Forced {
            self.spent[step.entrant] += processor_time().saturating_sub(self.decision_start);
        }
    }
}

/// Returns the processor time of this thread.
fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    let part = |number: i64| u64::try_from(number).unwrap_or(0);
    Duration::from_secs(part(time.tv_sec)) + Duration::from_nanos(part(time.tv_nsec))
}

/// Plays one block of `deals` deals in each line-up. Returns the processor time per deal in seconds
/// for each entrant; `None` for an entrant that is in no line-up.
fn measure(
    arguments: &Arguments,
    deals: u32,
    stop_flag: StopFlag,
) -> anyhow::Result<Vec<Option<f64>>> {
    let (mut prepared, _) = daihinmin_league(&arguments.file, &arguments.bots)?;
    let apart = prepared
        .seats
        .iter()
        .position(|seat| seat.bot.process_report().is_some());
    if let Some(entrant) = apart {
        let name = &prepared.league.entrants[entrant].name;
        bail!(
            "--measure: entrant `{name}` plays in a separate process, whose time cannot be measured"
        );
    }
    prepared.league.deals = deals;
    prepared.league.blocks = 1;
    prepared.schedule.blocks = 1;
    let stop = stop_flag()?;
    let jobs: Vec<JobId> = prepared.jobs().collect();
    let observer = |job: JobId| Stopwatch {
        decision_start: Duration::ZERO,
        spent: vec![Duration::ZERO; prepared.line_up(job).len()],
    };
    let mut sums = vec![(Duration::ZERO, 0_u32); prepared.league.entrants.len()];
    let game: Daihinmin = prepared.game_as()?;
    play_blocks(
        |seated, watch| seated.play(&game, watch),
        &prepared,
        &jobs,
        1,
        &stop,
        observer,
        |job, watch| {
            for (&entrant, spent) in prepared.line_up(job).iter().zip(watch.spent) {
                sums[entrant].0 += spent;
                sums[entrant].1 += deals;
            }
            anyhow::Ok(())
        },
    )?;
    Interrupted::check(&stop)?;
    Ok(sums
        .into_iter()
        .map(|(spent, deals)| (deals > 0).then(|| spent.as_secs_f64() / f64::from(deals)))
        .collect())
}

fn evaluate(
    league: &League,
    samples: &Samples,
    setting: &str,
    confidence: f64,
    seconds: impl Fn(usize) -> Option<f64>,
) -> anyhow::Result<BudgetResult> {
    let Format::Duel(Duel { a, b, .. }) = &league.format else {
        bail!("the format of the league must be `duel`, with a rival that all entrants meet");
    };
    let [rival] = &b[..] else {
        bail!(
            "`b` of the league's format must name one rival (got {} entrants)",
            b.len()
        );
    };
    let number = |name: &str| {
        league
            .entrant(name)
            .with_context(|| format!("there is no entrant `{name}`"))
    };
    let rival_number = number(rival)?;
    let mut points = Vec::with_capacity(a.len());
    for name in a {
        let entrant = number(name)?;
        let value = league.entrants[entrant]
            .config
            .get(setting)
            .and_then(serde_json::Value::as_f64);
        let value = value.filter(|value| *value > 0.0);
        let value = value.with_context(|| {
            format!(
                "the setting `{setting}` of entrant `{name}` must be a number \
                above 0"
            )
        })?;
        let played = samples.line_ups.iter().find_map(|sample| {
            let (own, other) = (sample.bot(entrant)?, sample.bot(rival_number)?);
            (!sample.blocks.is_empty()).then_some((sample, own, other))
        });
        let Some((sample, own, other)) = played else {
            continue;
        };
        let means = |bot: &BotSample| -> Vec<f64> { bot.means.iter().flatten().copied().collect() };
        let (own, other) = (means(own), means(other));
        let clusters = sample.clusters();
        let mean = |means: &[f64]| means.iter().sum::<f64>() / means.len() as f64;
        let ratio = score_ratio(&own, &other, &clusters, confidence).ok();
        points.push(Point {
            name: name.clone(),
            setting: value,
            deals: sample.deals(),
            points: mean(&own),
            rival_points: mean(&other),
            share: ratio
                .as_ref()
                .map_or(mean(&own) / (mean(&own) + mean(&other)), |ratio| {
                    ratio.ratio
                }),
            interval: ratio.map(|ratio| (ratio.interval.low, ratio.interval.high)),
            seconds: seconds(entrant),
        });
    }
    ensure!(!points.is_empty(), "the league has not been played yet");
    points.sort_by(|one, other| one.setting.total_cmp(&other.setting));
    let rival_seconds = seconds(rival_number);
    let shares: Vec<_> = points
        .iter()
        .map(|point| (point.setting.ln(), point.share))
        .collect();
    let times: Option<Vec<_>> = points
        .iter()
        .map(|point| Some((point.setting, point.seconds?)))
        .collect();
    Ok(BudgetResult {
        setting: setting.to_owned(),
        rival: rival.clone(),
        rival_seconds,
        measured: None,
        confidence,
        parity: crossings(&shares, 0.5).into_iter().map(f64::exp).collect(),
        equal_time: times
            .zip(rival_seconds)
            .map_or(Vec::new(), |(times, level)| crossings(&times, level)),
        points,
    })
}

/// Returns the x values at which the line through the points crosses `level`, in order of x.
fn crossings(points: &[(f64, f64)], level: f64) -> Vec<f64> {
    points
        .windows(2)
        .filter_map(|pair| {
            let [(x, y), (next_x, next_y)] = *pair else {
                return None;
            };
            let passes = (y < level) != (next_y < level);
            passes.then(|| x + (next_x - x) * (level - y) / (next_y - y))
        })
        .collect()
}

fn section(found: &BudgetResult) -> Section {
    let seconds =
        |seconds: Option<f64>| seconds.map_or("-".to_owned(), |seconds| format!("{seconds:.4}"));
    let interval = |point: &Point| {
        point.interval.map_or("-".to_owned(), |(low, high)| {
            format!("{low:.4} to {high:.4}")
        })
    };
    let table = grid! { point in &found.points;
        &found.setting, Right = whole(point.setting);
        "deals", Right = point.deals;
        "points", Right = format!("{:.4}", point.points);
        "rival's", Right = format!("{:.4}", point.rival_points);
        "a / (a + b)", Right = format!("{:.4}", point.share);
        "interval", Right = interval(point);
        "seconds per deal", Right = seconds(point.seconds);
    };
    let mut section = Section::of(format!("Score and time by {}", found.setting), table);
    let list = |values: &[f64]| joined(values.iter().map(|&value| whole(value)), ", ");
    section.notes.push(if found.parity.is_empty() {
        let above = found
            .points
            .iter()
            .filter(|point| point.share > 0.5)
            .count();
        let side = if above == 0 { "below" } else { "above" };
        format!("The share is {side} one half everywhere: there is no parity point.")
    } else {
        format!(
            "The share crosses one half near {} {}.",
            list(&found.parity),
            found.setting
        )
    });
    let apart: Vec<String> = found
        .points
        .iter()
        .filter(|point| {
            point
                .interval
                .is_some_and(|(low, high)| low > 0.5 || high < 0.5)
        })
        .map(|point| whole(point.setting))
        .collect();
    let percent = 100.0 * found.confidence;
    section.notes.push(match apart.is_empty() {
        true => format!("All {percent} % intervals over blocks contain one half."),
        false => format!(
            "The {percent} % intervals over blocks at {} do not contain one half.",
            apart.join(", ")
        ),
    });
    section.notes.push(format!(
        "Thinking time of `{}` per deal: {} seconds{}; {}.",
        found.rival,
        seconds(found.rival_seconds),
        found.measured.map_or(String::new(), |deals| format!(
            " (processor time, {deals} deals at each table)"
        )),
        if found.equal_time.is_empty() {
            "the thinking times are not equal at any setting in this range".to_owned()
        } else {
            format!(
                "the thinking times are equal near {} {}",
                list(&found.equal_time),
                found.setting
            )
        }
    ));
    section
}

/// Formats a number without decimals.
fn whole(number: f64) -> String {
    format!("{number:.0}")
}

fn write(folder: &Path, found: &BudgetResult) -> anyhow::Result<()> {
    fs::create_dir_all(folder).at(folder)?;
    let ticks: Vec<f64> = found.points.iter().map(|point| point.setting).collect();
    let mark = |x: f64, value: f64, interval: Option<(f64, f64)>| ChartPoint {
        x,
        value,
        interval: interval.unwrap_or((value, value)),
    };
    let level = |value: f64| {
        ticks
            .iter()
            .map(|&x| mark(x, value, None))
            .collect::<Vec<_>>()
    };
    let line = |name: &str, colour: usize, dashed: bool, points: Vec<ChartPoint>| ChartLine {
        name: name.to_owned(),
        colour,
        dashed,
        points,
    };
    let lowest = found
        .points
        .iter()
        .map(|point| point.interval.map_or(point.share, |interval| interval.0))
        .fold(0.5, f64::min);
    let shares = found
        .points
        .iter()
        .map(|point| mark(point.setting, point.share, point.interval))
        .collect();
    let title = format!("Share of the points against {} (figure 5)", found.rival);
    let share = Chart {
        title: &title,
        x: &found.setting,
        y: "a / (a + b)",
        ticks: ticks.clone(),
        logarithmic: true,
        bottom: (lowest * 20.0 - 0.2).floor() / 20.0,
        lines: vec![
            line("share", 0, false, shares),
            line("parity", 2, true, level(0.5)),
        ],
    };
    share.save(&folder.join("share.svg"))?;
    let times = found
        .points
        .iter()
        .filter_map(|point| Some(mark(point.setting, point.seconds?, None)))
        .collect();
    let mut lines = vec![line("seconds per deal", 0, false, times)];
    lines.extend(
        found
            .rival_seconds
            .map(|seconds| line(&found.rival, 1, true, level(seconds))),
    );
    let title = format!(
        "Thinking time in seconds per deal, compared with {} (figure 6)",
        found.rival
    );
    let seconds = Chart {
        title: &title,
        x: &found.setting,
        y: "seconds",
        ticks,
        logarithmic: false,
        bottom: 0.0,
        lines,
    };
    seconds.save(&folder.join("seconds.svg"))?;

    let path = folder.join("points.csv");
    let heading = [
        "entrant",
        &*escape_cell(&found.setting),
        "deals",
        "points",
        "rival_points",
        "share",
        "share_low",
        "share_high",
        "seconds",
        "rival_seconds",
    ];
    let optional =
        |number: Option<f64>| number.map_or(String::new(), |number| format!("{number:.6}"));
    let rows = found.points.iter().map(|point| {
        [
            escape_cell(&point.name).into_owned(),
            point.setting.to_string(),
            point.deals.to_string(),
            format!("{:.6}", point.points),
            format!("{:.6}", point.rival_points),
            format!("{:.6}", point.share),
            optional(point.interval.map(|interval| interval.0)),
            optional(point.interval.map(|interval| interval.1)),
            optional(point.seconds),
            optional(found.rival_seconds),
        ]
    });
    write_csv(
        &path,
        std::iter::once(heading.map(str::to_owned)).chain(rows),
    )
    .at(&path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crossings_are_interpolated_linearly_between_points() {
        let points = [(0.0, 0.4), (1.0, 0.6), (2.0, 0.6), (4.0, 0.4)];
        let found = crossings(&points, 0.5);
        assert!(
            found.len() == 2 && (found[0] - 0.5).abs() < 1e-12 && (found[1] - 3.0).abs() < 1e-12,
            "{found:?}"
        );
        assert!(crossings(&points, 0.7).is_empty() && crossings(&points[..1], 0.4).is_empty());
    }
}
