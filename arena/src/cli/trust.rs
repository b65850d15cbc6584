//! The policy for untrusted code: the option `--trust`, or a confirmation at the terminal.

use console::Term;
use hattari_play::trust::{TrustPolicy, UntrustedCode, set_policy};
use std::io::IsTerminal;

/// Sets the policy for untrusted code: with `--trust` it is allowed, at a terminal the user is
/// asked, otherwise it is refused. A server (`is_server`) never asks, because nobody would answer.
pub(super) fn set_up(is_trusted: bool, is_server: bool) {
    let has_terminal = std::io::stdin().is_terminal() && std::io::stderr().is_terminal();
    set_policy(if is_trusted {
        TrustPolicy::Trust
    } else if has_terminal && !is_server {
        TrustPolicy::Ask(ask)
    } else {
        TrustPolicy::Refuse
    });
}

/// Asks the user at the terminal. Every answer except yes counts as no.
fn ask(code: &UntrustedCode) -> bool {
    let terminal = Term::stderr();
    let written = terminal.write_str(&format!(
        "{code}.\nDo you trust it? The answer is remembered. [y/N] "
    ));
    let answer = written
        .and_then(|()| terminal.read_line())
        .unwrap_or_default();
    matches!(answer.trim().to_lowercase().as_str(), "y" | "yes")
}
