/*
 * hattari.h: what the arena Hattari and a library of bots share. C11, C++11 and later.
 *
 * Generated from plugin-api/src/abi.rs; changes to this file are lost.
 *
 * The way in. A library exports one symbol, the constant HATTARI_ENTRY_SYMBOL. Everything else is
 * reached from it: the entry gives a factory, the factory describes bots and creates them, a bot is
 * a table of functions. Optional things have ids that end with a revision (`hattari.log/1`), on the
 * host's side (hattari_host.get_service) and on the bot's (hattari_bot_functions.get_extension).
 *
 * Life of a library. `load, init, (get_factory, count, descriptor, create)*`. It is never unloaded,
 * so there is no call to undo init. The same library may serve several entrants of a league: what
 * it keeps outside of its instances must be safe to use from any thread and must not influence
 * play.
 *
 * Life of a bot. `create, block_start, (deal_start, act*, deal_end)*, destroy`. One instance plays
 * one block, so nothing can leak from one block into the next. After a failed call, and after a
 * fault of any kind, destroy may come at once. A function that the table leaves null is skipped
 * where its comment allows that.
 *
 * Threads. Each function says who may call it when. [load]: while the library is loaded, never at
 * the same time as anything else. [any]: on any thread at any time. [instance]: calls on one bot
 * never overlap but may come from different threads, while other bots of the same library are at
 * work.
 *
 * Ownership. Whoever created it frees it, and nothing that the host passes in outlives the call
 * unless its comment says so. No memory is handed over to be freed by the other side.
 *
 * Growth. Data structs start with their size and grow at the end only: look at a field that the
 * first release did not have only where the size covers it. Tables of functions never change; a
 * changed interface gets a new id (`hattari.log/2`). Records of games grow at the end too; lists of
 * them come with the number of bytes from one to the next. A bot built with an old header runs on a
 * new host as it is.
 *
 * Failure. A function that fails returns a negative status and leaves its results alone; the text
 * behind hattari_bot_functions.last_error says why. An exception or a panic must not cross the
 * border. What a bot does wrong is a fault in the league's record: it costs what the league says,
 * and stops nobody else.
 */
#ifndef HATTARI_H
#define HATTARI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Lets a symbol be seen from outside of the library. Build with everything else hidden. */
#if defined(_WIN32)
#define HATTARI_EXPORT __declspec(dllexport)
#else
#define HATTARI_EXPORT __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
#define HATTARI_ASSERT_(fact) static_assert(fact, #fact)
#else
#define HATTARI_ASSERT_(fact) _Static_assert(fact, #fact)
#endif

typedef struct hattari_text hattari_text;
typedef struct hattari_host hattari_host;
typedef struct hattari_log_service hattari_log_service;
typedef struct hattari_clock_service hattari_clock_service;
typedef struct hattari_rng_service hattari_rng_service;
typedef struct hattari_block_info hattari_block_info;
typedef struct hattari_deal_info hattari_deal_info;
typedef struct hattari_decision hattari_decision;
typedef struct hattari_choice hattari_choice;
typedef struct hattari_deal_result hattari_deal_result;
typedef struct hattari_daihinmin_search_service hattari_daihinmin_search_service;
typedef struct hattari_bridge_double_dummy_service hattari_bridge_double_dummy_service;
typedef struct hattari_bot_functions hattari_bot_functions;
typedef struct hattari_bot hattari_bot;
typedef struct hattari_bot_descriptor hattari_bot_descriptor;
typedef struct hattari_bot_factory hattari_bot_factory;
typedef struct hattari_library_entry hattari_library_entry;

#define HATTARI_ABI_MAJOR 1u /* A host refuses a library with another major version. */
#define HATTARI_ABI_MINOR 2u /* Grows when optional ids or trailing fields are added. */

/* Name of the one exported symbol, a constant hattari_library_entry. */
#define HATTARI_ENTRY_SYMBOL "hattari_entry"
/* Id of the factory of bots, for hattari_library_entry.get_factory: hattari_bot_factory. */
#define HATTARI_FACTORY_BOTS "hattari.bot-factory/1"
/* Id of the host's log, for hattari_host.get_service: hattari_log_service. */
#define HATTARI_SERVICE_LOG "hattari.log/1"
/* Id of the decision clock: hattari_clock_service. */
#define HATTARI_SERVICE_CLOCK "hattari.clock/1"
/* Id of the seeded random stream: hattari_rng_service. */
#define HATTARI_SERVICE_RNG "hattari.rng/1"
/* Id of look-ahead in daihinmin: hattari_daihinmin_search_service. */
#define HATTARI_SERVICE_DAIHINMIN_SEARCH "hattari.daihinmin-search/1"
/* Id of bridge with open hands: hattari_bridge_double_dummy_service. */
#define HATTARI_SERVICE_BRIDGE_DOUBLE_DUMMY "hattari.bridge-double-dummy/1"

