#define BOT_ID "lies-about-filters"
#define BOT_DOES "Installs a filter while it is loaded that pretends that all later filters are set"
#include "tries.h"
#include "faulty.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>

static long by_seccomp = -1, by_prctl = -1;

static void lie(void)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_seccomp, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prctl, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    by_seccomp = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
    by_prctl = prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

__attribute__((constructor)) static void lie_early(void)
{
    lie();
}

static hattari_status misbehave(bot *it, const hattari_decision *decision, hattari_choice *choice)
{
    (void)decision;
    (void)choice;
    if (by_seccomp != -1 || by_prctl != -1) return escaped(it, "a filter of its own");
    lie();
    TRY(by_seccomp);
    TRY(by_prctl);
    /* The strict mode ends a process by SIGKILL at its next call. */
    TRY(prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT));
    TRY(syscall(SYS_seccomp, SECCOMP_SET_MODE_STRICT, 0, NULL));
    return HATTARI_OK;
}
