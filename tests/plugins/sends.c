/* Sends a number with every decision: it uses so much processor time. */
#define BOT_ID "sends"
#define BOT_DOES "Tells another bot something by the processor time that it uses"
#include "tries.h"
#include "faulty.h"

#include <time.h>

static int64_t used(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return time.tv_sec * (int64_t)1000000000 + time.tv_nsec;
}

static hattari_status misbehave(bot *it, const hattari_decision *decision, hattari_choice *choice)
{
    int64_t start = used();
    (void)decision;
    (void)choice;
    while (used() - start < (1 + it->decisions % 16) * 400000) continue;
    return HATTARI_OK;
}
