//! `hattari study`.

use super::{Outcome, output, signals};
pub(super) use hattari_study::Arguments;

pub(super) fn main(arguments: &Arguments) -> anyhow::Result<Outcome> {
    let findings = hattari_study::run(arguments, signals::stop_flag)?;
    output::print_drawn(&findings.output.into_text())?;
    Ok(findings.end)
}
