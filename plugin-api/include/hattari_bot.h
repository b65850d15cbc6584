/*
 * hattari_bot.h: the border of a library that holds one bot, so that the bot's file is its play alone. C11 and C++11.
 *
 * A bot says what it is and includes this header once, behind the header of its game:
 *
 *     #include "hattari_holdem.h"
 *
 *     #define HATTARI_BOT_ID "mine"                      what a league calls it, after the library's name
 *     #define HATTARI_BOT_VERSION "1.0.0"
 *     #define HATTARI_BOT_ABOUT "Raises with a pair"     one line, for lists of bots
 *     #define HATTARI_BOT_GAME HATTARI_HOLDEM_GAME       the game, and its records that the bot reads
 *     #define HATTARI_BOT_VIEW hattari_holdem_view
 *     #define HATTARI_BOT_ACTION hattari_holdem_action
 *     #include "hattari_bot.h"
 *
 * (HATTARI_BOT_AUTHOR and HATTARI_BOT_LICENSE if it likes), and defines `decide`, declared below: which of the actions to
 * take and, where the action has a range, the amount.
 *
 * A bot that keeps something, asks for the host's services or may fail also has
 *
 *     #define HATTARI_BOT_STATE mine                     a type that is complete here; all zero before `begin`
 *
 * and defines `begin`, `act` and `end` instead of `decide`. An instance plays one block of deals. Calls on it never
 * overlap, but other instances may be at work on other threads: what changes belongs in the state, not in variables.
 *
 * A bot with settings, with notice of the start and end of deals, or a library of several bots writes these tables itself,
 * as hattari.h describes them; this file shows how.
 */
#ifndef HATTARI_BOT_H
#define HATTARI_BOT_H

#include "hattari.h"

#include <stdlib.h>
#include <string.h>

#ifndef HATTARI_BOT_AUTHOR
#define HATTARI_BOT_AUTHOR NULL
#endif
#ifndef HATTARI_BOT_LICENSE
#define HATTARI_BOT_LICENSE NULL
#endif

#ifdef HATTARI_BOT_STATE
/* A block starts. Returns NULL, or why this bot cannot play it: a text that stays. The host outlives the instance. */
static const char *begin(HATTARI_BOT_STATE *it, const hattari_host *host);
/*
 * A decision: sets choice->action, the index of one of the actions, and choice->amount where that has a range. Returns
 * NULL, or why it failed: a text that stays. What `decision` points to is the host's, and good for this call only.
 */
static const char *act(HATTARI_BOT_STATE *it, const hattari_decision *decision, hattari_choice *choice);
/* The block is over: frees what the state has allocated, also where `begin` was not called. */
static void end(HATTARI_BOT_STATE *it);
#else
/*
 * Which of the actions to take: its index. All of them are legal. Sets *amount where the action has a range. Nothing behind
 * these pointers may be kept: it is the host's, and good for this call only.
 */
static uint32_t decide(const HATTARI_BOT_VIEW *view, const hattari_decision *decision, int64_t *amount);
#endif

/* What the host gives by that name; NULL where it has no such thing. */
static inline const void *hattari_bot_service(const hattari_host *host, const char *id)
{
    return host != NULL && host->get_service != NULL ? host->get_service(host, id) : NULL;
}

/* The instance. The struct that the host knows comes first, so one pointer is both. */
typedef struct hattari_bot_instance {
    hattari_bot header;
    const hattari_host *host;
    const char *error; /* why the last call failed */
#ifdef HATTARI_BOT_STATE
    HATTARI_BOT_STATE state;
#endif
} hattari_bot_instance;

static inline hattari_status hattari_bot_result(hattari_bot *it, hattari_status status, const char *error)
{
    ((hattari_bot_instance *)it)->error = error;
    return error == NULL ? HATTARI_OK : status;
}

/* The place to refuse a game that one does not play. */
static hattari_status hattari_bot_block_start(hattari_bot *it, const hattari_block_info *info)
{
    const size_t length = strlen(HATTARI_BOT_GAME);
    const char *error = NULL;
    if (info->game.len != length || memcmp(info->game.ptr, HATTARI_BOT_GAME, length) != 0)
        error = "this bot plays " HATTARI_BOT_GAME " only";
#ifdef HATTARI_BOT_STATE
    if (error == NULL)
        error = begin(&((hattari_bot_instance *)it)->state, ((hattari_bot_instance *)it)->host);
#endif
    return hattari_bot_result(it, HATTARI_E_UNSUPPORTED, error);
}

