/* Words of libc's file, which all processes may have in memory. To be included after faulty.h. */
#ifndef HATTARI_WORDS_H
#define HATTARI_WORDS_H

#include <dlfcn.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { WORDS = 16, PAGE = 4096 };

static int libc_file = -1;

/* Files are opened while a library is loaded only. */
__attribute__((constructor)) static void open_libc(void)
{
    Dl_info about;
    if (dladdr((void *)&abort, &about)) libc_file = open(about.dli_fname, O_RDONLY);
}

/* The first words of the page that `abort` begins in: where the program has it, in a mapping of its own, or moved there. */
static inline uint32_t *words(void)
{
    char *page = (char *)((uintptr_t)(void *)&abort & ~(uintptr_t)(PAGE - 1));
#if defined(MAPPED)
    Dl_info about;
    void *mapped;
    if (!dladdr((void *)&abort, &about)) return NULL;
    mapped = mmap(NULL, 4 << 20, PROT_READ, MAP_PRIVATE, libc_file, 0);
    /* Code lies in the file where it lies in memory. */
    return mapped == MAP_FAILED ? NULL : (uint32_t *)((char *)mapped + (page - (char *)about.dli_fbase));
#elif defined(MOVED)
    char *room = mmap(NULL, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char *moved = mremap(page, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, room);
    return moved == MAP_FAILED ? NULL : (uint32_t *)moved;
#else
    return (uint32_t *)page;
#endif
}

#endif
