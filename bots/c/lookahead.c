/*
 * lookahead: a bot in C that lets the host look ahead. It draws deals that fit what it knows, plays every action out in
 * each of them, and takes the action that brings the most points.
 *
 *     cc -O2 -std=c11 -fPIC -shared -fvisibility=hidden -Iplugin-api/include -o bots/c/liblookahead.so bots/c/lookahead.c
 *
 * With -DSELF_CHECK it holds the service to its promises at every decision and fails where one is broken.
 */
#include "hattari_daihinmin.h"

#include <stdlib.h>
#include <string.h>

#define SEATS HATTARI_DAIHINMIN_PLAYERS
/* Deals of a decision, and playouts of each action in each of them. */
#define DEALS 40u
#define PLAYOUTS 5u

typedef struct bot {
    hattari_bot header;
    const hattari_host *host;
    const hattari_daihinmin_search_service *search; /* null where the host is older */
    double *points;                                 /* room for the points of all deals */
    uint32_t room;
    uint64_t hands[DEALS * SEATS];
    const char *error;
} bot;

#if defined(SELF_CHECK)
static uint32_t ones(uint64_t set)
{
    uint32_t count = 0;
    for (; set != 0; set &= set - 1)
        count++;
    return count;
}

/* Whether the deals are such as the view allows: own cards, number of cards, and every card that is left once. */
static int fit(const hattari_daihinmin_view *view, const uint64_t *hands)
{
    uint32_t deal, seat;
    for (deal = 0; deal < DEALS; deal++) {
        uint64_t all = view->gone;
        for (seat = 0; seat < SEATS; seat++) {
            uint64_t hand = hands[deal * SEATS + seat];
            if ((all & hand) != 0 || ones(hand) != view->cards_left[seat])
                return 0;
            if (seat == view->seat && hand != view->hand)
                return 0;
            all |= hand;
        }
        if (all != HATTARI_DAIHINMIN_PACK)
            return 0;
    }
    return 1;
}

/* Wishes that the host must refuse; it writes nothing then. */
static int refuses(bot *it, const hattari_decision *decision, uint8_t seat)
{
    const hattari_daihinmin_search_service *search = it->search;
    hattari_decision copy = *decision;
    uint64_t other[SEATS];
    double points[2] = {-1.0, -1.0};
    uint64_t hands[SEATS] = {7, 7, 7, 7, 7};
    memcpy(other, it->hands, sizeof other);
    other[seat] = 0; /* nobody decides without cards */
    return search->sample(it->host, &copy, 1, hands) == HATTARI_E_FAIL && hands[0] == 7 &&
           search->sample(it->host, NULL, 1, hands) == HATTARI_E_FAIL &&
           search->sample(it->host, decision, 1, NULL) == HATTARI_E_FAIL &&
           search->playouts(it->host, &copy, it->hands, 1, 1, 0, points) == HATTARI_E_FAIL &&
           search->playouts(it->host, decision, it->hands, 1, 1, 99, points) == HATTARI_E_FAIL &&
           search->playouts(it->host, decision, other, 1, 1, 0, points) == HATTARI_E_FAIL && points[0] == -1.0;
}
#endif

static hattari_status fail(bot *it, const char *why)
{
    it->error = why;
    return HATTARI_E_FAIL;
}

static hattari_status block_start(hattari_bot *base, const hattari_block_info *info)
{
    static const char game[] = HATTARI_DAIHINMIN_GAME;
    bot *it = (bot *)base;
    if (info->game.len != sizeof game - 1 || memcmp(info->game.ptr, game, sizeof game - 1) != 0) {
        it->error = "this bot plays " HATTARI_DAIHINMIN_GAME " only";
        return HATTARI_E_UNSUPPORTED;
    }
    if (it->search == NULL) {
        it->error = "the host does not look ahead in daihinmin";
        return HATTARI_E_UNSUPPORTED;
    }
    return HATTARI_OK;
}

/* The action with the most points over all deals, the first of several. */
static uint32_t best(const double *points, uint32_t actions)
{
    double most = -1e300;
    uint32_t found = 0, action, deal;
    for (action = 0; action < actions; action++) {
        double sum = 0;
        for (deal = 0; deal < DEALS; deal++)
            sum += points[deal * actions + action];
        if (sum > most) {
            most = sum;
            found = action;
        }
    }
    return found;
}

