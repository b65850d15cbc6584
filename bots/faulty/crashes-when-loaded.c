#define BOT_ID "crashes-when-loaded"
#define BOT_DOES "Crashes while it is loaded"
#include "faulty.h"

__attribute__((constructor)) static void crash(void)
{
    volatile uint32_t *volatile nowhere = NULL;
    *nowhere = 1;
}

static hattari_status misbehave(bot *it, const hattari_decision *decision, hattari_choice *choice)
{
    (void)it;
    (void)decision;
    (void)choice;
    return HATTARI_OK;
}
