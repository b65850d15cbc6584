/*
 * hattari_holdem.h: the records of holdem/1, as plain structs. C11, C++11 and later.
 *
 * Generated from the description of the game's records; changes to this file are lost.
 *
 * Cards are numbered 4 times the rank plus the suit. Ranks are 0 for a two, 1 for a three and so on
 * to 12 for an ace. Suits are 0 clubs, 1 diamonds, 2 hearts, 3 spades. For example, the two of
 * clubs is 0 and the ace of spades is 51.
 *
 * A set of cards has bit 1 << n for card n. Four adjacent bits are a rank; every fourth bit is a
 * suit.
 *
 * Seats are numbered from 0 clockwise. A set of seats has bit 1 << n for seat n. Streets are
 * numbered from 0.
 */
#ifndef HATTARI_HOLDEM_H
#define HATTARI_HOLDEM_H

#include "hattari.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Name and revision of the game, as in hattari_block_info.game. */
#define HATTARI_HOLDEM_GAME "holdem/1"

#define HATTARI_HOLDEM_SEATS_MAX 9u /* Maximum number of players at a table. */
#define HATTARI_HOLDEM_NONE 255u /* Value for no seat or card. */
#define HATTARI_HOLDEM_DECK UINT64_C(0x000fffffffffffff) /* Set of all 52 cards. */
#define HATTARI_HOLDEM_CLUBS UINT64_C(0x0001111111111111) /* Set of all clubs. */
#define HATTARI_HOLDEM_RANK_ACE 12u /* Rank of the aces, the highest. */

/* Values of hattari_holdem_action.kind. */
#define HATTARI_HOLDEM_KIND_FOLD 0u
#define HATTARI_HOLDEM_KIND_CHECK 1u
#define HATTARI_HOLDEM_KIND_CALL 2u
#define HATTARI_HOLDEM_KIND_RAISE 3u

/* An action: fold, check, call, or bet or raise to a total of your choice. */
typedef struct hattari_holdem_action {
    /* Kind of action. A first bet is also a raise. HATTARI_HOLDEM_KIND_*. */
    uint8_t kind;
    /* Reserved; always 0. */
    uint8_t reserved[7];
    /*
     * For a call: chips to add. For a raise: lowest total bet of this street, including chips
     * already bet. 0 for fold and check.
     */
    int64_t lowest;
    /*
     * For a raise: highest total bet of this street, which is all-in unless a limit forbids it.
     * Otherwise equal to `lowest`.
     */
    int64_t highest;
} hattari_holdem_action;

/* Values of hattari_holdem_event.kind. */
#define HATTARI_HOLDEM_KIND_ANTE 6u
#define HATTARI_HOLDEM_KIND_BLIND 7u
#define HATTARI_HOLDEM_KIND_STREET 8u
#define HATTARI_HOLDEM_KIND_SHOW 10u
#define HATTARI_HOLDEM_KIND_RETURN 11u
#define HATTARI_HOLDEM_KIND_WIN 12u

/* Values of hattari_holdem_event.street. */
#define HATTARI_HOLDEM_STREET_PREFLOP 0u
#define HATTARI_HOLDEM_STREET_FLOP 1u
#define HATTARI_HOLDEM_STREET_TURN 2u
#define HATTARI_HOLDEM_STREET_RIVER 3u

/* Values of hattari_holdem_event.flags. */
#define HATTARI_HOLDEM_FLAGS_ALL_IN 1u

