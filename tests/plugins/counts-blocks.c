/* Decides by how many blocks this process has played before, and by how many instances it has created. */
#define BOT_ID "counts-blocks"
#define BOT_DOES "Plays otherwise in every block of a process"
#include "faulty.h"

static uint32_t calls, instances;

__attribute__((constructor)) static void loaded(void)
{
    instances++;
}

static hattari_status misbehave(bot *it, const hattari_decision *decision, hattari_choice *choice)
{
    if (it->decisions == MISBEHAVES_EVERY) instances++;
    calls++;
    choice->action = (calls * 7 + instances) % decision->action_count;
    return HATTARI_OK;
}
