/*
 * A library with one bot, right in everything unless a macro asks for a fault: -DFAULT_<NAME>.
 * tests/bots/plugins.rs builds it once for each fault.
 */
#include "hattari_daihinmin.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined(FAULT_CONSTRUCTOR)
#include <stdio.h>
#include <stdlib.h>
/* Must never run: the version tells first that the library is not for this host. */
__attribute__((constructor)) static void constructor(void)
{
    fputs("the constructor ran\n", stderr);
    abort();
}
#endif

static const char *last_error_text = "";

static hattari_status block_start(hattari_bot *bot, const hattari_block_info *info)
{
    (void)bot;
    (void)info;
#if defined(TALKS)
    const hattari_host *host = bot->bot_data;
    const hattari_log_service *log = host->get_service(host, HATTARI_SERVICE_LOG);
    const hattari_clock_service *clock = host->get_service(host, HATTARI_SERVICE_CLOCK);
    const hattari_text texts[] = {{"a detail", 8}, {"a block", 7}, {"too \x1b[31mred", 12}, {NULL, 0}};
    int32_t level;
    for (level = HATTARI_LOG_DEBUG; level <= HATTARI_LOG_ERROR; level++) log->write(host, level, texts[level]);
    /* Outside of a decision there is no limit. */
    if (clock->time_left_us(host) != INT64_MAX) return HATTARI_E_FAIL;
    if (host->get_service(host, "hattari.log/99") || host->get_service(host, NULL)) return HATTARI_E_FAIL;
#endif
#if defined(FAULT_REFUSES_BLOCK)
    last_error_text = "not with these rules";
    return HATTARI_E_UNSUPPORTED;
#endif
    return HATTARI_OK;
}

