#define BOT_ID "crashes-in-destroy"
#define BOT_DOES "Plays without errors and crashes when it is destroyed"
#define BOT_DESTROY
#include "faulty.h"

static void destroy(hattari_bot *header)
{
    volatile uint32_t *volatile nowhere = NULL;
    /* The first instance only shows that it can be created. */
    if (((bot *)header)->decisions > 0) *nowhere = 1;
    free(header);
}

static hattari_status misbehave(bot *it, const hattari_decision *decision, hattari_choice *choice)
{
    (void)it;
    (void)decision;
    (void)choice;
    return HATTARI_OK;
}
