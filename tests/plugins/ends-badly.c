/*
 * Ends badly at the end of a block that went badly, in the way WAY, so that the block would be played again if the host took the end for
 * an accident. With AT_DESTROY it does so when its instance is destroyed, otherwise in the last call of `deal_end`.
 */
#define BOT_ID "ends-badly"
#define BOT_DOES "Ends badly after blocks that went badly"
#define BOT_BLOCK_START
#define BOT_DEAL_END deal_end
#define BOT_DESTROY
#include "tries.h"
#include "faulty.h"

#include <signal.h>

#define DEALS 8
/* A bad block has fewer points than this: the average is 3 a deal. */
#define GOOD (3 * DEALS)

static long points;
static uint32_t own;
static int deals, is_bad;

static hattari_status misbehave(bot *it, const hattari_decision *decision, hattari_choice *choice)
{
    choice->action = it->decisions * 5 % decision->action_count;
    return HATTARI_OK;
}

static hattari_status block_start(hattari_bot *header, const hattari_block_info *info)
{
    (void)header;
    own = info->player;
    return HATTARI_OK;
}

static void end_badly(void)
{
#ifdef HONEST
    return;
#elif WAY == 0
    syscall(SYS_exit_group, 0);
#elif WAY == 1
    *(volatile int *)16 = 1;
#elif WAY == 2
    abort();
#elif WAY == 3
    for (;;) __asm__ volatile("");
#elif WAY == 4
    kill(getpid(), SIGKILL);
    syscall(SYS_tgkill, getpid(), getpid(), SIGKILL);
    syscall(SYS_exit_group, 128 + SIGKILL);
#elif WAY == 5
    for (char *more; (more = malloc(1 << 20));) memset(more, 1, 1 << 20);
    syscall(SYS_exit_group, 128 + SIGKILL);
#elif WAY == 6
    syscall(SYS_close_range, 3, ~0u, 0);
#else
    static const char nonsense[64];
    if (write(4, nonsense, sizeof nonsense) < 0) abort();
#endif
}

static hattari_status deal_end(hattari_bot *header, const hattari_deal_result *result)
{
    (void)header;
    points += result->payoffs[own];
    is_bad = ++deals == DEALS && points < GOOD;
#ifndef AT_DESTROY
    if (is_bad) end_badly();
#endif
    return HATTARI_OK;
}

static void destroy(hattari_bot *header)
{
    if (is_bad) end_badly();
    free(header);
}
