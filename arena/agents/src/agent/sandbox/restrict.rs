//! The steps by which a process gives up its rights, for good, before code of a bot runs in it.

use super::namespaces::{self, Namespaces};
use super::policy::{DESCRIPTORS_KEPT, SandboxPolicy};
use super::{SYSTEM_CALLS, SandboxSpec, Sandboxed};
use super::{allowed_calls, landlock, privileges, refused_calls, rlimits};
use rustix::process::{Signal, set_parent_process_death_signal};
use std::io;
use std::ops::Range;
use std::os::fd::OwnedFd;
use std::path::PathBuf;

/// What the sandbox of a library's process depends on.
pub(crate) struct LibraryTerms<'a> {
    /// What it may use.
    pub policy: SandboxPolicy,
    /// It may start threads.
    pub has_threads: bool,
    /// Its namespaces.
    pub namespaces: Namespaces,
    /// `None` where the helper opens files for it; else what it may read by itself while it loads,
    /// and ever after.
    pub readable: Option<&'a [PathBuf]>,
    /// Addresses of its memory that show pages of files, in their order.
    pub files: &'a [Range<u64>],
}

/// Restricts this process, which is going to load a library. `handed_over` gets the end at which
/// its supervised calls are answered.
pub(crate) fn restrict_library(
    terms: &LibraryTerms<'_>,
    handed_over: impl FnOnce(OwnedFd) -> io::Result<()>,
) -> Sandboxed {
    let mut report = Sandboxed::default();
    let bound = set_parent_process_death_signal(Some(Signal::KILL));
    let life = "ends with its helper, which ends with the host's thread";
    report.note(
        "life beyond the host's",
        bound
            .map(|()| life.to_owned())
            .map_err(|error| error.to_string()),
    );
    rlimits::apply(&terms.policy, &mut report);
    if terms.namespaces.has_empty_folder && terms.readable.is_none() {
        report.note(
            "files in sight",
            namespaces::move_into_empty().map(|()| "an empty folder".to_owned()),
        );
    }
    let dumpable = privileges::set_dumpable(terms.policy.is_dumpable);
    report.note(
        "privileges",
        privileges::give_up_all().and_then(|words| dumpable.map(|()| words)),
    );
    report.note(
        "files and network (Landlock)",
        landlock::restrict_files(terms.readable.unwrap_or_default()),
    );
    let calls = match terms.readable {
        Some(_) => allowed_calls::can_be_supervised(),
        None => allowed_calls::restrict(
            terms.has_threads,
            u64::from(DESCRIPTORS_KEPT.cast_unsigned()),
            terms.files,
            handed_over,
        ),
    };
    let with = if terms.has_threads {
        "starting the threads that are granted, "
    } else {
        ""
    };
    let words = format!(
        "{with}thinking, loading libraries of the system; no other was let through in a try"
    );
    report.note(SYSTEM_CALLS, calls.map(|()| words));
    report
}

/// Restricts this process, which is going to start a program. Returns whether the memory of all
/// processes can be counted. What does not work is noted as a measure that does not hold.
///
/// # Errors
/// A measure does not hold that must not be missing.
pub(crate) fn restrict_program(
    spec: &SandboxSpec,
    is_root: bool,
    report: &mut Sandboxed,
) -> Result<bool, String> {
    let mut has_own_users = Ok(());
    if is_root {
        report.note("rights of root", Ok(privileges::give_up_root()?));
        has_own_users = namespaces::enter_users().map_err(|error| {
            format!("nothing counts them, without a namespace of its own for users ({error})")
        });
    }
    let is_counted = std::fs::read_to_string("/proc/self/statm").is_ok();
    // The process that starts the program counts, and the launcher where it has the same users.
    let others = if is_root { 1 } else { 2 };
    let policy = SandboxPolicy::of_program(spec.limits, others, has_own_users, is_counted);
    rlimits::apply(&policy, report);
    report.note("privileges", Ok(privileges::give_up_all()?));
    let calls = refused_calls::restrict();
    report.note(
        SYSTEM_CALLS,
        calls.map(|()| {
            "none that reach beyond its namespaces; a try of some was refused".to_owned()
        }),
    );
    privileges::set_dumpable(policy.is_dumpable)?;
    Ok(is_counted)
}
