/*
 * Works while others think: a thread of its own, which it has been granted, goes on between its calls, and rests while it waits in
 * `deal_end`, so that in all it uses less processor time than its calls take. It joins the thread when it is freed, as the contract says.
 */
#define BOT_ID "ponders"
#define BOT_DOES "Thinks while others think"
#define BOT_FLAGS HATTARI_BOT_THREADS
#define BOT_DEAL_END deal_end
#define BOT_DESTROY
#include "tries.h"
#include "faulty.h"
#include "uses.h"

#include <pthread.h>
#include <stdatomic.h>

static atomic_int runs, rests;
static pthread_t thread;

static void *ponder(void *nothing)
{
    while (atomic_load(&runs)) {
        if (atomic_load(&rests)) wait_for(1);
    }
    return nothing;
}

static hattari_status deal_end(hattari_bot *header, const hattari_deal_result *result)
{
    (void)header;
    (void)result;
    atomic_store(&rests, 1);
    wait_for(30);
    atomic_store(&rests, 0);
    return HATTARI_OK;
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
