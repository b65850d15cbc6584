//! Plays a league, measures its decisions and draws figures 3 and 4 of the paper.

use super::curve::{CurvePoint, Curves, Point};
use super::file::{Header, Log};
use super::measure::{MeasureOptions, Observer};
use crate::host::{AtPath, Outcome, StopFlag, StudyResult, write_csv};
use crate::league::{daihinmin_league, threads};
use crate::sensitivity::chart::{Chart, ChartLine, ChartPoint};
use hattari_agents::record::JobId;
use hattari_agents::seeds::Purpose;
use hattari_agents::text::{counted, grouped};
use hattari_play::play_blocks::play_blocks;
use hattari_plugin::games::daihinmin::Daihinmin;
use hattari_report::grid;
use hattari_report::report::PrintedResult;
use hattari_report::report::table::Section;
use indicatif::{ProgressBar, ProgressStyle};
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

/// Arguments of `hattari study sensitivity decisions`.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Plays a league of daihinmin from its seed. At every decision between plays and passes, it \
samples deals that are consistent with the seat's view, tries every action by playouts in each \
of them, and computes the variance of the action's mean points over the deals: chance-node \
sensitivity, as in Nishino & Nishino, \"Chance Node Sensitivity of the game of Computer \
Daihinmin\" (2013), equation 4 and figures 3 and 4. The noise of the playouts increases the \
variance; the corrected curves subtract it.

Writes to the folder: cns.jsonl (one line per block; a stopped run resumes from it); \
figure-3.svg and figure-3.csv, by the number of cards of the seat that decides; figure-4.svg and \
figure-4.csv, by the number of cards of all seats. More blocks can be added later.

Examples:
  hattari study sensitivity decisions leagues/cns.yaml --output cns
  hattari study sensitivity decisions leagues/cns.yaml --output cns --deals 20 --playouts 50 --blocks 4
  hattari study sensitivity decisions leagues/cns.yaml --output cns-fitted --fitted

Exit codes: 0 measured, 2 any error (finished blocks are kept), 130 interrupted.")]
pub(crate) struct Arguments {
    /// The league whose games are measured, a YAML file
    #[arg(value_name = "LEAGUE")]
    league: PathBuf,
    /// Output folder for measurements and figures
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    /// Number of deals sampled per decision
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(2..=100_000))]
    deals: u32,
    /// Number of playouts of each action in each deal
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    playouts: u32,
    /// Use the fitted policy in playouts instead of random play
    #[arg(long)]
    fitted: bool,
    /// Number of blocks per line-up (default: that of the league)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    blocks: Option<u32>,
    /// Number of threads (default: one per core)
    #[arg(short, long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// An additional folder with bots; may be repeated
    #[arg(long, value_name = "DIR")]
    bots: Vec<PathBuf>,
}

/// Measures the blocks that are not yet in the log, and draws the figures.
pub(crate) fn run(arguments: &Arguments, stop_flag: StopFlag) -> anyhow::Result<StudyResult> {
    let (mut prepared, programs) = daihinmin_league(&arguments.league, &arguments.bots)?;
    if let Some(blocks) = arguments.blocks {
        prepared.league.blocks = blocks;
        prepared.schedule.blocks = blocks;
    }
    let effort = MeasureOptions {
        deals: arguments.deals,
        playouts: arguments.playouts,
        fitted: arguments.fitted,
    };
    let mut league = serde_json::to_value(&prepared.league)?;
    if let Some(fields) = league.as_object_mut() {
        for unimportant in ["blocks", "report"] {
            fields.remove(unimportant);
        }
    }
    let header = Header {
        league,
        programs,
        effort,
        hattari: env!("CARGO_PKG_VERSION").to_owned(),
    };
    let folder = &arguments.output;
    fs::create_dir_all(folder).at(folder)?;
    let mut log = Log::open(&folder.join("cns.jsonl"), &header)?;

    let jobs: Vec<JobId> = prepared.jobs().filter(|&job| !log.contains(job)).collect();
    let bar = ProgressBar::new(prepared.schedule.jobs());
    bar.set_style(ProgressStyle::with_template(
        "{wide_bar} {pos}/{len} blocks, {eta} left",
    )?);
    bar.set_position(prepared.schedule.jobs() - jobs.len() as u64);
    bar.reset_eta();
    let stop = stop_flag()?;
    let observer = |job: JobId| {
        Observer::new(
            effort,
            prepared
                .chance(job)
                .bots
                .block(job.block)
                .purpose(Purpose::Measure),
        )
    };
    let game: Daihinmin = prepared.game_as()?;
    let outcome = play_blocks(
        |seated, watch| seated.play(&game, watch),
        &prepared,
        &jobs,
        threads(arguments.jobs),
        &stop,
        observer,
        |job, observer| {
            log.add(job, observer.sums)?;
            bar.inc(1);
            anyhow::Ok(())
        },
    );
    bar.finish_and_clear();
    outcome?;

    // The blocks are sorted, because sums of floating-point numbers depend on the order.
    log.blocks
        .sort_by_key(|&(job, _)| prepared.schedule.index(job));
    let blocks: Vec<_> = log
        .blocks
        .into_iter()
        .filter(|(job, _)| job.block < prepared.schedule.blocks)
        .map(|(_, sums)| sums)
        .collect();
    let curves = Curves::of(&blocks);
    write_figures(folder, &curves, effort)?;
    let sections = || sections(&curves, blocks.len(), effort);
    let shown = PrintedResult::json_or(arguments.json, &curves, sections)?;
    let end = if stop.load(Ordering::Relaxed) {
        Outcome::Interrupted
    } else {
        Outcome::Done
    };
    Ok(StudyResult { output: shown, end })
}

