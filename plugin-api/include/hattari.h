/*
 * hattari.h: interface between the arena Hattari and a library of bots. C11, C++11 and later.
 *
 * Generated from plugin-api/src/abi.rs; changes to this file are lost.
 *
 * Entry point. A library exports one constant, HATTARI_ENTRY_SYMBOL; all other functions are
 * reached from it. The entry returns a factory. The factory describes the bots and creates them. A
 * bot is a table of functions. Ids of optional interfaces end with a revision (`hattari.log/1`).
 * The host offers them through hattari_host.get_service, the bot through
 * hattari_bot_functions.get_extension.
 *
 * Lifetime of a library. Order of calls: `load, init, (get_factory, count, descriptor, create)*`. A
 * library is never unloaded, so `init` has no counterpart. Several entrants of a league can use the
 * same library. Its global data must be safe to use from any thread and must not influence play.
 *
 * Lifetime of a bot. Order of calls: `create, block_start, (deal_start, act*, deal_end)*, destroy`.
 * An instance plays one block, a fixed number of deals, so no state is carried from one block to
 * the next. The host can call `destroy` right after a failed call or any other fault. A null
 * function is skipped if its comment says that it may be null.
 *
 * Threads. A tag in the comment of each function states when and on which thread it can be called.
 * [load]: during the loading of the library, never at the same time as another call. [any]: at any
 * time and on any thread. [instance]: calls on one bot never overlap, but they can come from
 * different threads. Other bots of the same library can run at the same time.
 *
 * Ownership. The side that allocated memory frees it; ownership is never transferred. Pointers from
 * the host are valid during the call only, unless the comment states otherwise.
 *
 * Compatibility. Data structs start with their size, and later releases add fields at the end only.
 * Read a field that the first release did not have only if the size includes it. Tables of
 * functions never change; a changed interface gets a new id (`hattari.log/2`). Records of games can
 * also get new fields at the end. Arrays of records come with a stride, the distance between two
 * records in bytes. A bot built with an older header runs on a newer host without changes.
 *
 * Errors. A function that fails returns a negative status and writes no results, unless its comment
 * states otherwise. hattari_bot_functions.last_error returns the error text. An exception or panic
 * must not leave the library. An error of a bot is recorded as a fault and does not affect other
 * bots. The league defines the cost of a fault.
 */
#ifndef HATTARI_H
#define HATTARI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Exports a symbol from the library. Hide all other symbols when you build it. */
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
typedef struct hattari_numbers_service hattari_numbers_service;
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

#define HATTARI_ABI_MAJOR 1u /* Major version. A host rejects a library with a different one. */
/* Minor version. Increased when optional ids or fields at the end are added. */
#define HATTARI_ABI_MINOR 3u

/* Name of the only exported symbol, a constant hattari_library_entry. */
#define HATTARI_ENTRY_SYMBOL "hattari_entry"
/* Id of the bot factory hattari_bot_factory, for hattari_library_entry.get_factory. */
#define HATTARI_FACTORY_BOTS "hattari.bot-factory/1"
/* Id of the log service hattari_log_service, for hattari_host.get_service. */
#define HATTARI_SERVICE_LOG "hattari.log/1"
/* Id of the decision clock hattari_clock_service. */
#define HATTARI_SERVICE_CLOCK "hattari.clock/1"
/* Id of the seeded random number generator hattari_rng_service. */
#define HATTARI_SERVICE_RNG "hattari.rng/1"
/* Id of the service for numbers of decisions hattari_numbers_service. */
#define HATTARI_SERVICE_NUMBERS "hattari.numbers/1"
/* Id of look-ahead for daihinmin hattari_daihinmin_search_service. */
#define HATTARI_SERVICE_DAIHINMIN_SEARCH "hattari.daihinmin-search/1"
/* Id of the double-dummy solver for bridge hattari_bridge_double_dummy_service. */
#define HATTARI_SERVICE_BRIDGE_DOUBLE_DUMMY "hattari.bridge-double-dummy/1"

