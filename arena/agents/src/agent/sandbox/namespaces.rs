//! Namespaces: users, processes, files, network and the like of a sandbox's own.
//!
//! A library's helper takes those that the system gives to everybody, once. Its first child there
//! is an idle process that it waits beside: when the helper ends, however it ends, that one is
//! ended too, and the kernel ends everything in its namespace of processes. A program needs all of
//! them, anew for every block.

#![expect(
    unsafe_code,
    reason = "calls of the system that libraries do not offer"
)]

use super::{Sandboxed, mounts, privileges};
use rustix::process::{Pid, Signal, set_parent_process_death_signal};
use rustix::thread::{UnshareFlags, unshare_unsafe};
use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;

/// A folder that every system has; an empty one takes its place where the bot's process is.
const EMPTY: &str = "/sys";
/// What the kernel notes of a process that is about to end.
const IS_ENDING: u32 = 4;

/// The namespaces that the processes of a library have.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Namespaces {
    /// Users: what the kernel counts by user is its own.
    pub has_users: bool,
    /// Mounts, with an empty folder at [`EMPTY`].
    pub has_empty_folder: bool,
    /// The idle process, where processes have a namespace of their own.
    idle: Option<Pid>,
}

impl Namespaces {
    /// Returns whether processes can be started in them: not once somebody has killed the idle
    /// one. The first thing that is seen of it then is that it is about to end, before any other
    /// process of the namespace does.
    pub(crate) fn are_alive(&self) -> bool {
        self.idle.is_none_or(|idle| {
            let stat =
                fs::read_to_string(format!("/proc/{}/stat", idle.as_raw_pid())).unwrap_or_default();
            // The name, which may hold anything, stands in brackets.
            let flags = stat
                .rsplit_once(") ")
                .and_then(|(_, rest)| rest.split(' ').nth(6)?.parse::<u32>().ok());
            flags.is_some_and(|flags| flags & IS_ENDING == 0)
        })
    }
}

/// Gives up root, enters all namespaces that the system gives, and starts the idle process. To be
/// called while there is one thread.
///
/// # Errors
/// A step fails that works wherever the rest does.
pub(crate) fn enter_of_library(report: &mut Sandboxed) -> io::Result<Namespaces> {
    report.note("rights of root", privileges::give_up_root());
    let mut namespaces = Namespaces::default();
    let (mut own, mut lacking) = (Vec::new(), Vec::new());
    for (name, flag) in [
        ("users", UnshareFlags::NEWUSER),
        ("processes", UnshareFlags::NEWPID),
        ("files", UnshareFlags::NEWNS),
        ("network", UnshareFlags::NEWNET),
        ("messages", UnshareFlags::NEWIPC),
    ] {
        let mut outcome = if flag == UnshareFlags::NEWUSER {
            enter_users()
        } else {
            enter(flag)
        };
        if flag == UnshareFlags::NEWUSER {
            namespaces.has_users = outcome.is_ok();
        }
        if flag == UnshareFlags::NEWPID && outcome.is_ok() {
            namespaces.idle = Some(start_idle()?);
        }
        if flag == UnshareFlags::NEWNS {
            outcome = outcome.and_then(|()| mounts::make_empty(Path::new(EMPTY)));
            namespaces.has_empty_folder = outcome.is_ok();
        }
        match outcome {
            Ok(()) => own.push(name),
            Err(error) => lacking.push(format!("{name} ({error})")),
        }
    }
    let told = if lacking.is_empty() {
        Ok(format!("its own {}", own.join(", ")))
    } else {
        let without = lacking.join(", ");
        Err(format!(
            "this system does not give it its own {without}; Linux does where unprivileged name spaces are allowed"
        ))
    };
    report.note("name spaces", told);
    Ok(namespaces)
}

/// Enters all namespaces of a program. Root does so without one of users, which the program's first
/// process enters once it has given root up. To be called while there is one thread.
///
/// # Errors
/// The system refuses one of them.
pub(crate) fn enter_of_program(is_root: bool) -> Result<(), String> {
    if !is_root {
        enter_users().map_err(|error| format!("users: {error}"))?;
    }
    for (name, flag) in [
        ("files", UnshareFlags::NEWNS),
        ("processes", UnshareFlags::NEWPID),
        ("network", UnshareFlags::NEWNET),
        ("messages", UnshareFlags::NEWIPC),
        // Else /proc/self/cgroup tells where the host is.
        ("control groups", UnshareFlags::NEWCGROUP),
        ("names", UnshareFlags::NEWUTS),
    ] {
        enter(flag).map_err(|error| format!("{name}: {error}"))?;
    }
    Ok(())
}

fn enter(flag: UnshareFlags) -> io::Result<()> {
    // SAFETY: there is one thread, and it shares no descriptors.
    Ok(unsafe { unshare_unsafe(flag) }?)
}

/// Enters a namespace of users in which this user is himself, and nobody else is there.
///
/// # Errors
/// The kernel refuses.
pub(super) fn enter_users() -> io::Result<()> {
    let user = rustix::process::geteuid().as_raw();
    let group = rustix::process::getegid().as_raw();
    enter(UnshareFlags::NEWUSER)?;
    fs::write("/proc/self/setgroups", "deny")?;
    fs::write("/proc/self/uid_map", format!("{user} {user} 1"))?;
    fs::write("/proc/self/gid_map", format!("{group} {group} 1"))
}

/// Starts the first process of the new namespace, which does nothing until it is ended with this
/// one.
fn start_idle() -> io::Result<Pid> {
    let (mut ready, mut tell) = io::pipe()?;
    // SAFETY: there is one thread; the child does nothing but what follows.
    match unsafe { libc::fork() } {
        -1 => Err(io::Error::last_os_error()),
        0 => {
            drop(ready);
            // If the parent is gone by now there is nobody to write to.
            let is_bound = set_parent_process_death_signal(Some(Signal::KILL)).is_ok()
                && tell.write_all(&[1]).is_ok();
            // SAFETY: whatever is open here belongs to the parent, and nothing of it is used again
            // in this process.
            let is_alone = unsafe { libc::syscall(libc::SYS_close_range, 0, u32::MAX, 0) } == 0;
            if is_bound && is_alone {
                loop {
                    // SAFETY: waits for a signal.
                    unsafe { libc::pause() };
                }
            }
            // SAFETY: ends this process without anything that its parent would do.
            unsafe { libc::_exit(1) }
        }
        idle => {
            drop(tell);
            ready.read_exact(&mut [0])?;
            Ok(Pid::from_raw(idle).expect("a number of a process"))
        }
    }
}

/// Makes the empty folder the only one there is for this process.
pub(super) fn move_into_empty() -> Result<(), String> {
    let moved =
        rustix::process::chroot(Path::new(EMPTY)).and_then(|()| rustix::process::chdir("/"));
    moved.map_err(|error| error.to_string())
}