#if defined(FAULT_SLOW)
/* Works for a while: a bot in a process of its own cannot sleep. */
static void work_ms(long ms)
{
    struct timespec start, now;
    clock_gettime(CLOCK_MONOTONIC, &start);
    do {
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while ((now.tv_sec - start.tv_sec) * 1000000000L + (now.tv_nsec - start.tv_nsec) < ms * 1000000L);
}
#endif

static hattari_status act(hattari_bot *bot, const hattari_decision *decision, hattari_choice *choice)
{
    (void)bot;
#if defined(TALKS)
    const hattari_host *host = bot->bot_data;
    const hattari_rng_service *rng = host->get_service(host, HATTARI_SERVICE_RNG);
    const hattari_clock_service *clock = host->get_service(host, HATTARI_SERVICE_CLOCK);
    uint64_t numbers[2];
    rng->fill(host, numbers, 2);
    choice->action = (uint32_t)((numbers[0] ^ numbers[1]) % decision->action_count);
    /* As much as the decision says, and less as time goes by. */
    if (decision->budget_us > 0 && clock->time_left_us(host) > decision->budget_us) return HATTARI_E_FAIL;
    if (decision->budget_us <= 0 && clock->time_left_us(host) != INT64_MAX) return HATTARI_E_FAIL;
#elif defined(FAULT_OUT_OF_RANGE)
    choice->action = decision->action_count;
#elif defined(FAULT_NO_ANSWER)
    (void)decision;
    (void)choice;
#elif defined(FAULT_ERROR)
    (void)decision;
    (void)choice;
    last_error_text = "lost my \xff glasses";
    return HATTARI_E_FAIL;
#elif defined(FAULT_PANIC)
    (void)decision;
    (void)choice;
    last_error_text = "panicked: index out of bounds";
    return HATTARI_E_PANIC;
#elif defined(FAULT_UNKNOWN_STATUS)
    (void)decision;
    (void)choice;
    last_error_text = NULL;
    return -77;
#elif defined(FAULT_REMEMBERS)
    /* State outside of the instance, which moves with everything that was played before. */
    static uint32_t calls;
    choice->action = calls++ % decision->action_count;
#else
    choice->action = decision->action_count - 1;
#endif
#if defined(FAULT_SLOW)
    work_ms(3);
#endif
    return HATTARI_OK;
}

static hattari_text last_error(const hattari_bot *bot)
{
    hattari_text text = {last_error_text, 0};
    (void)bot;
    if (last_error_text) text.len = strlen(last_error_text);
    return text;
}

static void destroy(hattari_bot *bot)
{
    free(bot);
}

static const hattari_bot_functions functions = {
#if !defined(FAULT_NULL_BLOCK_START)
    .block_start = block_start,
#endif
#if !defined(FAULT_NULL_ACT)
    .act = act,
#endif
    .last_error = last_error,
#if !defined(FAULT_NULL_DESTROY)
    .destroy = destroy,
#endif
};

#if defined(FAULT_OTHER_GAME)
static const char *const games[] = {"whist/1", NULL};
#elif defined(FAULT_BAD_GAME)
static const char *const games[] = {"daihinmin", NULL};
#elif defined(FAULT_NO_GAMES)
static const char *const games[] = {NULL};
#else
static const char *const games[] = {HATTARI_DAIHINMIN_GAME, NULL};
#endif

static const hattari_bot_descriptor descriptors[] = {
    {
#if defined(FAULT_SHORT_DESCRIPTOR)
        .struct_size = 8,
#else
        .struct_size = sizeof(hattari_bot_descriptor),
#endif
#if defined(FAULT_BAD_ID)
        .id = "Big Bot",
#elif defined(FAULT_BAD_UTF8)
        .id = "b\xff",
#elif !defined(FAULT_NULL_ID)
        .id = "last",
#endif
#if !defined(FAULT_NULL_VERSION)
        .version = "1.2.3",
#endif
        .author = "A. Nonymous",
        .description = "Takes the last legal action",
        .games = games,
#if defined(FAULT_BAD_SCHEMA)
        .config_schema_json = "{\"type\": ",
#endif
    },
    {
        .struct_size = sizeof(hattari_bot_descriptor),
#if defined(FAULT_DUPLICATE_IDS)
        .id = "last",
#else
        .id = "second",
#endif
        .version = "0.1.0",
        .games = games,
    },
};

static uint32_t count(void)
{
#if defined(FAULT_NO_BOTS)
    return 0;
#elif defined(FAULT_MANY_BOTS)
    return 4000000000u;
#elif defined(FAULT_DUPLICATE_IDS) || defined(TWO_BOTS)
    return 2;
#else
    return 1;
#endif
}

static const hattari_bot_descriptor *descriptor(uint32_t index)
{
#if defined(FAULT_NULL_DESCRIPTOR)
    (void)index;
    return NULL;
#else
    return index < count() ? &descriptors[index] : NULL;
#endif
}

static hattari_status create(const char *bot_id, const hattari_host *host, hattari_text config_json, char *error,
                             uint32_t error_capacity, hattari_bot **out)
{
    (void)bot_id;
    (void)host;
    (void)config_json;
    (void)error;
    (void)error_capacity;
    (void)out;
#if defined(FAULT_CREATE_FAILS)
    strncpy(error, "no glasses, no game", error_capacity);
    return HATTARI_E_FAIL;
#elif defined(FAULT_CREATE_FILLS_ERROR)
    memset(error, 'x', error_capacity);
    return HATTARI_E_CONFIG;
#elif defined(FAULT_CREATE_NULL)
    *out = NULL;
    return HATTARI_OK;
#else
    hattari_bot *bot = calloc(1, sizeof *bot);
    if (!bot) return HATTARI_E_NOMEM;
#if !defined(FAULT_NULL_FUNCTIONS)
    bot->functions = &functions;
#endif
#if defined(TALKS)
    memcpy(&bot->bot_data, &host, sizeof host);
#endif
    *out = bot;
    return HATTARI_OK;
#endif
}

static const hattari_bot_factory factory = {
    .count = count,
    .descriptor = descriptor,
#if !defined(FAULT_NULL_CREATE)
    .create = create,
#endif
};

static const void *get_factory(const char *factory_id)
{
#if defined(FAULT_NO_FACTORY)
    (void)factory_id;
    return NULL;
#else
    return strcmp(factory_id, HATTARI_FACTORY_BOTS) == 0 ? &factory : NULL;
#endif
}

#if defined(FAULT_INIT)
static hattari_status init(const char *library_path)
{
    (void)library_path;
    return HATTARI_E_NOMEM;
}
#endif

#if defined(FAULT_UNDEFINED_SYMBOL)
hattari_status hattari_test_defined_nowhere(const char *library_path);
#endif

#if !defined(FAULT_NO_ENTRY)
HATTARI_EXPORT const hattari_library_entry hattari_entry = {
#if defined(FAULT_SHORT_ENTRY)
    .struct_size = 16,
#else
    .struct_size = sizeof(hattari_library_entry),
#endif
#if defined(FAULT_NEWER)
    .abi_major = HATTARI_ABI_MAJOR + 1,
#elif defined(FAULT_OLDER)
    .abi_major = HATTARI_ABI_MAJOR - 1,
#else
    .abi_major = HATTARI_ABI_MAJOR,
#endif
    .abi_minor = HATTARI_ABI_MINOR,
#if defined(FAULT_INIT)
    .init = init,
#elif defined(FAULT_UNDEFINED_SYMBOL)
    .init = hattari_test_defined_nowhere,
#endif
#if !defined(FAULT_NULL_GET_FACTORY)
    .get_factory = get_factory,
#endif
};
#endif

#if defined(EXPORTS_MORE)
HATTARI_EXPORT int helper(void);
int helper(void)
{
    return 1;
}
#endif
