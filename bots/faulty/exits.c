#define BOT_ID "exits"
#define BOT_DOES "Ends its process with exit code 0"
#include "faulty.h"

static hattari_status misbehave(bot *it, const hattari_decision *decision, hattari_choice *choice)
{
    (void)it;
    (void)decision;
    (void)choice;
    exit(0);
}
