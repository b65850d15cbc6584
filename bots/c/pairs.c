/*
 * pairs: a hold'em bot in plain C. It raises with a pair of its own, and calls where that is cheap.
 *
 * Build it from the root of the repository with a C compiler and nothing else:
 *
 *     cc -O2 -std=c11 -fPIC -shared -fvisibility=hidden -Iplugin-api/include -o bots/c/libpairs.so bots/c/pairs.c
 *
 * What each function promises stands in hattari.h, what the records hold in hattari_holdem.h. cautious.c explains every part of
 * such a library at leisure.
 */
#include "hattari_holdem.h"

#include <stdlib.h>
#include <string.h>

/* What the bot keeps. The struct that the host knows comes first, so one pointer is both. */
typedef struct bot {
    hattari_bot header;
    const char *error; /* text of the last failure */
} bot;

/* The first action of a kind; the number of actions where there is none. */
static uint32_t find(const hattari_decision *decision, uint8_t kind)
{
    uint32_t i = 0;
    while (i < decision->action_count && hattari_holdem_action_at(decision, i)->kind != kind)
        i++;
    return i;
}

/*
 * Whether a set has two cards of a rank. A rank is four neighbouring bits, its four suits: shifted down by one, two and
 * three suits within the rank, a set meets itself where it has a second card.
 */
static int has_pair(uint64_t set)
{
    uint32_t rank;
    for (rank = 0; rank <= HATTARI_HOLDEM_RANK_ACE; rank++) {
        uint64_t suits = (set >> (4 * rank)) & 0xf;
        if ((suits & (suits - 1)) != 0)
            return 1;
    }
    return 0;
}

/*
 * The one decision that matters: which of the actions to take and, for a raise, the amount, which is the total of the
 * street. Replace this.
 */
static uint32_t decide(const hattari_holdem_view *view, const hattari_decision *decision, int64_t *amount)
{
    uint32_t raise = find(decision, HATTARI_HOLDEM_KIND_RAISE);
    uint32_t check = find(decision, HATTARI_HOLDEM_KIND_CHECK);
    /* A pair that the community does not have by itself. */
    int paired = has_pair(view->hand | view->community) && !has_pair(view->community);
    if (paired && raise < decision->action_count && view->raises < 2) {
        const hattari_holdem_action *range = hattari_holdem_action_at(decision, raise);
        int64_t total = view->level + view->pot / 2;
        *amount = total < range->lowest ? range->lowest : total > range->highest ? range->highest : total;
        return raise;
    }
    if (check < decision->action_count)
        return check;
    /* Four for one is enough to look at one more card. */
    if (paired || view->to_call * 4 <= view->pot)
        return find(decision, HATTARI_HOLDEM_KIND_CALL);
    return find(decision, HATTARI_HOLDEM_KIND_FOLD);
}

static hattari_status block_start(hattari_bot *it, const hattari_block_info *info)
{
    static const char game[] = HATTARI_HOLDEM_GAME;
    if (info->game.len != sizeof game - 1 || memcmp(info->game.ptr, game, sizeof game - 1) != 0) {
        ((bot *)it)->error = "this bot plays " HATTARI_HOLDEM_GAME " only";
        return HATTARI_E_UNSUPPORTED;
    }
    return HATTARI_OK;
}

static hattari_status act(hattari_bot *it, const hattari_decision *decision, hattari_choice *choice)
{
    /* A host that is older than this header would hand over less than we are going to read. */
    if (decision->view_size < sizeof(hattari_holdem_view) ||
        decision->action_stride < sizeof(hattari_holdem_action)) {
        ((bot *)it)->error = "the host is older than this bot";
        return HATTARI_E_FAIL;
    }
    choice->action = decide(hattari_holdem_view_of(decision), decision, &choice->amount);
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

/* deal_start, deal_end and get_extension may be null: this bot has no use for them. */
static const hattari_bot_functions functions = {block_start, NULL, act, NULL, NULL, last_error, destroy};

static const char *const games[] = {HATTARI_HOLDEM_GAME, NULL};

static const hattari_bot_descriptor descriptor = {
    sizeof descriptor, /* struct_size */
    0,                 /* flags */
    "pairs",           /* id: what a league calls it, after the library's name */
    "1.0.0",           /* version */
    NULL,              /* author */
    NULL,              /* license */
    "Raises with a pair of its own, calls where that is cheap",
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
        return refuse(HATTARI_E_UNSUPPORTED, "this library has one bot: pairs", error, capacity);
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
