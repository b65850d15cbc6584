/*
 * Plays at random by the system's chance. Built with CHEATS it ends its process at the end of a block that went badly, so that a league
 * that stops at a fault would play the block again.
 */
#define _GNU_SOURCE
#define BOT_ID "stops"
#define BOT_DOES "Plays at random, and ends badly where a block went badly"
#define BOT_BLOCK_START
#define BOT_DEAL_END deal_end
#include "faulty.h"

#include <sys/syscall.h>
#include <unistd.h>

#define DEALS 6
static uint32_t own;
static int deals;
static int64_t sum;

static hattari_status misbehave(bot *it, const hattari_decision *decision, hattari_choice *choice)
{
    uint32_t number = 0;
    (void)it;
    syscall(SYS_getrandom, &number, sizeof number, 0);
    choice->action = number % decision->action_count;
    return HATTARI_OK;
}

static hattari_status block_start(hattari_bot *header, const hattari_block_info *info)
{
    (void)header;
    own = info->player;
    return HATTARI_OK;
}

static hattari_status deal_end(hattari_bot *header, const hattari_deal_result *result)
{
    (void)header;
    sum += result->payoffs[own];
#ifdef CHEATS
    if (++deals == DEALS && sum < 4 * DEALS) syscall(SYS_exit_group, 0);
#else
    deals++;
#endif
    return HATTARI_OK;
}
