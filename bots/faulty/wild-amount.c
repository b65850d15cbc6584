#define BOT_ID "wild-amount"
#define BOT_DOES "Returns an amount that is out of range"
#include "faulty.h"

static hattari_status misbehave(bot *it, const hattari_decision *decision, hattari_choice *choice)
{
    (void)it;
    (void)decision;
    choice->amount = INT64_MIN;
    return HATTARI_OK;
}
