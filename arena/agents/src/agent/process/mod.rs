//! Supervision of bots' processes, shared by all backends.

#[cfg(target_os = "linux")]
mod descriptors;
mod disturbance;
mod executable;
pub(crate) mod exit;
mod output;
#[cfg(target_os = "linux")]
pub(crate) mod pin;
mod rlimit;
#[cfg(target_os = "linux")]
mod sealed;
#[cfg(target_os = "linux")]
mod watchdog;

#[cfg(target_os = "linux")]
pub(crate) use descriptors::{flush_outputs, put_in_place};
#[cfg(target_os = "linux")]
pub(crate) use disturbance::BETWEEN_CALLS_MAX;
pub(crate) use disturbance::call_begins;
#[cfg(not(target_os = "linux"))]
pub(crate) use disturbance::nanos_in_call;
pub use executable::use_program;
pub(crate) use executable::{MARK, program};
pub(crate) use output::OutputTail;
#[cfg(target_os = "linux")]
pub(crate) use rlimit::address_space;
pub(crate) use rlimit::set_limit;
#[cfg(target_os = "linux")]
pub(crate) use sealed::sealed;
#[cfg(target_os = "linux")]
pub(crate) use watchdog::{WatchedWorker, nanos_in_call, now};