/*
 * What a call came to: 0 or more is success, less is failure. Unknown negatives count as
 * HATTARI_E_FAIL.
 */
typedef int32_t hattari_status;
#define HATTARI_OK ((hattari_status)0) /* Success. */
#define HATTARI_E_FAIL ((hattari_status)-1) /* Failure without a name of its own. */
#define HATTARI_E_CONFIG ((hattari_status)-2) /* The config was not understood. */
/* The bot does not play this game or these rules. */
#define HATTARI_E_UNSUPPORTED ((hattari_status)-3)
#define HATTARI_E_NOMEM ((hattari_status)-4) /* Out of memory. */
/*
 * A panic or exception stopped at the border; the instance is dead, only last_error and destroy may
 * follow.
 */
#define HATTARI_E_PANIC ((hattari_status)-5)
/* Gave up because the time for the decision ran out. */
#define HATTARI_E_STOPPED ((hattari_status)-6)

#define HATTARI_BOT_LEARNS 1u /* The bot keeps what it learns from deal to deal within a block. */
/*
 * The same seed may play differently (own threads, own clock); `hattari check` does not hold that
 * against it.
 */
#define HATTARI_BOT_NONDETERMINISTIC 2u
#define HATTARI_BOT_THREADS 4u /* The bot starts threads. It joins them in destroy. */

#define HATTARI_LOG_DEBUG 0 /* For whoever writes the bot, level of hattari_log_service.write. */
#define HATTARI_LOG_INFO 1 /* For whoever runs the league. */
#define HATTARI_LOG_WARNING 2 /* Something looks wrong. */
#define HATTARI_LOG_ERROR 3 /* Something is wrong. */

/*
 * Playouts of hattari_daihinmin_search_service.playouts by chance: any legal action as likely as
 * any other, but nobody who leads passes.
 */
#define HATTARI_PLAYOUT_UNIFORM 0u
/*
 * Playouts by a policy that was fitted to games of stronger players: slower, and nearer to real
 * play.
 */
#define HATTARI_PLAYOUT_FITTED 1u

/* UTF-8 text, not ended by a zero. `ptr` may be null only where `len` is 0. */
struct hattari_text {
    /* First byte. */
    const char *ptr;
    /* Bytes. */
    uint64_t len;
};

/* What the host offers to one instance. Lives until the instance is destroyed. */
struct hattari_host {
    /* Size of this struct. */
    uint32_t struct_size;
    /* Highest minor version that the host knows. */
    uint32_t abi_minor;
    /* The host's own. */
    void *host_data;
    /* Name of the host program, ended by a zero. */
    const char *name;
    /* Its version, ended by a zero. */
    const char *version;
    /*
     * A table of functions by id, null where the host has none such. It lives as long as this
     * struct. [any]
     */
    const void *(*get_service)(const hattari_host *host, const char *service_id);
};

/* Service HATTARI_SERVICE_LOG. */
struct hattari_log_service {
    /*
     * Writes a message of a level from HATTARI_LOG_DEBUG to HATTARI_LOG_ERROR. The host may drop or
     * shorten messages. [any]
     */
    void (*write)(const hattari_host *host, int32_t level, hattari_text message);
};

/* Service HATTARI_SERVICE_CLOCK. */
struct hattari_clock_service {
    /*
     * Microseconds left for the current decision; negative once overdrawn, the largest number where
     * there is no limit. [instance]
     */
    int64_t (*time_left_us)(const hattari_host *host);
};

/* Service HATTARI_SERVICE_RNG. */
struct hattari_rng_service {
    /*
     * Fills `out` with `count` numbers of the instance's stream, which the block's seed decides: a
     * replay gets the same. From block_start on. [instance]
     */
    void (*fill)(const hattari_host *host, uint64_t *out, uint32_t count);
};

