/*
 * pairs: a hold'em bot in plain C. It raises if its own cards make a pair, and calls if that is cheap.
 *
 * Build it from the root of the repository with a C compiler and nothing else:
 *
 *     cc -O2 -std=c11 -fPIC -shared -fvisibility=hidden -Iplugin-api/include -o bots/c/libpairs.so bots/c/pairs.c
 *
 * hattari_bot.h contains the rest of the library, and hattari_holdem.h describes the records.
 */
#include "hattari_holdem.h"

#define HATTARI_BOT_ID "pairs"
#define HATTARI_BOT_VERSION "1.0.0"
#define HATTARI_BOT_ABOUT "Raises if its own cards make a pair, calls if that is cheap"
#define HATTARI_BOT_GAME HATTARI_HOLDEM_GAME
#define HATTARI_BOT_VIEW hattari_holdem_view
#define HATTARI_BOT_ACTION hattari_holdem_action
#include "hattari_bot.h"

/* Returns the index of the first action of a kind, or the number of actions if there is none. */
static uint32_t find(const hattari_decision *decision, uint8_t kind)
{
    uint32_t i = 0;
    while (i < decision->action_count && hattari_holdem_action_at(decision, i)->kind != kind)
        i++;
    return i;
}

/*
 * Returns 1 if a set contains two cards of a rank. A rank is four neighbouring bits, one per suit. Clearing the lowest bit
 * leaves another one if there is a second card.
 */
static int has_pair(uint64_t set)
{
    uint32_t rank;
    for (rank = 0; rank <= HATTARI_HOLDEM_RANK_ACE; rank++) {
        uint64_t suits = (set >> (4 * rank)) & 0xf;
        if ((suits & (suits - 1)) != 0)
            return 1;
    }
    return 0;
}

/*
 * Returns the index of the action to take and, for a raise, sets the amount: the total of the street. Replace this function.
 */
static uint32_t decide(const hattari_holdem_view *view, const hattari_decision *decision, int64_t *amount)
{
    uint32_t raise = find(decision, HATTARI_HOLDEM_KIND_RAISE);
    uint32_t check = find(decision, HATTARI_HOLDEM_KIND_CHECK);
    /* A pair that is not on the board alone. */
    int paired = has_pair(view->hand | view->community) && !has_pair(view->community);
    if (paired && raise < decision->action_count && view->raises < 2) {
        const hattari_holdem_action *range = hattari_holdem_action_at(decision, raise);
        int64_t total = view->level + view->pot / 2;
        *amount = total < range->lowest ? range->lowest : total > range->highest ? range->highest : total;
        return raise;
    }
    if (check < decision->action_count)
        return check;
    /* It calls if the pot is at least four times the call. */
    if (paired || view->to_call * 4 <= view->pot)
        return find(decision, HATTARI_HOLDEM_KIND_CALL);
    return find(decision, HATTARI_HOLDEM_KIND_FOLD);
}
