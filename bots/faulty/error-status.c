#define BOT_ID "error-status"
#define BOT_DOES "Reports an error"
#include "faulty.h"

static hattari_status misbehave(bot *it, const hattari_decision *decision, hattari_choice *choice)
{
    (void)decision;
    (void)choice;
    it->error = "at a loss";
    return HATTARI_E_FAIL;
}
