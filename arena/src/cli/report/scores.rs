//! `hattari report SCORES.csv`: tests of external scores.

use super::Arguments;
use crate::cli::Outcome;
use anyhow::Context;
use hattari_play::samples::read_scores;
use hattari_report::standings::ReportOptions;
use std::fs::File;
use std::io::{Read, stdin};

/// Prints or writes the report on a table of scores.
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
    let wishes = ReportOptions {
        command: format!("hattari report {}", arguments.file.display()),
        score_ratio: arguments.score_ratio,
        ..arguments.tests.wishes()
    };
    arguments.report_samples(&samples, name, "row", wishes)
}
