#define BOT_ID "kills-by-timer"
#define BOT_DOES "Tries to be killed later: by timers, by resource limits, by other ways to send signals"
#include "tries.h"
#include "faulty.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>

static hattari_status misbehave(bot *it, const hattari_decision *decision, hattari_choice *choice)
{
    struct itimerval soon = {{0, 0}, {0, 1000}};
    struct rlimit none = {0, 0};
    siginfo_t about;
    timer_t timer;
    struct sigevent event;
    (void)decision;
    (void)choice;
    memset(&about, 0, sizeof about);
    memset(&event, 0, sizeof event);
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGKILL;
    TRY(setitimer(ITIMER_REAL, &soon, NULL));
    TRY(timer_create(CLOCK_MONOTONIC, &event, &timer));
    alarm(1);
    if (alarm(0) != 0 && errno != EPERM) return escaped(it, "an alarm");
    TRY(setrlimit(RLIMIT_CPU, &none));
    TRY(setrlimit(RLIMIT_RTTIME, &none));
    TRY(syscall(SYS_prlimit64, 0, RLIMIT_CPU, &none, NULL));
    TRY(syscall(SYS_tkill, getpid(), SIGKILL));
    TRY(syscall(SYS_tgkill, getpid(), getpid(), SIGKILL));
    TRY(syscall(SYS_tgkill, 1, 1, SIGABRT));
    TRY(syscall(SYS_rt_sigqueueinfo, getpid(), SIGKILL, &about));
    TRY(syscall(SYS_pidfd_open, getpid(), 0));
    TRY(syscall(SYS_pidfd_send_signal, 3, SIGKILL, NULL, 0));
    TRY(syscall(SYS_mq_notify, 3, &event));
    TRY(syscall(SYS_sched_setscheduler, 0, 1, &event));
    return HATTARI_OK;
}
