//! The restrictions that a process sets on itself before it runs a bot's code. They cannot be
//! undone.

#![expect(unsafe_code, reason = "a signal is ignored")]

use super::mounts;
use super::namespaces::{self, Namespaces};
use super::policy::{MemoryLimit, SandboxPolicy};
use super::{SYSTEM_CALLS, SandboxReport, SandboxSpec, allowed_calls, privileges, refused_calls};
use crate::agent::ProcessLimits;
use crate::agent::process::{address_space, set_limit};
use crate::text::error_text;
use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, LandlockStatus, Ruleset,
    RulesetAttr, RulesetCreatedAttr, RulesetStatus, Scope, path_beneath_rules,
};
use rustix::process::{Resource, Signal, set_parent_process_death_signal};
use rustix::thread::{UnshareFlags, disable_transparent_huge_pages};
use std::io;
use std::ops::Range;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

/// Seconds of processor time between SIGXCPU, which a process can catch, and SIGKILL.
const LAST_SECONDS: u64 = 2;

/// The parameters of the sandbox of a library's process.
pub(crate) struct LibrarySpec<'a> {
    /// Resource limits.
    pub limits: ProcessLimits,
    /// Number of threads that the process may start.
    pub threads: u32,
    /// Namespaces of the process.
    pub namespaces: Namespaces,
    /// Files that the process can open itself, also after loading. `None` if the helper opens files
    /// for it, which requires filters of system calls.
    pub readable: Option<&'a [PathBuf]>,
    /// Sorted address ranges of mapped files.
    pub files: &'a [Range<u64>],
}

/// Restricts this process before it loads a library. `handed_over` receives the descriptor for
/// supervised calls.
pub(crate) fn restrict_library(
    spec: &LibrarySpec<'_>,
    handed_over: impl FnOnce(OwnedFd) -> io::Result<()>,
) -> SandboxReport {
    let mut report = SandboxReport::default();
    let bound = set_parent_process_death_signal(Some(Signal::KILL));
    let life = "the process ends when its helper ends; the helper ends when the host's thread ends";
    report.note("lifetime", bound.map(|()| life).map_err(error_text));
    let policy = SandboxPolicy::of_library(spec.limits, spec.threads, spec.namespaces.has_users);
    set_limits(&policy, &mut report);
    if spec.namespaces.has_empty_folder && spec.readable.is_none() {
        report.note(
            "visible files",
            namespaces::move_into_empty().map(|()| "only an empty folder"),
        );
    }
    let dumpable = privileges::set_dumpable(policy.is_dumpable);
    report.note(
        "privileges",
        privileges::give_up_all().and_then(|words| dumpable.map(|()| words)),
    );
    report.note(
        "files and network (Landlock)",
        restrict_files(spec.readable.unwrap_or_default()),
    );
    let has_threads = spec.threads > 0;
    let calls = match spec.readable {
        Some(_) => allowed_calls::can_be_supervised(),
        None => allowed_calls::restrict(has_threads, spec.files, handed_over),
    };
    let with = if has_threads {
        "starting the granted threads, "
    } else {
        ""
    };
    let words = format!(
        "allowed: {with}computing, loading system libraries; all other system calls were blocked in \
         a test"
    );
    report.note(SYSTEM_CALLS, calls.map(|()| words));
    report
}

/// Restricts this process before it starts a program. Returns `true` if the memory of all processes
/// together can be measured. A failed optional restriction is noted in the report.
///
/// # Errors
/// Returns an error if a required restriction fails.
pub(crate) fn restrict_program(
    spec: &SandboxSpec,
    is_root: bool,
    has_processes: bool,
    report: &mut SandboxReport,
) -> Result<bool, String> {
    let mut has_own_users = Ok(());
    if is_root {
        report.note("root privileges", Ok(privileges::give_up_root()?));
        has_own_users = namespaces::enter_users().map_err(|error| {
            format!("processes cannot be limited without a separate user namespace ({error})")
        });
    }
    if has_processes {
        // All processes of a session share the priority in `/proc/self/autogroup`.
        let cannot_write = namespaces::enter(UnshareFlags::NEWNS)
            .and_then(|()| mounts::set_read_only(Path::new("/proc")))
            .map(|()| "settings of processes cannot be changed")
            .map_err(|error| format!("/proc is writable ({error})"));
        report.note("read-only /proc", cannot_write);
    }
    let is_counted = ["status", "net/unix"]
        .iter()
        .all(|file| std::fs::read(format!("/proc/self/{file}")).is_ok());
    // This process counts, and so does the launcher if it is in the same user namespace.
    let others = if is_root { 1 } else { 2 };
    let policy = SandboxPolicy::of_program(spec.limits, others, has_own_users, is_counted);
    set_limits(&policy, report);
    report.note("privileges", Ok(privileges::give_up_all()?));
    let calls = refused_calls::restrict();
    report.note(
        SYSTEM_CALLS,
        calls.map(|()| {
            "system calls that reach outside its namespaces are blocked (checked by calling some \
             of them)"
        }),
    );
    privileges::set_dumpable(policy.is_dumpable)?;
    Ok(is_counted)
}

