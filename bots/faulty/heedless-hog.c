#define BOT_ID "heedless-hog"
#define BOT_DOES "Takes all memory and does not look whether it got it"
#include "faulty.h"

static hattari_status misbehave(bot *it, const hattari_decision *decision, hattari_choice *choice)
{
    const size_t size = 1 << 20;
    size_t blocks;
    (void)decision;
    (void)choice;
    for (blocks = 0; blocks < 1 << 14; blocks++) {
        volatile char *volatile block = malloc(size);
        block[size - 1] = 1;
    }
    return escaped(it, "16 GiB of memory");
}
