/*
 * Works while others think: a thread of its own, which it has asked for, goes on between its calls. It joins the thread when it
 * is freed, as the contract says.
 */
#define BOT_ID "ponders"
#define BOT_DOES "Thinks while others think"
#define BOT_FLAGS HATTARI_BOT_THREADS
#define BOT_DESTROY
#include "faulty.h"

#include <pthread.h>
#include <stdatomic.h>

static atomic_int runs;
static pthread_t thread;

static void *ponder(void *nothing)
{
    while (atomic_load(&runs)) continue;
    return nothing;
}

static void destroy(hattari_bot *header)
{
    if (atomic_exchange(&runs, 0)) pthread_join(thread, NULL);
    free(header);
}

static hattari_status misbehave(bot *it, const hattari_decision *decision, hattari_choice *choice)
{
    (void)decision;
    (void)choice;
    if (atomic_exchange(&runs, 1)) return HATTARI_OK;
    if (pthread_create(&thread, NULL, ponder, NULL) == 0) return HATTARI_OK;
    it->error = "the thread that was granted could not be started";
    return HATTARI_E_FAIL;
}
