#define BOT_ID "swaps-the-pipe"
#define BOT_DOES "Tries to replace the pipes to the host and to change their properties"
#include "tries.h"
#include "faulty.h"

#include <sys/uio.h>

static hattari_status misbehave(bot *it, const hattari_decision *decision, hattari_choice *choice)
{
    struct iovec piece = {it->text, 1};
    int ends[2], descriptor;
    (void)decision;
    (void)choice;
    TRY(pipe(ends));
    for (descriptor = 0; descriptor < 5; descriptor++) {
        TRY(close(descriptor));
        TRY(dup(descriptor));
        TRY(dup2(2, descriptor == 2 ? 0 : descriptor));
        TRY(fcntl(descriptor, F_SETPIPE_SZ, 4096));
        TRY(fcntl(descriptor, F_GETPIPE_SZ));
        TRY(fcntl(descriptor, F_SETFL, O_NONBLOCK));
        TRY(fcntl(descriptor, F_SETFD, 0));
        TRY(fcntl(descriptor, F_DUPFD, 9));
        TRY(vmsplice(descriptor, &piece, 1, 0));
        TRY(splice(descriptor, NULL, 4, NULL, 1, SPLICE_F_NONBLOCK));
        TRY(tee(descriptor, 4, 1, SPLICE_F_NONBLOCK));
        TRY(syscall(SYS_sendfile, 4, descriptor, NULL, 1));
    }
    return HATTARI_OK;
}
