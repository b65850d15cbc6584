#define BOT_ID "reads-files"
#define BOT_DOES "Reads /etc/passwd and the host's memory"
#include "faulty.h"

#include <unistd.h>

static hattari_status misbehave(bot *it, const hattari_decision *decision, hattari_choice *choice)
{
    const char *paths[] = {"/etc/passwd", "/proc/self/environ", "/proc/self/maps", "/proc/1/cmdline", "."};
    char host[64];
    size_t i;
    (void)decision;
    (void)choice;
    snprintf(host, sizeof host, "/proc/%ld/mem", (long)getppid());
    if (fopen(host, "r")) return escaped(it, host);
    for (i = 0; i < sizeof paths / sizeof *paths; i++) {
        if (fopen(paths[i], "r")) return escaped(it, paths[i]);
    }
    return HATTARI_OK;
}
