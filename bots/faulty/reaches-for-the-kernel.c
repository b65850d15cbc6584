#define BOT_ID "reaches-for-the-kernel"
#define BOT_DOES "Tries system calls that read other processes or the kernel"
#include "tries.h"
#include "faulty.h"

#include <sys/ioctl.h>
#include <sys/ptrace.h>

static hattari_status misbehave(bot *it, const hattari_decision *decision, hattari_choice *choice)
{
    char buffer[256] = "x";
    (void)decision;
    (void)choice;
    TRY(ptrace(PTRACE_TRACEME, 0, NULL, NULL));
    TRY(ptrace(PTRACE_ATTACH, 1, NULL, NULL));
    TRY(ioctl(0, TIOCSTI, buffer));
    TRY(open("/proc/self/mem", O_RDWR));
    TRY(open("/dev/null", O_RDONLY));
    TRY(syscall(SYS_process_vm_readv, 1, NULL, 0, NULL, 0, 0));
    TRY(syscall(SYS_process_vm_writev, getpid(), NULL, 0, NULL, 0, 0));
    TRY(syscall(SYS_kcmp, getpid(), getpid(), 0, 0, 0));
    TRY(syscall(SYS_perf_event_open, buffer, 0, -1, -1, 0));
    TRY(syscall(SYS_userfaultfd, 0));
    TRY(syscall(SYS_io_uring_setup, 1, buffer));
    TRY(syscall(SYS_bpf, 0, buffer, sizeof buffer));
    TRY(syscall(SYS_fanotify_init, 0, 0));
    TRY(syscall(SYS_inotify_init1, 0));
    TRY(syscall(SYS_eventfd2, 0, 0));
    TRY(syscall(SYS_signalfd4, -1, buffer, 8, 0));
    TRY(syscall(SYS_timerfd_create, 0, 0));
    TRY(syscall(SYS_epoll_create1, 0));
    TRY(syscall(SYS_pidfd_getfd, 3, 0, 0));
    TRY(syscall(SYS_close_range, 3, 4, 0));
    TRY(syscall(SYS_openat2, -100, "/etc/passwd", buffer, 24));
    TRY(syscall(SYS_name_to_handle_at, 0, "", buffer, buffer, 0x1000));
    TRY(syscall(SYS_open_by_handle_at, 0, buffer, 0));
    TRY(syscall(SYS_mount, "none", "/tmp", "tmpfs", 0, NULL));
    TRY(syscall(SYS_pivot_root, "/", "/"));
    TRY(chroot("/"));
    TRY(syscall(SYS_unshare, 0));
    TRY(syscall(SYS_setns, 0, 0));
    TRY(syscall(SYS_personality, 0xffffffff));
    TRY(syscall(SYS_landlock_create_ruleset, NULL, 0, 1));
    TRY(syscall(SYS_syslog, 10, NULL, 0));
    TRY(setuid(getuid()));
    TRY(syscall(SYS_capset, buffer, NULL));
    return HATTARI_OK;
}
