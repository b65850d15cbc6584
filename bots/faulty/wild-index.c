#define BOT_ID "wild-index"
#define BOT_DOES "Chooses action 100000"
#include "faulty.h"

static hattari_status misbehave(bot *it, const hattari_decision *decision, hattari_choice *choice)
{
    (void)it;
    (void)decision;
    choice->action = 100000;
    return HATTARI_OK;
}
