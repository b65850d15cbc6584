//! Functions that give up root and capabilities.

use rustix::io::Errno;
use rustix::process::{DumpableBehavior, Gid, Uid, geteuid, set_dumpable_behavior};
use rustix::thread::{
    CapabilitySet, CapabilitySets, remove_capability_from_bounding_set, set_capabilities,
    set_no_new_privs, set_thread_groups, set_thread_res_gid, set_thread_res_uid,
};

/// Id of the user `nobody`.
const NOBODY: u32 = 65_534;

/// Changes the user to `nobody` if the host runs as root, because limits do not apply to root and
/// root can read all files.
///
/// # Errors
/// Returns an error if a system call fails.
pub(super) fn give_up_root() -> Result<&'static str, String> {
    if !geteuid().is_root() {
        return Ok("the host's user is not root");
    }
    let (user, group) = (Uid::from_raw(NOBODY), Gid::from_raw(NOBODY));
    let become_nobody = || -> Result<(), Errno> {
        // These calls affect one thread, but there is only one.
        set_thread_groups(&[])?;
        set_thread_res_gid(group, group, group)?;
        set_thread_res_uid(user, user, user)
    };
    become_nobody().map_err(|error| format!("root privileges cannot be given up ({error})"))?;
    // Otherwise its files in `/proc` would belong to root.
    set_dumpable(true)?;
    Ok("given up")
}

/// Gives up all capabilities, for this process and all programs that it starts.
///
/// # Errors
/// Returns an error if a system call fails.
pub(super) fn give_up_all() -> Result<&'static str, String> {
    let failed = |error: Errno| format!("privileges cannot be given up ({error})");
    for capability in CapabilitySet::all().iter() {
        // Fails without the right to change the set; then a program cannot gain the capability
        // either.
        _ = remove_capability_from_bounding_set(capability);
    }
    set_no_new_privs(true).map_err(failed)?;
    let none = CapabilitySets {
        effective: CapabilitySet::empty(),
        permitted: CapabilitySet::empty(),
        inheritable: CapabilitySet::empty(),
    };
    set_capabilities(None, none).map_err(failed)?;
    Ok("none, and none can be gained; the process is not root")
}

/// Allows or forbids other processes of the user to read the memory of this process.
///
/// # Errors
/// Returns an error if the system call fails.
pub(super) fn set_dumpable(is_dumpable: bool) -> Result<(), String> {
    let behavior = if is_dumpable {
        DumpableBehavior::Dumpable
    } else {
        DumpableBehavior::NotDumpable
    };
    set_dumpable_behavior(behavior).map_err(|error| error.to_string())
}
