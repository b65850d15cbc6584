/*
 * hattari_holdem.h: the records of holdem/1, as plain structs. C11, C++11 and later.
 *
 * Generated from the description of the game's records; changes to this file are lost.
 *
 * Cards are numbered 4 times the rank plus the suit: ranks are 0 for a two, 1 for a three and so on
 * to 12 for an ace, suits are 0 clubs, 1 diamonds, 2 hearts, 3 spades. So the two of clubs is 0 and
 * the ace of spades is 51.
 *
 * A set of cards has bit 1 << n for card n: four neighbouring bits are a rank, every fourth bit is
 * a suit.
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

#define HATTARI_HOLDEM_SEATS_MAX 9u /* Most players of a table. */
#define HATTARI_HOLDEM_NONE 255u /* Seat or card that is none. */
#define HATTARI_HOLDEM_DECK UINT64_C(0x000fffffffffffff) /* The set of all 52 cards. */
#define HATTARI_HOLDEM_CLUBS UINT64_C(0x0001111111111111) /* The set of all clubs. */
#define HATTARI_HOLDEM_RANK_ACE 12u /* Rank of the aces, the highest. */

/* Values of hattari_holdem_action.kind. */
#define HATTARI_HOLDEM_KIND_FOLD 0u
#define HATTARI_HOLDEM_KIND_CHECK 1u
#define HATTARI_HOLDEM_KIND_CALL 2u
#define HATTARI_HOLDEM_KIND_RAISE 3u

/* Something that a seat may do: fold, check, call, or bet and raise by an amount of its choice. */
typedef struct hattari_holdem_action {
    /* What. A bet is a raise over nothing. HATTARI_HOLDEM_KIND_*. */
    uint8_t kind;
    /* Zero. */
    uint8_t reserved[7];
    /*
     * For a call the chips that it takes. For a raise the least amount: amounts are what you will
     * have put in on this street in all, so they count what lies there already. 0 for fold and
     * check.
     */
    int64_t lowest;
    /*
     * For a raise the highest amount, with which you are all in unless a limit forbids it; else as
     * `lowest`.
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

/* One line of the public record: who did what. */
typedef struct hattari_holdem_event {
    /*
     * What happened. `street` begins a new street and has its community cards, `show` has a seat's
     * two cards, `return` gives chips back that nobody matched, `win` pays out.
     * HATTARI_HOLDEM_KIND_*.
     */
    uint8_t kind;
    /* Whose; nobody for a new street. */
    uint8_t seat;
    /* On which street. HATTARI_HOLDEM_STREET_*. */
    uint8_t street;
    /* Whether the seat has put in all its chips with it. HATTARI_HOLDEM_FLAGS_*. */
    uint8_t flags;
    /* Zero. */
    uint32_t reserved;
    /*
     * Chips: put in for antes, blinds and calls; got back or won; for a raise the seat's total of
     * this street.
     */
    int64_t amount;
    /* Cards of a new street or of a hand shown. */
    uint64_t cards;
} hattari_holdem_event;

/* Values of hattari_holdem_view.street. */

/* Values of hattari_holdem_view.limit. */
#define HATTARI_HOLDEM_LIMIT_NO_LIMIT 0u
#define HATTARI_HOLDEM_LIMIT_POT_LIMIT 1u
#define HATTARI_HOLDEM_LIMIT_FIXED_LIMIT 2u

/* All that a seat may know now. Arrays go by seat; seats past `players` are empty. */
typedef struct hattari_holdem_view {
    /* Size of this record in bytes. Later releases may add fields at the end. */
    uint32_t size;
    /* Deals of this block that are finished. */
    uint32_t deal;
    /* Deals planned for this block. */
    uint32_t deals;
    /*
     * Your seat. Seats are numbered clockwise, which is the order of play, and stay for the block.
     */
    uint8_t seat;
    /* Players of the table. */
    uint8_t players;
    /*
     * Seat with the button. The next two post the blinds; heads-up the button posts the small one.
     */
    uint8_t button;
    /* The street. HATTARI_HOLDEM_STREET_*. */
    uint8_t street;
    /* 1 when the deal is over. */
    uint8_t over;
    /* How much may be bet. HATTARI_HOLDEM_LIMIT_*. */
    uint8_t limit;
    /* Bets and raises of this street so far, blinds not counted. */
    uint8_t raises;
    /* Most of them that the rules allow on this street; 0 for no bound. */
    uint8_t raises_max;
    /* Seats that have not folded. */
    uint16_t in_play;
    /* Of these, the ones that have no chips left. */
    uint16_t all_in;
    /* Your two cards. */
    uint64_t hand;
    /* The community cards dealt so far. */
    uint64_t community;
    /* All chips put in in this deal, this street's bets among them. */
    int64_t pot;
    /* What a seat must have put in on this street to stay in. */
    int64_t level;
    /* Chips that you would have to add to stay in, all you have at most. */
    int64_t to_call;
    /* Chips of the small blind. */
    int64_t small_blind;
    /* Chips of the big blind. */
    int64_t big_blind;
    /* Chips of the ante. */
    int64_t ante;
    /* Chips that each seat has left. */
    int64_t stacks[9];
    /* Chips that each seat has put in on this street. */
    int64_t bets[9];
    /* Chips that each seat has put in in this deal. */
    int64_t paid[9];
    /* Chips that each seat has won in the finished deals of this block, less those lost. */
    int64_t results[9];
    /* Cards of each seat that were shown to all. */
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

/* The layout that both sides count on. */
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
