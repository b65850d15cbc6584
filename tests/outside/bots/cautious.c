/*
 * cautious: bets and calls with a king alone. Kuhn poker, in C.
 *
 *     hattari-outside types c kuhn --into include
 *     cc -O2 -std=c11 -fPIC -shared -fvisibility=hidden -Iinclude -o cautious.so cautious.c
 *
 * `decide` is the bot; what follows it is what every library needs.
 */
#include "hattari_kuhn.h"

#include <stdlib.h>
#include <string.h>

/* What the bot keeps in a block. The struct that the host knows comes first, so one pointer is both. */
typedef struct bot {
    hattari_bot header;
    const char *error; /* text of the last failure */
} bot;

/* Your turn: the index of an action. There are no amounts. */
static uint32_t decide(const hattari_kuhn_view *view, const hattari_decision *decision)
{
    static const uint8_t king = 2;
    uint32_t i;
    for (i = 0; i < decision->action_count; i++) {
        uint32_t kind = hattari_kuhn_action_at(decision, i)->kind;
        if (view->card == king && (kind == HATTARI_KUHN_KIND_BET || kind == HATTARI_KUHN_KIND_CALL))
            return i;
    }
    return 0;
}

/* ---- The border: what the host calls. ---- */

static hattari_status block_start(hattari_bot *it, const hattari_block_info *info)
{
    static const char game[] = HATTARI_KUHN_GAME;
    if (info->game.len != sizeof game - 1 || memcmp(info->game.ptr, game, sizeof game - 1) != 0) {
        ((bot *)it)->error = "this bot plays " HATTARI_KUHN_GAME " only";
        return HATTARI_E_UNSUPPORTED;
    }
    return HATTARI_OK;
}

static hattari_status act(hattari_bot *it, const hattari_decision *decision, hattari_choice *choice)
{
    /* A host that is older than the header would hand over less than `decide` reads. */
    if (decision->view_size < sizeof(hattari_kuhn_view) ||
        decision->action_stride < sizeof(hattari_kuhn_action)) {
        ((bot *)it)->error = "the host is older than this bot";
        return HATTARI_E_FAIL;
    }
    choice->action = decide(hattari_kuhn_view_of(decision), decision);
    return HATTARI_OK;
}

static hattari_text last_error(const hattari_bot *it)
{
    const char *error = ((const bot *)it)->error;
    hattari_text text = {error, strlen(error)};
    return text;
}

static void destroy(hattari_bot *it)
{
    free(it);
}

/* Without functions for a deal's start and end, and without extensions. */
static const hattari_bot_functions functions = {block_start, NULL, act, NULL, NULL, last_error, destroy};

static const char *const games[] = {HATTARI_KUHN_GAME, NULL};

static const hattari_bot_descriptor descriptor = {
    sizeof descriptor, /* struct_size */
    0,                 /* flags */
    "cautious",        /* id */
    "1.0.0",           /* version */
    NULL,              /* author */
    NULL,              /* license */
    "Bets and calls with a king alone",
    games,
    NULL,              /* config_schema_json: there is nothing to set */
};

static uint32_t count(void)
{
    return 1;
}

static const hattari_bot_descriptor *descriptor_at(uint32_t index)
{
    return index == 0 ? &descriptor : NULL;
}

/* Writes a text to the host's buffer, which may be too short for it or absent. */
static hattari_status refuse(hattari_status status, const char *why, char *error, uint32_t capacity)
{
    size_t length = strlen(why);
    if (error != NULL && capacity > 0) {
        if (length >= capacity)
            length = capacity - 1;
        memcpy(error, why, length);
        error[length] = '\0';
    }
    return status;
}

static hattari_status create(const char *bot_id, const hattari_host *host, hattari_text config,
                             char *error, uint32_t capacity, hattari_bot **out)
{
    bot *it;
    (void)host; /* the place to ask for the log, the clock or the random stream */
    *out = NULL;
    if (strcmp(bot_id, descriptor.id) != 0)
        return refuse(HATTARI_E_UNSUPPORTED, "this library has one bot: cautious", error, capacity);
    if (config.len > 0 && !(config.len == 2 && memcmp(config.ptr, "{}", 2) == 0))
        return refuse(HATTARI_E_CONFIG, "there is nothing to set", error, capacity);
    it = malloc(sizeof *it);
    if (it == NULL)
        return refuse(HATTARI_E_NOMEM, "out of memory", error, capacity);
    it->header.functions = &functions;
    it->header.bot_data = NULL;
    it->error = "";
    *out = &it->header;
    return HATTARI_OK;
}

static const hattari_bot_factory factory = {count, descriptor_at, create};

static const void *get_factory(const char *id)
{
    return strcmp(id, HATTARI_FACTORY_BOTS) == 0 ? &factory : NULL;
}

/* The one symbol that the library shows. The host reads the version before it calls anything. */
const hattari_library_entry hattari_entry = {
    sizeof hattari_entry, HATTARI_ABI_MAJOR, HATTARI_ABI_MINOR, 0, NULL, get_factory,
};
