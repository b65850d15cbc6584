/* Takes the first action always, as the rule for faults does: what a faulty bot must look like to all others. */
#ifndef BOT_ID
#define BOT_ID "first"
#endif
#define BOT_DOES "Takes the first action"
#include "faulty.h"

static hattari_status misbehave(bot *it, const hattari_decision *decision, hattari_choice *choice)
{
    (void)it;
    (void)decision;
    (void)choice;
    return HATTARI_OK;
}
