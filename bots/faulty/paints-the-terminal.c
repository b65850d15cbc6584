#define BOT_ID "paints-the-terminal"
#define BOT_DOES "\033[2J\033[31mClears the screen\033]0;and names the window\007"
#include "faulty.h"

static hattari_status misbehave(bot *it, const hattari_decision *decision, hattari_choice *choice)
{
    (void)it;
    (void)decision;
    (void)choice;
    return HATTARI_OK;
}
