/*
 * hattari_stud.h: the records of stud/1, as plain structs. C11, C++11 and later.
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
#ifndef HATTARI_STUD_H
#define HATTARI_STUD_H

#include "hattari.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Name and revision of the game, as in hattari_block_info.game. */
#define HATTARI_STUD_GAME "stud/1"

#define HATTARI_STUD_SEATS_MAX 8u /* Maximum number of players at a table. */
#define HATTARI_STUD_NONE 255u /* Value for no seat or card. */
#define HATTARI_STUD_DECK UINT64_C(0x000fffffffffffff) /* Set of all 52 cards. */
#define HATTARI_STUD_CLUBS UINT64_C(0x0001111111111111) /* Set of all clubs. */
#define HATTARI_STUD_RANK_ACE 12u /* Rank of the aces, the highest. */

/* Values of hattari_stud_action.kind. */
#define HATTARI_STUD_KIND_FOLD 0u
#define HATTARI_STUD_KIND_CHECK 1u
#define HATTARI_STUD_KIND_CALL 2u
#define HATTARI_STUD_KIND_RAISE 3u
#define HATTARI_STUD_KIND_BRING_IN 4u
#define HATTARI_STUD_KIND_OPEN 5u

/* An action: fold, check, call, bet or raise, post the bring-in, or turn a card up. */
typedef struct hattari_stud_action {
    /*
     * Kind of action. A first bet is also a raise, and so is the completion of the bring-in.
     * HATTARI_STUD_KIND_*.
     */
    uint8_t kind;
    /* Hidden card to turn up; 0xff for other kinds. */
    uint8_t card;
    /* Reserved; always 0. */
    uint8_t reserved[6];
    /*
     * For a call or the bring-in: chips to add. For a raise: lowest total bet of this street,
     * including chips already bet. 0 for other kinds.
     */
    int64_t lowest;
    /* For a raise: highest total bet of this street. Otherwise equal to `lowest`. */
    int64_t highest;
} hattari_stud_action;

/* Values of hattari_stud_event.kind. */
#define HATTARI_STUD_KIND_ANTE 6u
#define HATTARI_STUD_KIND_STREET 8u
#define HATTARI_STUD_KIND_UP 9u
#define HATTARI_STUD_KIND_SHOW 10u
#define HATTARI_STUD_KIND_RETURN 11u
#define HATTARI_STUD_KIND_WIN 12u

/* Values of hattari_stud_event.flags. */
#define HATTARI_STUD_FLAGS_ALL_IN 1u

/* An event of the public history. */
typedef struct hattari_stud_event {
    /*
     * Kind of event. `street` starts a new street, with a community card if the deck has too few
     * cards. `up` contains cards dealt face up. `open` contains the card turned up. `show` contains
     * the whole hand of a seat. `return` gives back chips that nobody matched. `win` pays chips
     * out. HATTARI_STUD_KIND_*.
     */
    uint8_t kind;
    /* Seat of the event; none for a new street. */
    uint8_t seat;
    /* Street of the event. */
    uint8_t street;
    /* `all_in` if the seat puts in its last chips with this event. HATTARI_STUD_FLAGS_*. */
    uint8_t flags;
    /* Reserved; always 0. */
    uint32_t reserved;
    /*
     * Chips put in for antes, the bring-in and calls; chips received for `return` and `win`; for a
     * raise, the seat's total bet of this street.
     */
    int64_t amount;
    /* Cards that this event shows to all players. */
    uint64_t cards;
} hattari_stud_event;

/* Values of hattari_stud_view.phase. */
#define HATTARI_STUD_PHASE_BET 0u
#define HATTARI_STUD_PHASE_OPEN 1u
#define HATTARI_STUD_PHASE_OVER 2u

/* Values of hattari_stud_view.limit. */
#define HATTARI_STUD_LIMIT_FIXED_LIMIT 2u
#define HATTARI_STUD_LIMIT_STREET_POT 3u

/*
 * All information that a seat has now. Arrays are indexed by seat; seats from `players` on are
 * empty.
 */
typedef struct hattari_stud_view {
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
     * Seat of the dealer. If several open hands are equal, the next one after the dealer acts
     * first. In seven turns, the seat that bets first.
     */
    uint8_t button;
    /* Current street; in seven turns, the current turn. */
    uint8_t street;
    /* Number of streets of a deal. */
    uint8_t streets;
    /* Phase of the deal. HATTARI_STUD_PHASE_*. */
    uint8_t phase;
    /* Betting limit. HATTARI_STUD_LIMIT_*. */
    uint8_t limit;
    /* Number of bets and raises on this street so far, not counting the bring-in. */
    uint8_t raises;
    /* Maximum of `raises` on a street; 0 for no limit. */
    uint8_t raises_max;
    /* Reserved; always 0. */
    uint8_t reserved[3];
    /* Seats that have not folded. */
    uint32_t in_play;
    /* Seats of `in_play` that have no chips left. */
    uint32_t all_in;
    /* Your cards. */
    uint64_t hand;
    /* Cards of `hand` that no other player has seen. */
    uint64_t down;
    /* Community cards: one if the deck had too few cards for all seats, otherwise none. */
    uint64_t community;
    /* Chips put in by all seats in this deal, including the bets of this street. */
    int64_t pot;
    /* Chips put in by all seats before this street. */
    int64_t street_pot;
    /* Total bet of this street in chips that a seat needs to stay in. */
    int64_t level;
    /* Chips that you must add to stay in, at most all that you have. */
    int64_t to_call;
    /* Bet of this street in chips; in seven turns, the minimum bet. */
    int64_t bet;
    /* Ante in chips. */
    int64_t ante;
    /* Bring-in in chips. */
    int64_t bring_in;
    /* Chips left, by seat. */
    int64_t stacks[8];
    /* Chips put in on this street, by seat. */
    int64_t bets[8];
    /* Chips put in during this deal, by seat. */
    int64_t paid[8];
    /* Chips won minus chips lost in the finished deals of this block, by seat. */
    int64_t results[8];
    /* Open cards of each seat, including those of folded hands. */
    uint64_t up[8];
    /* Cards of each seat that all players have seen: open cards, and whole hands at the end. */
    uint64_t shown[8];
} hattari_stud_view;

