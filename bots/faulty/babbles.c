#define BOT_ID "babbles"
#define BOT_DOES "Prints thousands of lines to both outputs"
#include "faulty.h"

static hattari_status misbehave(bot *it, const hattari_decision *decision, hattari_choice *choice)
{
    int i;
    (void)decision;
    (void)choice;
    for (i = 0; i < 5000; i++) {
        printf("decision %u: I wonder what to play, line %d\n", it->decisions, i);
        fprintf(stderr, "decision %u: I still wonder, line %d\n", it->decisions, i);
    }
    fflush(stdout);
    return HATTARI_OK;
}
