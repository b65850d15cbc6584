//! The system calls that fail with `EPERM` in programs. Bots do not need them, and they reach
//! beyond the namespaces or have a large attack surface in the kernel. Other calls are allowed,
//! because runtimes need many of them; the namespaces confine their effects.

use super::seccomp::{self, EPERM, always, calls, probes, program, set};
use seccompiler::{SeccompAction, SeccompCmpArgLen, SeccompCmpOp};

/// Number of filters that a program's process sets on itself.
pub(super) const FILTERS: u64 = 3;

/// Calls that fail with any arguments.
const REFUSED: &[i64] = calls![
    // Memory and descriptors of other processes.
    SYS_ptrace
    SYS_process_vm_readv
    SYS_process_vm_writev
    SYS_process_madvise
    SYS_pidfd_getfd
    SYS_kcmp
    // Changes of namespaces and mounts.
    SYS_setns
    SYS_mount
    SYS_umount2
    SYS_pivot_root
    SYS_chroot
    SYS_open_tree
    SYS_move_mount
    SYS_fsopen
    SYS_fsconfig
    SYS_fsmount
    SYS_fspick
    SYS_mount_setattr
    SYS_open_by_handle_at
    SYS_name_to_handle_at
    SYS_seccomp
    // Memory that belongs to no process: unnamed files, shared segments, queues.
    SYS_memfd_create
    SYS_memfd_secret
    SYS_shmget
    SYS_shmat
    SYS_shmctl
    SYS_msgget
    SYS_semget
    SYS_mq_open
    // Keys belong to the user, not to the namespace.
    SYS_add_key
    SYS_request_key
    SYS_keyctl
    // Interfaces with a large attack surface.
    SYS_bpf
    SYS_perf_event_open
    SYS_userfaultfd
    SYS_io_uring_setup
    SYS_io_uring_enter
    SYS_io_uring_register
    // Their number is limited for the machine or the user.
    SYS_io_setup
    SYS_inotify_init1
    #[cfg(target_arch = "x86_64")]
    SYS_inotify_init
    SYS_fanotify_init
    SYS_personality
    SYS_vhangup
    SYS_syslog
    SYS_acct
    SYS_quotactl
    SYS_swapon
    SYS_swapoff
    SYS_reboot
    SYS_kexec_load
    SYS_init_module
    SYS_finit_module
    SYS_delete_module
    SYS_settimeofday
    SYS_clock_settime
    SYS_adjtimex
    SYS_clock_adjtime
    // The host assigns cores.
    SYS_sched_setaffinity
    SYS_sched_setscheduler
    SYS_sched_setattr
    SYS_sched_setparam
    SYS_ioprio_set
    SYS_migrate_pages
    SYS_move_pages
    #[cfg(target_arch = "x86_64")]
    SYS_ioperm
    #[cfg(target_arch = "x86_64")]
    SYS_iopl
    #[cfg(target_arch = "x86_64")]
    SYS_modify_ldt
];

/// Flags of the namespaces that a process could create.
const NAMESPACES: [i32; 7] = [
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWNS,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWNET,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWUTS,
    libc::CLONE_NEWCGROUP,
];

/// Families of sockets that a program may open. Such sockets connect only processes of the program,
/// because its network namespace has no connections. Other families ignore namespaces or are rarely
/// used parts of the kernel.
const SOCKETS: [i32; 3] = [libc::AF_UNIX, libc::AF_INET, libc::AF_INET6];

/// Sets the filters on this process and all processes that it starts.
///
/// # Errors
/// Returns an error if the kernel rejects a filter, or if a forbidden call succeeds.
pub(super) fn restrict() -> Result<(), String> {
    use SeccompCmpArgLen::Dword;
    use SeccompCmpOp::{Eq, MaskedEq, Ne};
    let bits = |flag: i32| u64::from(flag.cast_unsigned());
    let spaces = || NAMESPACES.map(|flag| vec![(0, Dword, MaskedEq(bits(flag)), bits(flag))]);
    let others = || vec![SOCKETS.map(|kind| (0, Dword, Ne, bits(kind))).to_vec()];
    // Requests that insert input into a terminal.
    let typed = [0x5412, 0x541c].map(|request| vec![(1, Dword, Eq, request)]);
    // Shared memory without a file: pages that are not mapped any more are counted nowhere.
    let shared = bits(libc::MAP_SHARED | libc::MAP_ANONYMOUS);
    let unnamed = vec![vec![(3, Dword, MaskedEq(shared), shared)]];
    // Otherwise the init process, which belongs to the same user, could lose its descriptors or its
    // processor time, and could not measure memory any more.
    let other = |argument| vec![(argument, Dword, Ne, 0)];
    let mut rules = always(REFUSED);
    rules.extend(seccomp::rules(vec![
        (libc::SYS_clone, spaces().to_vec()),
        (libc::SYS_unshare, spaces().to_vec()),
        (libc::SYS_socket, others()),
        (libc::SYS_socketpair, others()),
        (libc::SYS_ioctl, typed.to_vec()),
        (libc::SYS_mmap, unnamed),
        // The launcher has disabled huge pages.
        (
            libc::SYS_prctl,
            vec![vec![(0, Dword, Eq, bits(libc::PR_SET_THP_DISABLE))]],
        ),
        (
            libc::SYS_fcntl,
            vec![vec![(1, Dword, Eq, bits(libc::F_SETPIPE_SZ))]],
        ),
        (libc::SYS_prlimit64, vec![other(0)]),
        (libc::SYS_setpriority, vec![other(0), other(1)]),
    ])?);
    seccomp::hide()?;
    set(&seccomp::without_x32(), 0)?;
    set(&program(rules, SeccompAction::Allow, EPERM)?, 0)?;
    probe()
}

/// Tries some of the calls that must be rejected, with harmless arguments.
///
/// # Errors
/// Returns an error if a call is not rejected.
fn probe() -> Result<(), String> {
    seccomp::check_refused(probes![
        SYS_ptrace[-1, 0, 0]
        SYS_keyctl[0, -3, 0]
        SYS_unshare[libc::CLONE_NEWUTS, 0, 0]
        SYS_socket[libc::AF_NETLINK, libc::SOCK_RAW, 0]
        SYS_memfd_create[0, 0, 0]
        SYS_setns[-1, 0, 0]
        SYS_prlimit64[1, libc::RLIMIT_NOFILE, 0]
        SYS_setpriority[libc::PRIO_PROCESS, 1, 0]
        SYS_prctl[libc::PR_SET_THP_DISABLE, 1, 0]
    ])
}
