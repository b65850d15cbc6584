#define BOT_ID "deaf-loop"
#define BOT_DOES "Catches all signals that can be caught and crashes in an endless loop"
#include "faulty.h"

#include <setjmp.h>
#include <signal.h>

static sigjmp_buf again;

static void jump(int number)
{
    siglongjmp(again, number);
}

static hattari_status misbehave(bot *it, const hattari_decision *decision, hattari_choice *choice)
{
    volatile uint32_t *volatile nowhere = NULL;
    struct sigaction deaf;
    int number;
    (void)decision;
    (void)choice;
    memset(&deaf, 0, sizeof deaf);
    deaf.sa_handler = jump;
    for (number = 1; number < 32; number++) sigaction(number, &deaf, NULL);
    (void)sigsetjmp(again, 1);
    *nowhere = it->decisions;
    return HATTARI_OK;
}
