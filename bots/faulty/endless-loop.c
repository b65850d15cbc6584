#define BOT_ID "endless-loop"
#define BOT_DOES "Never answers"
#include "faulty.h"

static hattari_status misbehave(bot *it, const hattari_decision *decision, hattari_choice *choice)
{
    volatile uint32_t always = 1;
    (void)decision;
    (void)choice;
    while (always) it->decisions++;
    return HATTARI_OK;
}
