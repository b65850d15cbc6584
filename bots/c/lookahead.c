/*
 * lookahead: a bot in C that lets the host look ahead. The host samples deals that are consistent with the view and plays
 * every action to the end in each of them. The bot takes the action with the most points.
 *
 *     cc -O2 -std=c11 -fPIC -shared -fvisibility=hidden -Iplugin-api/include -o bots/c/liblookahead.so bots/c/lookahead.c
 *
 * With -DSELF_CHECK it checks the results of the service at every decision and fails if one is wrong.
 */
#include "hattari_daihinmin.h"

#include <stdlib.h>
#include <string.h>

#define SEATS HATTARI_DAIHINMIN_PLAYERS
/* Number of deals per decision, and of playouts of each action in each deal. */
#define DEALS 40u
#define PLAYOUTS 5u

typedef struct bot {
    const hattari_host *host;
    const hattari_daihinmin_search_service *search;
    double *points;                                 /* points of all actions in all deals */
    uint32_t room;
    uint64_t hands[DEALS * SEATS];
} bot;

#define HATTARI_BOT_ID "lookahead"
#define HATTARI_BOT_VERSION "1.0.0"
#define HATTARI_BOT_ABOUT "Plays the action with the most points in random playouts by the host"
#define HATTARI_BOT_GAME HATTARI_DAIHINMIN_GAME
#define HATTARI_BOT_VIEW hattari_daihinmin_view
#define HATTARI_BOT_ACTION hattari_daihinmin_action
#define HATTARI_BOT_STATE bot
#include "hattari_bot.h"

#if defined(SELF_CHECK)
static uint32_t ones(uint64_t set)
{
    uint32_t count = 0;
    for (; set != 0; set &= set - 1)
        count++;
    return count;
}

/* Returns 1 if the deals agree with the view: the bot's cards, the numbers of cards, and each remaining card once. */
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

/* Returns 1 if the host refuses all invalid requests and writes nothing. */
static int refuses(bot *it, const hattari_decision *decision, uint8_t seat)
{
    const hattari_daihinmin_search_service *search = it->search;
    hattari_decision copy = *decision;
    uint64_t other[SEATS];
    double points[2] = {-1.0, -1.0};
    uint64_t hands[SEATS] = {7, 7, 7, 7, 7};
    memcpy(other, it->hands, sizeof other);
    other[seat] = 0; /* a seat without cards has no decision */
    return search->sample(it->host, &copy, 1, hands) == HATTARI_E_FAIL && hands[0] == 7 &&
           search->sample(it->host, NULL, 1, hands) == HATTARI_E_FAIL &&
           search->sample(it->host, decision, 1, NULL) == HATTARI_E_FAIL &&
           search->playouts(it->host, &copy, it->hands, 1, 1, 0, points) == HATTARI_E_FAIL &&
           search->playouts(it->host, decision, it->hands, 1, 1, 99, points) == HATTARI_E_FAIL &&
           search->playouts(it->host, decision, other, 1, 1, 0, points) == HATTARI_E_FAIL && points[0] == -1.0;
}
#endif

static const char *begin(bot *it, const hattari_host *host)
{
    it->host = host;
    it->search = hattari_bot_service(host, HATTARI_SERVICE_DAIHINMIN_SEARCH);
    return it->search == NULL ? "the host has no look-ahead service for daihinmin" : NULL;
}

/* Returns the action with the most points over all deals, the first of equal ones. */
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

static const char *act(bot *it, const hattari_decision *decision, hattari_choice *choice)
{
    const hattari_daihinmin_view *view = hattari_daihinmin_view_of(decision);
    hattari_status status;
    if (it->room < decision->action_count) {
        double *points = realloc(it->points, sizeof *points * DEALS * decision->action_count);
        if (points == NULL)
            return "out of memory";
        it->points = points;
        it->room = decision->action_count;
    }
    status = it->search->sample(it->host, decision, DEALS, it->hands);
    if (status != HATTARI_OK)
        return "no deals could be sampled";
#if defined(SELF_CHECK)
    if (!fit(view, it->hands))
        return "a deal contradicts the view";
#endif
    if (view->phase == HATTARI_DAIHINMIN_PHASE_EXCHANGE) {
#if defined(SELF_CHECK)
        if (it->search->playouts(it->host, decision, it->hands, 1, 1, 0, it->points) != HATTARI_E_UNSUPPORTED)
            return "playouts of the exchange were not refused";
#endif
        /* The strongest cards come first, so the last gift is the weakest. */
        choice->action = decision->action_count - 1;
        return NULL;
    }
#if defined(SELF_CHECK)
    if (!refuses(it, decision, view->seat))
        return "an invalid request was not refused";
#endif
    status = it->search->playouts(it->host, decision, it->hands, DEALS, PLAYOUTS, HATTARI_PLAYOUT_UNIFORM, it->points);
    if (status != HATTARI_OK)
        return "the playouts failed";
#if defined(SELF_CHECK)
    for (uint32_t i = 0; i < DEALS * decision->action_count; i++)
        if (!(it->points[i] >= 1.0 && it->points[i] <= 5.0))
            return "points out of range";
#endif
    choice->action = best(it->points, decision->action_count);
    return NULL;
}

static void end(bot *it)
{
    free(it->points);
}
