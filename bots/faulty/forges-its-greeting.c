#define BOT_ID "forges-its-greeting"
#define BOT_DOES "Forges the message with its own description to the host while it is loaded"
#include "tries.h"
#include "faulty.h"

static int written;

__attribute__((constructor)) static void greet(void)
{
    static const char words[] =
        "[{\"id\":\"x\\u001b[2J<b>\",\"version\":\"1\",\"author\":\"\",\"license\":\"\",\"description\":\"\",\"games\":"
        "[\"daihinmin/1\"],\"config_schema\":null,\"learns\":false,\"nondeterministic\":false,\"threads\":true}]";
    static struct {
        uint32_t size, kind;
        uint64_t number;
        char words[512];
    } ready = {512, 101, 0, {0}};
    int descriptor;
    memcpy(ready.words, words, sizeof words);
    for (descriptor = 3; descriptor < 16; descriptor++) {
        if (write(descriptor, &ready, sizeof ready) > 0) written++;
    }
}

static hattari_status misbehave(bot *it, const hattari_decision *decision, hattari_choice *choice)
{
    (void)decision;
    (void)choice;
    return written ? escaped(it, "under a forged name") : HATTARI_OK;
}