/// A function that selects the value of a [`CurvePoint`] that a line shows.
type CurveValue = fn(&CurvePoint) -> Point;

/// A figure: file name, title, title of the horizontal axis, interval between its tick labels, and
/// curves.
struct Figure<'a> {
    name: &'static str,
    title: &'static str,
    axis: &'static str,
    step: usize,
    curves: &'a [CurvePoint],
}

fn figures(curves: &Curves) -> [Figure<'_>; 2] {
    [
        Figure {
            name: "figure-3",
            title: "Chance-node sensitivity by the cards of the deciding seat (figure 3)",
            axis: "cards of the seat that decides; the game runs from right to left",
            step: 1,
            curves: &curves.own,
        },
        Figure {
            name: "figure-4",
            title: "Chance-node sensitivity by the cards of all seats (figure 4)",
            axis: "cards of all seats; the game runs from right to left",
            step: 5,
            curves: &curves.all,
        },
    ]
}

/// Returns the chart of a figure: means as lines, 95 % intervals of the means over all actions as
/// bands.
fn chart<'a>(figure: &Figure<'a>) -> Chart<'a> {
    let lines: [(&str, usize, bool, CurveValue); 4] = [
        ("raw, mean over actions", 0, false, |curve| curve.raw),
        ("noise subtracted", 1, false, |curve| curve.corrected),
        ("raw, best action", 0, true, |curve| curve.best_raw),
        ("best action, noise subtracted", 1, true, |curve| {
            curve.best_corrected
        }),
    ];
    let line = |(name, colour, dashed, of): (&str, usize, bool, CurveValue)| ChartLine {
        name: name.to_owned(),
        colour,
        dashed,
        points: figure
            .curves
            .iter()
            .map(|curve| {
                let Point { mean, margin } = of(curve);
                let margin = margin.unwrap_or(0.0);
                ChartPoint {
                    x: curve.cards as f64,
                    value: mean,
                    interval: (mean - margin, mean + margin),
                }
            })
            .collect(),
    };
    let last = figure
        .curves
        .iter()
        .map(|curve| curve.cards)
        .max()
        .unwrap_or(1);
    Chart {
        title: figure.title,
        x: figure.axis,
        y: "variance over deals, points²",
        ticks: (0..=last)
            .step_by(figure.step)
            .map(|cards| cards as f64)
            .collect(),
        logarithmic: false,
        bottom: 0.0,
        lines: lines.into_iter().map(line).collect(),
    }
}

fn write_figures(folder: &Path, curves: &Curves, effort: MeasureOptions) -> anyhow::Result<()> {
    for figure in figures(curves) {
        let name = figure.name;
        chart(&figure).save(&folder.join(format!("{name}.svg")))?;
        let path = folder.join(format!("{name}.csv"));
        let mut rows = vec![vec![
            "cards".to_owned(),
            "decisions".into(),
            "deals".into(),
            "playouts".into(),
        ]];
        for column in ["raw", "corrected", "best_raw", "best_corrected"] {
            rows[0].extend([column.to_owned(), format!("{column}_margin_95")]);
        }
        for curve in figure.curves {
            let mut row = vec![curve.cards.to_string(), curve.decisions.to_string()];
            row.extend([effort.deals.to_string(), effort.playouts.to_string()]);
            for point in [
                curve.raw,
                curve.corrected,
                curve.best_raw,
                curve.best_corrected,
            ] {
                row.push(format!("{:.6}", point.mean));
                row.push(
                    point
                        .margin
                        .map_or(String::new(), |margin| format!("{margin:.6}")),
                );
            }
            rows.push(row);
        }
        write_csv(&path, rows).at(&path)?;
    }
    Ok(())
}

fn sections(curves: &Curves, blocks: usize, effort: MeasureOptions) -> Vec<Section> {
    let number = |number: f64| format!("{number:.3}");
    let margin = |margin: Option<f64>| margin.map_or("-".to_owned(), number);
    let mut sections: Vec<Section> = figures(curves)
        .into_iter()
        .map(|Figure { title, curves, .. }| {
            let table = grid! { curve in curves;
                "cards", Right = curve.cards.to_string();
                "decisions", Right = curve.decisions;
                "raw", Right = number(curve.raw.mean);
                "±", Right = margin(curve.raw.margin);
                "noise subtracted", Right = number(curve.corrected.mean);
                "±", Right = margin(curve.corrected.margin);
                "best action", Right = number(curve.best_raw.mean);
                "noise subtracted", Right = number(curve.best_corrected.mean);
            };
            Section::of(title, table)
        })
        .collect();
    if let Some(last) = sections.last_mut() {
        last.notes.push(format!(
            "{}; {} deals per decision, {} playouts of each action in each deal{}. Variance over \
            deals of the mean points of an action (squared points), averaged over actions; ± is \
            the 95 % interval over blocks.",
            counted(blocks as u64, "block"),
            grouped(effort.deals.into()),
            grouped(effort.playouts.into()),
            if effort.fitted {
                " with the fitted policy"
            } else {
                " with random play"
            },
        ));
    }
    sections
}
