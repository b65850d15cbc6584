#define BOT_ID "recursion"
#define BOT_DOES "Calls itself endlessly"
#include "faulty.h"

static uint32_t deeper(uint32_t depth);
static uint32_t (*volatile next)(uint32_t) = deeper;

static uint32_t deeper(uint32_t depth)
{
    volatile uint32_t here[64];
    here[depth % 64] = depth;
    return next(depth + 1) + here[depth % 64];
}

static hattari_status misbehave(bot *it, const hattari_decision *decision, hattari_choice *choice)
{
    (void)it;
    (void)decision;
    choice->action = deeper(0);
    return HATTARI_OK;
}