/*
 * Result of a call: 0 or more is success, negative is an error. Unknown negative values are treated
 * as HATTARI_E_FAIL.
 */
typedef int32_t hattari_status;
#define HATTARI_OK ((hattari_status)0) /* Success. */

/*
 * Success of `deal_start` or `deal_end`, if the bot does not need this call. The host need not make
 * it again in this block.
 */
#define HATTARI_UNUSED ((hattari_status)1)

#define HATTARI_E_FAIL ((hattari_status)-1) /* Unspecified error. */
#define HATTARI_E_CONFIG ((hattari_status)-2) /* The config is not valid. */
/* The game, its options or the kind of decision is not supported. */
#define HATTARI_E_UNSUPPORTED ((hattari_status)-3)
#define HATTARI_E_NOMEM ((hattari_status)-4) /* Out of memory. */
/*
 * A panic or exception was caught inside the library. Only `last_error` and `destroy` can be called
 * on this instance afterwards.
 */
#define HATTARI_E_PANIC ((hattari_status)-5)
#define HATTARI_E_STOPPED ((hattari_status)-6) /* The time limit of the decision was reached. */

#define HATTARI_BOT_LEARNS 1u /* The bot uses information from earlier deals of the block. */
/*
 * The bot can play differently with the same seed, for example because of threads or a clock.
 * `hattari check` accepts such differences.
 */
#define HATTARI_BOT_NONDETERMINISTIC 2u
#define HATTARI_BOT_THREADS 4u /* The bot starts threads and joins them in `destroy`. */

/* Log level for hattari_log_service.write: details for the author of the bot. */
#define HATTARI_LOG_DEBUG 0
#define HATTARI_LOG_INFO 1 /* Log level: information for the operator of the league. */
#define HATTARI_LOG_WARNING 2 /* Log level: a possible error. */
#define HATTARI_LOG_ERROR 3 /* Log level: an error. */

/*
 * Policy of hattari_daihinmin_search_service.playouts: legal actions are drawn uniformly, except
 * that a seat that leads never passes.
 */
#define HATTARI_PLAYOUT_UNIFORM 0u
/* Policy that was fitted to games of stronger players: slower, but closer to real play. */
#define HATTARI_PLAYOUT_FITTED 1u

/* UTF-8 text without a terminating zero byte. `ptr` may be null only if `len` is 0. */
struct hattari_text {
    /* Pointer to the first byte. */
    const char *ptr;
    /* Length in bytes. */
    uint64_t len;
};

/* Data and services of the host for one instance. Valid until the instance is destroyed. */
struct hattari_host {
    /* Size of this struct in bytes. */
    uint32_t struct_size;
    /* Highest minor version that the host supports. */
    uint32_t abi_minor;
    /* Reserved for the host. */
    void *host_data;
    /* Name of the host program, zero-terminated. */
    const char *name;
    /* Version of the host program, zero-terminated. */
    const char *version;
    /*
     * Returns the function table of the service with this id, or null if the host does not offer
     * it. The table is valid as long as this struct. [any]
     */
    const void *(*get_service)(const hattari_host *host, const char *service_id);
};

/* Functions of the service HATTARI_SERVICE_LOG. */
struct hattari_log_service {
    /*
     * Writes a log message. `level` is HATTARI_LOG_DEBUG to HATTARI_LOG_ERROR. The host may drop or
     * shorten messages. [any]
     */
    void (*write)(const hattari_host *host, int32_t level, hattari_text message);
};

/* Functions of the service HATTARI_SERVICE_CLOCK. */
struct hattari_clock_service {
    /*
     * Returns the time left for the current decision in microseconds. The result is negative if the
     * time limit is exceeded, and the largest number of its type if there is no limit. [instance]
     */
    int64_t (*time_left_us)(const hattari_host *host);
};

