//! Which calls of the system a bot's process may make: a short list, everything else fails with
//! `EPERM`. The filters are set once, before anything of the library is mapped, and nothing is
//! added or taken away afterwards. Opening files is on no list: such calls wait for the helper,
//! which opens what loading needs and hands it over; once the library is loaded the helper lets go
//! of the other end, and the calls fail.

#![expect(
    unsafe_code,
    reason = "filters, and calls that must fail, which libraries do not offer"
)]

use super::seccomp::{self, Call, HIDDEN, RETURN, always, calls, program, set, text};
use seccompiler::{SeccompAction, SeccompCmpArgLen, SeccompCmpOp};
use std::io;
use std::ops::Range;
use std::os::fd::{FromRawFd, OwnedFd};

/// What a bot needs to think and libraries need to be loaded: memory, locks, its own signals, the
/// pipe. The kernel decides these once and for all, so that they cost nothing.
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

/// What threads need besides.
const OF_THREADS: &[i64] = calls![
    SYS_rseq
    SYS_set_robust_list
    SYS_set_tid_address
];

/// What waits for the helper.
const SUPERVISED: &[i64] = calls![
    SYS_openat
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    SYS_newfstatat
    #[cfg(target_arch = "x86_64")]
    SYS_open
];

/// Filters that a process sets upon itself.
pub(crate) const FILTERS: u64 = 3;

/// Whether this kernel has filters whose calls somebody else can answer.
pub(crate) fn can_be_supervised() -> Result<(), String> {
    const GET_ACTION_AVAIL: libc::c_long = 2;
    let action = libc::SECCOMP_RET_USER_NOTIF;
    // SAFETY: the call reads one word, which lives.
    let answer =
        unsafe { libc::syscall(libc::SYS_seccomp, GET_ACTION_AVAIL, 0, &raw const action) };
    if answer == 0 {
        Ok(())
    } else {
        Err(io::Error::last_os_error().to_string())
    }
}

/// Sets the filters. `files` are the ranges of addresses that show pages of files, in their order;
/// other processes have the same pages. `handed_over` gets the end at which supervised calls are
/// answered before the last of them is set.
///
/// # Errors
/// The kernel refuses, or something of what must be refused is not.
pub(super) fn restrict(
    threads: bool,
    kept: u64,
    files: &[Range<u64>],
    handed_over: impl FnOnce(OwnedFd) -> io::Result<()>,
) -> Result<(), String> {
    let enosys = SeccompAction::Errno(libc::ENOSYS.cast_unsigned());
    let eperm = SeccompAction::Errno(libc::EPERM.cast_unsigned());
    // The library that makes filters does not know this answer; another stands in its place until
    // here.
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
    let hidden = program(always(HIDDEN), SeccompAction::Allow, enosys)?;
    let mut rules = always(PLAIN);
    rules.extend(always(SUPERVISED));
    // What the filter before has refused stays refused; here it must not count as unknown.
    rules.extend(always(HIDDEN));
    if threads {
        rules.extend(always(OF_THREADS));
    }
    rules.extend(seccomp::rules(conditional(threads, kept, files))?);
    let last = program(rules, eperm, SeccompAction::Allow)?;
    let listener = set(&supervised, libc::SECCOMP_FILTER_FLAG_NEW_LISTENER)?;
    let listener = i32::try_from(listener).map_err(text)?;
    // SAFETY: the kernel has just opened it for this process.
    handed_over(unsafe { OwnedFd::from_raw_fd(listener) }).map_err(text)?;
    set(&hidden, 0)?;
    set(&last, 0)?;
    probe()
}

/// Advice for a process's own memory. Other advice reaches pages of files that all processes share.
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

/// Returns the calls that are allowed with some arguments only.
fn conditional(threads: bool, kept: u64, files: &[Range<u64>]) -> Vec<Call> {
    use SeccompCmpArgLen::{Dword, Qword};
    use SeccompCmpOp::{Eq, Ge, Le, Lt, MaskedEq};
    let unsigned = |number: i32| u64::from(number.cast_unsigned());
    let pid = u64::from(std::process::id());
    // Addresses that show no page of a file.
    let starts = files.iter().map(|range| range.start).chain([u64::MAX]);
    let ends = [0].into_iter().chain(files.iter().map(|range| range.end));
    let not_files: Vec<_> = ends.zip(starts).filter(|(from, to)| from < to).collect();
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
    // Locks of this process alone: others wait at pages of files that processes share, and whoever
    // is woken there is told.
    let private = MaskedEq(unsigned(libc::FUTEX_PRIVATE_FLAG));
    let mut locks = vec![vec![(1, Dword, private, 128)]];
    let mut calls = vec![
        // Clocks with other numbers are of devices and of other processes.
        (libc::SYS_clock_gettime, fixed_clocks()),
        (libc::SYS_clock_getres, fixed_clocks()),
        // What the loader has opened; not the pipes.
        (libc::SYS_close, vec![vec![(0, Dword, Ge, kept)]]),
        (libc::SYS_madvise, advice.to_vec()),
        // Huge pages are few, and all processes see how many are left.
        (
            libc::SYS_mmap,
            vec![vec![(3, Dword, MaskedEq(unsigned(libc::MAP_HUGETLB)), 0)]],
        ),
        // To where the kernel chooses, and not pages of files, which are held where they are known.
        (libc::SYS_mremap, moved.collect()),
        // To look at one's own limits, not to change them.
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
        // Who joins a thread waits for the kernel to wake him, where no other process's kernel can.
        for wait in [libc::FUTEX_WAIT, libc::FUTEX_WAIT_BITSET] {
            let wait = || (1, Dword, MaskedEq(unsigned(0x7f)), unsigned(wait));
            locks.extend(outside().map(|[from, to]| vec![from, to, wait()]));
        }
    }
    calls.push((libc::SYS_futex, locks));
    calls
}

/// Tries one call of every kind that must be refused; each of them would do no harm.
fn probe() -> Result<(), String> {
    const CPU_CLOCK_OF_FIRST_PROCESS: libc::c_long = !1 << 3 | 2;
    let code = probe as *const () as libc::c_long;
    let calls: [(&str, libc::c_long, [libc::c_long; 3]); 11] = [
        (
            "seccomp",
            libc::SYS_seccomp,
            [libc::SECCOMP_SET_MODE_FILTER.into(), 0, 0],
        ),
        (
            "prctl",
            libc::SYS_prctl,
            [libc::PR_GET_DUMPABLE.into(), 0, 0],
        ),
        ("fcntl", libc::SYS_fcntl, [0, libc::F_GETOWN.into(), 0]),
        ("ioctl", libc::SYS_ioctl, [0, 0, 0]),
        ("kill", libc::SYS_kill, [0, 0, 0]),
        (
            "socket",
            libc::SYS_socket,
            [libc::AF_UNIX.into(), libc::SOCK_STREAM.into(), 0],
        ),
        ("sysinfo", libc::SYS_sysinfo, [0, 0, 0]),
        ("setrlimit", libc::SYS_setrlimit, [-1, 0, 0]),
        (
            "futex",
            libc::SYS_futex,
            [code & !3, libc::FUTEX_WAIT.into(), -1],
        ),
        ("mremap", libc::SYS_mremap, [code & !4095, 0, 0]),
        (
            "clock_gettime",
            libc::SYS_clock_gettime,
            [CPU_CLOCK_OF_FIRST_PROCESS, 0, 0],
        ),
    ];
    seccomp::refused(&calls)
}
