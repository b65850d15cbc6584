//! The sandbox of bots' processes: what they may use, see and do. Nothing here knows bots or pipes.
//!
//! A [`SandboxPolicy`] says what a process may use; [`restrict_library`] and [`restrict_program`]
//! apply one to the calling process. A library is loaded under a list of the system calls that it
//! may make ([`allowed_calls`]) and reads files only through its helper ([`opener`]). A program
//! sees a read-only file system of its own ([`mounts`], [`visible_files`]) and may make all system
//! calls except a list ([`refused_calls`]). [`inspect`] looks at both from outside. Each measure
//! and its result stand in a [`Sandboxed`].

mod report;
mod spec;

#[cfg(target_os = "linux")]
mod allowed_calls;
#[cfg(target_os = "linux")]
mod inspect;
#[cfg(target_os = "linux")]
mod landlock;
#[cfg(target_os = "linux")]
mod mounts;
#[cfg(target_os = "linux")]
mod namespaces;
#[cfg(target_os = "linux")]
mod opener;
#[cfg(target_os = "linux")]
mod policy;
#[cfg(target_os = "linux")]
mod privileges;
#[cfg(target_os = "linux")]
mod refused_calls;
#[cfg(target_os = "linux")]
mod restrict;
#[cfg(target_os = "linux")]
mod rlimits;
#[cfg(target_os = "linux")]
mod seccomp;
#[cfg(target_os = "linux")]
mod status;
#[cfg(target_os = "linux")]
mod visible_files;

pub use report::{Measure, SYSTEM_CALLS, Sandboxed};
pub(crate) use spec::{ALTERNATIVES, SandboxSpec};
#[cfg(target_os = "linux")]
pub(crate) use {
    allowed_calls::{FILTERS as FILTERS_OF_LIBRARY, can_be_supervised},
    inspect::{FileId, inspect_program},
    mounts::build,
    namespaces::{Namespaces, enter_of_library, enter_of_program},
    opener::{Copies, Opener, file_ranges},
    policy::SandboxPolicy,
    restrict::{LibraryTerms, restrict_library, restrict_program},
    status::{Status, filters_of_this_process},
    visible_files::spec_of,
};
