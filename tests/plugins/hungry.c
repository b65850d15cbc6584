/* Uses what a league may or may not allow: 12 ms of time and 100 MiB of memory at every fourth decision. */
#define BOT_ID "hungry"
#define BOT_DOES "Uses time and memory"
#include "faulty.h"

#include <time.h>

static hattari_status misbehave(bot *it, const hattari_decision *decision, hattari_choice *choice)
{
    const size_t size = (size_t)100 << 20;
    struct timespec start, now;
    int64_t ns;
    char *block;
    (void)decision;
    (void)choice;
    clock_gettime(CLOCK_MONOTONIC, &start);
    do {
        clock_gettime(CLOCK_MONOTONIC, &now);
        ns = (now.tv_sec - start.tv_sec) * (int64_t)1000000000 + now.tv_nsec - start.tv_nsec;
    } while (ns < 12000000);
    block = malloc(size);
    if (!block) {
        it->error = "100 MiB were not to be had";
        return HATTARI_E_NOMEM;
    }
    memset(block, 1, size);
    free(block);
    return HATTARI_OK;
}
