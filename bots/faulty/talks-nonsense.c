#define BOT_ID "talks-nonsense"
#define BOT_DOES "Writes invalid data to all open descriptors"
#include "faulty.h"

#include <unistd.h>

static hattari_status misbehave(bot *it, const hattari_decision *decision, hattari_choice *choice)
{
    static const char nonsense[] = "I play the two of spades and nobody can tell what that means";
    int descriptor;
    (void)it;
    (void)decision;
    (void)choice;
    for (descriptor = 3; descriptor < 1024; descriptor++) {
        if (write(descriptor, nonsense, sizeof nonsense) < 0) continue;
    }
    return HATTARI_OK;
}
