/* Uses a millisecond of processor time for every decision. */
#define BOT_ID "works"
#define BOT_DOES "Works for a millisecond and takes the first action"
#define MISBEHAVES_EVERY 1
#include "tries.h"
#include "faulty.h"
#include "uses.h"

static hattari_status misbehave(bot *it, const hattari_decision *decision, hattari_choice *choice)
{
    (void)it;
    (void)decision;
    (void)choice;
    use(1);
    return HATTARI_OK;
}
