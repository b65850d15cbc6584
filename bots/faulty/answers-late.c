#define BOT_ID "answers-late"
#define BOT_DOES "Answers after its time limit"
#include "faulty.h"

#include <time.h>

static int64_t now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static hattari_status misbehave(bot *it, const hattari_decision *decision, hattari_choice *choice)
{
    int64_t end;
    (void)choice;
    /* Only once, because the test has to wait for it. */
    if (it->decisions > MISBEHAVES_EVERY) return HATTARI_OK;
    /* Late enough on a busy machine, where some time is not charged, and before it is killed. */
    end = now_us() + decision->budget_us + decision->budget_us / 2;
    while (now_us() < end) continue;
    return HATTARI_OK;
}
