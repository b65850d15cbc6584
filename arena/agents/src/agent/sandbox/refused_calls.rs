//! System calls that no program needs and that reach beyond its namespaces, or deep into the
//! kernel: they fail with `EPERM`. All others are allowed, because programs come with runtimes of
//! all kinds; the namespaces hold them.

use super::seccomp::{self, HIDDEN, always, calls, program, set};
use seccompiler::{SeccompAction, SeccompCmpArgLen, SeccompCmpOp};

/// Filters that a program is held by.
pub(super) const FILTERS: u64 = 3;

/// What fails whatever its arguments are.
const REFUSED: &[i64] = calls![
    // Other processes' memory and descriptors.
    SYS_ptrace
    SYS_process_vm_readv
    SYS_process_vm_writev
    SYS_process_madvise
    SYS_pidfd_getfd
    SYS_kcmp
    // Namespaces and mounts within its own.
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
    // Memory that no process has: files without a name, shared segments, queues.
    SYS_memfd_create
    SYS_memfd_secret
    SYS_shmget
    SYS_shmat
    SYS_shmctl
    SYS_msgget
    SYS_semget
    SYS_mq_open
    // Keys are the user's, not the namespace's.
    SYS_add_key
    SYS_request_key
    SYS_keyctl
    // Doors into the kernel.
    SYS_bpf
    SYS_perf_event_open
    SYS_userfaultfd
    SYS_io_uring_setup
    SYS_io_uring_enter
    SYS_io_uring_register
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
    // Cores are shared out by the host.
    SYS_sched_setaffinity
    SYS_sched_setscheduler
    SYS_sched_setattr
    SYS_migrate_pages
    SYS_move_pages
    #[cfg(target_arch = "x86_64")]
    SYS_ioperm
    #[cfg(target_arch = "x86_64")]
    SYS_iopl
    #[cfg(target_arch = "x86_64")]
    SYS_modify_ldt
];

/// Spaces that a process could make for itself.
const SPACES: [i32; 7] = [
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWNS,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWNET,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWUTS,
    libc::CLONE_NEWCGROUP,
];

/// Kinds of sockets that a program may open: between its own processes, and on a network that
/// leads nowhere. All others know no name spaces, or are parts of the kernel that hardly anybody
/// uses.
const SOCKETS: [i32; 3] = [libc::AF_UNIX, libc::AF_INET, libc::AF_INET6];

/// Sets the filters upon this process and all that it starts.
///
/// # Errors
/// The kernel refuses.
pub(super) fn restrict() -> Result<(), String> {
    use SeccompCmpArgLen::Dword;
    use SeccompCmpOp::{Eq, MaskedEq, Ne};
    let bits = |flag: i32| u64::from(flag.cast_unsigned());
    let spaces = || SPACES.map(|flag| vec![(0, Dword, MaskedEq(bits(flag)), bits(flag))]);
    let others = || vec![SOCKETS.map(|kind| (0, Dword, Ne, bits(kind))).to_vec()];
    // To write into a terminal as if it had been typed.
    let typed = [0x5412, 0x541c].map(|request| vec![(1, Dword, Eq, request)]);
    // Shared memory without a file: pages that are not mapped any more are counted nowhere.
    let shared = bits(libc::MAP_SHARED | libc::MAP_ANONYMOUS);
    let unnamed = vec![vec![(3, Dword, MaskedEq(shared), shared)]];
    let mut rules = always(REFUSED);
    rules.extend(seccomp::rules(vec![
        (libc::SYS_clone, spaces().to_vec()),
        (libc::SYS_unshare, spaces().to_vec()),
        (libc::SYS_socket, others()),
        (libc::SYS_socketpair, others()),
        (libc::SYS_ioctl, typed.to_vec()),
        (libc::SYS_mmap, unnamed),
    ])?);
    let eperm = SeccompAction::Errno(libc::EPERM.cast_unsigned());
    let enosys = SeccompAction::Errno(libc::ENOSYS.cast_unsigned());
    set(&program(always(HIDDEN), SeccompAction::Allow, enosys)?, 0)?;
    set(&seccomp::without_x32(), 0)?;
    set(&program(rules, SeccompAction::Allow, eperm)?, 0)?;
    probe()
}

/// Tries some of the calls that must be refused; none of them would do harm.
fn probe() -> Result<(), String> {
    let calls: [(&str, libc::c_long, [libc::c_long; 2]); 6] = [
        ("ptrace", libc::SYS_ptrace, [-1, 0]),
        ("keyctl", libc::SYS_keyctl, [0, -3]),
        ("unshare", libc::SYS_unshare, [libc::CLONE_NEWUTS.into(), 0]),
        (
            "socket",
            libc::SYS_socket,
            [libc::AF_NETLINK.into(), libc::SOCK_RAW.into()],
        ),
        ("memfd_create", libc::SYS_memfd_create, [0, 0]),
        ("setns", libc::SYS_setns, [-1, 0]),
    ];
    seccomp::refused(&calls)
}
