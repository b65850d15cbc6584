#define BOT_ID "leaves-a-thread"
#define BOT_DOES "Starts a thread, which it is allowed to, and never joins it"
#define BOT_FLAGS HATTARI_BOT_THREADS
#include "faulty.h"

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;

static void *wait(void *nothing)
{
    pthread_mutex_lock(&lock);
    for (;;) pthread_cond_wait(&never, &lock);
    return nothing;
}

static hattari_status misbehave(bot *it, const hattari_decision *decision, hattari_choice *choice)
{
    pthread_t thread;
    (void)decision;
    (void)choice;
    if (pthread_create(&thread, NULL, wait, NULL) == 0) return HATTARI_OK;
    it->error = "the permitted thread could not be started";
    return HATTARI_E_FAIL;
}
