//! The study of the fuzzy-logic stud paper: recomputes recorded estimates.

use crate::host::{Outcome, StudyResult};
use anyhow::{Context, anyhow, ensure};
use hattari_agents::text::{self, short};
use hattari_bots_stud::fuzzy::cases::{self, Cases, Report};
use hattari_report::report::PrintedResult;
use std::fs;
use std::path::PathBuf;

/// Arguments of `hattari study stud`.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
A file of cases is a JSON object. `cases` is a list of estimates with the player's cards `own`, \
the opponent's open cards `opp_up`, and any of these results: `counts` (the opponent's \
completions to seven cards, by score), `n` (their number), `cdf` (distribution function of the \
score), `com` (the player's score), `p` (`cdf` at `com`), `hum_expect` (the opponent's expected \
score), `exp_lin` and `exp_step` (expected strength with linear interpolation and with a step \
function between scores). `potentials` is a list of cards that the player could open: `shown` \
(the player's open cards), `candidate` (the card to open), `opp_up`, and any of `n`, `counts` \
and `potential`. `freq5` and `freq7` are the frequencies of the scores of all hands of five and \
seven cards. All recorded values are computed again from all completions; differences are \
printed. Cards are written `As`, `Td`, `2c`; scores are 0 nothing, 1 pair, 2 two pair, 3 trips, \
4 straight, 5 flush, 6 full house, 7 quads, 8 straight flush, 9 royal flush.

Examples:
  hattari study stud --cases tests/data/stud.json
  hattari study stud --cases tests/data/stud.json --json

Exit codes: 0 all agree, 1 something differs, 2 any error.")]
pub(crate) struct Arguments {
    /// The file of cases
    #[arg(long, value_name = "FILE")]
    cases: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Recomputes the cases of a file.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<StudyResult> {
    let path = &arguments.cases;
    let file_name = || short(path);
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", file_name()))?;
    let cases: Cases = serde_json::from_slice(&bytes).with_context(|| {
        format!(
            "{}: not a valid file of stud \
            cases",
            file_name()
        )
    })?;
    let report = cases::run(&cases).map_err(|why| anyhow!("{}: {why}", file_name()))?;
    ensure!(
        report.numbers != 0,
        "{}: no recorded values to compare",
        file_name()
    );
    let shown = if arguments.json {
        PrintedResult::json(&report)?
    } else {
        PrintedResult::Text(lines(&report))
    };
    let end = Outcome::of_search(!report.differences.is_empty());
    Ok(StudyResult { output: shown, end })
}

/// Returns a line for each difference and a summary line.
fn lines(report: &Report) -> String {
    let mut lines = String::new();
    for difference in &report.differences {
        let (recorded, computed) = (number(difference.recorded), number(difference.computed));
        lines += &format!(
            "{}: {}: recorded {recorded}, computed {computed}\n",
            difference.case, difference.what
        );
    }
    let (cases, numbers) = (text::grouped(report.cases), text::grouped(report.numbers));
    lines
        + &format!(
            "{cases} cases, {numbers} numbers, {} differences\n",
            report.differences.len()
        )
}

/// Formats an integer without decimals, and other numbers with the 12 decimals that are compared.
fn number(x: f64) -> String {
    if x.fract() == 0.0 {
        format!("{x}")
    } else {
        format!("{x:.12}")
    }
}
