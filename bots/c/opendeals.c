/*
 * opendeals: a bot in C that lets the host solve deals of bridge with all cards visible. It samples DEALS random deals of the
 * cards that it cannot see, and plays the card that is best on average for its side.
 *
 *     cc -O2 -std=c11 -fPIC -shared -fvisibility=hidden -Iplugin-api/include -o bots/c/libopendeals.so bots/c/opendeals.c
 *
 * While hands have more than SOLVES_FROM cards, it plays its first card. With -DSELF_CHECK it checks the results of the
 * service at every decision that is solved and fails if one is wrong.
 */
#include "hattari_bridge.h"

#include <stdlib.h>
#include <string.h>

#define SEATS HATTARI_BRIDGE_SEATS
#define DEALS 6u
#define SOLVES_FROM 8u
/* Maximum number of legal cards at a decision. */
#define CARDS 13u
/* Maximum number of deals that are rejected because a seat holds a suit in which it has shown out. */
#define TRIES 20000u

typedef struct bot {
    const hattari_host *host;
    const hattari_bridge_double_dummy_service *solver;
    const hattari_rng_service *rng;
    uint64_t hands[DEALS * SEATS];
    uint8_t tricks[DEALS * CARDS];
} bot;

#define HATTARI_BOT_ID "opendeals"
#define HATTARI_BOT_VERSION "1.0.0"
#define HATTARI_BOT_ABOUT "Plays the card that is best on average in random deals that the host solves"
#define HATTARI_BOT_GAME HATTARI_BRIDGE_GAME
#define HATTARI_BOT_VIEW hattari_bridge_view
#define HATTARI_BOT_ACTION hattari_bridge_action
#define HATTARI_BOT_STATE bot
#include "hattari_bot.h"

static uint32_t ones(uint64_t set)
{
    uint32_t count = 0;
    for (; set != 0; set &= set - 1)
        count++;
    return count;
}

static const char *begin(bot *it, const hattari_host *host)
{
    it->host = host;
    it->solver = hattari_bot_service(host, HATTARI_SERVICE_BRIDGE_DOUBLE_DUMMY);
    it->rng = hattari_bot_service(host, HATTARI_SERVICE_RNG);
    return it->solver == NULL || it->rng == NULL ? "the host has no double-dummy service" : NULL;
}

/* Sets `voids` to the cards of all suits in which each seat has shown out. */
static void find_voids(const hattari_bridge_view *view, uint64_t *voids)
{
    uint32_t n, led = 0;
    memset(voids, 0, SEATS * sizeof *voids);
    for (n = 0; n < view->played_count; n++) {
        uint32_t suit = view->cards[n] / 13u;
        if (n % 4 == 0)
            led = suit;
        else if (suit != led)
            voids[(view->leaders[n / 4] + n) % SEATS] |= HATTARI_BRIDGE_SPADES << (13 * led);
    }
}

/* Deals the unseen cards randomly to the seats whose hands are hidden. Each seat gets as many as it holds. */
static void deal(bot *it, const hattari_bridge_view *view, uint64_t *hands)
{
    uint64_t seen = view->hand | view->dummy_hand, number;
    uint8_t pool[52], card;
    uint32_t count = 0, at = 0, seat, n;
    for (seat = 0; seat < SEATS; seat++)
        seen |= view->played[seat];
    for (card = 0; card < 52; card++)
        if ((seen >> card & 1) == 0)
            pool[count++] = card;
    for (n = count; n > 1; n--) {
        it->rng->fill(it->host, &number, 1);
        uint32_t other = (uint32_t)(number % n);
        uint8_t swapped = pool[n - 1];
        pool[n - 1] = pool[other];
        pool[other] = swapped;
    }
    for (seat = 0; seat < SEATS; seat++) {
        hands[seat] = 0;
        if (seat == view->seat) {
            hands[seat] = view->hand;
        } else if (view->dummy_shown && seat == view->dummy) {
            hands[seat] = view->dummy_hand;
        } else {
            for (n = 13 - ones(view->played[seat]); n > 0; n--)
                hands[seat] |= UINT64_C(1) << pool[at++];
        }
    }
}

#if defined(SELF_CHECK)
/* Returns 1 if all numbers of tricks are possible, and if the host refuses all invalid requests and writes nothing. */
static int keeps_its_word(bot *it, const hattari_decision *decision, const hattari_bridge_view *view)
{
    const hattari_bridge_double_dummy_service *solver = it->solver;
    hattari_decision copy = *decision;
    uint64_t other[SEATS];
    uint8_t tricks[CARDS];
    uint32_t won = view->won[view->declarer % 2], left = 13 - view->played_count / 4, i;
    for (i = 0; i < DEALS * decision->action_count; i++)
        if (it->tricks[i] < won || it->tricks[i] > won + left)
            return 0;
    memset(tricks, 99, sizeof tricks);
    memcpy(other, it->hands, sizeof other);
    other[view->seat] = 0;
    return solver->tricks(it->host, &copy, it->hands, 1, tricks) == HATTARI_E_FAIL &&
           solver->tricks(it->host, NULL, it->hands, 1, tricks) == HATTARI_E_FAIL &&
           solver->tricks(it->host, decision, NULL, 1, tricks) == HATTARI_E_FAIL &&
           solver->tricks(it->host, decision, it->hands, 1, NULL) == HATTARI_E_FAIL &&
           solver->tricks(it->host, decision, other, 1, tricks) == HATTARI_E_FAIL && tricks[0] == 99 &&
           solver->tricks(it->host, decision, it->hands, 1, tricks) == HATTARI_OK &&
           memcmp(tricks, it->tricks, decision->action_count) == 0;
}
#endif

static const char *act(bot *it, const hattari_decision *decision, hattari_choice *choice)
{
    const hattari_bridge_view *view = hattari_bridge_view_of(decision);
    uint32_t n, action, tries = 0;
    uint64_t voids[SEATS];
    long best = -1000;
    choice->action = 0;
    if (decision->action_count > CARDS)
        return "there are more legal cards than a hand has";
    if (13u - view->played_count / 4u > SOLVES_FROM)
        return NULL;
    find_voids(view, voids);
    for (n = 0; n < DEALS;) {
        const uint64_t *hands = it->hands + n * SEATS;
        deal(it, view, it->hands + n * SEATS);
        if (((hands[0] & voids[0]) | (hands[1] & voids[1]) | (hands[2] & voids[2]) | (hands[3] & voids[3])) == 0)
            n++;
        else if (++tries == TRIES)
            return NULL; /* too few deals agree with the view: play the first card */
    }
    if (it->solver->tricks(it->host, decision, it->hands, DEALS, it->tricks) != HATTARI_OK)
        return "the deals could not be solved";
#if defined(SELF_CHECK)
    if (!keeps_its_word(it, decision, view))
        return "the service returned a wrong result";
#endif
    for (action = 0; action < decision->action_count; action++) {
        long sum = 0;
        for (n = 0; n < DEALS; n++)
            sum += it->tricks[n * decision->action_count + action];
        if (view->seat != view->declarer)
            sum = -sum;
        if (sum > best) {
            best = sum;
            choice->action = action;
        }
    }
    return NULL;
}

static void end(bot *it)
{
    (void)it;
}
