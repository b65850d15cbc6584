//! The list of system calls that a library's process may make. Other calls fail, most of them with
//! `EPERM`. The filters are set once, before the library is mapped, and cannot be changed. Calls
//! that open files are supervised: they wait for the helper, which opens the files that loading
//! needs. After the library is loaded the helper closes its end, and these calls fail.

#![expect(
    unsafe_code,
    reason = "seccomp filters and tests of forbidden calls need raw system calls"
)]

use super::policy::DESCRIPTORS_KEPT;
use super::seccomp::{
    self, EPERM, HIDDEN, RETURN, SeccompCall, always, calls, probes, program, set,
};
use crate::agent::process::checked;
use crate::text::error_text;
use seccompiler::{SeccompAction, SeccompCmpArgLen, SeccompCmpOp};
use std::io;
use std::ops::Range;
use std::os::fd::{FromRawFd, OwnedFd};

/// Calls needed to compute and to load libraries: memory, locks, signals to itself, pipes. The
/// kernel allows them without asking the helper, so they cost nothing.
const PLAIN: &[i64] = calls![
    SYS_brk
    SYS_exit
    SYS_exit_group
    SYS_fstat
    SYS_getcpu
    SYS_getpid
    SYS_getrandom
    SYS_gettid
    SYS_gettimeofday
    SYS_membarrier
    SYS_mprotect
    SYS_munmap
    SYS_pread64
    SYS_read
    SYS_restart_syscall
    SYS_rt_sigaction
    SYS_rt_sigprocmask
    SYS_rt_sigreturn
    SYS_sched_yield
    SYS_sigaltstack
    SYS_write
    SYS_writev
    #[cfg(target_arch = "x86_64")]
    SYS_time
];

/// Calls that are also allowed if the bot may start threads.
const THREAD_CALLS: &[i64] = calls![
    SYS_rseq
    SYS_set_robust_list
    SYS_set_tid_address
];

/// Supervised calls, which wait for the helper.
const SUPERVISED: &[i64] = calls![
    SYS_openat
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    SYS_newfstatat
    #[cfg(target_arch = "x86_64")]
    SYS_open
];

/// Number of filters that a process sets on itself.
pub(crate) const FILTERS: u64 = 3;

/// Checks that this kernel supports supervised calls.
///
/// # Errors
/// Returns the kernel's error if it does not support supervised calls.
pub(crate) fn can_be_supervised() -> Result<(), String> {
    const GET_ACTION_AVAIL: libc::c_long = 2;
    let action = libc::SECCOMP_RET_USER_NOTIF;
    // SAFETY: the call reads one word, which is valid.
    let answer =
        unsafe { libc::syscall(libc::SYS_seccomp, GET_ACTION_AVAIL, 0, &raw const action) };
    checked(answer).map(drop).map_err(error_text)
}

/// Sets the filters. `files` are the sorted address ranges of mapped files, which other processes
/// map too. `handed_over` is called with the descriptor for supervised calls before the other
/// filters are set.
///
/// # Errors
/// Returns an error if the kernel rejects a filter, or if a forbidden call succeeds.
pub(super) fn restrict(
    threads: bool,
    files: &[Range<u64>],
    handed_over: impl FnOnce(OwnedFd) -> io::Result<()>,
) -> Result<(), String> {
    // The filter library does not support this action, so another one is used as a placeholder and
    // replaced here.
    let mut supervised = program(
        always(SUPERVISED),
        SeccompAction::Allow,
        SeccompAction::Trace(0),
    )?;
    for instruction in &mut supervised {
        if instruction.code == RETURN && instruction.k == libc::SECCOMP_RET_TRACE {
            instruction.k = libc::SECCOMP_RET_USER_NOTIF;
        }
    }
    let mut rules = always(PLAIN);
    rules.extend(always(SUPERVISED));
    // The previous filter rejects these with `ENOSYS`; this filter must not replace that by
    // `EPERM`.
    rules.extend(always(HIDDEN));
    if threads {
        rules.extend(always(THREAD_CALLS));
    }
    rules.extend(seccomp::rules(calls_with_conditions(threads, files))?);
    let last = program(rules, EPERM, SeccompAction::Allow)?;
    let listener = set(&supervised, libc::SECCOMP_FILTER_FLAG_NEW_LISTENER)?;
    let listener = i32::try_from(listener).map_err(error_text)?;
    // SAFETY: the kernel has just opened the descriptor, and no other object owns it.
    handed_over(unsafe { OwnedFd::from_raw_fd(listener) }).map_err(error_text)?;
    seccomp::hide()?;
    set(&last, 0)?;
    probe()
}

/// Kinds of advice (`madvise`) that affect only private memory. Other kinds affect mapped files,
/// which all processes share.
const ADVICE: [i32; 9] = [
    libc::MADV_NORMAL,
    libc::MADV_RANDOM,
    libc::MADV_SEQUENTIAL,
    libc::MADV_WILLNEED,
    libc::MADV_DONTNEED,
    libc::MADV_FREE,
    libc::MADV_HUGEPAGE,
    libc::MADV_NOHUGEPAGE,
    libc::MADV_DONTDUMP,
];

