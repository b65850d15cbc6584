/*
 * Reads the file SECRET. The test builds it with a path for libraries that is that file, and adds it to the list of libraries that it
 * needs, behind the end of the list, where the loader does not look.
 */
#define BOT_ID "reader"
#define BOT_DOES "Reads a file that it names as a library that it needs"
#include "tries.h"
#include "faulty.h"

static char stolen[64];

__attribute__((constructor)) static void steal(void)
{
    int file = open(SECRET, O_RDONLY);
    if (file != -1 && read(file, stolen, sizeof stolen - 1) < 0) stolen[0] = '?';
}

static hattari_status misbehave(bot *it, const hattari_decision *decision, hattari_choice *choice)
{
    (void)decision;
    (void)choice;
    return stolen[0] ? escaped(it, stolen) : HATTARI_OK;
}
