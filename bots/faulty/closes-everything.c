#define BOT_ID "closes-everything"
#define BOT_DOES "Closes all descriptors"
#include "faulty.h"

#include <unistd.h>

static hattari_status misbehave(bot *it, const hattari_decision *decision, hattari_choice *choice)
{
    int descriptor;
    (void)it;
    (void)decision;
    (void)choice;
    for (descriptor = 0; descriptor < 1024; descriptor++) close(descriptor);
    return HATTARI_OK;
}
