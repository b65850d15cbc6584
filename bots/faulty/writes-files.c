#define BOT_ID "writes-files"
#define BOT_DOES "Tries to write files in several folders"
#include "faulty.h"

static hattari_status misbehave(bot *it, const hattari_decision *decision, hattari_choice *choice)
{
    const char *paths[] = {"/tmp/hattari-was-here", "/dev/shm/hattari-was-here", "/var/tmp/hattari-was-here",
                           "hattari-was-here"};
    size_t i;
    (void)decision;
    (void)choice;
    for (i = 0; i < sizeof paths / sizeof *paths; i++) {
        if (fopen(paths[i], "w")) return escaped(it, paths[i]);
    }
    return HATTARI_OK;
}
