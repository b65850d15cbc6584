/*
 * template: a minimal library of bots, with one bot that plays the first legal play.
 *
 * Copy this file, rename the bot, and replace `decide`. Build it with
 *
 *     cc -O2 -std=c11 -fPIC -shared -fvisibility=hidden -Iplugin-api/include -o mine.so mine.c
 *
 * hattari_bot.h contains the rest of the library, and hattari_daihinmin.h describes the records.
 */
#include "hattari_daihinmin.h"

#define HATTARI_BOT_ID "template" /* the name in leagues, after that of the library */
#define HATTARI_BOT_VERSION "1.0.0"
#define HATTARI_BOT_ABOUT "Plays the first action that is not a pass"
#define HATTARI_BOT_GAME HATTARI_DAIHINMIN_GAME
#define HATTARI_BOT_VIEW hattari_daihinmin_view
#define HATTARI_BOT_ACTION hattari_daihinmin_action
#include "hattari_bot.h"

/* Returns the index of the action to take. Replace this function. */
static uint32_t decide(const hattari_daihinmin_view *view, const hattari_decision *decision, int64_t *amount)
{
    uint32_t i;
    (void)view;
    (void)amount; /* daihinmin has no amounts */
    for (i = 0; i < decision->action_count; i++) {
        if (hattari_daihinmin_action_at(decision, i)->kind != HATTARI_DAIHINMIN_KIND_PASS)
            return i;
    }
    return 0;
}