/// Flags with which C libraries start a thread.
const THREAD: i32 = libc::CLONE_VM
    | libc::CLONE_FS
    | libc::CLONE_FILES
    | libc::CLONE_SIGHAND
    | libc::CLONE_THREAD
    | libc::CLONE_SYSVSEM
    | libc::CLONE_SETTLS
    | libc::CLONE_PARENT_SETTID
    | libc::CLONE_CHILD_CLEARTID;

/// Returns the calls that are allowed only with certain arguments.
fn calls_with_conditions(threads: bool, files: &[Range<u64>]) -> Vec<SeccompCall> {
    use SeccompCmpArgLen::{Dword, Qword};
    use SeccompCmpOp::{Eq, Ge, Le, Lt, MaskedEq};
    let unsigned = |number: i32| u64::from(number.cast_unsigned());
    let pid = u64::from(std::process::id());
    // Address ranges without mapped files.
    let starts = files.iter().map(|range| range.start).chain([u64::MAX]);
    let not_files: Vec<_> = [0]
        .into_iter()
        .chain(files.iter().map(|range| range.end))
        .zip(starts)
        .filter(|(from, to)| from < to)
        .collect();
    let outside = || {
        not_files
            .iter()
            .map(|&(from, to)| [(0, Qword, Ge, from), (0, Qword, Lt, to)])
    };
    let fixed_clocks = || vec![vec![(0, Dword, Le, unsigned(libc::CLOCK_TAI))]];
    let advice = ADVICE.map(|advice| vec![(2, Dword, Eq, unsigned(advice))]);
    let moved = outside().map(|[from, to]| {
        let may_move = (3, Dword, Le, unsigned(libc::MREMAP_MAYMOVE));
        vec![from, to, may_move]
    });
    // Private locks only: with other locks, processes could signal each other through mapped files
    // that they share.
    let private = MaskedEq(unsigned(libc::FUTEX_PRIVATE_FLAG));
    let refused_maps = libc::MAP_HUGETLB | libc::MAP_SHARED;
    let mut locks = vec![vec![(1, Dword, private, 128)]];
    let mut calls = vec![
        // Higher numbers are clocks of devices and of other processes.
        (libc::SYS_clock_gettime, fixed_clocks()),
        (libc::SYS_clock_getres, fixed_clocks()),
        // Files that the loader opened, but not the pipes.
        (
            libc::SYS_close,
            vec![vec![(0, Dword, Ge, DESCRIPTORS_KEPT)]],
        ),
        (libc::SYS_madvise, advice.to_vec()),
        // Huge pages are scarce, and all processes can see how many are left. Shared pages that are
        // not mapped any more are counted nowhere.
        (
            libc::SYS_mmap,
            vec![vec![(3, Dword, MaskedEq(unsigned(refused_maps)), 0)]],
        ),
        // Only to addresses chosen by the kernel, and not for mapped files, whose known addresses
        // the rules exclude.
        (libc::SYS_mremap, moved.collect()),
        // Only to read the process's own limits.
        (
            libc::SYS_prlimit64,
            vec![vec![(0, Dword, Eq, 0), (2, Qword, Eq, 0)]],
        ),
        (libc::SYS_sched_getaffinity, vec![vec![(0, Dword, Eq, 0)]]),
        (
            libc::SYS_tgkill,
            vec![vec![
                (0, Dword, Eq, pid),
                (2, Dword, Eq, unsigned(libc::SIGABRT)),
            ]],
        ),
    ];
    if threads {
        let ways = [THREAD, THREAD | libc::CLONE_DETACHED]
            .map(|flags| vec![(0, Qword, Eq, unsigned(flags))]);
        calls.push((libc::SYS_clone, ways.to_vec()));
        // Joining a thread waits for a wake-up by the kernel, at addresses where no other process
        // can cause one.
        for wait in [libc::FUTEX_WAIT, libc::FUTEX_WAIT_BITSET] {
            let wait = || (1, Dword, MaskedEq(unsigned(0x7f)), unsigned(wait));
            locks.extend(outside().map(|[from, to]| vec![from, to, wait()]));
        }
    }
    calls.push((libc::SYS_futex, locks));
    calls
}

/// Tries one harmless call of every kind that must be rejected.
///
/// # Errors
/// Returns an error if a call is not rejected.
fn probe() -> Result<(), String> {
    const CPU_CLOCK_OF_FIRST_PROCESS: libc::c_long = !1 << 3 | 2;
    let code = probe as *const () as libc::c_long;
    seccomp::check_refused(probes![
        SYS_seccomp[libc::SECCOMP_SET_MODE_FILTER, 0, 0]
        SYS_prctl[libc::PR_GET_DUMPABLE, 0, 0]
        SYS_fcntl[0, libc::F_GETOWN, 0]
        SYS_ioctl[0, 0, 0]
        SYS_kill[0, 0, 0]
        SYS_socket[libc::AF_UNIX, libc::SOCK_STREAM, 0]
        SYS_sysinfo[0, 0, 0]
        SYS_setrlimit[-1, 0, 0]
        SYS_futex[code & !3, libc::FUTEX_WAIT, -1]
        SYS_mremap[code & !4095, 0, 0]
        SYS_clock_gettime[CPU_CLOCK_OF_FIRST_PROCESS, 0, 0]
    ])
}