/* Functions of the service HATTARI_SERVICE_RNG. */
struct hattari_rng_service {
    /*
     * Writes `count` random numbers of the instance's stream to `out`. The seed of the block
     * determines the stream, so a replay gets the same numbers. Available from `block_start` on.
     * [instance]
     */
    void (*fill)(const hattari_host *host, uint64_t *out, uint32_t count);
};

/* Functions of the service HATTARI_SERVICE_NUMBERS. */
struct hattari_numbers_service {
    /*
     * Logs a finite number of the current decision, for reports and replays. A name has 1 to 32
     * letters, digits and `_` and begins with a letter. A decision has at most 16 names, and the
     * last number of a name counts. Returns HATTARI_E_FAIL for other names and numbers; the log
     * says why. Has no effect outside of `act` and on other threads than that of `act`. [instance]
     */
    hattari_status (*log)(const hattari_host *host, hattari_text name, double number);
};

/* Description of a block at its start. */
struct hattari_block_info {
    /* Size of this struct in bytes. */
    uint32_t struct_size;
    /* Number of players at the table. */
    uint32_t players;
    /* Your player number, from 0; constant during the block. */
    uint32_t player;
    /* Planned number of deals. */
    uint32_t deals;
    /* Random seed for this bot; a replay of the block has the same seed. */
    uint64_t seed;
    /* Name and revision of the game, for example `daihinmin/1`. */
    hattari_text game;
    /* Options of the rules as JSON. Ignore unknown keys. */
    hattari_text options_json;
};

/*
 * Description of a deal at its start. The header of the game defines the records. Pointers are
 * valid during the call and aligned to 8 bytes.
 */
struct hattari_deal_info {
    /* Size of this struct in bytes. */
    uint32_t struct_size;
    /*
     * Size of the view in bytes: at least that of the first release. A newer host can pass more
     * than your header declares.
     */
    uint32_t view_size;
    /* View record: all information that your seat has now. */
    const void *view;
    /* Event records before the first decision, if the game has any. */
    const void *history;
    /* Number of events. */
    uint32_t history_count;
    /* Distance between two events in bytes. */
    uint32_t history_stride;
};

/*
 * Input of a decision. The header of the game defines the records. Pointers are valid during the
 * call and aligned to 8 bytes.
 */
struct hattari_decision {
    /* Size of this struct in bytes. */
    uint32_t struct_size;
    /*
     * Size of the view in bytes: at least that of the first release. A newer host can pass more
     * than your header declares.
     */
    uint32_t view_size;
    /* View record: all information that your seat has now. */
    const void *view;
    /* Event records: the public history of the deal from its start. */
    const void *history;
    /*
     * Action records: the legal actions, at least two. The host carries out a forced action without
     * a call of `act`.
     */
    const void *actions;
    /* Number of events. */
    uint32_t history_count;
    /* Distance between two events in bytes. */
    uint32_t history_stride;
    /* Number of actions. */
    uint32_t action_count;
    /* Distance between two actions in bytes. */
    uint32_t action_stride;
    /* Time limit of this decision in microseconds; 0 or less for no limit. */
    int64_t budget_us;
};

/* Output of a decision. */
struct hattari_choice {
    /* Size of this struct in bytes, set by the host. Do not write fields beyond it. */
    uint32_t struct_size;
    /* Index of the chosen action, from 0. */
    uint32_t action;
    /* Amount, if the action has a range of amounts; otherwise ignored. */
    int64_t amount;
};

/* Result of a deal. Pointers are valid during the call and aligned to 8 bytes. */
struct hattari_deal_result {
    /* Size of this struct in bytes. */
    uint32_t struct_size;
    /* Size of the view in bytes. */
    uint32_t view_size;
    /* View record: your last view of the deal. */
    const void *view;
    /* Event records: the complete public history of the deal. */
    const void *history;
    /* Number of events. */
    uint32_t history_count;
    /* Distance between two events in bytes. */
    uint32_t history_stride;
    /* Payoff of each player, indexed by player number. */
    const int64_t *payoffs;
    /* Number of payoffs. */
    uint32_t payoff_count;
    /* Reserved; always 0. */
    uint32_t reserved;
};

