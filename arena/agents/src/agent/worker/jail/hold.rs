//! What a process gives up by itself before the library is loaded.

#![expect(
    unsafe_code,
    reason = "descriptors are put where the filters expect them, a signal is ignored"
)]

use super::calls;
use super::spaces::{self, Spaces};
use crate::agent::{Jailed, Limits, SYSTEM_CALLS};
use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, LandlockStatus, Ruleset,
    RulesetAttr, RulesetCreatedAttr, RulesetStatus, Scope, path_beneath_rules,
};
use rustix::process::{Resource, Rlimit, Signal, set_parent_process_death_signal, setrlimit};
use std::io;
use std::ops::Range;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::path::PathBuf;

/// Descriptors that a process may have open at once.
const DESCRIPTORS: u64 = 16;
/// Bytes of a file that a process may write, which is its error output.
const OUTPUT: u64 = 1 << 20;
/// Processes beside the bot's own in its space: the keeper and the idle one.
const BESIDE: u64 = 2;
/// Seconds of processor time between the signal that can be caught and the one that cannot.
const LAST_SECONDS: u64 = 2;
/// Descriptors that stay: the standard ones and the two pipes to the host. The bot cannot close
/// them.
pub(in super::super) const DESCRIPTORS_KEPT: i32 = 5;

/// On what terms a process is held.
pub(in super::super) struct Terms<'a> {
    /// What it may use.
    pub limits: Limits,
    /// Threads that it may start.
    pub threads: u32,
    /// The spaces that it is in.
    pub spaces: Spaces,
    /// Whether the keeper opens files for it; else what it may read by itself while it loads, and
    /// ever after.
    pub readable: Option<&'a [PathBuf]>,
    /// Addresses of its memory that show pages of files, in their order.
    pub files: &'a [Range<u64>],
}

/// Holds this process. `handed_over` gets the end at which its supervised calls are answered.
///
/// # Errors
/// What must not be missing: it would leave the bot with descriptors of others.
pub(in super::super) fn hold(
    terms: &Terms<'_>,
    handed_over: impl FnOnce(OwnedFd) -> io::Result<()>,
) -> Jailed {
    let mut jailed = Jailed::default();
    jailed.note("life beyond the host's", end_with_parent());
    limit(terms, &mut jailed);
    if terms.spaces.empty && terms.readable.is_none() {
        jailed.note(
            "files in sight",
            spaces::move_into_empty().map(|()| "an empty folder".to_owned()),
        );
    }
    jailed.note("privileges", give_up_privileges());
    jailed.note(
        "files and network (Landlock)",
        restrict_files(terms.readable.unwrap_or_default()),
    );
    let calls = match terms.readable {
        Some(_) => calls::can_be_supervised(),
        None => calls::restrict(
            terms.threads > 0,
            u64::from(DESCRIPTORS_KEPT.cast_unsigned()),
            terms.files,
            handed_over,
        ),
    };
    let with = if terms.threads > 0 {
        "starting the threads that are granted, "
    } else {
        ""
    };
    let calls = calls.map(|()| {
        format!(
            "{with}thinking, loading libraries of the system; no other was let through in a try"
        )
    });
    jailed.note(SYSTEM_CALLS, calls);
    jailed
}

/// Lets go of what the C library keeps back of what was printed, so that it can be told at the call
/// in which that was done.
pub(in super::super) fn flush_outputs() {
    // SAFETY: no stream in particular means all of them.
    unsafe { libc::fflush(std::ptr::null_mut()) };
}

/// Puts descriptors at their places, 0 and on, and closes all others.
///
/// # Errors
/// The system refuses.
pub(in super::super) fn put_in_place<const N: usize>(
    descriptors: [OwnedFd; N],
) -> io::Result<[OwnedFd; N]> {
    // Out of the way of all places.
    let beyond = i32::try_from(N).expect("a handful");
    let far = |descriptor: OwnedFd| {
        rustix::io::fcntl_dupfd_cloexec(descriptor, beyond).map_err(io::Error::from)
    };
    let mut moved = Vec::new();
    for descriptor in descriptors {
        moved.push(far(descriptor)?);
    }
    for (place, descriptor) in moved.iter().enumerate() {
        let place = RawFd::try_from(place).expect("a handful");
        // SAFETY: what is open at that place belongs to the keeper, which this process no longer
        // is.
        if unsafe { libc::dup2(descriptor.as_raw_fd(), place) } != place {
            return Err(io::Error::last_os_error());
        }
    }
    // They are closed with all others.
    moved.into_iter().for_each(std::mem::forget);
    // SAFETY: as above.
    if unsafe { libc::syscall(libc::SYS_close_range, N, u32::MAX, 0) } != 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: each has just been put there, and nobody else owns it.
    Ok(std::array::from_fn(|place| unsafe {
        OwnedFd::from_raw_fd(RawFd::try_from(place).expect("a handful"))
    }))
}

