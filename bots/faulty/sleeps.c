#define BOT_ID "sleeps"
#define BOT_DOES "Sleeps for an hour"
#include "faulty.h"

#include <unistd.h>

static hattari_status misbehave(bot *it, const hattari_decision *decision, hattari_choice *choice)
{
    (void)it;
    (void)decision;
    (void)choice;
    sleep(3600);
    return HATTARI_OK;
}
