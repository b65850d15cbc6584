//! Supervision of bots' processes, shared by all backends.

mod executable;
pub(crate) mod exit;
mod output;
mod rlimit;

#[cfg(not(target_os = "linux"))]
mod unsupported;

#[cfg(feature = "wasm")]
pub(crate) use executable::is_worker;
pub use executable::use_program;
pub(crate) use executable::worker_command;
pub(crate) use output::OutputFile;
pub(crate) use rlimit::set_limit;
#[cfg(not(target_os = "linux"))]
pub(crate) use unsupported::{begin_call, nanos_in_call, notice_pauses, pin};

linux! {
    mod descriptors;
    pub(crate) mod pin;
    mod watchdog;

    pub(crate) use {
        descriptors::{
            checked, close_from, end_with_parent, flush_outputs, put_in_place,
            redirect_to_null, sealed,
        },
        rlimit::address_space,
        watchdog::{BETWEEN_CALLS_MAX, WatchedWorker, begin_call, nanos_in_call, notice_pauses, now},
    };
}
