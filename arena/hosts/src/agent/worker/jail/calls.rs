//! Which calls of the system a worker may make: a short list, everything else fails with `EPERM`. Two lists: one for the time
//! in which the library is loaded and its first instance created, one for the time in which it plays.

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    apply_filter_all_threads,
};
use std::collections::BTreeMap;

/// What a bot needs to think: memory, clocks, locks, its own signals, the pipe. Those without arguments to look at are decided
/// by the kernel once and for all, so that they cost nothing.
const PLAYING: &[i64] = &[
    libc::SYS_brk,
    libc::SYS_clock_getres,
    libc::SYS_clock_gettime,
    libc::SYS_exit,
    libc::SYS_exit_group,
    libc::SYS_futex,
    libc::SYS_getcpu,
    libc::SYS_getpid,
    libc::SYS_getrandom,
    libc::SYS_gettid,
    libc::SYS_gettimeofday,
    libc::SYS_madvise,
    libc::SYS_membarrier,
    libc::SYS_mmap,
    libc::SYS_mprotect,
    libc::SYS_mremap,
    libc::SYS_munmap,
    libc::SYS_read,
    libc::SYS_restart_syscall,
    libc::SYS_rseq,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_sched_getaffinity,
    libc::SYS_sched_yield,
    libc::SYS_set_robust_list,
    libc::SYS_sigaltstack,
    // How much memory there is: the C library asks when it sorts, and does not look whether it was told.
    libc::SYS_sysinfo,
    libc::SYS_write,
    libc::SYS_writev,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_time,
];

/// What the loader and first steps of a library need beside that: to look for files and read them, as Landlock allows.
const LOADING: &[i64] = &[
    libc::SYS_close,
    libc::SYS_faccessat,
    libc::SYS_faccessat2,
    libc::SYS_fcntl,
    libc::SYS_fstat,
    libc::SYS_getcwd,
    libc::SYS_getdents64,
    libc::SYS_lseek,
    libc::SYS_openat,
    libc::SYS_pread64,
    // The second list is set with these two.
    libc::SYS_prctl,
    libc::SYS_seccomp,
    libc::SYS_readlinkat,
    libc::SYS_statx,
    libc::SYS_uname,
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    libc::SYS_newfstatat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_access,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_arch_prctl,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_lstat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_open,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_readlink,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_stat,
];

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// Restricts the process to what loading a library needs, which holds its constructors too.
pub(super) fn restrict_while_loading(threads: bool) -> Result<String, String> {
    // The newer way to start threads hides its flags from filters. Told that there is none, libraries use the older one.
    let hidden = Rules::from([(libc::SYS_clone3, Vec::new())]);
    let enosys = SeccompAction::Errno(libc::ENOSYS.cast_unsigned());
    apply(hidden, SeccompAction::Allow, enosys)?;
    let mut rules = playing(threads)?;
    rules.extend(LOADING.iter().map(|&call| (call, Vec::new())));
    allow(rules).map(|()| "those of loading a library".to_owned())
}

/// Restricts the process to what playing needs.
pub(super) fn restrict_to_playing(threads: bool) -> Result<String, String> {
    let rules = playing(threads)?;
    let count = rules.len();
    let with = if threads { "threads of its own, " } else { "" };
    allow(rules).map(|()| format!("{count} are allowed; {with}no files, processes, network, signals to others, sleep"))
}

fn playing(threads: bool) -> Result<Rules, String> {
    let mut rules: Rules = PLAYING.iter().map(|&call| (call, Vec::new())).collect();
    // What the first filter has refused stays refused; here it must not count as unknown.
    rules.insert(libc::SYS_clone3, Vec::new());
    let pid = u64::from(std::process::id());
    let abort = vec![equal(0, pid)?, equal(2, u64::from(libc::SIGABRT.cast_unsigned()))?];
    // To look at limits, not to change them.
    let only_look = SeccompCondition::new(2, SeccompCmpArgLen::Qword, SeccompCmpOp::Eq, 0).map_err(text)?;
    rules.insert(libc::SYS_prlimit64, vec![SeccompRule::new(vec![only_look]).map_err(text)?]);
    rules.insert(libc::SYS_tgkill, vec![SeccompRule::new(abort).map_err(text)?]);
    if threads {
        let flag = u64::from(libc::CLONE_THREAD.cast_unsigned());
        let is_thread =
            SeccompCondition::new(0, SeccompCmpArgLen::Qword, SeccompCmpOp::MaskedEq(flag), flag).map_err(text)?;
        rules.insert(libc::SYS_clone, vec![SeccompRule::new(vec![is_thread]).map_err(text)?]);
        rules.insert(libc::SYS_set_tid_address, Vec::new());
    }
    Ok(rules)
}

fn equal(argument: u8, value: u64) -> Result<SeccompCondition, String> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, value).map_err(text)
}

fn allow(rules: Rules) -> Result<(), String> {
    apply(rules, SeccompAction::Errno(libc::EPERM.cast_unsigned()), SeccompAction::Allow)
}

fn apply(rules: Rules, otherwise: SeccompAction, matched: SeccompAction) -> Result<(), String> {
    let architecture = std::env::consts::ARCH.try_into().map_err(text)?;
    let filter = SeccompFilter::new(rules, otherwise, matched, architecture).map_err(text)?;
    let program: BpfProgram = filter.try_into().map_err(text)?;
    apply_filter_all_threads(&program).map_err(text)
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}
