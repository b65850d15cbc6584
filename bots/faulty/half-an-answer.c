#define BOT_ID "half-an-answer"
#define BOT_DOES "Writes the first half of an answer itself, so that the host misreads the next bytes"
#include "tries.h"
#include "faulty.h"

static hattari_status misbehave(bot *it, const hattari_decision *decision, hattari_choice *choice)
{
    static const uint32_t half[2] = {16, 103};
    (void)it;
    (void)decision;
    (void)choice;
    if (write(4, half, sizeof half) < 0) return HATTARI_E_FAIL;
    return HATTARI_OK;
}
