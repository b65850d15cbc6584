//! The jail on Linux: rlimits, Landlock, seccomp.

#![expect(unsafe_code, reason = "closes descriptors that nobody in this process owns")]

use super::super::Order;
use super::{Jailed, SYSTEM_CALLS, calls};
use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, LandlockStatus, Ruleset, RulesetAttr,
    RulesetCreatedAttr, RulesetStatus, Scope, path_beneath_rules,
};
use rustix::process::{Pid, Resource, Rlimit, Signal, getppid, set_parent_process_death_signal, setrlimit};
use std::collections::BTreeSet;
use std::os::fd::RawFd;
use std::path::{Path, PathBuf};

/// Descriptors that a worker may have open at once.
const DESCRIPTORS: u64 = 16;
/// Bytes of a file that a worker may write, which is its error output.
const OUTPUT: u64 = 1 << 20;

/// Gives up what must be given up before the library is loaded. `keep` are the pipes to the host, beside the three standard
/// descriptors.
pub(crate) fn prepare(order: &Order, keep: [RawFd; 2]) -> Jailed {
    let mut jailed = Jailed::default();
    jailed.note("descriptors", close_others(keep));
    jailed.note("life beyond the host's", end_with(order.parent));
    jailed.note("privileges", give_up_privileges());
    limit(order, &mut jailed);
    jailed.note("files and network (Landlock)", restrict_files(order));
    jailed.note(SYSTEM_CALLS, calls::restrict_while_loading(order.threads));
    jailed
}

/// Gives up what is not needed any more once the library is loaded and has created its first instance.
pub(crate) fn close(order: &Order, jailed: &mut Jailed) {
    let outcome = calls::restrict_to_playing(order.threads);
    if let Some(measure) = jailed.measures.iter_mut().find(|measure| measure.name == SYSTEM_CALLS) {
        measure.holds &= outcome.is_ok();
        let (Ok(text) | Err(text)) = outcome;
        measure.text = text;
    }
}

/// Closes what the host's own starter may have left open to its children; the host itself leaves nothing.
fn close_others(keep: [RawFd; 2]) -> Result<String, String> {
    let entries = std::fs::read_dir("/proc/self/fd").map_err(|error| format!("cannot be listed ({error})"))?;
    let open: Vec<RawFd> =
        entries.flatten().filter_map(|entry| entry.file_name().to_str().and_then(|name| name.parse().ok())).collect();
    // The listing had a descriptor of its own, which is gone by now.
    let is_open = |number: &RawFd| Path::new(&format!("/proc/self/fd/{number}")).symlink_metadata().is_ok();
    for number in open.into_iter().filter(|number| *number > 2 && !keep.contains(number)).filter(is_open) {
        // SAFETY: it is open, and nothing in this process uses it: the worker has opened none beside those to keep.
        unsafe { rustix::io::close(number) };
    }
    Ok("the pipe to the host alone".to_owned())
}

/// The worker is ended when the thread of the host that has started it ends.
fn end_with(parent: u32) -> Result<String, String> {
    set_parent_process_death_signal(Some(Signal::KILL)).map_err(|error| error.to_string())?;
    let has_parent = getppid().map(Pid::as_raw_pid) == i32::try_from(parent).ok();
    // It may have ended before.
    if has_parent { Ok("ends when its host's thread ends".to_owned()) } else { Err("the host has ended".to_owned()) }
}

fn give_up_privileges() -> Result<String, String> {
    use rustix::thread::{CapabilitySet, CapabilitySets, set_capabilities, set_no_new_privs};
    set_no_new_privs(true).map_err(|error| error.to_string())?;
    let none = CapabilitySets {
        effective: CapabilitySet::empty(),
        permitted: CapabilitySet::empty(),
        inheritable: CapabilitySet::empty(),
    };
    set_capabilities(None, none).map_err(|error| format!("capabilities cannot be given up ({error})"))?;
    Ok("no capabilities, and none to be gained".to_owned())
}

