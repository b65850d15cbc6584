//! Conversion of failed calls to faults, with the place in the module where they failed.

use super::limits::WasmLimits;
use super::memory::OutOfBounds;
use crate::agent::{AgentError, FaultScope, backstop};
use crate::record::FaultKind;
use crate::text::joined;
use wasmtime::{Error, Trap, WasmBacktrace};

/// Maximum number of functions in a message, innermost first.
const FRAMES: usize = 3;
/// Maximum length of a function's name in a message.
const NAME: usize = 80;

/// The errors with which host functions end a call.
#[derive(Debug, PartialEq, thiserror::Error)]
pub(super) enum CallStop {
    /// The backstop has stopped the call.
    #[error("it takes too much CPU time")]
    Clock,
    /// The bot has called `exit`.
    #[error("it exited with exit code {0}")]
    Exit(u32),
    /// The bot has passed an invalid address.
    #[error("{0}: {1}")]
    Outside(&'static str, OutOfBounds),
}

/// Returns a description of a trap in terms that C programmers know. Rare traps keep the engine's
/// message.
fn describe_trap(trap: Trap) -> String {
    let words = match trap {
        Trap::IntegerDivisionByZero => "it divides by zero",
        Trap::MemoryOutOfBounds => "it accesses an address outside its memory",
        Trap::StackOverflow => "its calls are nested too deeply for the stack",
        Trap::BadSignature => "it calls a function with the wrong type",
        Trap::IndirectCallToNull | Trap::TableOutOfBounds => {
            "it calls a function that does not exist"
        }
        other => return other.to_string(),
    };
    words.to_owned()
}

/// Returns the fault for a failed call. `fuel` is the limit of the call; `panic` returns the panic
/// message if the module stores it.
pub(super) fn agent_error(
    call: &str,
    error: &Error,
    fuel: u64,
    panic: impl FnOnce() -> Option<String>,
) -> AgentError {
    let place = place(error);
    let of = |kind: FaultKind, what: &str| {
        AgentError::new(kind, format!("{call}: {what}{place}")).with_scope(FaultScope::Deal)
    };
    match error.downcast_ref::<Trap>() {
        _ if is_backstop(error) => backstop_fault(call, fuel),
        Some(Trap::OutOfFuel) => of(FaultKind::Time, &format!("more than {fuel} units of fuel")),
        Some(Trap::UnreachableCodeReached) => match panic() {
            Some(said) => of(FaultKind::Panic, &said),
            None => of(FaultKind::Crash, "it aborted"),
        },
        Some(trap) => of(FaultKind::Crash, &describe_trap(*trap)),
        None => {
            let stop = error.downcast_ref::<CallStop>();
            let message = stop.map_or_else(|| error.to_string(), CallStop::to_string);
            of(FaultKind::Crash, &message)
        }
    }
}

/// Returns `true` if the backstop has stopped the call.
pub(super) fn is_backstop(error: &Error) -> bool {
    error.downcast_ref() == Some(&CallStop::Clock)
}

/// Returns the fault for a call that the backstop has stopped.
pub(super) fn backstop_fault(call: &str, fuel: u64) -> AgentError {
    let during = match call {
        "act" => "in one decision".to_owned(),
        "deal_start" | "deal_end" | "destroy" => format!("in `{call}`"),
        _ => "at the start of the block".to_owned(),
    };
    backstop::processor_time_fault(WasmLimits::clock(fuel), &during, "fuel")
}

/// Returns the place where a call failed: the innermost functions by name or number, and the offset
/// in the file. Empty if it is unknown.
fn place(error: &Error) -> String {
    let trace = error.downcast_ref::<WasmBacktrace>();
    let frames = trace.map_or(&[][..], WasmBacktrace::frames);
    let Some(first) = frames.first() else {
        return String::new();
    };
    let names = frames
        .iter()
        .take(FRAMES)
        .map(|frame| match frame.func_name() {
            Some(name) => name.chars().take(NAME).collect(),
            None => format!("function {}", frame.func_index()),
        });
    let offset = first
        .module_offset()
        .map(|offset| format!(" at {offset:#x}"));
    let names = joined(names, " < ");
    format!(", in {names}{}", offset.unwrap_or_default())
}