/* An event of the public history. */
typedef struct hattari_holdem_event {
    /*
     * Kind of event. `street` starts a new street and contains its community cards. `show` contains
     * the two cards of a seat. `return` gives back chips that nobody matched. `win` pays chips out.
     * HATTARI_HOLDEM_KIND_*.
     */
    uint8_t kind;
    /* Seat of the event; none for a new street. */
    uint8_t seat;
    /* Street of the event. HATTARI_HOLDEM_STREET_*. */
    uint8_t street;
    /* `all_in` if the seat puts in its last chips with this event. HATTARI_HOLDEM_FLAGS_*. */
    uint8_t flags;
    /* Reserved; always 0. */
    uint32_t reserved;
    /*
     * Chips put in for antes, blinds and calls; chips received for `return` and `win`; for a raise,
     * the seat's total bet of this street.
     */
    int64_t amount;
    /* Cards of a new street or of a shown hand. */
    uint64_t cards;
} hattari_holdem_event;

/* Values of hattari_holdem_view.street. */

/* Values of hattari_holdem_view.limit. */
#define HATTARI_HOLDEM_LIMIT_NO_LIMIT 0u
#define HATTARI_HOLDEM_LIMIT_POT_LIMIT 1u
#define HATTARI_HOLDEM_LIMIT_FIXED_LIMIT 2u

/*
 * All information that a seat has now. Arrays are indexed by seat; seats from `players` on are
 * empty.
 */
typedef struct hattari_holdem_view {
    /* Size of this record in bytes. Later releases may add fields at the end. */
    uint32_t size;
    /* Number of finished deals of this block. */
    uint32_t deal;
    /* Planned number of deals of this block. */
    uint32_t deals;
    /* Your seat. Seats are numbered clockwise in the order of play and are fixed for the block. */
    uint8_t seat;
    /* Number of players at the table. */
    uint8_t players;
    /*
     * Seat with the button. The next two seats post the blinds; heads-up, the button posts the
     * small blind.
     */
    uint8_t button;
    /* Current street. HATTARI_HOLDEM_STREET_*. */
    uint8_t street;
    /* 1 if the deal is over. */
    uint8_t over;
    /* Betting limit. HATTARI_HOLDEM_LIMIT_*. */
    uint8_t limit;
    /* Number of bets and raises on this street so far, not counting blinds. */
    uint8_t raises;
    /* Maximum of `raises` on this street; 0 for no limit. */
    uint8_t raises_max;
    /* Seats that have not folded. */
    uint16_t in_play;
    /* Seats of `in_play` that have no chips left. */
    uint16_t all_in;
    /* Your two cards. */
    uint64_t hand;
    /* Community cards dealt so far. */
    uint64_t community;
    /* Chips put in by all seats in this deal, including the bets of this street. */
    int64_t pot;
    /* Total bet of this street in chips that a seat needs to stay in. */
    int64_t level;
    /* Chips that you must add to stay in, at most all that you have. */
    int64_t to_call;
    /* Small blind in chips. */
    int64_t small_blind;
    /* Big blind in chips. */
    int64_t big_blind;
    /* Ante in chips. */
    int64_t ante;
    /* Chips left, by seat. */
    int64_t stacks[9];
    /* Chips put in on this street, by seat. */
    int64_t bets[9];
    /* Chips put in during this deal, by seat. */
    int64_t paid[9];
    /* Chips won minus chips lost in the finished deals of this block, by seat. */
    int64_t results[9];
    /* Cards of each seat that were shown to all players. */
    uint64_t shown[9];
} hattari_holdem_view;

/* The view of a decision. */
static inline const hattari_holdem_view *
hattari_holdem_view_of(const hattari_decision *decision)
{
    return (const hattari_holdem_view *)decision->view;
}

/* Action number `index` of a decision; `index` is less than its action_count. */
static inline const hattari_holdem_action *
hattari_holdem_action_at(const hattari_decision *decision, uint32_t index)
{
    const unsigned char *actions = (const unsigned char *)decision->actions;
    return (const hattari_holdem_action *)(const void *)(actions + (size_t)index * decision->action_stride);
}

/* Event number `index` of a history whose events are `stride` bytes apart. */
static inline const hattari_holdem_event *
hattari_holdem_event_at(const void *history, uint32_t stride, uint32_t index)
{
    const unsigned char *events = (const unsigned char *)history;
    return (const hattari_holdem_event *)(const void *)(events + (size_t)index * stride);
}

