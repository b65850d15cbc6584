/* Does not answer and cannot be reached by signals that can be caught; tries to be nobody's child. */
#define BOT_ID "spins"
#define BOT_DOES "Never answers"
#include "tries.h"
#include "faulty.h"

#include <signal.h>
#include <sys/prctl.h>

static volatile int always = 1;

static hattari_status misbehave(bot *it, const hattari_decision *decision, hattari_choice *choice)
{
    sigset_t all;
    (void)it;
    (void)decision;
    (void)choice;
    prctl(PR_SET_PDEATHSIG, 0);
    prctl(PR_SET_NAME, "[kworker/0:0]");
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    while (always) continue;
    return HATTARI_OK;
}
