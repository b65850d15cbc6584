#define _POSIX_C_SOURCE 200809L
#define BOT_ID "kills-the-host"
#define BOT_DOES "Kills the host, and whomever else it may"
#include "faulty.h"

#include <signal.h>
#include <unistd.h>

static hattari_status misbehave(bot *it, const hattari_decision *decision, hattari_choice *choice)
{
    (void)decision;
    (void)choice;
    if (kill(getppid(), 0) == 0) return escaped(it, "a signal to the host");
    if (kill(getppid(), SIGKILL) == 0 || kill(-1, SIGKILL) == 0) return escaped(it, "a signal");
    return HATTARI_OK;
}
