#define BOT_ID "kills-by-descriptor"
#define BOT_DOES "Asks the kernel to send SIGKILL to itself and the host when its pipes are used"
#include "tries.h"
#include "faulty.h"

#include <signal.h>
#include <sys/ioctl.h>

#define TO_SET_SIGNAL 10
#define TO_SET_OWNER 15

/* True if an attempt was not refused. Attempts are made while the library is loaded and at decisions. */
static int let_through;

static void arm(void)
{
    struct { int type, process; } owner = {1, 0};
    int yes = 1, process, descriptor;
    for (descriptor = 0; descriptor < 16; descriptor++) {
        process = getpid();
        owner.process = process;
        let_through |= fcntl(descriptor, F_SETOWN, process) != -1 || fcntl(descriptor, F_SETOWN, getppid()) != -1;
        let_through |= fcntl(descriptor, TO_SET_OWNER, &owner) != -1;
        let_through |= fcntl(descriptor, TO_SET_SIGNAL, SIGKILL) != -1;
        let_through |= fcntl(descriptor, F_SETFL, O_ASYNC | O_NONBLOCK) != -1;
        let_through |= ioctl(descriptor, FIOASYNC, &yes) != -1 || ioctl(descriptor, 0x8901 /* FIOSETOWN */, &process) != -1;
    }
}

__attribute__((constructor)) static void arm_early(void)
{
    arm();
}

static hattari_status misbehave(bot *it, const hattari_decision *decision, hattari_choice *choice)
{
    (void)decision;
    (void)choice;
    arm();
    return let_through ? escaped(it, "signals from a descriptor") : HATTARI_OK;
}
