//! The namespaces of a sandbox: users, processes, files, network and others.
//!
//! A library's helper enters the available namespaces once and starts an idle process as the first
//! process of the PID namespace. Whenever the helper ends, the idle process is killed, and the
//! kernel then kills all processes of the PID namespace. A program needs all namespaces, new ones
//! for every block.

#![expect(unsafe_code, reason = "system calls without a safe API")]

use super::{SandboxReport, mounts, privileges};
use crate::agent::process::{checked, close_from};
use rustix::process::{Pid, Signal, set_parent_process_death_signal};
use rustix::thread::{UnshareFlags, unshare_unsafe};
use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;

/// Folder that exists on every system. In the bot's process an empty folder is mounted there.
const EMPTY: &str = "/sys";
/// The kernel's flag of a process that is exiting.
const IS_ENDING: u32 = 4;

/// The namespaces of a library's processes.
#[derive(Clone, Copy, Default)]
pub(crate) struct Namespaces {
    /// `true` if there is a user namespace, so that resources limited by user are counted
    /// separately.
    pub has_users: bool,
    /// `true` if there is a mount namespace with an empty folder at [`EMPTY`].
    pub has_empty_folder: bool,
    /// Idle process; `None` if there is no PID namespace.
    idle: Option<Pid>,
}

impl Namespaces {
    /// Returns `true` if processes can still be started in the namespaces, that is, if the idle
    /// process has not been killed. The kernel marks it as exiting before it kills the others.
    pub(crate) fn are_alive(&self) -> bool {
        self.idle.is_none_or(|idle| {
            let stat =
                fs::read_to_string(format!("/proc/{}/stat", idle.as_raw_pid())).unwrap_or_default();
            // The process name, which may contain anything, is in parentheses.
            let flags = stat
                .rsplit_once(") ")
                .and_then(|(_, rest)| rest.split(' ').nth(6)?.parse::<u32>().ok());
            flags.is_some_and(|flags| flags & IS_ENDING == 0)
        })
    }
}

/// Gives up root, enters all available namespaces, and starts the idle process. The calling process
/// must have one thread.
///
/// # Errors
/// Returns an error if the idle process cannot be started.
pub(crate) fn enter_for_library(report: &mut SandboxReport) -> io::Result<Namespaces> {
    report.note("root privileges", privileges::give_up_root());
    let mut namespaces = Namespaces::default();
    let (mut own, mut lacking) = (Vec::new(), Vec::new());
    let mut is_own = |name: &'static str, outcome: io::Result<()>| {
        match &outcome {
            Ok(()) => own.push(name),
            Err(error) => lacking.push(format!("{name} ({error})")),
        }
        outcome.is_ok()
    };
    namespaces.has_users = is_own("users", enter_users());
    if is_own("processes", enter(UnshareFlags::NEWPID)) {
        namespaces.idle = Some(start_idle()?);
    }
    let files = enter(UnshareFlags::NEWNS).and_then(|()| mounts::make_empty(Path::new(EMPTY)));
    namespaces.has_empty_folder = is_own("files", files);
    is_own("network", enter(UnshareFlags::NEWNET));
    is_own("messages", enter(UnshareFlags::NEWIPC));
    let told = if lacking.is_empty() {
        Ok(format!("separate namespaces for {}", own.join(", ")))
    } else {
        let without = lacking.join(", ");
        Err(format!(
            "no separate namespaces for {without}; allow unprivileged user namespaces on \
             this system"
        ))
    };
    report.note("namespaces", told);
    Ok(namespaces)
}

/// Enters all namespaces of a program. If the user is root, no user namespace is entered here; the
/// init process enters one after it has given up root. The calling process must have one thread.
///
/// # Errors
/// Returns an error if a namespace is not available.
pub(crate) fn enter_for_program(is_root: bool) -> Result<(), String> {
    if !is_root {
        enter_users().map_err(|error| format!("users: {error}"))?;
    }
    for (name, flag) in [
        ("files", UnshareFlags::NEWNS),
        ("processes", UnshareFlags::NEWPID),
        ("network", UnshareFlags::NEWNET),
        ("messages", UnshareFlags::NEWIPC),
        // Otherwise `/proc/self/cgroup` would reveal the host's control group.
        ("control groups", UnshareFlags::NEWCGROUP),
        ("names", UnshareFlags::NEWUTS),
    ] {
        enter(flag).map_err(|error| format!("{name}: {error}"))?;
    }
    Ok(())
}

/// Enters a new namespace of the kind `flag`, which belongs to this process's user namespace.
///
/// # Errors
/// Returns an error if the system call fails.
pub(super) fn enter(flag: UnshareFlags) -> io::Result<()> {
    // SAFETY: this process has one thread and shares no descriptors.
    Ok(unsafe { unshare_unsafe(flag) }?)
}

/// Enters a user namespace that contains only this user, with the same id.
///
/// # Errors
/// Returns an error if a system call fails.
pub(super) fn enter_users() -> io::Result<()> {
    let user = rustix::process::geteuid().as_raw();
    let group = rustix::process::getegid().as_raw();
    enter(UnshareFlags::NEWUSER)?;
    fs::write("/proc/self/setgroups", "deny")?;
    fs::write("/proc/self/uid_map", format!("{user} {user} 1"))?;
    fs::write("/proc/self/gid_map", format!("{group} {group} 1"))
}

/// Starts the first process of the new PID namespace. It idles until this process ends, and is then
/// killed.
fn start_idle() -> io::Result<Pid> {
    let (mut ready, mut tell) = io::pipe()?;
    // SAFETY: this process has one thread; the child runs only the following code.
    match checked(unsafe { libc::fork() })? {
        0 => {
            drop(ready);
            // Fails if the parent has ended.
            let is_bound = set_parent_process_death_signal(Some(Signal::KILL)).is_ok()
                && tell.write_all(&[1]).is_ok();
            // SAFETY: the descriptors belong to objects of the parent, which this process does not
            // use.
            let is_alone = unsafe { close_from(0, 0) }.is_ok();
            if is_bound && is_alone {
                loop {
                    // SAFETY: only waits for a signal.
                    unsafe { libc::pause() };
                }
            }
            // SAFETY: `_exit` skips the exit handlers of the parent.
            unsafe { libc::_exit(1) }
        }
        idle => {
            drop(tell);
            ready.read_exact(&mut [0])?;
            Ok(Pid::from_raw(idle).expect("a process id is positive"))
        }
    }
}

/// Makes the empty folder the root of this process.
pub(super) fn move_into_empty() -> Result<(), String> {
    rustix::process::chroot(Path::new(EMPTY))
        .and_then(|()| rustix::process::chdir("/"))
        .map_err(|error| error.to_string())
}
