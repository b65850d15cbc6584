#define BOT_ID "loops-at-the-end"
#define BOT_DOES "Never returns from the call at the end of a deal"
#define BOT_DEAL_END deal_end
#include "faulty.h"

static hattari_status deal_end(hattari_bot *header, const hattari_deal_result *result)
{
    volatile uint32_t always = 1;
    (void)result;
    while (always) ((bot *)header)->decisions++;
    return HATTARI_OK;
}

static hattari_status misbehave(bot *it, const hattari_decision *decision, hattari_choice *choice)
{
    (void)it;
    (void)decision;
    (void)choice;
    return HATTARI_OK;
}
