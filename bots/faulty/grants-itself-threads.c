#define BOT_ID "grants-itself-threads"
#define BOT_DOES "Declares that it needs threads, without permission, and starts 3,000 of them"
#define BOT_FLAGS HATTARI_BOT_THREADS
#include "faulty.h"

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static int threads;

static void *idle(void *nothing)
{
    pthread_mutex_lock(&lock);
    for (;;) pthread_cond_wait(&never, &lock);
    return nothing;
}

static void start(void)
{
    pthread_t thread;
    int i;
    for (i = 0; i < 3000; i++) {
        if (pthread_create(&thread, NULL, idle, NULL) != 0) break;
        threads++;
    }
}

__attribute__((constructor)) static void start_early(void)
{
    start();
}

static hattari_status misbehave(bot *it, const hattari_decision *decision, hattari_choice *choice)
{
    (void)decision;
    (void)choice;
    start();
    return threads == 0 ? HATTARI_OK : escaped(it, "threads");
}
