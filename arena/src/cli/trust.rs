//! `--trust`, and the question where it is not given.

use console::Term;
use hattari_play::trust::{Policy, Stranger, set};
use std::io::IsTerminal;

/// Decides what is done about what the user has not trusted yet: it is trusted now, or somebody at
/// a terminal is asked. A command that answers others while it runs (`is_server`) has nobody who
/// waits for a question.
pub(super) fn set_up(trust: bool, is_server: bool) {
    let has_terminal = std::io::stdin().is_terminal() && std::io::stderr().is_terminal();
    set(match trust {
        true => Policy::Trust,
        false if has_terminal && !is_server => Policy::Ask(ask),
        false => Policy::Refuse,
    });
}

/// Asks at the terminal; anything but a yes is a no.
fn ask(stranger: &Stranger) -> bool {
    let terminal = Term::stderr();
    let asked = terminal.write_str(&format!(
        "{stranger}.\nDo you trust it? The answer is remembered. [y/N] "
    ));
    let answer = asked
        .and_then(|()| terminal.read_line())
        .unwrap_or_default();
    matches!(answer.trim().to_lowercase().as_str(), "y" | "yes")
}
