//! Parts of supervising processes that all backends share.

pub(crate) mod control;
#[cfg(target_os = "linux")]
mod descriptors;
#[cfg(target_os = "linux")]
mod disturbance;
mod executable;
pub(crate) mod exit;
mod output;
mod periodic_check;
#[cfg(target_os = "linux")]
pub(crate) mod pin;
#[cfg(target_os = "linux")]
mod sealed;
#[cfg(target_os = "linux")]
pub(crate) mod supervisor;
#[cfg(not(target_os = "linux"))]
mod undisturbed;
#[cfg(target_os = "linux")]
mod watchdog;

#[cfg(target_os = "linux")]
pub(crate) use descriptors::{flush_outputs, put_in_place};
#[cfg(target_os = "linux")]
pub(crate) use disturbance::{BETWEEN_CALLS_MAX, call_begins};
#[cfg(feature = "wasm")]
pub(crate) use executable::MARK;
pub use executable::use_program;
#[cfg(any(feature = "wasm", target_os = "linux"))]
pub(crate) use executable::worker_command;
pub(crate) use output::LastWords;
pub(crate) use periodic_check::PeriodicCheck;
#[cfg(target_os = "linux")]
pub(crate) use sealed::sealed;
#[cfg(not(target_os = "linux"))]
pub(crate) use undisturbed::{call_begins, nanos_in_call};
#[cfg(target_os = "linux")]
pub(crate) use watchdog::{Watched, nanos_in_call, now};
