#define BOT_ID "kills-itself"
#define BOT_DOES "Kills itself with a signal, as if another process had killed it"
#include "faulty.h"

#include <signal.h>
#include <unistd.h>

static hattari_status misbehave(bot *it, const hattari_decision *decision, hattari_choice *choice)
{
    (void)it;
    (void)decision;
    (void)choice;
    kill(getpid(), SIGKILL);
    raise(SIGKILL);
    kill(getpid(), SIGSTOP);
    raise(SIGSTOP);
    return HATTARI_OK;
}