/// Sets the resource limits of a policy on this process and all processes that it starts.
fn set_limits(policy: &SandboxPolicy, report: &mut SandboxReport) {
    let (memory_mb, data) = (policy.limits.memory_mb, policy.limits.memory_mb << 20);
    let memory = match policy.memory {
        MemoryLimit::AddressSpace => address_space()
            .map_err(|error| format!("the current memory cannot be measured ({error})"))
            .and_then(|now| set(Resource::As, now.saturating_add(data)))
            .map(|()| format!("{memory_mb} MiB")),
        MemoryLimit::Data { is_counted: true } => set(Resource::Data, data).map(|()| {
            format!(
                "{memory_mb} MiB for each process, and {memory_mb} MiB for all in total (measured \
                every 25 ms)"
            )
        }),
        MemoryLimit::Data { is_counted: false } => set(Resource::Data, data).and_then(|()| {
            Err("the total of all processes cannot be measured without /proc".to_owned())
        }),
    };
    report.note("memory", memory);
    // A huge page stays in memory, but is not counted, while a small part of it is mapped. Some
    // kernels have no huge pages, so the call may fail.
    _ = disable_transparent_huge_pages(true);
    // The signal for writing too much is ignored: the write fails, and the bot only loses output.
    // SAFETY: no code of this process depends on the signal.
    unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
    let output = set(Resource::Fsize, policy.file_bytes);
    report.note(
        "output",
        output.map(|()| format!("{} KiB per file", policy.file_bytes >> 10)),
    );
    let seconds = policy.limits.processor.as_secs().max(1);
    // The first signal, SIGXCPU, identifies the cause.
    let time = set_limit(Resource::Cpu, seconds, seconds + LAST_SECONDS);
    report.note(
        "processor time",
        time.map(|()| format!("{seconds} s per process in a block"))
            .map_err(error_text),
    );
    let descriptors = policy.descriptors;
    // Core dumps, locked memory, message queues and higher priorities are forbidden.
    let none = [
        Resource::Core,
        Resource::Memlock,
        Resource::Msgqueue,
        Resource::Nice,
        Resource::Rtprio,
    ];
    let rest = none
        .into_iter()
        .try_for_each(|resource| set(resource, 0))
        .and_then(|()| set(Resource::Nofile, descriptors));
    report.note(
        "descriptors, core dumps",
        rest.map(|()| format!("{descriptors} descriptors, no core dumps")),
    );
    let tasks = policy
        .tasks
        .clone()
        .and_then(|(most, words)| set(Resource::Nproc, most).map(|()| words));
    report.note("processes and threads", tasks);
}

fn set(resource: Resource, most: u64) -> Result<(), String> {
    set_limit(resource, most, most).map_err(error_text)
}

/// Restricts this process: it can then read only the files in `readable`, and can neither write
/// files, use the network nor send signals to other processes. Returns a description of the
/// restriction, or the reason why it is not completely in effect.
fn restrict_files(readable: &[PathBuf]) -> Result<String, String> {
    const WANTED: ABI = ABI::V6;
    let restrict = || {
        Ruleset::default()
            .set_compatibility(CompatLevel::BestEffort)
            .handle_access(AccessFs::from_all(WANTED))?
            .handle_access(AccessNet::from_all(WANTED))?
            .scope(Scope::from_all(WANTED))?
            .create()?
            .add_rules(path_beneath_rules(readable, AccessFs::ReadFile))?
            .restrict_self()
    };
    let status = restrict().map_err(|error: landlock::RulesetError| error.to_string())?;
    match (status.ruleset, status.landlock) {
        (RulesetStatus::FullyEnforced, _) => Ok(
            "it cannot open files (except libraries while it loads), use the network or send signals"
                .to_owned(),
        ),
        (RulesetStatus::PartiallyEnforced, LandlockStatus::Available { effective_abi, .. }) => {
            Err(format!(
                "only partly in effect: this kernel supports Landlock {effective_abi:?}; all \
                 restrictions need {WANTED:?}"
            ))
        }
        (_, LandlockStatus::NotEnabled) => Err("Landlock is disabled in this kernel".to_owned()),
        (_, LandlockStatus::NotImplemented) => {
            Err("this kernel does not support Landlock".to_owned())
        }
        (_, LandlockStatus::Available { .. }) => Err("Landlock was not enforced".to_owned()),
    }
}
