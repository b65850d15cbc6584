/* Starts as many threads as it gets, and says how many. */
#define BOT_ID "starts-threads"
#define BOT_DOES "Starts as many threads as it gets"
#include "faulty.h"

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *idle(void *nothing)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return nothing;
}

static hattari_status misbehave(bot *it, const hattari_decision *decision, hattari_choice *choice)
{
    pthread_t threads[100];
    int count = 0, i;
    (void)decision;
    (void)choice;
    pthread_mutex_lock(&lock);
    while (count < 100 && pthread_create(&threads[count], NULL, idle, NULL) == 0) count++;
    pthread_mutex_unlock(&lock);
    for (i = 0; i < count; i++) {
        pthread_join(threads[i], NULL);
    }
    snprintf(it->text, sizeof it->text, "%d threads", count);
    it->error = it->text;
    return HATTARI_E_FAIL;
}
