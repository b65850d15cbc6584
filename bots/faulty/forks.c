#define BOT_ID "forks"
#define BOT_DOES "Starts fifty processes and a program"
#include "faulty.h"

#include <unistd.h>

static hattari_status misbehave(bot *it, const hattari_decision *decision, hattari_choice *choice)
{
    char *const nothing[] = {NULL};
    int i, children = 0;
    (void)decision;
    (void)choice;
    for (i = 0; i < 50; i++) {
        pid_t child = fork();
        if (child == 0) {
            sleep(60);
            _exit(0);
        }
        if (child > 0) children++;
    }
    if (children > 0) return escaped(it, "processes");
    execve("/bin/true", nothing, nothing);
    return HATTARI_OK;
}