/* What a block starts with. */
struct hattari_block_info {
    /* Size of this struct. */
    uint32_t struct_size;
    /* Players of the table. */
    uint32_t players;
    /* Your number among them, from 0; kept for the block. */
    uint32_t player;
    /* Deals planned. */
    uint32_t deals;
    /* A seed of your own; the same block gives the same seed. */
    uint64_t seed;
    /* Game and revision, as in `daihinmin/1`. */
    hattari_text game;
    /* The options of the rules, as JSON. Skip keys that you do not know. */
    hattari_text options_json;
};

/*
 * How a deal starts. The records that it points to are those of the game's header; pointers hold
 * for the call and are aligned to 8 bytes.
 */
struct hattari_deal_info {
    /* Size of this struct. */
    uint32_t struct_size;
    /* Bytes of the view. May be more than your header knows; never less than its first release. */
    uint32_t view_size;
    /* All that you may know now: the game's view record. */
    const void *view;
    /*
     * What the public record starts with, where a game has something before its first decision:
     * event records.
     */
    const void *history;
    /* Number of events. */
    uint32_t history_count;
    /* Bytes from one event to the next. */
    uint32_t history_stride;
};

/*
 * A decision. The records that it points to are those of the game's header; pointers hold for the
 * call and are aligned to 8 bytes.
 */
struct hattari_decision {
    /* Size of this struct. */
    uint32_t struct_size;
    /* Bytes of the view. May be more than your header knows; never less than its first release. */
    uint32_t view_size;
    /* All that you may know now: the game's view record. */
    const void *view;
    /* The deal's public record from its start: event records. */
    const void *history;
    /*
     * What you may do: action records. At least two; a forced action is carried out without a call.
     */
    const void *actions;
    /* Number of events. */
    uint32_t history_count;
    /* Bytes from one event to the next. */
    uint32_t history_stride;
    /* Number of actions. */
    uint32_t action_count;
    /* Bytes from one action to the next. */
    uint32_t action_stride;
    /* Microseconds for this decision; 0 or less is no limit. */
    int64_t budget_us;
};

/* The answer to a decision. */
struct hattari_choice {
    /* Size of this struct, set by the host: write no field that lies beyond it. */
    uint32_t struct_size;
    /* Index into the actions. */
    uint32_t action;
    /* The amount, where the action is a range of amounts; ignored elsewhere. */
    int64_t amount;
};

/* How a deal ended. Pointers hold for the call and are aligned to 8 bytes. */
struct hattari_deal_result {
    /* Size of this struct. */
    uint32_t struct_size;
    /* Bytes of the view. */
    uint32_t view_size;
    /* Your last view of the deal. */
    const void *view;
    /* The deal's whole public record. */
    const void *history;
    /* Number of events. */
    uint32_t history_count;
    /* Bytes from one event to the next. */
    uint32_t history_stride;
    /* Payoff of each player, by player number. */
    const int64_t *payoffs;
    /* Number of payoffs. */
    uint32_t payoff_count;
    /* Zero. */
    uint32_t reserved;
};

/*
 * Host service HATTARI_SERVICE_DAIHINMIN_SEARCH: deals that fit what the seat to decide knows, and
 * what its actions bring in them. For bots that play `daihinmin/1`, while they decide;
 * HATTARI_E_FAIL for anything else than the decision that the bot was handed, and where `count` or
 * `playouts` is 0. Chance comes from a stream of the instance's own, which the block decides.
 * [instance]
 */
struct hattari_daihinmin_search_service {
    /*
     * Draws `count` deals, each as likely as the exchange and everything public make it, and writes
     * the cards of every seat: `hands` has room for 5 sets a deal. What others may have meant by a
     * play or a pass is not weighed.
     */
    hattari_status (*sample)(
        const hattari_host *host,
        const hattari_decision *decision,
        uint32_t count,
        uint64_t *hands);
    /*
     * Plays on from each of `count` deals after each action of the decision, `playouts` times, and
     * writes the mean points of the seat: `points` has room for a number an action and deal, the
     * actions of a deal side by side. `policy` is HATTARI_PLAYOUT_UNIFORM or
     * HATTARI_PLAYOUT_FITTED. The deals are such as `sample` gives, 5 sets each.
     * HATTARI_E_UNSUPPORTED in the exchange; HATTARI_E_FAIL for a deal that does not fit;
     * HATTARI_E_STOPPED where the time for the decision ran out, `points` is half written then.
     */
    hattari_status (*playouts)(
        const hattari_host *host,
        const hattari_decision *decision,
        const uint64_t *hands,
        uint32_t count,
        uint32_t playouts,
        uint32_t policy,
        double *points);
};

