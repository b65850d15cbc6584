#define BOT_ID "reads-clocks"
#define BOT_DOES "Reads the processor times of other processes and information about the whole system"
#include "tries.h"
#include "faulty.h"

#include <errno.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <sys/times.h>
#include <time.h>

/* Returns the kernel's number for the clock of another process. */
static clockid_t clock_of(int process)
{
    return (clockid_t)(~(unsigned)process << 3 | 2);
}

static hattari_status misbehave(bot *it, const hattari_decision *decision, hattari_choice *choice)
{
    struct timespec time;
    struct sysinfo system;
    struct rusage usage;
    struct rlimit limit;
    struct tms times_of_all;
    cpu_set_t cores;
    int process;
    (void)decision;
    (void)choice;
    if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) != 0 || clock_gettime(CLOCK_MONOTONIC, &time) != 0) {
        it->error = "its own clocks are refused as well";
        return HATTARI_E_FAIL;
    }
    for (process = 1; process < 70000; process++) {
        TRY(clock_gettime(clock_of(process), &time));
        if (errno != EPERM) return escaped(it, "whether there is such a process");
    }
    TRY(clock_getres(clock_of(1), &time));
    TRY(sysinfo(&system));
    TRY((int)syscall(SYS_times, &times_of_all));
    TRY(getrusage(RUSAGE_CHILDREN, &usage));
    TRY(getrusage(RUSAGE_SELF, &usage));
    TRY(syscall(SYS_prlimit64, getppid() ? getppid() : 1, RLIMIT_CPU, NULL, &limit));
    TRY(sched_getaffinity(1, sizeof cores, &cores));
    TRY(getpriority(PRIO_PROCESS, 1));
    return HATTARI_OK;
}
