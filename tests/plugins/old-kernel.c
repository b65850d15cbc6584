/*
 * Runs a program as if the kernel had neither Landlock nor seccomp: `old-kernel PROGRAM ARGUMENT...`. What it sets it sets by
 * seccomp itself: every later wish for one of the two is answered as a kernel without them would. Built with CLOSE_RANGE_ONLY it runs
 * the program as if the kernel had all but `close_range`.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define CALL offsetof(struct seccomp_data, nr)
#define FIRST_ARGUMENT offsetof(struct seccomp_data, args[0])
#define ANSWER(error) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (error))
#define LANDLOCK_CREATE_RULESET 444
#define LANDLOCK_RESTRICT_SELF 446

int main(int count, char **arguments)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, CALL),
#ifdef CLOSE_RANGE_ONLY
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_close_range, 0, 1),
        ANSWER(ENOSYS),
#else
        BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, LANDLOCK_RESTRICT_SELF, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, LANDLOCK_CREATE_RULESET, 0, 1),
        ANSWER(ENOSYS),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_seccomp, 0, 1),
        ANSWER(ENOSYS),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prctl, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, FIRST_ARGUMENT),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PR_SET_SECCOMP, 0, 1),
        ANSWER(EINVAL),
#endif
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    if (count < 2) return 2;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
        perror("old-kernel");
        return 2;
    }
    execv(arguments[1], arguments + 1);
    perror(arguments[1]);
    return 2;
}
