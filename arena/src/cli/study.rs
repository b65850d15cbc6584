//! `hattari study`.

use super::report::league_and_store;
use super::{Outcome, output, signals};
pub(super) use hattari_study::Arguments;
use hattari_study::{End, Host};

/// Runs the command.
pub(super) fn main(arguments: &Arguments) -> anyhow::Result<Outcome> {
    let host = Host {
        open: league_and_store,
        stop_flag: signals::stop_flag,
    };
    let findings = hattari_study::run(arguments, host)?;
    output::print_drawn(&findings.shown.into_text())?;
    Ok(match findings.end {
        End::Done => Outcome::Done,
        End::Differs => Outcome::Found,
        End::Interrupted => Outcome::Interrupted,
    })
}
