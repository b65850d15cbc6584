//! `hattari study`.

use super::{Outcome, output, signals};
pub(super) use hattari_study::Arguments;
use hattari_study::End;

/// Runs the command.
pub(super) fn main(arguments: &Arguments) -> anyhow::Result<Outcome> {
    let findings = hattari_study::run(arguments, signals::stop_flag)?;
    output::print_drawn(&findings.shown.into_text())?;
    Ok(match findings.end {
        End::Done => Outcome::Done,
        End::Differs => Outcome::Found,
        End::Interrupted => Outcome::Interrupted,
    })
}
