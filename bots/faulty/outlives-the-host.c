#define BOT_ID "outlives-the-host"
#define BOT_DOES "Tries to outlive the host and takes another process name"
#include "tries.h"
#include "faulty.h"

#include <sys/prctl.h>

static int let_through;

__attribute__((constructor)) static void hide(void)
{
    let_through |= prctl(PR_SET_PDEATHSIG, 0) != -1;
    let_through |= prctl(PR_SET_NAME, "[kworker/0:0]") != -1;
    let_through |= prctl(PR_SET_DUMPABLE, 0) != -1;
    let_through |= setsid() != -1 || setpgid(0, 0) != -1;
}

static hattari_status misbehave(bot *it, const hattari_decision *decision, hattari_choice *choice)
{
    (void)decision;
    (void)choice;
    hide();
    return let_through ? escaped(it, "a life of its own") : HATTARI_OK;
}
