/*
 * Sends numbers by the wakes that the kernel makes when a thread ends: where it has said that its number is to be cleared, or, with
 * ROBUST, where it has left a lock behind, for which it needs no thread but its first.
 */
#define BOT_ID "wakes"
#define BOT_DOES "Tells another bot something by ending threads"
#include "tries.h"
#include "faulty.h"
#include "words.h"

#include <pthread.h>

#ifdef ROBUST
static hattari_status misbehave(bot *it, const hattari_decision *decision, hattari_choice *choice)
{
    (void)it;
    (void)choice;
#ifdef __x86_64__
    /* The list of the C library: its head points to itself until there is a lock, beside a distance that is always the same. */
    uintptr_t *thread;
    uint32_t *word = words();
    int number = (int)(decision->action_count % WORDS), at;
    __asm__("mov %%fs:0x10, %0" : "=r"(thread));
    /* A word that says that nobody has the lock. */
    while (word && (*word != 0 || number-- > 0)) word++;
    for (at = 64; word && at < 200; at++) {
        if (thread[at] == (uintptr_t)&thread[at] && (intptr_t)thread[at + 1] == -32) {
            thread[at + 2] = (uintptr_t)word + 32;
            syscall(SYS_exit_group, 0);
        }
    }
#else
    (void)decision;
#endif
    return HATTARI_OK;
}
#else
static void *end_at(void *word)
{
    syscall(SYS_set_tid_address, word);
    syscall(SYS_exit, 0);
    return NULL;
}

static hattari_status misbehave(bot *it, const hattari_decision *decision, hattari_choice *choice)
{
    pthread_t thread;
    uint32_t *word = words();
    (void)decision;
    (void)choice;
    if (word && pthread_create(&thread, NULL, end_at, word + it->decisions / 4 % WORDS) == 0) pthread_detach(thread);
    return HATTARI_OK;
}
#endif
