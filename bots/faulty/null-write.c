#define BOT_ID "null-write"
#define BOT_DOES "Writes to address 0"
#include "faulty.h"

static hattari_status misbehave(bot *it, const hattari_decision *decision, hattari_choice *choice)
{
    volatile uint32_t *volatile nowhere = NULL;
    (void)decision;
    (void)choice;
    fprintf(stderr, "about to write to address 0\n");
    *nowhere = it->decisions;
    return HATTARI_OK;
}
