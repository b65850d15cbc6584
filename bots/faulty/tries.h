/*
 * For bots that try one call of the system after the other: TRY(call) is over with the first that is let through. To be included
 * before faulty.h, for it asks for calls that not every system has.
 */
#ifndef HATTARI_TRIES_H
#define HATTARI_TRIES_H

#define _GNU_SOURCE

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define TRY(call)                                                                                                      \
    do {                                                                                                               \
        if ((call) != -1) return escaped(it, #call);                                                                   \
    } while (0)

#endif
