#define BOT_ID "threads"
#define BOT_DOES "Starts five thousand threads without asking for them"
#include "faulty.h"

#include <pthread.h>
#include <unistd.h>

static void *idle(void *nothing)
{
    pause();
    return nothing;
}

static hattari_status misbehave(bot *it, const hattari_decision *decision, hattari_choice *choice)
{
    int i, threads = 0;
    (void)decision;
    (void)choice;
    for (i = 0; i < 5000; i++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, idle, NULL) == 0) threads++;
    }
    return threads == 0 ? HATTARI_OK : escaped(it, "threads");
}