/*
 * Host service HATTARI_SERVICE_DAIHINMIN_SEARCH: deals that are consistent with the seat's
 * information, and the mean points of each action in them. Available during `act` to bots that play
 * `daihinmin/1`. The functions return HATTARI_E_FAIL if `decision` is not the current decision, or
 * if `count` or `playouts` is 0. Random numbers come from a separate stream of the instance, which
 * the block determines. [instance]
 */
struct hattari_daihinmin_search_service {
    /*
     * Draws `count` deals and writes the cards of all seats to `hands`, 5 sets per deal, in the
     * order of seats. The probability of a deal takes the exchange and all public information into
     * account. It does not take into account the intentions behind the plays and passes of other
     * seats.
     */
    hattari_status (*sample)(
        const hattari_host *host,
        const hattari_decision *decision,
        uint32_t count,
        uint64_t *hands);
    /*
     * Plays each of `count` deals to its end, `playouts` times after each action of the decision.
     * Writes the mean points of the seat to `points`, one number per deal and action; the numbers
     * of a deal are adjacent. `hands` has the format of `sample`. `policy` is
     * HATTARI_PLAYOUT_UNIFORM or HATTARI_PLAYOUT_FITTED.
     *
     * Returns HATTARI_E_UNSUPPORTED in the exchange. Returns HATTARI_E_FAIL if a deal is not
     * consistent with the seat's information. Returns HATTARI_E_STOPPED if the time limit of the
     * decision is reached; `points` is then incomplete.
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
 * Host service HATTARI_SERVICE_BRIDGE_DOUBLE_DUMMY: tricks after each card of a decision, if all
 * players see all hands and play perfectly. Available during `act` to bots that play `bridge/1`.
 * The function returns HATTARI_E_FAIL if `decision` is not the current decision, or if `count` is
 * 0. [instance]
 */
struct hattari_bridge_double_dummy_service {
    /*
     * Solves each of `count` deals for every action of the decision. Writes the tricks of
     * declarer's side in the whole deal (0 to 13) to `tricks`, one number per deal and action; the
     * numbers of a deal are adjacent.
     *
     * `hands` contains the cards that the seats still hold:
     *
     * - 4 sets per deal, North first;
     *
     * - your own hand and dummy's hand, if it is shown, unchanged;
     *
     * - all cards that have not been played, with the actual number of cards for each seat;
     *
     * - no card of the suit led for a seat that did not follow suit in the current trick.
     *
     * Returns HATTARI_E_FAIL if `hands` does not satisfy these conditions. Returns
     * HATTARI_E_STOPPED if the time limit of the decision is reached; `tricks` is then incomplete.
     * A deal takes a few hundred milliseconds at the first trick, and less than one millisecond at
     * the sixth.
     */
    hattari_status (*tricks)(
        const hattari_host *host,
        const hattari_decision *decision,
        const uint64_t *hands,
        uint32_t count,
        uint8_t *tricks);
};

/* Functions of a bot. Order of calls: `block_start, (deal_start, act*, deal_end)*, destroy`. */
struct hattari_bot_functions {
    /* Starts a block. Returns HATTARI_E_UNSUPPORTED to refuse a game or its options. [instance] */
    hattari_status (*block_start)(hattari_bot *bot, const hattari_block_info *info);
    /*
     * Starts a deal, after the cards are dealt. May be null; may return HATTARI_UNUSED. [instance]
     */
    hattari_status (*deal_start)(hattari_bot *bot, const hattari_deal_info *info);
    /* Makes a decision: writes `choice` and returns HATTARI_OK, or returns an error. [instance] */
    hattari_status (*act)(
        hattari_bot *bot,
        const hattari_decision *decision,
        hattari_choice *choice);
    /* Ends a deal. May be null; may return HATTARI_UNUSED. [instance] */
    hattari_status (*deal_end)(hattari_bot *bot, const hattari_deal_result *result);
    /*
     * Returns the function table of the extension with this id, or null if the bot does not have
     * it. The table is valid until `destroy`. The function itself may be null. [any]
     */
    const void *(*get_extension)(const hattari_bot *bot, const char *extension_id);
    /*
     * Returns the text of the last error, valid until the next call on the bot. The function itself
     * may be null. [instance]
     */
    hattari_text (*last_error)(const hattari_bot *bot);
    /* Frees the bot. [instance] */
    void (*destroy)(hattari_bot *bot);
};

/* A bot instance. The library can store more data after this struct. */
struct hattari_bot {
    /* Functions of the bot. */
    const hattari_bot_functions *functions;
    /* Reserved for the bot. */
    void *bot_data;
};

/* Description of a bot. Texts are zero-terminated and valid as long as the library. */
struct hattari_bot_descriptor {
    /* Size of this struct in bytes. */
    uint32_t struct_size;
    /* Combination of HATTARI_BOT_LEARNS and the flags that follow it, or 0. */
    uint32_t flags;
    /*
     * Name of the bot in leagues, unique in the library: lower-case letters, digits and `-`, with a
     * letter first.
     */
    const char *id;
    /* Version of the bot. */
    const char *version;
    /* Author of the bot. May be null. */
    const char *author;
    /* Licence of the bot, as an SPDX expression. May be null. */
    const char *license;
    /* Description of the bot in one line. */
    const char *description;
    /* Games that the bot plays, for example `daihinmin/1`. A null pointer ends the list. */
    const char *const *games;
    /* JSON Schema of the config; null if the bot has no config. */
    const char *config_schema_json;
};

/* Functions of the factory HATTARI_FACTORY_BOTS. */
struct hattari_bot_factory {
    /* Returns the number of bots. [any] */
    uint32_t (*count)(void);
    /*
     * Returns the descriptor of the bot with this index, from 0; null if there is no such bot.
     * [any]
     */
    const hattari_bot_descriptor *(*descriptor)(uint32_t index);
    /*
     * Creates the bot with this id. `config_json` is JSON, or empty if the league sets no config.
     * `host` is valid as long as the instance. Services can be requested here and used from
     * `block_start` on. On failure, the function returns the status and leaves `*out` null. It may
     * then write a zero-terminated text to `error`, which has room for `error_capacity` bytes.
     * [any]
     */
    hattari_status (*create)(
        const char *bot_id,
        const hattari_host *host,
        hattari_text config_json,
        char *error,
        uint32_t error_capacity,
        hattari_bot **out);
};

/*
 * The exported constant. The host can read the versions before any code of the library's authors
 * runs.
 */
struct hattari_library_entry {
    /* Size of this struct in bytes. */
    uint32_t struct_size;
    /* HATTARI_ABI_MAJOR of the header that the library was built with. */
    uint32_t abi_major;
    /* HATTARI_ABI_MINOR of the header that the library was built with. */
    uint32_t abi_minor;
    /* Reserved; always 0. */
    uint32_t reserved;
    /*
     * Initializes the library. Called after loading, before all other functions, possibly more than
     * once. May be null. [load]
     */
    hattari_status (*init)(const char *library_path);
    /*
     * Returns the factory with this id, or null if the library does not have it. The factory is
     * valid as long as the library. [any]
     */
    const void *(*get_factory)(const char *factory_id);
};

/* The only symbol that a library exports. The library defines it; the host finds it by name. */
HATTARI_EXPORT extern const hattari_library_entry hattari_entry;

/* Checks that the library is built with the layout of the host. */
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
HATTARI_ASSERT_(sizeof(hattari_numbers_service) == 8);
HATTARI_ASSERT_(offsetof(hattari_numbers_service, log) == 0);
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
HATTARI_ASSERT_(sizeof(hattari_numbers_service) == 4);
HATTARI_ASSERT_(offsetof(hattari_numbers_service, log) == 0);
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
