//! Status codes of the C interface and the faults that they lead to. Libraries and WebAssembly
//! modules share them.

use super::process::nanos_in_call;
use super::{AgentError, AgentResult, FaultScope};
use crate::record::FaultKind;
use crate::text::shortened;
use hattari_plugin::abi;
use std::time::Duration;

/// Returns the name of an error status in the C interface, for example `HATTARI_E_FAIL`.
fn status_name(status: abi::Status) -> String {
    let name = match status {
        abi::E_FAIL => "HATTARI_E_FAIL",
        abi::E_CONFIG => "HATTARI_E_CONFIG",
        abi::E_UNSUPPORTED => "HATTARI_E_UNSUPPORTED",
        abi::E_NOMEM => "HATTARI_E_NOMEM",
        abi::E_PANIC => "HATTARI_E_PANIC",
        abi::E_STOPPED => "HATTARI_E_STOPPED",
        other => return format!("status {other}"),
    };
    name.into()
}

/// Returns the message for a library whose init function failed.
pub(crate) fn not_initialised(status: abi::Status) -> String {
    format!("its init function failed with {}", status_name(status))
}

/// Returns the message for a bot that cannot be created. `said` is the error text of the bot.
pub(crate) fn not_created(status: abi::Status, said: &str, config_json: &str) -> String {
    let said = if said.is_empty() {
        "no reason given"
    } else {
        said
    };
    let of_config = if status == abi::E_CONFIG {
        // A config can contain thousands of weights.
        format!(" with config {}", shortened(config_json, CONFIG_SHOWN_MAX))
    } else {
        String::new()
    };
    format!("create failed{of_config}: {said} ({})", status_name(status))
}

/// Maximum number of bytes of a config that are quoted.
const CONFIG_SHOWN_MAX: usize = 300;

/// Returns the fault for a call that returned `status`. `said` is the error text of the bot.
pub(crate) fn failed(call: &str, status: abi::Status, said: &str) -> AgentError {
    let kind = match status {
        abi::E_PANIC => FaultKind::Panic,
        abi::E_NOMEM => FaultKind::Memory,
        abi::E_STOPPED => FaultKind::Time,
        abi::E_CONFIG => FaultKind::Start,
        abi::E_UNSUPPORTED => FaultKind::Refused,
        _ => FaultKind::Error,
    };
    let status = status_name(status);
    let message = if said.is_empty() {
        format!("{call}: {status}")
    } else {
        format!("{call}: {said} ({status})")
    };
    AgentError::new(kind, message)
}

/// Converts an error at the start of a block. The kind becomes [`FaultKind::Start`] unless it is
/// fatal or `Clock`; the scope becomes at least the deal.
pub(crate) fn not_started(agent_error: AgentError) -> AgentError {
    let kind = if agent_error.kind.is_fatal() || agent_error.kind == FaultKind::Clock {
        agent_error.kind
    } else {
        FaultKind::Start
    };
    AgentError {
        kind,
        scope: agent_error.scope.at_least(FaultScope::Deal),
        ..agent_error
    }
}

/// Returns the delay of a call in nanoseconds; 0 or less if the call was in time or has no limit.
pub(crate) fn late_ns(took: Duration, budget_us: i64) -> i64 {
    if budget_us <= 0 {
        return 0;
    }
    i64::try_from(took.as_nanos())
        .unwrap_or(i64::MAX)
        .saturating_sub(budget_us.saturating_mul(1000))
}

/// Checks that the answer to `call` is in time. `late_ns` is the measured delay. The processor time
/// that other bots used during the call does not count.
///
/// # Errors
/// Returns the fault if the answer is late.
pub(crate) fn check_in_time(call: &str, late_ns: i64, budget_us: i64) -> AgentResult {
    if late_ns <= 0 {
        return Ok(());
    }
    let late_ns = late_ns.saturating_sub_unsigned(nanos_in_call());
    if late_ns <= 0 {
        return Ok(());
    }
    let took_us = budget_us.saturating_add(late_ns / 1000);
    Err(AgentError::new(
        FaultKind::Time,
        format!("{call}: took {took_us} µs; {budget_us} µs are allowed"),
    ))
}

/// Returns the error for a call of a bot whose instance does not exist any more.
pub(crate) fn no_instance() -> AgentError {
    AgentError::start("the bot has no running instance")
}

/// Returns the length of a short list, for example of the bytes of a view.
#[inline]
pub(crate) fn size<T>(list: &[T]) -> u32 {
    u32::try_from(list.len()).expect("the list has fewer than 2^32 elements")
}

/// Creates a record with a seat's view and history, for the native C interface or for WebAssembly.
macro_rules! shown {
    ($abi:ident::$record:ident, $seen:expr, $view:expr, $history:expr, { $($field:ident: $value:expr,)* }) => {
        $abi::$record {
            struct_size: hattari_plugin::abi::struct_size::<$abi::$record>(),
            view_size: $crate::agent::status::size($seen.view),
            view: $view,
            history: $history,
            history_count: $seen.history.count(),
            history_stride: $seen.history.stride(),
            $($field: $value,)*
        }
    };
}
pub(crate) use shown;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_start_of_a_long_config_is_quoted() {
        assert_eq!(
            not_created(abi::E_CONFIG, "no such thing", "{\"a\":1}"),
            "create failed with config {\"a\":1}: no such thing (HATTARI_E_CONFIG)"
        );
        let long = format!("{{\"weights\":\"{}\"}}", "札".repeat(10_000));
        let said = not_created(abi::E_CONFIG, "", &long);
        assert!(
            said.starts_with("create failed with config {\"weights\":\"札札") && said.len() < 400,
            "{said}"
        );
        assert!(
            said.ends_with("札…: no reason given (HATTARI_E_CONFIG)"),
            "{said}"
        );
    }
}