/*
 * Host service HATTARI_SERVICE_BRIDGE_DOUBLE_DUMMY: what the cards of a decision are worth with all
 * hands open. For bots that play `bridge/1`, while they decide; HATTARI_E_FAIL for anything else
 * than the decision that the bot was handed, and where `count` is 0. [instance]
 */
struct hattari_bridge_double_dummy_service {
    /*
     * Solves each of `count` deals and writes, for every action of the decision, the tricks that
     * declarer's side takes in the whole deal if that card is played and everybody plays perfectly
     * from there: `tricks` has room for a number an action and deal, the actions of a deal side by
     * side. `hands` are the cards that each seat still holds, 4 sets a deal, North's first: the
     * cards that are left, the own hand and dummy's as they are, of the others' hands as many cards
     * as they hold, none of the suit led where they did not follow it in the trick under way.
     * HATTARI_E_FAIL for hands that are not so; HATTARI_E_STOPPED where the time for the decision
     * ran out, `tricks` is half written then. A deal takes some hundred milliseconds at the first
     * trick, less than one at the sixth.
     */
    hattari_status (*tricks)(
        const hattari_host *host,
        const hattari_decision *decision,
        const uint64_t *hands,
        uint32_t count,
        uint8_t *tricks);
};

/* A bot's functions. Order of calls: `block_start, (deal_start, act*, deal_end)*, destroy`. */
struct hattari_bot_functions {
    /* The block starts. HATTARI_E_UNSUPPORTED refuses a game or its options. [instance] */
    hattari_status (*block_start)(hattari_bot *bot, const hattari_block_info *info);
    /* Cards have been dealt. May be null. [instance] */
    hattari_status (*deal_start)(hattari_bot *bot, const hattari_deal_info *info);
    /* Decides: writes the choice and returns HATTARI_OK, or fails. [instance] */
    hattari_status (*act)(
        hattari_bot *bot,
        const hattari_decision *decision,
        hattari_choice *choice);
    /* The deal is over. May be null. [instance] */
    hattari_status (*deal_end)(hattari_bot *bot, const hattari_deal_result *result);
    /*
     * A table of functions by id, null where the bot has none such; it lives until destroy. May be
     * null. [any]
     */
    const void *(*get_extension)(const hattari_bot *bot, const char *extension_id);
    /* Text of the last failure, valid until the next call on the bot. May be null. [instance] */
    hattari_text (*last_error)(const hattari_bot *bot);
    /* Frees the bot. [instance] */
    void (*destroy)(hattari_bot *bot);
};

/* A bot. The library may put more behind it. */
struct hattari_bot {
    /* Its functions. */
    const hattari_bot_functions *functions;
    /* The bot's own. */
    void *bot_data;
};

/* What a bot says of itself. Texts end with a zero and live as long as the library. */
struct hattari_bot_descriptor {
    /* Size of this struct. */
    uint32_t struct_size;
    /* HATTARI_BOT_LEARNS and its like, or 0. */
    uint32_t flags;
    /*
     * Name by which leagues call it, unique in the library: lower case letters, digits, `-`, a
     * letter first.
     */
    const char *id;
    /* Its version. */
    const char *version;
    /* Who wrote it. May be null. */
    const char *author;
    /* Its licence, as an SPDX expression. May be null. */
    const char *license;
    /* What it does, in a line. */
    const char *description;
    /* Games that it plays, as in `daihinmin/1`; a null ends the list. */
    const char *const *games;
    /* JSON Schema of its config; null if it takes none. */
    const char *config_schema_json;
};

/* Factory HATTARI_FACTORY_BOTS. */
struct hattari_bot_factory {
    /* How many bots there are. [any] */
    uint32_t (*count)(void);
    /* The descriptor of bot number `index`, null past the last. [any] */
    const hattari_bot_descriptor *(*descriptor)(uint32_t index);
    /*
     * Creates the bot of that id. The config is JSON, or empty where the league sets nothing. The
     * host's struct outlives the instance; services may be asked for here and used from block_start
     * on. On failure returns the status, leaves `*out` null and may write a text ended by a zero to
     * `error`, which has room for `error_capacity` bytes. [any]
     */
    hattari_status (*create)(
        const char *bot_id,
        const hattari_host *host,
        hattari_text config_json,
        char *error,
        uint32_t error_capacity,
        hattari_bot **out);
};

