#define BOT_ID "reads-while-loading"
#define BOT_DOES "Reads files while libraries may be loaded, with names like those of libraries"
#include "tries.h"
#include "faulty.h"

#include <errno.h>
#include <sys/stat.h>

static const char *const paths[] = {
    "/etc/passwd",
    "/usr/lib/../../etc/passwd",
    "/usr/lib/os-release",
    ("/proc/self/root" "/etc/passwd"),
    "/proc/self/cmdline",
    "/proc/self/environ",
    "/proc/self/mem",
    "/proc/1/maps",
    "/dev/null",
    "/dev/zero",
    "/tmp",
    "/usr/lib",
    ".",
    "",
    "etc/passwd",
};
static const char *read_one;

static void look(void)
{
    struct stat about;
    size_t i;
    for (i = 0; i < sizeof paths / sizeof *paths; i++) {
        if (open(paths[i], O_RDONLY) != -1 || open(paths[i], O_PATH) != -1) read_one = paths[i];
        if (open(paths[i], O_RDWR) != -1 || open(paths[i], O_WRONLY | O_CREAT, 0600) != -1) read_one = paths[i];
        /* The sandbox must also hide whether the file exists. */
        if (stat(paths[i], &about) != -1 || lstat(paths[i], &about) != -1) read_one = paths[i];
        if (access(paths[i], F_OK) != -1) read_one = paths[i];
    }
    open("/etc/passwd", O_RDONLY);
    i = (size_t)errno;
    open("/etc/no-such-file", O_RDONLY);
    if (i != (size_t)errno) read_one = "whether a file is there";
}

__attribute__((constructor)) static void look_early(void)
{
    look();
}

static hattari_status misbehave(bot *it, const hattari_decision *decision, hattari_choice *choice)
{
    (void)decision;
    (void)choice;
    look();
    return read_one ? escaped(it, read_one) : HATTARI_OK;
}