static hattari_status act(hattari_bot *base, const hattari_decision *decision, hattari_choice *choice)
{
    bot *it = (bot *)base;
    const hattari_daihinmin_view *view = hattari_daihinmin_view_of(decision);
    hattari_status status;
    if (decision->view_size < sizeof *view || decision->action_stride < sizeof(hattari_daihinmin_action))
        return fail(it, "the host is older than this bot");
    if (it->room < decision->action_count) {
        double *points = realloc(it->points, sizeof *points * DEALS * decision->action_count);
        if (points == NULL)
            return HATTARI_E_NOMEM;
        it->points = points;
        it->room = decision->action_count;
    }
    status = it->search->sample(it->host, decision, DEALS, it->hands);
    if (status != HATTARI_OK)
        return fail(it, "no deals could be drawn");
#if defined(SELF_CHECK)
    if (!fit(view, it->hands))
        return fail(it, "a deal does not fit");
#endif
    if (view->phase == HATTARI_DAIHINMIN_PHASE_EXCHANGE) {
#if defined(SELF_CHECK)
        if (it->search->playouts(it->host, decision, it->hands, 1, 1, 0, it->points) != HATTARI_E_UNSUPPORTED)
            return fail(it, "the exchange was played on from");
#endif
        /* The strongest cards come first, so the last gift is the weakest. */
        choice->action = decision->action_count - 1;
        return HATTARI_OK;
    }
#if defined(SELF_CHECK)
    if (!refuses(it, decision, view->seat))
        return fail(it, "a wish was granted that should have been refused");
#endif
    status = it->search->playouts(it->host, decision, it->hands, DEALS, PLAYOUTS, HATTARI_PLAYOUT_UNIFORM, it->points);
    if (status != HATTARI_OK)
        return fail(it, "the deals could not be played out");
#if defined(SELF_CHECK)
    for (uint32_t i = 0; i < DEALS * decision->action_count; i++)
        if (!(it->points[i] >= 1.0 && it->points[i] <= 5.0))
            return fail(it, "points out of range");
#endif
    choice->action = best(it->points, decision->action_count);
    return HATTARI_OK;
}

static hattari_text last_error(const hattari_bot *base)
{
    const char *error = ((const bot *)base)->error;
    hattari_text text = {error, strlen(error)};
    return text;
}

static void destroy(hattari_bot *base)
{
    free(((bot *)base)->points);
    free(base);
}

static const hattari_bot_functions functions = {block_start, NULL, act, NULL, NULL, last_error, destroy};

static const char *const games[] = {HATTARI_DAIHINMIN_GAME, NULL};

static const hattari_bot_descriptor descriptor = {
    sizeof descriptor, 0, "lookahead", "1.0.0", NULL, NULL,
    "Plays what brings most in deals that the host draws and plays out", games, NULL,
};

static uint32_t count(void)
{
    return 1;
}

static const hattari_bot_descriptor *descriptor_at(uint32_t index)
{
    return index == 0 ? &descriptor : NULL;
}

static hattari_status create(const char *bot_id, const hattari_host *host, hattari_text config,
                             char *error, uint32_t capacity, hattari_bot **out)
{
    static const char nothing[] = "there is nothing to set";
    bot *it;
    *out = NULL;
    if (strcmp(bot_id, descriptor.id) != 0)
        return HATTARI_E_UNSUPPORTED;
    if (config.len > 0 && !(config.len == 2 && memcmp(config.ptr, "{}", 2) == 0)) {
        if (error != NULL && capacity >= sizeof nothing)
            memcpy(error, nothing, sizeof nothing);
        return HATTARI_E_CONFIG;
    }
    it = calloc(1, sizeof *it);
    if (it == NULL)
        return HATTARI_E_NOMEM;
    it->header.functions = &functions;
    it->host = host;
    it->search = host->get_service(host, HATTARI_SERVICE_DAIHINMIN_SEARCH);
    it->error = "";
    *out = &it->header;
    return HATTARI_OK;
}

static const hattari_bot_factory factory = {count, descriptor_at, create};

static const void *get_factory(const char *id)
{
    return strcmp(id, HATTARI_FACTORY_BOTS) == 0 ? &factory : NULL;
}

const hattari_library_entry hattari_entry = {
    sizeof hattari_entry, HATTARI_ABI_MAJOR, HATTARI_ABI_MINOR, 0, NULL, get_factory,
};