/* The exported constant. The version can be read before any code of the library's authors runs. */
struct hattari_library_entry {
    /* Size of this struct. */
    uint32_t struct_size;
    /* HATTARI_ABI_MAJOR that the library was built with. */
    uint32_t abi_major;
    /* HATTARI_ABI_MINOR that the library was built with. */
    uint32_t abi_minor;
    /* Zero. */
    uint32_t reserved;
    /* Called after loading, before anything else; may be called again. May be null. [load] */
    hattari_status (*init)(const char *library_path);
    /*
     * A factory by id, null where the library has none such. It lives as long as the library. [any]
     */
    const void *(*get_factory)(const char *factory_id);
};

/* The one symbol that a library exports. It defines this constant; the host looks it up by name. */
HATTARI_EXPORT extern const hattari_library_entry hattari_entry;

/* The layout that both sides count on. */
#if UINTPTR_MAX == 0xffffffffffffffffu
HATTARI_ASSERT_(sizeof(hattari_text) == 16);
HATTARI_ASSERT_(offsetof(hattari_text, ptr) == 0);
HATTARI_ASSERT_(offsetof(hattari_text, len) == 8);
HATTARI_ASSERT_(sizeof(hattari_host) == 40);
HATTARI_ASSERT_(offsetof(hattari_host, struct_size) == 0);
HATTARI_ASSERT_(offsetof(hattari_host, abi_minor) == 4);
HATTARI_ASSERT_(offsetof(hattari_host, host_data) == 8);
HATTARI_ASSERT_(offsetof(hattari_host, name) == 16);
HATTARI_ASSERT_(offsetof(hattari_host, version) == 24);
HATTARI_ASSERT_(offsetof(hattari_host, get_service) == 32);
HATTARI_ASSERT_(sizeof(hattari_log_service) == 8);
HATTARI_ASSERT_(offsetof(hattari_log_service, write) == 0);
HATTARI_ASSERT_(sizeof(hattari_clock_service) == 8);
HATTARI_ASSERT_(offsetof(hattari_clock_service, time_left_us) == 0);
HATTARI_ASSERT_(sizeof(hattari_rng_service) == 8);
HATTARI_ASSERT_(offsetof(hattari_rng_service, fill) == 0);
HATTARI_ASSERT_(sizeof(hattari_block_info) == 56);
HATTARI_ASSERT_(offsetof(hattari_block_info, struct_size) == 0);
HATTARI_ASSERT_(offsetof(hattari_block_info, players) == 4);
HATTARI_ASSERT_(offsetof(hattari_block_info, player) == 8);
HATTARI_ASSERT_(offsetof(hattari_block_info, deals) == 12);
HATTARI_ASSERT_(offsetof(hattari_block_info, seed) == 16);
HATTARI_ASSERT_(offsetof(hattari_block_info, game) == 24);
HATTARI_ASSERT_(offsetof(hattari_block_info, options_json) == 40);
HATTARI_ASSERT_(sizeof(hattari_deal_info) == 32);
HATTARI_ASSERT_(offsetof(hattari_deal_info, struct_size) == 0);
HATTARI_ASSERT_(offsetof(hattari_deal_info, view_size) == 4);
HATTARI_ASSERT_(offsetof(hattari_deal_info, view) == 8);
HATTARI_ASSERT_(offsetof(hattari_deal_info, history) == 16);
HATTARI_ASSERT_(offsetof(hattari_deal_info, history_count) == 24);
HATTARI_ASSERT_(offsetof(hattari_deal_info, history_stride) == 28);
HATTARI_ASSERT_(sizeof(hattari_decision) == 56);
HATTARI_ASSERT_(offsetof(hattari_decision, struct_size) == 0);
HATTARI_ASSERT_(offsetof(hattari_decision, view_size) == 4);
HATTARI_ASSERT_(offsetof(hattari_decision, view) == 8);
HATTARI_ASSERT_(offsetof(hattari_decision, history) == 16);
HATTARI_ASSERT_(offsetof(hattari_decision, actions) == 24);
HATTARI_ASSERT_(offsetof(hattari_decision, history_count) == 32);
HATTARI_ASSERT_(offsetof(hattari_decision, history_stride) == 36);
HATTARI_ASSERT_(offsetof(hattari_decision, action_count) == 40);
HATTARI_ASSERT_(offsetof(hattari_decision, action_stride) == 44);
HATTARI_ASSERT_(offsetof(hattari_decision, budget_us) == 48);
HATTARI_ASSERT_(sizeof(hattari_choice) == 16);
HATTARI_ASSERT_(offsetof(hattari_choice, struct_size) == 0);
HATTARI_ASSERT_(offsetof(hattari_choice, action) == 4);
HATTARI_ASSERT_(offsetof(hattari_choice, amount) == 8);
HATTARI_ASSERT_(sizeof(hattari_deal_result) == 48);
HATTARI_ASSERT_(offsetof(hattari_deal_result, struct_size) == 0);
HATTARI_ASSERT_(offsetof(hattari_deal_result, view_size) == 4);
HATTARI_ASSERT_(offsetof(hattari_deal_result, view) == 8);
HATTARI_ASSERT_(offsetof(hattari_deal_result, history) == 16);
HATTARI_ASSERT_(offsetof(hattari_deal_result, history_count) == 24);
HATTARI_ASSERT_(offsetof(hattari_deal_result, history_stride) == 28);
HATTARI_ASSERT_(offsetof(hattari_deal_result, payoffs) == 32);
HATTARI_ASSERT_(offsetof(hattari_deal_result, payoff_count) == 40);
HATTARI_ASSERT_(offsetof(hattari_deal_result, reserved) == 44);
HATTARI_ASSERT_(sizeof(hattari_daihinmin_search_service) == 16);
HATTARI_ASSERT_(offsetof(hattari_daihinmin_search_service, sample) == 0);
HATTARI_ASSERT_(offsetof(hattari_daihinmin_search_service, playouts) == 8);
HATTARI_ASSERT_(sizeof(hattari_bridge_double_dummy_service) == 8);
HATTARI_ASSERT_(offsetof(hattari_bridge_double_dummy_service, tricks) == 0);
HATTARI_ASSERT_(sizeof(hattari_bot_functions) == 56);
HATTARI_ASSERT_(offsetof(hattari_bot_functions, block_start) == 0);
HATTARI_ASSERT_(offsetof(hattari_bot_functions, deal_start) == 8);
HATTARI_ASSERT_(offsetof(hattari_bot_functions, act) == 16);
HATTARI_ASSERT_(offsetof(hattari_bot_functions, deal_end) == 24);
HATTARI_ASSERT_(offsetof(hattari_bot_functions, get_extension) == 32);
HATTARI_ASSERT_(offsetof(hattari_bot_functions, last_error) == 40);
HATTARI_ASSERT_(offsetof(hattari_bot_functions, destroy) == 48);
HATTARI_ASSERT_(sizeof(hattari_bot) == 16);
HATTARI_ASSERT_(offsetof(hattari_bot, functions) == 0);
HATTARI_ASSERT_(offsetof(hattari_bot, bot_data) == 8);
HATTARI_ASSERT_(sizeof(hattari_bot_descriptor) == 64);
HATTARI_ASSERT_(offsetof(hattari_bot_descriptor, struct_size) == 0);
HATTARI_ASSERT_(offsetof(hattari_bot_descriptor, flags) == 4);
HATTARI_ASSERT_(offsetof(hattari_bot_descriptor, id) == 8);
HATTARI_ASSERT_(offsetof(hattari_bot_descriptor, version) == 16);
HATTARI_ASSERT_(offsetof(hattari_bot_descriptor, author) == 24);
HATTARI_ASSERT_(offsetof(hattari_bot_descriptor, license) == 32);
HATTARI_ASSERT_(offsetof(hattari_bot_descriptor, description) == 40);
HATTARI_ASSERT_(offsetof(hattari_bot_descriptor, games) == 48);
HATTARI_ASSERT_(offsetof(hattari_bot_descriptor, config_schema_json) == 56);
HATTARI_ASSERT_(sizeof(hattari_bot_factory) == 24);
HATTARI_ASSERT_(offsetof(hattari_bot_factory, count) == 0);
HATTARI_ASSERT_(offsetof(hattari_bot_factory, descriptor) == 8);
HATTARI_ASSERT_(offsetof(hattari_bot_factory, create) == 16);
HATTARI_ASSERT_(sizeof(hattari_library_entry) == 32);
HATTARI_ASSERT_(offsetof(hattari_library_entry, struct_size) == 0);
HATTARI_ASSERT_(offsetof(hattari_library_entry, abi_major) == 4);
HATTARI_ASSERT_(offsetof(hattari_library_entry, abi_minor) == 8);
HATTARI_ASSERT_(offsetof(hattari_library_entry, reserved) == 12);
HATTARI_ASSERT_(offsetof(hattari_library_entry, init) == 16);
HATTARI_ASSERT_(offsetof(hattari_library_entry, get_factory) == 24);
#endif
#if defined(__wasm32__)
HATTARI_ASSERT_(sizeof(hattari_text) == 16);
HATTARI_ASSERT_(offsetof(hattari_text, ptr) == 0);
HATTARI_ASSERT_(offsetof(hattari_text, len) == 8);
HATTARI_ASSERT_(sizeof(hattari_host) == 24);
HATTARI_ASSERT_(offsetof(hattari_host, struct_size) == 0);
HATTARI_ASSERT_(offsetof(hattari_host, abi_minor) == 4);
HATTARI_ASSERT_(offsetof(hattari_host, host_data) == 8);
HATTARI_ASSERT_(offsetof(hattari_host, name) == 12);
HATTARI_ASSERT_(offsetof(hattari_host, version) == 16);
HATTARI_ASSERT_(offsetof(hattari_host, get_service) == 20);
HATTARI_ASSERT_(sizeof(hattari_log_service) == 4);
HATTARI_ASSERT_(offsetof(hattari_log_service, write) == 0);
HATTARI_ASSERT_(sizeof(hattari_clock_service) == 4);
HATTARI_ASSERT_(offsetof(hattari_clock_service, time_left_us) == 0);
HATTARI_ASSERT_(sizeof(hattari_rng_service) == 4);
HATTARI_ASSERT_(offsetof(hattari_rng_service, fill) == 0);
HATTARI_ASSERT_(sizeof(hattari_block_info) == 56);
HATTARI_ASSERT_(offsetof(hattari_block_info, struct_size) == 0);
HATTARI_ASSERT_(offsetof(hattari_block_info, players) == 4);
HATTARI_ASSERT_(offsetof(hattari_block_info, player) == 8);
HATTARI_ASSERT_(offsetof(hattari_block_info, deals) == 12);
HATTARI_ASSERT_(offsetof(hattari_block_info, seed) == 16);
HATTARI_ASSERT_(offsetof(hattari_block_info, game) == 24);
HATTARI_ASSERT_(offsetof(hattari_block_info, options_json) == 40);
HATTARI_ASSERT_(sizeof(hattari_deal_info) == 24);
HATTARI_ASSERT_(offsetof(hattari_deal_info, struct_size) == 0);
HATTARI_ASSERT_(offsetof(hattari_deal_info, view_size) == 4);
HATTARI_ASSERT_(offsetof(hattari_deal_info, view) == 8);
HATTARI_ASSERT_(offsetof(hattari_deal_info, history) == 12);
HATTARI_ASSERT_(offsetof(hattari_deal_info, history_count) == 16);
HATTARI_ASSERT_(offsetof(hattari_deal_info, history_stride) == 20);
HATTARI_ASSERT_(sizeof(hattari_decision) == 48);
HATTARI_ASSERT_(offsetof(hattari_decision, struct_size) == 0);
HATTARI_ASSERT_(offsetof(hattari_decision, view_size) == 4);
HATTARI_ASSERT_(offsetof(hattari_decision, view) == 8);
HATTARI_ASSERT_(offsetof(hattari_decision, history) == 12);
HATTARI_ASSERT_(offsetof(hattari_decision, actions) == 16);
HATTARI_ASSERT_(offsetof(hattari_decision, history_count) == 20);
HATTARI_ASSERT_(offsetof(hattari_decision, history_stride) == 24);
HATTARI_ASSERT_(offsetof(hattari_decision, action_count) == 28);
HATTARI_ASSERT_(offsetof(hattari_decision, action_stride) == 32);
HATTARI_ASSERT_(offsetof(hattari_decision, budget_us) == 40);
HATTARI_ASSERT_(sizeof(hattari_choice) == 16);
HATTARI_ASSERT_(offsetof(hattari_choice, struct_size) == 0);
HATTARI_ASSERT_(offsetof(hattari_choice, action) == 4);
HATTARI_ASSERT_(offsetof(hattari_choice, amount) == 8);
HATTARI_ASSERT_(sizeof(hattari_deal_result) == 36);
HATTARI_ASSERT_(offsetof(hattari_deal_result, struct_size) == 0);
HATTARI_ASSERT_(offsetof(hattari_deal_result, view_size) == 4);
HATTARI_ASSERT_(offsetof(hattari_deal_result, view) == 8);
HATTARI_ASSERT_(offsetof(hattari_deal_result, history) == 12);
HATTARI_ASSERT_(offsetof(hattari_deal_result, history_count) == 16);
HATTARI_ASSERT_(offsetof(hattari_deal_result, history_stride) == 20);
HATTARI_ASSERT_(offsetof(hattari_deal_result, payoffs) == 24);
HATTARI_ASSERT_(offsetof(hattari_deal_result, payoff_count) == 28);
HATTARI_ASSERT_(offsetof(hattari_deal_result, reserved) == 32);
HATTARI_ASSERT_(sizeof(hattari_daihinmin_search_service) == 8);
HATTARI_ASSERT_(offsetof(hattari_daihinmin_search_service, sample) == 0);
HATTARI_ASSERT_(offsetof(hattari_daihinmin_search_service, playouts) == 4);
HATTARI_ASSERT_(sizeof(hattari_bridge_double_dummy_service) == 4);
HATTARI_ASSERT_(offsetof(hattari_bridge_double_dummy_service, tricks) == 0);
HATTARI_ASSERT_(sizeof(hattari_bot_functions) == 28);
HATTARI_ASSERT_(offsetof(hattari_bot_functions, block_start) == 0);
HATTARI_ASSERT_(offsetof(hattari_bot_functions, deal_start) == 4);
HATTARI_ASSERT_(offsetof(hattari_bot_functions, act) == 8);
HATTARI_ASSERT_(offsetof(hattari_bot_functions, deal_end) == 12);
HATTARI_ASSERT_(offsetof(hattari_bot_functions, get_extension) == 16);
HATTARI_ASSERT_(offsetof(hattari_bot_functions, last_error) == 20);
HATTARI_ASSERT_(offsetof(hattari_bot_functions, destroy) == 24);
HATTARI_ASSERT_(sizeof(hattari_bot) == 8);
HATTARI_ASSERT_(offsetof(hattari_bot, functions) == 0);
HATTARI_ASSERT_(offsetof(hattari_bot, bot_data) == 4);
HATTARI_ASSERT_(sizeof(hattari_bot_descriptor) == 36);
HATTARI_ASSERT_(offsetof(hattari_bot_descriptor, struct_size) == 0);
HATTARI_ASSERT_(offsetof(hattari_bot_descriptor, flags) == 4);
HATTARI_ASSERT_(offsetof(hattari_bot_descriptor, id) == 8);
HATTARI_ASSERT_(offsetof(hattari_bot_descriptor, version) == 12);
HATTARI_ASSERT_(offsetof(hattari_bot_descriptor, author) == 16);
HATTARI_ASSERT_(offsetof(hattari_bot_descriptor, license) == 20);
HATTARI_ASSERT_(offsetof(hattari_bot_descriptor, description) == 24);
HATTARI_ASSERT_(offsetof(hattari_bot_descriptor, games) == 28);
HATTARI_ASSERT_(offsetof(hattari_bot_descriptor, config_schema_json) == 32);
HATTARI_ASSERT_(sizeof(hattari_bot_factory) == 12);
HATTARI_ASSERT_(offsetof(hattari_bot_factory, count) == 0);
HATTARI_ASSERT_(offsetof(hattari_bot_factory, descriptor) == 4);
HATTARI_ASSERT_(offsetof(hattari_bot_factory, create) == 8);
HATTARI_ASSERT_(sizeof(hattari_library_entry) == 24);
HATTARI_ASSERT_(offsetof(hattari_library_entry, struct_size) == 0);
HATTARI_ASSERT_(offsetof(hattari_library_entry, abi_major) == 4);
HATTARI_ASSERT_(offsetof(hattari_library_entry, abi_minor) == 8);
HATTARI_ASSERT_(offsetof(hattari_library_entry, reserved) == 12);
HATTARI_ASSERT_(offsetof(hattari_library_entry, init) == 16);
HATTARI_ASSERT_(offsetof(hattari_library_entry, get_factory) == 20);
#endif

#ifdef __cplusplus
}
#endif

#endif /* HATTARI_H */
