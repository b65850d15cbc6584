#define BOT_ID "kills-the-host"
#define BOT_DOES "Kills the host"
#include "faulty.h"

#include <signal.h>
#include <unistd.h>

static hattari_status misbehave(bot *it, const hattari_decision *decision, hattari_choice *choice)
{
    (void)decision;
    (void)choice;
    /* First it only tests whether it could: a hole in the sandbox must be reported, and not end the test. */
    if (kill(getppid(), 0) == 0) return escaped(it, "a signal to the host");
    if (kill(getppid(), SIGKILL) == 0) return escaped(it, "the end of the host");
    return HATTARI_OK;
}
