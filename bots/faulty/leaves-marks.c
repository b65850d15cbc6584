#define BOT_ID "leaves-marks"
#define BOT_DOES "Tries to leave marks that another process can find, in all ways without a file of its own"
#include "tries.h"
#include "faulty.h"

#include <errno.h>
#include <sched.h>
#include <sys/file.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/resource.h>

#define WAKE 1
#define WAIT 0

static hattari_status misbehave(bot *it, const hattari_decision *decision, hattari_choice *choice)
{
    /* A page of the C library, which is the same one in every process. */
    char *common = (char *)((uintptr_t)&strlen & ~(uintptr_t)4095);
    struct timespec no_time = {0, 0};
    cpu_set_t cores;
    (void)decision;
    (void)choice;
    CPU_ZERO(&cores);
    CPU_SET(0, &cores);
    TRY(syscall(SYS_futex, common, WAKE, 1, NULL, NULL, 0));
    if (syscall(SYS_futex, common, WAIT, *(uint32_t *)common, &no_time, NULL, 0) == 0 || errno != EPERM) {
        return escaped(it, "a shared lock");
    }
    TRY(madvise(common, 4096, MADV_PAGEOUT));
    TRY(madvise(common, 4096, MADV_COLD));
    if (mmap(NULL, 2 << 20, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0) != MAP_FAILED || errno != EPERM) {
        return escaped(it, "huge pages");
    }
    if (mmap(NULL, 4096, PROT_READ, MAP_SHARED | MAP_ANONYMOUS, -1, 0) != MAP_FAILED || errno != EPERM) {
        return escaped(it, "shared memory");
    }
    TRY(mincore(common, 4096, (unsigned char *)it->text));
    TRY(mlock(it, 1));
    TRY(syscall(SYS_memfd_create, "mark", 0));
    TRY(syscall(SYS_memfd_secret, 0));
    TRY(flock(2, LOCK_EX | LOCK_NB));
    TRY(ftruncate(2, 1));
    TRY(lseek(2, 0, SEEK_END));
    TRY(syscall(SYS_shmget, IPC_PRIVATE, 4096, IPC_CREAT | 0600));
    TRY(syscall(SYS_semget, IPC_PRIVATE, 1, IPC_CREAT | 0600));
    TRY(syscall(SYS_msgget, IPC_PRIVATE, IPC_CREAT | 0600));
    TRY(syscall(SYS_mq_open, "mark", O_CREAT | O_RDWR, 0600, NULL));
    TRY(syscall(SYS_add_key, "user", "mark", "x", 1, -3));
    TRY(syscall(SYS_keyctl, 0, -3, 1));
    TRY(syscall(SYS_request_key, "user", "mark", NULL, 0));
    TRY(sched_setaffinity(0, sizeof cores, &cores));
    TRY(setpriority(PRIO_PROCESS, 0, 10));
    TRY(syscall(SYS_ioprio_set, 1, 0, 0));
    TRY((int)syscall(SYS_umask, 0));
    TRY(chdir("/"));
    return HATTARI_OK;
}
