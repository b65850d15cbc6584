//! `hattari study`.

use super::{CommandResult, output, signals};
pub(super) use hattari_study::Arguments;

pub(super) fn main(arguments: &Arguments) -> CommandResult {
    let findings = hattari_study::run(arguments, signals::stop_flag)?;
    output::print_drawn(&findings.output.into_text())?;
    Ok(findings.end)
}
