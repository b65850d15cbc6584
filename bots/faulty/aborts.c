#define BOT_ID "aborts"
#define BOT_DOES "Calls abort"
#include "faulty.h"

static hattari_status misbehave(bot *it, const hattari_decision *decision, hattari_choice *choice)
{
    (void)it;
    (void)decision;
    (void)choice;
    abort();
}
