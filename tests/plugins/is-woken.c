/* Waits at words that other processes have too, with a thread for each, and says which were woken. */
#define BOT_ID "is-woken"
#define BOT_DOES "Hears what another bot tells by ending threads"
#define BOT_FLAGS HATTARI_BOT_THREADS
#define BOT_BLOCK_START
#include "tries.h"
#include "faulty.h"
#include "words.h"

#include <pthread.h>
#include <stdatomic.h>

static atomic_int woken;

static void *wait_at(void *address)
{
    uint32_t *word = address;
    /* A word where somebody could wait, for a wake that comes from the kernel alone. */
    if (syscall(SYS_futex, word, 0 /* FUTEX_WAIT */, *word, NULL, NULL, 0) == 0) atomic_fetch_add(&woken, 1);
    return NULL;
}

static hattari_status block_start(hattari_bot *header, const hattari_block_info *info)
{
    uint32_t *word = words();
    int number;
    (void)header;
    (void)info;
    for (number = 0; word && number < WORDS; number++) {
        pthread_t thread;
#ifdef ROBUST
        while (*word != 0) word++;
#endif
        if (pthread_create(&thread, NULL, wait_at, word++) == 0) pthread_detach(thread);
    }
    return HATTARI_OK;
}

static hattari_status misbehave(bot *it, const hattari_decision *decision, hattari_choice *choice)
{
    (void)decision;
    (void)choice;
    return atomic_load(&woken) > 0 ? escaped(it, "a thread of another bot has woken one of mine") : HATTARI_OK;
}
