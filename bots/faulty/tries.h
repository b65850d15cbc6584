/*
 * For bots that try one system call after the other: TRY(call) returns from the function if a call is not refused. Include this
 * file before faulty.h, because it enables calls that not every system has.
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
