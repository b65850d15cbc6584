#define BOT_ID "remembers"
#define BOT_DOES "Keeps data of earlier blocks in a global variable"
#include "faulty.h"

static uint32_t decisions_of_all;

static hattari_status misbehave(bot *it, const hattari_decision *decision, hattari_choice *choice)
{
    (void)decision;
    (void)choice;
    decisions_of_all += MISBEHAVES_EVERY;
    return decisions_of_all == it->decisions ? HATTARI_OK : escaped(it, "what an earlier block has left");
}
