/* Uses processor time, and waits without using any. To be included after tries.h. */
#ifndef HATTARI_USES_H
#define HATTARI_USES_H

#include <stdint.h>
#include <time.h>

/* Uses so many milliseconds of processor time. */
static inline void use(int64_t milliseconds)
{
    struct timespec start, now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
    do {
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    } while ((now.tv_sec - start.tv_sec) * 1000000000 + now.tv_nsec - start.tv_nsec < milliseconds * 1000000);
}

/* Waits for so many milliseconds at a lock that nobody opens. */
static inline void wait_for(long milliseconds)
{
    static int lock;
    struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    syscall(SYS_futex, &lock, 128 /* FUTEX_WAIT | FUTEX_PRIVATE_FLAG */, 0, &time, NULL, 0);
}

#endif
