/* Prints at every decision, to both of its outputs, as somebody does who looks for a mistake. */
#include "hattari_daihinmin.h"

#include <stdio.h>

#define HATTARI_BOT_ID "prints"
#define HATTARI_BOT_VERSION "1.0.0"
#define HATTARI_BOT_ABOUT "Prints at every decision"
#define HATTARI_BOT_GAME HATTARI_DAIHINMIN_GAME
#define HATTARI_BOT_VIEW hattari_daihinmin_view
#define HATTARI_BOT_ACTION hattari_daihinmin_action
#include "hattari_bot.h"

static uint32_t decide(const hattari_daihinmin_view *view, const hattari_decision *decision, int64_t *amount)
{
    (void)amount;
    printf("deal %u, choice among %u\n", (unsigned)view->deal, (unsigned)decision->action_count);
    fprintf(stderr, "and an error\n");
    return 0;
}
