//! Rights of root and capabilities, given up.

use rustix::io::Errno;
use rustix::process::{DumpableBehavior, Gid, Uid, geteuid, set_dumpable_behavior};
use rustix::thread::{
    CapabilitySet, CapabilitySets, remove_capability_from_bounding_set, set_capabilities,
    set_no_new_privs, set_thread_groups, set_thread_res_gid, set_thread_res_uid,
};

/// The user who owns nothing.
const NOBODY: u32 = 65_534;

/// Becomes the user who owns nothing, where the host is run by root: limits do not bind root, and
/// its files are everybody's.
///
/// # Errors
/// The kernel refuses.
pub(super) fn give_up_root() -> Result<String, String> {
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
    set_dumpable(true)?;
    Ok("given up".to_owned())
}

/// Gives up all capabilities, now and for all programs that are started.
///
/// # Errors
/// The kernel refuses.
pub(super) fn give_up_all() -> Result<String, String> {
    let failed = |error: Errno| format!("privileges cannot be given up ({error})");
    for capability in CapabilitySet::all().iter() {
        // Who has no right to it has nothing there to be gained either: no program gives more than
        // there is.
        _ = remove_capability_from_bounding_set(capability);
    }
    set_no_new_privs(true).map_err(failed)?;
    let none = CapabilitySets {
        effective: CapabilitySet::empty(),
        permitted: CapabilitySet::empty(),
        inheritable: CapabilitySet::empty(),
    };
    set_capabilities(None, none).map_err(failed)?;
    Ok("none, and none to be gained; not root".to_owned())
}

/// Lets other processes of the user read this process's memory, or forbids it.
///
/// # Errors
/// The kernel refuses.
pub(super) fn set_dumpable(is_dumpable: bool) -> Result<(), String> {
    let behavior = if is_dumpable {
        DumpableBehavior::Dumpable
    } else {
        DumpableBehavior::NotDumpable
    };
    set_dumpable_behavior(behavior).map_err(|error| error.to_string())
}
