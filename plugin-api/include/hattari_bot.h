/*
 * hattari_bot.h: the C interface of a library with one bot. The file of the bot contains only its
 * play. C11 and C++11.
 *
 * A bot defines these macros and includes this header once, after the header of its game:
 *
 *     #include "hattari_holdem.h"
 *
 *     #define HATTARI_BOT_ID "mine"                      name of the bot in leagues
 *     #define HATTARI_BOT_VERSION "1.0.0"
 *     #define HATTARI_BOT_ABOUT "Raises with a pair"     description in one line
 *     #define HATTARI_BOT_GAME HATTARI_HOLDEM_GAME       the game, and the types of its records
 *     #define HATTARI_BOT_VIEW hattari_holdem_view
 *     #define HATTARI_BOT_ACTION hattari_holdem_action
 *     #include "hattari_bot.h"
 *
 * HATTARI_BOT_AUTHOR and HATTARI_BOT_LICENSE are optional. The bot then defines `decide`, declared
 * below, which chooses an action and, if the action has a range, the amount.
 *
 * A bot that keeps data between calls, uses services of the host or can fail also defines
 *
 *     #define HATTARI_BOT_STATE mine                     a complete type; all zero before `begin`
 *
 * and the functions `begin`, `act` and `end` instead of `decide`. An instance plays one block of
 * deals. Calls on it never overlap, but other instances can run on other threads at the same time.
 * Keep data that changes in the state, not in global variables.
 *
 * A bot with a config or with callbacks for the start and end of deals, or a library with several
 * bots, defines these tables itself. hattari.h describes them; this file is an example.
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
/*
 * Starts a block. Returns NULL, or the reason why the bot cannot play it, as a text that is never
 * freed. `host` is valid as long as the instance.
 */
static const char *begin(HATTARI_BOT_STATE *it, const hattari_host *host);
/*
 * Makes a decision: sets choice->action to the index of an action, and choice->amount if the action
 * has a range. Returns NULL, or the reason of a failure, as a text that is never freed. The data of
 * `decision` belong to the host and are valid during the call only.
 */
static const char *act(HATTARI_BOT_STATE *it, const hattari_decision *decision, hattari_choice *choice);
/* Frees the memory that the state owns. Called once, even if `begin` was not called. */
static void end(HATTARI_BOT_STATE *it);
#else
/*
 * Makes a decision: returns the index of an action, and sets *amount if the action has a range. All
 * actions of `decision` are legal. The data belong to the host and are valid during the call only.
 */
static uint32_t decide(const HATTARI_BOT_VIEW *view, const hattari_decision *decision, int64_t *amount);
#endif

/* Returns the service of the host with this id, or NULL if the host does not offer it. */
static inline const void *hattari_bot_service(const hattari_host *host, const char *id)
{
    return host != NULL && host->get_service != NULL ? host->get_service(host, id) : NULL;
}

/* The instance. The struct for the host is the first member, so both have the same address. */
typedef struct hattari_bot_instance {
    hattari_bot header;
    const hattari_host *host;
    const char *error; /* error of the last call, or NULL */
#ifdef HATTARI_BOT_STATE
    HATTARI_BOT_STATE state;
#endif
} hattari_bot_instance;

static inline hattari_status hattari_bot_result(hattari_bot *it, hattari_status status, const char *error)
{
    ((hattari_bot_instance *)it)->error = error;
    return error == NULL ? HATTARI_OK : status;
}

/* Starts a block. Refuses games that the bot does not play. */
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
    /* Longer records of a newer host are accepted. Records of an older host lack fields. */
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

/* Returns the error of the last call. The text contains its length and needs no zero at the end. */
static hattari_text hattari_bot_last_error(const hattari_bot *it)
{
    const char *error = ((const hattari_bot_instance *)it)->error;
    hattari_text text = {error, error == NULL ? 0 : strlen(error)};
    return text;
}

/* Frees the instance. The host never frees memory of the library. */
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

/*
 * A suffix of the version with the digest of the sources, for example "+src.0123456789abcdef"; the
 * Makefile sets it. A league treats builds with the same digest as the same version. Without a
 * digest, a league identifies the bot by the bytes of its file.
 */
#ifndef HATTARI_SOURCES
#define HATTARI_SOURCES ""
#endif

/* The games that the bot plays. A null pointer ends the list. */
static const char *const hattari_bot_games[] = {HATTARI_BOT_GAME, NULL};

static const hattari_bot_descriptor hattari_bot_description = {
    sizeof(hattari_bot_descriptor), /* struct_size: the fields that this library knows */
    0,                              /* flags: the bot does not learn and is deterministic */
    HATTARI_BOT_ID,
    HATTARI_BOT_VERSION HATTARI_SOURCES,
    HATTARI_BOT_AUTHOR,
    HATTARI_BOT_LICENSE,
    HATTARI_BOT_ABOUT,
    hattari_bot_games,
    NULL, /* config_schema_json: the bot has no config */
};

static uint32_t hattari_bot_count(void)
{
    return 1;
}

/* Returns the description of the bot, which the host reads first, or NULL for other indices. */
static const hattari_bot_descriptor *hattari_bot_descriptor_at(uint32_t index)
{
    return index == 0 ? &hattari_bot_description : NULL;
}

/*
 * Writes an error to the host's buffer, because there is no instance yet with a last error. The
 * buffer may be null or too short.
 */
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
    /* Unknown keys are errors, because the author of the league expects them to have an effect. */
    if (config_json.len > 0 && !(config_json.len == 2 && memcmp(config_json.ptr, "{}", 2) == 0))
        return hattari_bot_refuse(HATTARI_E_CONFIG, HATTARI_BOT_ID " has no settings", error, capacity);
    it = (hattari_bot_instance *)calloc(1, sizeof *it);
    if (it == NULL)
        return hattari_bot_refuse(HATTARI_E_NOMEM, "out of memory", error, capacity);
    it->header.functions = &hattari_bot_table;
    it->host = host;
    *out = &it->header;
    return HATTARI_OK;
}

static const hattari_bot_factory hattari_bot_makes = {hattari_bot_count, hattari_bot_descriptor_at, hattari_bot_create};

/* Ids end with a revision. A newer host requests the id of a later revision first. */
static const void *hattari_bot_get_factory(const char *id)
{
    return strcmp(id, HATTARI_FACTORY_BOTS) == 0 ? &hattari_bot_makes : NULL;
}

/* The only exported symbol. The host reads the versions in it before it calls a function. */
const hattari_library_entry hattari_entry = {
    sizeof(hattari_library_entry), HATTARI_ABI_MAJOR, HATTARI_ABI_MINOR, 0, NULL, hattari_bot_get_factory,
};

#endif
