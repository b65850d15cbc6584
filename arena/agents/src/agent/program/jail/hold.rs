//! What the first process of a program's space gives up, and all that it starts with it.

#![expect(unsafe_code, reason = "enters a space of users")]

use super::calls;
use super::cell::{Cell, TASKS};
use crate::agent::worker::jail::{give_up_root, map_user};
use crate::agent::{Jailed, SYSTEM_CALLS};
use rustix::process::{DumpableBehavior, Resource, Rlimit, set_dumpable_behavior, setrlimit};
use rustix::thread::{
    CapabilitySet, CapabilitySets, UnshareFlags, remove_capability_from_bounding_set,
    set_capabilities, set_no_new_privs, unshare_unsafe,
};

/// Descriptors that a process may have open at once.
const DESCRIPTORS: u64 = 1024;
/// Bytes of a file that a process may write.
const FILE: u64 = 32 << 20;

/// Seconds of processor time between the signal that can be caught and the one that cannot.
const LAST_SECONDS: u64 = 2;

/// What is known of a room that holds.
pub(super) struct Held {
    /// Whether what all processes have in memory can be counted.
    pub counts_memory: bool,
}

/// Holds this process. What does not go is told as a measure that does not hold.
///
/// # Errors
/// What must not be missing.
pub(super) fn hold(cell: &Cell, is_root: bool, jailed: &mut Jailed) -> Result<Held, String> {
    let counts_tasks = if is_root {
        become_nobody(jailed)?
    } else {
        Ok(())
    };
    let set_both = |resource, current: u64, maximum: u64| {
        let limit = Rlimit {
            current: Some(current),
            maximum: Some(maximum),
        };
        setrlimit(resource, limit).map_err(|error| error.to_string())
    };
    let set = |resource, most: u64| set_both(resource, most, most);
    let counts_memory = std::fs::read_to_string("/proc/self/statm").is_ok();
    let memory_mb = cell.limits.memory_mb;
    let each = set(Resource::Data, memory_mb << 20);
    let all = if counts_memory {
        Ok(())
    } else {
        Err("all together are not counted, for there is no /proc".to_owned())
    };
    let memory = each.and(all).map(|()| {
        format!("{memory_mb} MiB for each process, and for all together by a look every 25 ms")
    });
    jailed.note("memory", memory);
    // Beside the program's own the first one counts, and the jailer where it has the same space of
    // users.
    let beside = if is_root { 1 } else { 2 };
    let tasks = counts_tasks.and_then(|()| set(Resource::Nproc, TASKS + beside));
    jailed.note(
        "processes and threads",
        tasks.map(|()| format!("{TASKS} together, none of others in sight")),
    );
    let files = set(Resource::Fsize, FILE).and_then(|()| set(Resource::Core, 0));
    let files = files.and_then(|()| set(Resource::Nofile, DESCRIPTORS));
    // Memory that is not swapped, queues of messages, priorities.
    let rest = [
        Resource::Memlock,
        Resource::Msgqueue,
        Resource::Nice,
        Resource::Rtprio,
    ];
    let files = files.and_then(|()| rest.into_iter().try_for_each(|resource| set(resource, 0)));
    jailed.note(
        "files written, descriptors",
        files.map(|()| format!("{} MiB a file, {DESCRIPTORS}", FILE >> 20)),
    );
    let seconds = cell.limits.processor.as_secs().max(1);
    // First by a signal that says why.
    let time = set_both(Resource::Cpu, seconds, seconds + LAST_SECONDS);
    jailed.note(
        "processor time",
        time.map(|()| format!("{seconds} s of a process in a block")),
    );
    give_up_privileges()?;
    jailed.note(
        "privileges",
        Ok("none, and none to be gained; not root".to_owned()),
    );
    let calls = calls::restrict();
    jailed.note(
        SYSTEM_CALLS,
        calls.map(|()| "none that reach beyond the room; a try of some was refused".to_owned()),
    );
    // The program has the same user: it must not reach into this process.
    set_dumpable_behavior(DumpableBehavior::NotDumpable).map_err(|error| error.to_string())?;
    Ok(Held { counts_memory })
}

/// Gives up root. Whether what is counted by users is this room's alone.
fn become_nobody(jailed: &mut Jailed) -> Result<Result<(), String>, String> {
    let told = give_up_root()?;
    jailed.note("rights of root", Ok(told));
    let (user, group) = (
        rustix::process::geteuid().as_raw(),
        rustix::process::getegid().as_raw(),
    );
    // SAFETY: there is one thread.
    let own = unsafe { unshare_unsafe(UnshareFlags::NEWUSER) }.map_err(std::io::Error::from);
    let own = own.and_then(|()| map_user(user, group));
    Ok(own.map_err(|error| {
        format!("nothing counts them, without a space of its own for users ({error})")
    }))
}

fn give_up_privileges() -> Result<(), String> {
    let failed = |error: rustix::io::Errno| format!("privileges cannot be given up ({error})");
    for capability in CapabilitySet::all().iter() {
        // Who has no right to it has nothing there to be gained either: no program gives more than
        // there is.
        _ = remove_capability_from_bounding_set(capability);
    }
    set_no_new_privs(true).map_err(failed)?;
    let none = CapabilitySet::empty();
    set_capabilities(
        None,
        CapabilitySets {
            effective: none,
            permitted: none,
            inheritable: none,
        },
    )
    .map_err(failed)
}
