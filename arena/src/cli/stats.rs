//! `hattari stats`.

use super::Outcome;
use super::report::{CorrectionArgument, confidence, margin};
use anyhow::Context;
use hattari_play::samples::read_scores;
use hattari_report::report::{Report, ReportFormat};
use hattari_report::standings::{About, POWER, Settings, standings};
use std::fs::File;
use std::io::{Read, stdin};
use std::path::PathBuf;

const EXAMPLES: &str = "\
The file has a header line: a column `block`, then one column of scores per bot. Rows with the same block are averaged
within the block, because scores within a block may depend on each other; the tests are on blocks. Give every row a
block of its own where rows are independent. A column `cluster` beside it says which blocks were dealt the same cards:
they are one observation together, however many there are. An empty cell (or NA) says that the bot did not play in that row.

Examples:
  hattari stats scores.csv
  hattari stats scores.csv --json | jq '.pairs[] | {a, b, p: .pooled.tested.p}'
  printf 'block,ada,bob\\n1,3,2\\n1,5,1\\n2,2,4\\n3,4,1\\n' | hattari stats -

Exit codes: 0 the tests were made (whatever they say), 2 the file cannot be read or the arguments are wrong.";

/// Arguments of `hattari stats`.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The scores as CSV; `-` reads standard input.
    file: PathBuf,
    /// Print everything as JSON.
    #[arg(long)]
    json: bool,
    /// Confidence of intervals; tests are at 1 minus it.
    #[arg(long, value_name = "LEVEL", default_value = "0.95", value_parser = confidence)]
    confidence: f64,
    /// Call bots equal whose difference is surely smaller than this.
    #[arg(long, value_name = "POINTS", value_parser = margin)]
    equal_within: Option<f64>,
    /// Give the score ratio a / (a + b) of every pair too.
    #[arg(long)]
    score_ratio: bool,
    /// How p is adjusted for the number of comparisons.
    #[arg(long, value_enum, default_value_t)]
    correction: CorrectionArgument,
}

/// Runs the command.
pub(super) fn main(arguments: &Arguments) -> anyhow::Result<Outcome> {
    let is_stdin = arguments.file.as_os_str() == "-";
    let name = if is_stdin {
        "standard input".to_owned()
    } else {
        arguments.file.display().to_string()
    };
    let input: Box<dyn Read> = if is_stdin {
        Box::new(stdin().lock())
    } else {
        Box::new(File::open(&arguments.file).with_context(|| format!("`{name}`"))?)
    };
    let samples = read_scores(input).with_context(|| format!("`{name}`"))?;
    let about = About {
        command: format!("hattari stats {}", arguments.file.display()),
        title: name,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        unit: "row",
        score: "points",
        league: None,
    };
    let settings = Settings {
        confidence: arguments.confidence,
        correction: arguments.correction.into(),
        power: POWER,
        score_ratio: arguments.score_ratio,
        equal_within: arguments.equal_within,
    };
    let standings = standings(&samples, about, settings, None, None)?;
    let format = if arguments.json {
        ReportFormat::Json
    } else {
        ReportFormat::Terminal
    };
    Report {
        standings: &standings,
        samples: &samples,
        replays: None,
    }
    .write(format, None, false)?;
    Ok(Outcome::Done)
}