/* Checks that the library is built with the layout of the host. */
#if UINTPTR_MAX == 0xffffffffffffffffu || defined(__wasm32__)
HATTARI_ASSERT_(sizeof(hattari_holdem_action) == 24);
HATTARI_ASSERT_(offsetof(hattari_holdem_action, kind) == 0);
HATTARI_ASSERT_(offsetof(hattari_holdem_action, reserved) == 1);
HATTARI_ASSERT_(offsetof(hattari_holdem_action, lowest) == 8);
HATTARI_ASSERT_(offsetof(hattari_holdem_action, highest) == 16);
HATTARI_ASSERT_(sizeof(hattari_holdem_event) == 24);
HATTARI_ASSERT_(offsetof(hattari_holdem_event, kind) == 0);
HATTARI_ASSERT_(offsetof(hattari_holdem_event, seat) == 1);
HATTARI_ASSERT_(offsetof(hattari_holdem_event, street) == 2);
HATTARI_ASSERT_(offsetof(hattari_holdem_event, flags) == 3);
HATTARI_ASSERT_(offsetof(hattari_holdem_event, reserved) == 4);
HATTARI_ASSERT_(offsetof(hattari_holdem_event, amount) == 8);
HATTARI_ASSERT_(offsetof(hattari_holdem_event, cards) == 16);
HATTARI_ASSERT_(sizeof(hattari_holdem_view) == 448);
HATTARI_ASSERT_(offsetof(hattari_holdem_view, size) == 0);
HATTARI_ASSERT_(offsetof(hattari_holdem_view, deal) == 4);
HATTARI_ASSERT_(offsetof(hattari_holdem_view, deals) == 8);
HATTARI_ASSERT_(offsetof(hattari_holdem_view, seat) == 12);
HATTARI_ASSERT_(offsetof(hattari_holdem_view, players) == 13);
HATTARI_ASSERT_(offsetof(hattari_holdem_view, button) == 14);
HATTARI_ASSERT_(offsetof(hattari_holdem_view, street) == 15);
HATTARI_ASSERT_(offsetof(hattari_holdem_view, over) == 16);
HATTARI_ASSERT_(offsetof(hattari_holdem_view, limit) == 17);
HATTARI_ASSERT_(offsetof(hattari_holdem_view, raises) == 18);
HATTARI_ASSERT_(offsetof(hattari_holdem_view, raises_max) == 19);
HATTARI_ASSERT_(offsetof(hattari_holdem_view, in_play) == 20);
HATTARI_ASSERT_(offsetof(hattari_holdem_view, all_in) == 22);
HATTARI_ASSERT_(offsetof(hattari_holdem_view, hand) == 24);
HATTARI_ASSERT_(offsetof(hattari_holdem_view, community) == 32);
HATTARI_ASSERT_(offsetof(hattari_holdem_view, pot) == 40);
HATTARI_ASSERT_(offsetof(hattari_holdem_view, level) == 48);
HATTARI_ASSERT_(offsetof(hattari_holdem_view, to_call) == 56);
HATTARI_ASSERT_(offsetof(hattari_holdem_view, small_blind) == 64);
HATTARI_ASSERT_(offsetof(hattari_holdem_view, big_blind) == 72);
HATTARI_ASSERT_(offsetof(hattari_holdem_view, ante) == 80);
HATTARI_ASSERT_(offsetof(hattari_holdem_view, stacks) == 88);
HATTARI_ASSERT_(offsetof(hattari_holdem_view, bets) == 160);
HATTARI_ASSERT_(offsetof(hattari_holdem_view, paid) == 232);
HATTARI_ASSERT_(offsetof(hattari_holdem_view, results) == 304);
HATTARI_ASSERT_(offsetof(hattari_holdem_view, shown) == 376);
#endif

#ifdef __cplusplus
}
#endif

#endif /* HATTARI_HOLDEM_H */