static hattari_status hattari_bot_act(hattari_bot *it, const hattari_decision *decision, hattari_choice *choice)
{
    const char *error = NULL;
    /* A newer host may hand over longer records, and that is fine. An older one would not fill all that is read. */
    if (decision->view_size < sizeof(HATTARI_BOT_VIEW) || decision->action_stride < sizeof(HATTARI_BOT_ACTION))
        error = "the host is older than this bot";
    else
#ifdef HATTARI_BOT_STATE
        error = act(&((hattari_bot_instance *)it)->state, decision, choice);
#else
        choice->action = decide((const HATTARI_BOT_VIEW *)decision->view, decision, &choice->amount);
#endif
    return hattari_bot_result(it, HATTARI_E_FAIL, error);
}

/* Texts need no zero at the end, they carry their length. */
static hattari_text hattari_bot_last_error(const hattari_bot *it)
{
    const char *error = ((const hattari_bot_instance *)it)->error;
    hattari_text text = {error, error == NULL ? 0 : strlen(error)};
    return text;
}

/* Who has allocated, frees: the host never frees what is the library's. */
static void hattari_bot_destroy(hattari_bot *it)
{
#ifdef HATTARI_BOT_STATE
    end(&((hattari_bot_instance *)it)->state);
#endif
    free(it);
}

/* deal_start, deal_end and get_extension may be null. */
static const hattari_bot_functions hattari_bot_table = {
    hattari_bot_block_start, NULL, hattari_bot_act, NULL, NULL, hattari_bot_last_error, hattari_bot_destroy,
};

/* Behind the version, what the Makefile tells of the sources, as in "+src.0123456789abcdef": builds that tell the same are one version
   to a league, whatever the bytes of their files. Without it the file is what it is known by. */
#ifndef HATTARI_SOURCES
#define HATTARI_SOURCES ""
#endif

/* The games that the bot plays; a null ends the list. */
static const char *const hattari_bot_games[] = {HATTARI_BOT_GAME, NULL};

static const hattari_bot_descriptor hattari_bot_description = {
    sizeof(hattari_bot_descriptor), /* struct_size: tells a host how much of this struct there is */
    0,                              /* flags: it learns nothing, and the same cards get the same answer */
    HATTARI_BOT_ID,
    HATTARI_BOT_VERSION HATTARI_SOURCES,
    HATTARI_BOT_AUTHOR,
    HATTARI_BOT_LICENSE,
    HATTARI_BOT_ABOUT,
    hattari_bot_games,
    NULL, /* config_schema_json: there is nothing to set */
};

static uint32_t hattari_bot_count(void)
{
    return 1;
}

/* What the host lists and checks before it creates anything. Past the last bot there is nothing. */
static const hattari_bot_descriptor *hattari_bot_descriptor_at(uint32_t index)
{
    return index == 0 ? &hattari_bot_description : NULL;
}

/* There is no instance yet to ask for its last error, so the host lends a buffer, which may be too short or absent. */
static inline hattari_status hattari_bot_refuse(hattari_status status, const char *why, char *error, uint32_t capacity)
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

static hattari_status hattari_bot_create(const char *bot_id, const hattari_host *host, hattari_text config_json,
                                         char *error, uint32_t capacity, hattari_bot **out)
{
    hattari_bot_instance *it;
    *out = NULL;
    if (strcmp(bot_id, HATTARI_BOT_ID) != 0)
        return hattari_bot_refuse(HATTARI_E_UNSUPPORTED, "this library has one bot: " HATTARI_BOT_ID, error, capacity);
    /* A key that is not known must not be swallowed: whoever wrote the league believes that it does something. */
    if (config_json.len > 0 && !(config_json.len == 2 && memcmp(config_json.ptr, "{}", 2) == 0))
        return hattari_bot_refuse(HATTARI_E_CONFIG, HATTARI_BOT_ID " has nothing to set", error, capacity);
    it = (hattari_bot_instance *)calloc(1, sizeof *it);
    if (it == NULL)
        return hattari_bot_refuse(HATTARI_E_NOMEM, "out of memory", error, capacity);
    it->header.functions = &hattari_bot_table;
    it->host = host;
    *out = &it->header;
    return HATTARI_OK;
}

static const hattari_bot_factory hattari_bot_makes = {hattari_bot_count, hattari_bot_descriptor_at, hattari_bot_create};

/* Ids end with a revision: a host that knows a later interface asks for that first. */
static const void *hattari_bot_get_factory(const char *id)
{
    return strcmp(id, HATTARI_FACTORY_BOTS) == 0 ? &hattari_bot_makes : NULL;
}

/* The one symbol that the library shows. The host reads the version in it before it calls anything. */
const hattari_library_entry hattari_entry = {
    sizeof(hattari_library_entry), HATTARI_ABI_MAJOR, HATTARI_ABI_MINOR, 0, NULL, hattari_bot_get_factory,
};

#endif
