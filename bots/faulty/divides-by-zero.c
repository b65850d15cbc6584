#define BOT_ID "divides-by-zero"
#define BOT_DOES "Divides by zero"
#include "faulty.h"

#include <signal.h>

static hattari_status misbehave(bot *it, const hattari_decision *decision, hattari_choice *choice)
{
    volatile uint32_t zero = 0;
    (void)decision;
#if defined(__x86_64__) || defined(__i386__)
    choice->action = it->decisions / zero;
#else
    /* Other processors divide by zero without an error, so raise the signal. */
    (void)it;
    choice->action = zero;
    raise(SIGFPE);
#endif
    return HATTARI_OK;
}