fn limit(order: &Order, jailed: &mut Jailed) {
    let set = |resource, current: u64, maximum: Option<u64>| {
        setrlimit(resource, Rlimit { current: Some(current), maximum }).map_err(|error| error.to_string())
    };
    let memory_mb = order.limits.memory_mb;
    let memory = address_space().and_then(|now| {
        let most = now.saturating_add(memory_mb << 20);
        set(Resource::As, most, Some(most))
    });
    jailed.note("memory", memory.map(|()| format!("{memory_mb} MiB")));
    // The signal for writing too much is ignored: the write fails, which costs the bot no more than its words.
    let ignored = std::sync::Arc::default();
    let output = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, ignored).map_err(|error| error.to_string());
    let output = output.and_then(|_| set(Resource::Fsize, OUTPUT, Some(OUTPUT)));
    jailed.note("output", output.map(|()| format!("{} KiB", OUTPUT >> 10)));
    let seconds = order.limits.processor.as_secs().max(1);
    // The host raises the first of the two with every block.
    jailed.note("processor time", set(Resource::Cpu, seconds, None).map(|()| format!("{seconds} s in a block")));
    let rest = set(Resource::Core, 0, Some(0)).and_then(|()| set(Resource::Nofile, DESCRIPTORS, Some(DESCRIPTORS)));
    let rest = if order.threads { rest } else { rest.and_then(|()| set(Resource::Nproc, 0, Some(0))) };
    jailed.note("processes, descriptors, core dumps", rest.map(|()| "no new ones".to_owned()));
}

/// Bytes of this process's address space.
fn address_space() -> Result<u64, String> {
    let told = std::fs::read_to_string("/proc/self/statm").map_err(|error| format!("it cannot be told ({error})"))?;
    let pages: Option<u64> = told.split(' ').next().and_then(|pages| pages.parse().ok());
    Ok(pages.ok_or("it cannot be told")? * rustix::param::page_size() as u64)
}

/// Leaves nothing of the file system but the library and what the loader needs, to be read; no network, no signals to others.
fn restrict_files(order: &Order) -> Result<String, String> {
    const WANTED: ABI = ABI::V6;
    let restrict = || {
        let read = AccessFs::ReadFile;
        Ruleset::default()
            .set_compatibility(CompatLevel::BestEffort)
            .handle_access(AccessFs::from_all(WANTED))?
            .handle_access(AccessNet::from_all(WANTED))?
            .scope(Scope::from_all(WANTED))?
            .create()?
            .add_rules(path_beneath_rules(readable(order.code.path()), read))?
            .restrict_self()
    };
    let status = restrict().map_err(|error: landlock::RulesetError| error.to_string())?;
    match (status.ruleset, status.landlock) {
        (RulesetStatus::FullyEnforced, _) => Ok("its own library and the system's, to be read; no network".to_owned()),
        (RulesetStatus::PartiallyEnforced, LandlockStatus::Available { effective_abi, .. }) => {
            Err(format!("in part: this kernel has version {effective_abi:?} of it, {WANTED:?} does all"))
        }
        (_, LandlockStatus::NotEnabled) => Err("it is switched off in this kernel".to_owned()),
        (_, LandlockStatus::NotImplemented) => Err("this kernel does not have it".to_owned()),
        (_, LandlockStatus::Available { .. }) => Err("it was not enforced".to_owned()),
    }
}

/// What may be read while the library is loaded: itself, libraries beside it that it names, and where this program's own
/// libraries lie.
fn readable(library: Option<&Path>) -> BTreeSet<PathBuf> {
    let fixed = ["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache", "/dev/null"];
    let mut paths: BTreeSet<PathBuf> = fixed.iter().map(PathBuf::from).collect();
    paths.extend(library.map(Path::to_owned));
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let mapped = maps.lines().filter_map(|line| line.find('/').map(|at| Path::new(&line[at..])));
    let is_library = |path: &&Path| path.to_string_lossy().contains(".so");
    paths.extend(mapped.filter(is_library).filter_map(Path::parent).map(Path::to_owned));
    if let Some(more) = std::env::var_os("LD_LIBRARY_PATH") {
        paths.extend(std::env::split_paths(&more).filter(|path| path.is_absolute()));
    }
    paths.extend(library.map(needed_beside).unwrap_or_default());
    paths
}

/// Libraries that `library` names as needed and that lie beside it.
fn needed_beside(library: &Path) -> Vec<PathBuf> {
    let (Some(folder), Ok(data)) = (library.parent(), std::fs::read(library)) else { return Vec::new() };
    let Some(names) = crate::agent::plugin::needed_libraries(&data) else { return Vec::new() };
    names.iter().map(|name| folder.join(name)).filter(|path| path.is_file()).collect()
}