/// The process is ended when the keeper is.
fn end_with_parent() -> Result<String, String> {
    set_parent_process_death_signal(Some(Signal::KILL)).map_err(|error| error.to_string())?;
    Ok("ends with its keeper, which ends with the host's thread".to_owned())
}

fn give_up_privileges() -> Result<String, String> {
    use rustix::thread::{CapabilitySet, CapabilitySets, set_capabilities, set_no_new_privs};
    set_no_new_privs(true).map_err(|error| error.to_string())?;
    let none = CapabilitySets {
        effective: CapabilitySet::empty(),
        permitted: CapabilitySet::empty(),
        inheritable: CapabilitySet::empty(),
    };
    set_capabilities(None, none)
        .map_err(|error| format!("capabilities cannot be given up ({error})"))?;
    Ok("no capabilities, and none to be gained".to_owned())
}

fn limit(terms: &Terms<'_>, jailed: &mut Jailed) {
    let set = |resource, current: u64, maximum: u64| {
        let limit = Rlimit {
            current: Some(current),
            maximum: Some(maximum),
        };
        setrlimit(resource, limit).map_err(|error| error.to_string())
    };
    let memory_mb = terms.limits.memory_mb;
    let memory = address_space().and_then(|now| {
        let most = now.saturating_add(memory_mb << 20);
        set(Resource::As, most, most)
    });
    jailed.note("memory", memory.map(|()| format!("{memory_mb} MiB")));
    // The signal for writing too much is ignored: the write fails, which costs the bot no more than
    // its words.
    // SAFETY: no code of this process depends on the signal.
    unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
    let output = set(Resource::Fsize, OUTPUT, OUTPUT);
    jailed.note("output", output.map(|()| format!("{} KiB", OUTPUT >> 10)));
    let seconds = terms.limits.processor.as_secs().max(1);
    let time = set(Resource::Cpu, seconds, seconds + LAST_SECONDS);
    jailed.note(
        "processor time",
        time.map(|()| format!("{seconds} s in a block")),
    );
    let rest =
        set(Resource::Core, 0, 0).and_then(|()| set(Resource::Nofile, DESCRIPTORS, DESCRIPTORS));
    jailed.note(
        "descriptors, core dumps",
        rest.map(|()| format!("{DESCRIPTORS}, none")),
    );
    let threads = u64::from(terms.threads);
    let processes = if threads == 0 {
        set(Resource::Nproc, 0, 0).map(|()| "no new ones".to_owned())
    } else if terms.spaces.user {
        // The bot's own process counts too.
        let most = BESIDE + 1 + threads;
        set(Resource::Nproc, most, most)
            .map(|()| format!("no processes, {threads} threads beside the first"))
    } else {
        Err(
            "threads are granted, and without a space of its own for users nothing counts them"
                .to_owned(),
        )
    };
    jailed.note("processes and threads", processes);
}

/// Bytes of this process's address space.
fn address_space() -> Result<u64, String> {
    let told = std::fs::read_to_string("/proc/self/statm")
        .map_err(|error| format!("it cannot be told ({error})"))?;
    let pages: Option<u64> = told.split(' ').next().and_then(|pages| pages.parse().ok());
    Ok(pages.ok_or("it cannot be told")? * rustix::param::page_size() as u64)
}

/// Leaves nothing of the file system but what is named, to be read; no network, no signals to
/// others.
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
        (RulesetStatus::FullyEnforced, _) => {
            Ok("no file by itself, no network, no signals to others".to_owned())
        }
        (RulesetStatus::PartiallyEnforced, LandlockStatus::Available { effective_abi, .. }) => {
            Err(format!(
                "in part: this kernel has version {effective_abi:?} of it, {WANTED:?} does all"
            ))
        }
        (_, LandlockStatus::NotEnabled) => Err("it is switched off in this kernel".to_owned()),
        (_, LandlockStatus::NotImplemented) => Err("this kernel does not have it".to_owned()),
        (_, LandlockStatus::Available { .. }) => Err("it was not enforced".to_owned()),
    }
}
