//! `hattari study`.

use super::{Outcome, output, signals};
pub(super) use hattari_study::Arguments;
use hattari_study::StudyOutcome;

/// Runs the command.
pub(super) fn main(arguments: &Arguments) -> anyhow::Result<Outcome> {
    let findings = hattari_study::run(arguments, signals::stop_flag)?;
    output::print_drawn(&findings.output.into_text())?;
    Ok(match findings.end {
        StudyOutcome::Done => Outcome::Done,
        StudyOutcome::Differs => Outcome::Found,
        StudyOutcome::Interrupted => Outcome::Interrupted,
    })
}
