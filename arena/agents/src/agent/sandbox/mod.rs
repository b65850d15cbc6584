//! The sandbox of bots' processes. This module does not depend on bots or on the pipes to them.
//!
//! A [`SandboxPolicy`](policy::SandboxPolicy) contains the limits of a process.
//! [`restrict_library`] and [`restrict_program`] apply a policy to the calling process. A library's
//! process may make only the system calls in [`allowed_calls`], and its helper opens files for it
//! ([`opener`]). A program has a read-only file system of its own ([`mounts`], [`visible_files`])
//! and may make all system calls except those in [`refused_calls`]. [`inspect`] checks a running
//! program from outside. A [`SandboxReport`] lists the restrictions and states which are in effect.

mod report;

pub use report::SYSTEM_CALLS;
pub(crate) use report::{ALTERNATIVES, SandboxReport, SandboxSpec};

linux! {
    mod allowed_calls;
    mod inspect;
    mod mounts;
    mod namespaces;
    mod opener;
    mod policy;
    mod privileges;
    mod refused_calls;
    mod restrict;
    mod seccomp;
    mod visible_files;

    pub(crate) use {
        allowed_calls::{FILTERS as FILTERS_OF_LIBRARY, can_be_supervised},
        inspect::{FileId, ProcessStatus, filters_of_this_process, inspect_program},
        mounts::build,
        namespaces::{Namespaces, enter_for_library, enter_for_program},
        opener::{LibraryCopies, Opener, file_ranges},
        restrict::{LibrarySpec, restrict_library, restrict_program},
        visible_files::spec_of,
    };
}