/* The view of a decision. */
static inline const hattari_stud_view *
hattari_stud_view_of(const hattari_decision *decision)
{
    return (const hattari_stud_view *)decision->view;
}

/* Action number `index` of a decision; `index` is less than its action_count. */
static inline const hattari_stud_action *
hattari_stud_action_at(const hattari_decision *decision, uint32_t index)
{
    const unsigned char *actions = (const unsigned char *)decision->actions;
    return (const hattari_stud_action *)(const void *)(actions + (size_t)index * decision->action_stride);
}

/* Event number `index` of a history whose events are `stride` bytes apart. */
static inline const hattari_stud_event *
hattari_stud_event_at(const void *history, uint32_t stride, uint32_t index)
{
    const unsigned char *events = (const unsigned char *)history;
    return (const hattari_stud_event *)(const void *)(events + (size_t)index * stride);
}

/* Checks that the library is built with the layout of the host. */
#if UINTPTR_MAX == 0xffffffffffffffffu || defined(__wasm32__)
HATTARI_ASSERT_(sizeof(hattari_stud_action) == 24);
HATTARI_ASSERT_(offsetof(hattari_stud_action, kind) == 0);
HATTARI_ASSERT_(offsetof(hattari_stud_action, card) == 1);
HATTARI_ASSERT_(offsetof(hattari_stud_action, reserved) == 2);
HATTARI_ASSERT_(offsetof(hattari_stud_action, lowest) == 8);
HATTARI_ASSERT_(offsetof(hattari_stud_action, highest) == 16);
HATTARI_ASSERT_(sizeof(hattari_stud_event) == 24);
HATTARI_ASSERT_(offsetof(hattari_stud_event, kind) == 0);
HATTARI_ASSERT_(offsetof(hattari_stud_event, seat) == 1);
HATTARI_ASSERT_(offsetof(hattari_stud_event, street) == 2);
HATTARI_ASSERT_(offsetof(hattari_stud_event, flags) == 3);
HATTARI_ASSERT_(offsetof(hattari_stud_event, reserved) == 4);
HATTARI_ASSERT_(offsetof(hattari_stud_event, amount) == 8);
HATTARI_ASSERT_(offsetof(hattari_stud_event, cards) == 16);
HATTARI_ASSERT_(sizeof(hattari_stud_view) == 496);
HATTARI_ASSERT_(offsetof(hattari_stud_view, size) == 0);
HATTARI_ASSERT_(offsetof(hattari_stud_view, deal) == 4);
HATTARI_ASSERT_(offsetof(hattari_stud_view, deals) == 8);
HATTARI_ASSERT_(offsetof(hattari_stud_view, seat) == 12);
HATTARI_ASSERT_(offsetof(hattari_stud_view, players) == 13);
HATTARI_ASSERT_(offsetof(hattari_stud_view, button) == 14);
HATTARI_ASSERT_(offsetof(hattari_stud_view, street) == 15);
HATTARI_ASSERT_(offsetof(hattari_stud_view, streets) == 16);
HATTARI_ASSERT_(offsetof(hattari_stud_view, phase) == 17);
HATTARI_ASSERT_(offsetof(hattari_stud_view, limit) == 18);
HATTARI_ASSERT_(offsetof(hattari_stud_view, raises) == 19);
HATTARI_ASSERT_(offsetof(hattari_stud_view, raises_max) == 20);
HATTARI_ASSERT_(offsetof(hattari_stud_view, reserved) == 21);
HATTARI_ASSERT_(offsetof(hattari_stud_view, in_play) == 24);
HATTARI_ASSERT_(offsetof(hattari_stud_view, all_in) == 28);
HATTARI_ASSERT_(offsetof(hattari_stud_view, hand) == 32);
HATTARI_ASSERT_(offsetof(hattari_stud_view, down) == 40);
HATTARI_ASSERT_(offsetof(hattari_stud_view, community) == 48);
HATTARI_ASSERT_(offsetof(hattari_stud_view, pot) == 56);
HATTARI_ASSERT_(offsetof(hattari_stud_view, street_pot) == 64);
HATTARI_ASSERT_(offsetof(hattari_stud_view, level) == 72);
HATTARI_ASSERT_(offsetof(hattari_stud_view, to_call) == 80);
HATTARI_ASSERT_(offsetof(hattari_stud_view, bet) == 88);
HATTARI_ASSERT_(offsetof(hattari_stud_view, ante) == 96);
HATTARI_ASSERT_(offsetof(hattari_stud_view, bring_in) == 104);
HATTARI_ASSERT_(offsetof(hattari_stud_view, stacks) == 112);
HATTARI_ASSERT_(offsetof(hattari_stud_view, bets) == 176);
HATTARI_ASSERT_(offsetof(hattari_stud_view, paid) == 240);
HATTARI_ASSERT_(offsetof(hattari_stud_view, results) == 304);
HATTARI_ASSERT_(offsetof(hattari_stud_view, up) == 368);
HATTARI_ASSERT_(offsetof(hattari_stud_view, shown) == 432);
#endif

#ifdef __cplusplus
}
#endif

#endif /* HATTARI_STUD_H */
