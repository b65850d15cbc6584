/*
 * cautious: bets and calls with a king alone. Kuhn poker, in C.
 *
 *     hattari-outside show types c kuhn --into include
 *     cc -O2 -std=c11 -fPIC -shared -fvisibility=hidden -Iinclude -o cautious.so cautious.c
 */
#include "hattari_kuhn.h"

#define HATTARI_BOT_ID "cautious"
#define HATTARI_BOT_VERSION "1.0.0"
#define HATTARI_BOT_ABOUT "Bets and calls with a king alone"
#define HATTARI_BOT_GAME HATTARI_KUHN_GAME
#define HATTARI_BOT_VIEW hattari_kuhn_view
#define HATTARI_BOT_ACTION hattari_kuhn_action
#include "hattari_bot.h"

/* Your turn: the index of an action. The one that puts chips in comes last. There are no amounts. */
static uint32_t decide(const hattari_kuhn_view *view, const hattari_decision *decision, int64_t *amount)
{
    static const uint8_t king = 2;
    (void)amount;
    return view->card == king ? decision->action_count - 1 : 0;
}
