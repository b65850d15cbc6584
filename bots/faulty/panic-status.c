#define BOT_ID "panic-status"
#define BOT_DOES "Reports a panic that it has caught"
#include "faulty.h"

static hattari_status misbehave(bot *it, const hattari_decision *decision, hattari_choice *choice)
{
    (void)decision;
    (void)choice;
    it->error = "index out of bounds";
    return HATTARI_E_PANIC;
}
