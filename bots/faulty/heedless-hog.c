#define BOT_ID "heedless-hog"
#define BOT_DOES "Allocates all memory and does not check for null"
#include "faulty.h"

static hattari_status misbehave(bot *it, const hattari_decision *decision, hattari_choice *choice)
{
    const size_t size = 1 << 20;
    const uint32_t wanted = 1 << 14;
    uint32_t blocks, given = 0;
    (void)decision;
    (void)choice;
    for (blocks = 0; blocks < wanted; blocks++) {
        volatile char *volatile block = malloc(size);
        block[size - 1] = 1;
        /* In WebAssembly there is memory at the address 0, too. */
        if (block) given++;
    }
    return given == wanted ? escaped(it, "16 GiB of memory") : HATTARI_OK;
}
