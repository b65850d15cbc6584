#define BOT_ID "memory-bomb"
#define BOT_DOES "Allocates all memory that it can get"
#include "faulty.h"

static hattari_status misbehave(bot *it, const hattari_decision *decision, hattari_choice *choice)
{
    const size_t size = 1 << 20;
    size_t blocks;
    (void)decision;
    (void)choice;
    for (blocks = 0; blocks < 1 << 14; blocks++) {
        char *block = malloc(size);
        if (!block) {
            it->error = "no memory is left";
            return HATTARI_E_NOMEM;
        }
        memset(block, 1, size);
    }
    return escaped(it, "16 GiB of memory");
}
