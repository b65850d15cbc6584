/*
 * template: the least that a library of bots needs, with one bot that plays the first card it may.
 *
 * Copy this file, rename the bot, and replace `decide`. Build it with
 *
 *     cc -O2 -std=c11 -fPIC -shared -fvisibility=hidden -Iplugin-api/include -o mine.so mine.c
 *
 * What the library needs besides stands in hattari_bot.h, what the records hold in hattari_daihinmin.h.
 */
#include "hattari_daihinmin.h"

#define HATTARI_BOT_ID "template" /* what a league calls it, after the library's name */
#define HATTARI_BOT_VERSION "1.0.0"
#define HATTARI_BOT_ABOUT "Plays the first action that is not a pass"
#define HATTARI_BOT_GAME HATTARI_DAIHINMIN_GAME
#define HATTARI_BOT_VIEW hattari_daihinmin_view
#define HATTARI_BOT_ACTION hattari_daihinmin_action
#include "hattari_bot.h"

/* The one decision that matters: which of the actions to take. Replace this. */
static uint32_t decide(const hattari_daihinmin_view *view, const hattari_decision *decision, int64_t *amount)
{
    uint32_t i;
    (void)view;
    (void)amount; /* no card has one */
    for (i = 0; i < decision->action_count; i++) {
        if (hattari_daihinmin_action_at(decision, i)->kind != HATTARI_DAIHINMIN_KIND_PASS)
            return i;
    }
    return 0;
}
