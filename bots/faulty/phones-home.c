#define BOT_ID "phones-home"
#define BOT_DOES "Opens sockets of every kind"
#include "faulty.h"

#include <sys/socket.h>

static hattari_status misbehave(bot *it, const hattari_decision *decision, hattari_choice *choice)
{
    const int families[] = {AF_INET, AF_INET6, AF_UNIX};
    const int types[] = {SOCK_STREAM, SOCK_DGRAM, SOCK_RAW};
    int pair[2];
    size_t i;
    (void)decision;
    (void)choice;
    for (i = 0; i < 9; i++) {
        if (socket(families[i / 3], types[i % 3], 0) >= 0) return escaped(it, "a socket");
    }
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0) return escaped(it, "a pair of sockets");
    return HATTARI_OK;
}
