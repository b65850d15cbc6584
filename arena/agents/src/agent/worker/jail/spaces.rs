//! The keeper's part of the jail: name spaces of its own, where the system gives them to anybody,
//! and no rights of root.
//!
//! Its first child there is an idle process that it waits beside: when the keeper ends, however it
//! ends, that one is ended too, and the kernel ends everything in its space of processes.

#![expect(
    unsafe_code,
    reason = "calls of the system that libraries do not offer"
)]

use crate::agent::Jailed;
use rustix::io::Errno;
use rustix::process::{Pid, Signal, set_parent_process_death_signal};
use rustix::thread::{UnshareFlags, unshare_unsafe};
use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;

/// A folder that every system has; an empty one takes its place where the bot's process is.
pub(super) const EMPTY: &str = "/sys";
/// What the kernel notes of a process that is about to end.
const IS_ENDING: u32 = 4;
/// The user who owns nothing.
const NOBODY: u32 = 65_534;

/// Which spaces of its own this process has.
#[derive(Clone, Copy, Debug, Default)]
pub(in super::super) struct Spaces {
    /// Users: what it counts is its own.
    pub user: bool,
    /// Mounts, with an empty folder at [`EMPTY`].
    pub empty: bool,
    /// The idle process, where processes have a space of their own.
    idle: Option<Pid>,
}

impl Spaces {
    /// Whether processes can be started in them: not once somebody has killed the idle one. The
    /// first thing that is seen of it then is that it is about to end, before any other process
    /// of the space does.
    pub(in super::super) fn are_alive(&self) -> bool {
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

/// Gives up root, enters spaces of its own, and starts the idle process. To be called while there
/// is one thread.
///
/// # Errors
/// What must work wherever the rest does.
pub(in super::super) fn enter(jailed: &mut Jailed) -> io::Result<Spaces> {
    jailed.note("rights of root", give_up_root());
    let (user, group) = (
        rustix::process::geteuid().as_raw(),
        rustix::process::getegid().as_raw(),
    );
    let mut spaces = Spaces::default();
    let (mut own, mut lacking) = (Vec::new(), Vec::new());
    let all = [
        ("users", UnshareFlags::NEWUSER),
        ("processes", UnshareFlags::NEWPID),
        ("files", UnshareFlags::NEWNS),
        ("network", UnshareFlags::NEWNET),
        ("messages", UnshareFlags::NEWIPC),
    ];
    for (name, flag) in all {
        // SAFETY: there is one thread, and it shares no descriptors.
        let mut outcome = unsafe { unshare_unsafe(flag) }.map_err(io::Error::from);
        if flag == UnshareFlags::NEWUSER {
            outcome = outcome.and_then(|()| map_user(user, group));
            spaces.user = outcome.is_ok();
        }
        if flag == UnshareFlags::NEWPID && outcome.is_ok() {
            spaces.idle = Some(start_idle()?);
        }
        if flag == UnshareFlags::NEWNS {
            outcome = outcome.and_then(|()| make_empty());
            spaces.empty = outcome.is_ok();
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
    jailed.note("name spaces", told);
    Ok(spaces)
}

/// Becomes the user who owns nothing, where the host is run by root: limits do not bind root, and
/// its files are everybody's.
///
/// # Errors
/// The kernel refuses.
pub(in crate::agent) fn give_up_root() -> Result<String, String> {
    use rustix::process::{Gid, Uid, geteuid};
    use rustix::thread::{set_thread_groups, set_thread_res_gid, set_thread_res_uid};
    if !geteuid().is_root() {
        return Ok("the host's user is not root".to_owned());
    }
    let (user, group) = (Uid::from_raw(NOBODY), Gid::from_raw(NOBODY));
    let become_nobody = || -> Result<(), Errno> {
        // Of the thread, but there is one.
        set_thread_groups(&[])?;
        set_thread_res_gid(group, group, group)?;
        set_thread_res_uid(user, user, user)
    };
    become_nobody().map_err(|error| format!("they cannot be given up ({error})"))?;
    // Else its files under /proc would be root's.
    rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::Dumpable)
        .map_err(|error| error.to_string())?;
    Ok("given up".to_owned())
}

/// This user is himself in his own space, and nobody else is there.
///
/// # Errors
/// The kernel refuses.
pub(in crate::agent) fn map_user(user: u32, group: u32) -> io::Result<()> {
    fs::write("/proc/self/setgroups", "deny")?;
    fs::write("/proc/self/uid_map", format!("{user} {user} 1"))?;
    fs::write("/proc/self/gid_map", format!("{group} {group} 1"))
}

fn make_empty() -> io::Result<()> {
    let flags = libc::MS_RDONLY | libc::MS_NOSUID | libc::MS_NODEV | libc::MS_NOEXEC;
    let mount =
        |from: *const libc::c_char, to: &std::ffi::CStr, kind: *const libc::c_char, flags| {
            // SAFETY: texts end with zeros or are null; no data.
            let done = unsafe { libc::mount(from, to.as_ptr(), kind, flags, std::ptr::null()) };
            if done == 0 {
                Ok(())
            } else {
                Err(io::Error::last_os_error())
            }
        };
    let to = std::ffi::CString::new(EMPTY).expect("no zero in it");
    mount(
        std::ptr::null(),
        c"/",
        std::ptr::null(),
        libc::MS_REC | libc::MS_PRIVATE,
    )?;
    mount(c"none".as_ptr(), &to, c"tmpfs".as_ptr(), flags)
}

/// Starts the first process of the new space, which does nothing until it is ended with this one.
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
