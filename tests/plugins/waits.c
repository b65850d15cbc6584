/*
 * Waits ten milliseconds in every decision without using the processor, so that a bot that works in the meantime gets the processor even
 * on a busy machine.
 */
#define BOT_ID "waits"
#define BOT_DOES "Waits ten milliseconds and takes the first action"
#define MISBEHAVES_EVERY 1
#include "tries.h"
#include "faulty.h"
#include "uses.h"

static hattari_status misbehave(bot *it, const hattari_decision *decision, hattari_choice *choice)
{
    (void)it;
    (void)decision;
    (void)choice;
    wait_for(10);
    return HATTARI_OK;
}
