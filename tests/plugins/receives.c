/* Looks for a process whose clock it can read, which would be that of a bot that sends. */
#define BOT_ID "receives"
#define BOT_DOES "Reads what another bot tells by the processor time that it uses"
#include "tries.h"
#include "faulty.h"

#include <time.h>

static hattari_status misbehave(bot *it, const hattari_decision *decision, hattari_choice *choice)
{
    struct timespec time;
    int process;
    (void)decision;
    (void)choice;
    for (process = 1; process < 1 << 16; process++) {
        if (clock_gettime((clockid_t)(~(unsigned)process << 3 | 2), &time) == 0) return escaped(it, "a clock of another process");
    }
    return HATTARI_OK;
}
