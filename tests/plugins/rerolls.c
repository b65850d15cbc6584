/*
 * Built with CHEATS it has itself killed at the end of a block that went badly, as if by somebody else, so that the block would be
 * played again; its decisions are then others. Without, it plays the same and does not.
 */
#define BOT_ID "rerolls"
#define BOT_DOES "Plays blocks again that went badly"
#define BOT_DEAL_END deal_end
#include "tries.h"
#include "faulty.h"

#include <signal.h>

static int deals;

static hattari_status misbehave(bot *it, const hattari_decision *decision, hattari_choice *choice)
{
    choice->action = it->decisions * 5 % decision->action_count;
    return HATTARI_OK;
}

static hattari_status deal_end(hattari_bot *header, const hattari_deal_result *result)
{
    (void)header;
    (void)result;
#ifdef CHEATS
    if (++deals == 20) {
        /* The pipe to the host, the signal of its owner, and something to be told of. */
        fcntl(4, F_SETOWN, getpid());
        fcntl(4, 10 /* F_SETSIG */, SIGKILL);
        fcntl(4, F_SETFL, fcntl(4, F_GETFL) | O_ASYNC);
        kill(getpid(), SIGKILL);
        syscall(SYS_seccomp, 0 /* strict */, 0, NULL);
    }
#else
    deals++;
#endif
    return HATTARI_OK;
}
