//! `hattari report SCORES.csv`: tests of external scores.

use super::Arguments;
use crate::cli::CommandResult;
use crate::cli::options::open_input;
use anyhow::Context;
use hattari_play::samples::read_scores;

/// Prints or writes the report on a table of scores.
pub(super) fn main(arguments: &Arguments) -> CommandResult {
    let name = if arguments.file.as_os_str() == "-" {
        "standard input".to_owned()
    } else {
        arguments.file.display().to_string()
    };
    let input = open_input(&arguments.file).with_context(|| format!("`{name}`"))?;
    let samples = read_scores(input).with_context(|| format!("`{name}`"))?;
    arguments.report_samples(&samples, name, "row", None)
}
