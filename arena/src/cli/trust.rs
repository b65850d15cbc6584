//! `--trust`, and the confirmation prompt without it.

use console::Term;
use hattari_play::trust::{TrustPolicy, UntrustedCode, set_policy};
use std::io::IsTerminal;

/// Sets the policy for untrusted code: allow it with `--trust`, ask the user at a terminal,
/// otherwise refuse it. A server (`is_server`) never asks, because nobody would answer.
pub(super) fn set_up(trust: bool, is_server: bool) {
    let has_terminal = std::io::stdin().is_terminal() && std::io::stderr().is_terminal();
    set_policy(match trust {
        true => TrustPolicy::Trust,
        false if has_terminal && !is_server => TrustPolicy::Ask(ask),
        false => TrustPolicy::Refuse,
    });
}

/// Asks at the terminal; every answer except yes means no.
fn ask(code: &UntrustedCode) -> bool {
    let terminal = Term::stderr();
    let asked = terminal.write_str(&format!(
        "{code}.\nDo you trust it? The answer is remembered. [y/N] "
    ));
    let answer = asked
        .and_then(|()| terminal.read_line())
        .unwrap_or_default();
    matches!(answer.trim().to_lowercase().as_str(), "y" | "yes")
}
