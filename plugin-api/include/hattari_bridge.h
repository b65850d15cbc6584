/*
 * hattari_bridge.h: the records of bridge/1, as plain structs. C11, C++11 and later.
 *
 * Generated from the description of the game's records; changes to this file are lost.
 *
 * Cards are numbered 13 times the suit plus the rank. Suits are 0 spades, 1 hearts, 2 diamonds, 3
 * clubs. Ranks are 0 for a two, 1 for a three and so on to 12 for an ace. For example, the two of
 * spades is 0 and the ace of clubs is 51.
 *
 * A set of cards has bit 1 << n for card n: thirteen adjacent bits are a suit.
 *
 * Seats are 0 North, 1 East, 2 South, 3 West, in the order of play.
 */
#ifndef HATTARI_BRIDGE_H
#define HATTARI_BRIDGE_H

#include "hattari.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Name and revision of the game, as in hattari_block_info.game. */
#define HATTARI_BRIDGE_GAME "bridge/1"

#define HATTARI_BRIDGE_SEATS 4u /* Number of seats at a table. */
#define HATTARI_BRIDGE_NONE 255u /* Value for no seat, card or call. */
#define HATTARI_BRIDGE_PACK UINT64_C(0x000fffffffffffff) /* Set of all 52 cards. */
#define HATTARI_BRIDGE_SPADES UINT64_C(0x0000000000001fff) /* Set of all spades. */

/* A card that can be played. */
typedef struct hattari_bridge_action {
    /* Card to play. */
    uint8_t card;
    /* Seat that holds the card: your seat, or dummy's if you are declarer. */
    uint8_t seat;
    /* Reserved; always 0. */
    uint8_t reserved[6];
} hattari_bridge_action;

/* Values of hattari_bridge_event.kind. */
#define HATTARI_BRIDGE_KIND_CALL 0u
#define HATTARI_BRIDGE_KIND_DUMMY 1u
#define HATTARI_BRIDGE_KIND_CARD 2u

/*
 * An event of the public history: the calls, then the cards, with dummy's hand after the first
 * card.
 */
typedef struct hattari_bridge_event {
    /* Kind of event. HATTARI_BRIDGE_KIND_*. */
    uint8_t kind;
    /* Seat of the call, the hand or the card. */
    uint8_t seat;
    /*
     * The call: 0 pass, 1 double, 2 redouble, 3 to 37 the bids 1C, 1D, 1H, 1S, 1NT, 2C and so on to
     * 7NT; 255 for other kinds.
     */
    uint8_t call;
    /* Card played; none for other kinds. */
    uint8_t card;
    /* Trick of the card, from 0; 0 for other kinds. */
    uint8_t trick;
    /* Seat that won the trick, if this card was the last of the trick; otherwise none. */
    uint8_t winner;
    /* Reserved; always 0. */
    uint8_t reserved[2];
    /* Hand of dummy; empty for other kinds. */
    uint64_t cards;
} hattari_bridge_event;

/* Values of hattari_bridge_view.strain. */
#define HATTARI_BRIDGE_STRAIN_SPADES 0u
#define HATTARI_BRIDGE_STRAIN_HEARTS 1u
#define HATTARI_BRIDGE_STRAIN_DIAMONDS 2u
#define HATTARI_BRIDGE_STRAIN_CLUBS 3u
#define HATTARI_BRIDGE_STRAIN_NO_TRUMP 4u

/* Values of hattari_bridge_view.vulnerable. */
#define HATTARI_BRIDGE_VULNERABLE_NORTH_SOUTH 1u
#define HATTARI_BRIDGE_VULNERABLE_EAST_WEST 2u

/* All information that a seat has now. Arrays of four are indexed by seat. */
typedef struct hattari_bridge_view {
    /* Size of this record in bytes. Later releases may add fields at the end. */
    uint32_t size;
    /* Number of finished deals of this block. */
    uint32_t deal;
    /* Planned number of deals of this block. */
    uint32_t deals;
    /* Your seat: 0 North, 1 East, 2 South, 3 West. */
    uint8_t seat;
    /* Dealer: the seat of the first call. */
    uint8_t dealer;
    /* Declarer: the seat that plays the contract. */
    uint8_t declarer;
    /* Dummy: declarer's partner. Declarer plays dummy's cards. */
    uint8_t dummy;
    /* Level of the contract, 1 to 7: tricks over six that declarer must win. */
    uint8_t level;
    /* Strain of the contract: the trump suit, or no trumps. HATTARI_BRIDGE_STRAIN_*. */
    uint8_t strain;
    /* State of the contract: 0 undoubled, 1 doubled, 2 redoubled. */
    uint8_t doubling;
    /* Vulnerable sides. HATTARI_BRIDGE_VULNERABLE_*. */
    uint8_t vulnerable;
    /* Seat that plays the next card; none if the deal is over. Declarer decides for dummy. */
    uint8_t turn;
    /* Seat that leads to the current trick or has led to it. */
    uint8_t leader;
    /* Number of cards in the current trick, 0 to 3. */
    uint8_t on_table;
    /* Number of cards played in this deal, 0 to 52. */
    uint8_t played_count;
    /* Number of tricks won by North-South and by East-West. */
    uint8_t won[2];
    /* Number of calls in the auction. */
    uint8_t call_count;
    /* 1 after dummy has shown its hand, 0 before. */
    uint8_t dummy_shown;
    /* Reserved; always 0. */
    uint8_t reserved[4];
    /* Cards that you hold. */
    uint64_t hand;
    /* Cards that dummy holds, after dummy has shown its hand. */
    uint64_t dummy_hand;
    /* Cards that each seat has played. */
    uint64_t played[4];
    /* Points of each seat in the finished deals of this block. */
    int64_t results[4];
    /* Cards in the order of play, four per trick; none from index `played_count` on. */
    uint8_t cards[52];
    /* Seat that led to each trick; none for future tricks. */
    uint8_t leaders[13];
    /* Calls in order, the dealer's first, numbered as in events; 255 from index `call_count` on. */
    uint8_t calls[64];
    /* Reserved; always 0. */
    uint8_t reserved_end[7];
} hattari_bridge_view;

/* The view of a decision. */
static inline const hattari_bridge_view *
hattari_bridge_view_of(const hattari_decision *decision)
{
    return (const hattari_bridge_view *)decision->view;
}

/* Action number `index` of a decision; `index` is less than its action_count. */
static inline const hattari_bridge_action *
hattari_bridge_action_at(const hattari_decision *decision, uint32_t index)
{
    const unsigned char *actions = (const unsigned char *)decision->actions;
    return (const hattari_bridge_action *)(const void *)(actions + (size_t)index * decision->action_stride);
}

/* Event number `index` of a history whose events are `stride` bytes apart. */
static inline const hattari_bridge_event *
hattari_bridge_event_at(const void *history, uint32_t stride, uint32_t index)
{
    const unsigned char *events = (const unsigned char *)history;
    return (const hattari_bridge_event *)(const void *)(events + (size_t)index * stride);
}

/* Checks that the library is built with the layout of the host. */
#if UINTPTR_MAX == 0xffffffffffffffffu || defined(__wasm32__)
HATTARI_ASSERT_(sizeof(hattari_bridge_action) == 8);
HATTARI_ASSERT_(offsetof(hattari_bridge_action, card) == 0);
HATTARI_ASSERT_(offsetof(hattari_bridge_action, seat) == 1);
HATTARI_ASSERT_(offsetof(hattari_bridge_action, reserved) == 2);
HATTARI_ASSERT_(sizeof(hattari_bridge_event) == 16);
HATTARI_ASSERT_(offsetof(hattari_bridge_event, kind) == 0);
HATTARI_ASSERT_(offsetof(hattari_bridge_event, seat) == 1);
HATTARI_ASSERT_(offsetof(hattari_bridge_event, call) == 2);
HATTARI_ASSERT_(offsetof(hattari_bridge_event, card) == 3);
HATTARI_ASSERT_(offsetof(hattari_bridge_event, trick) == 4);
HATTARI_ASSERT_(offsetof(hattari_bridge_event, winner) == 5);
HATTARI_ASSERT_(offsetof(hattari_bridge_event, reserved) == 6);
HATTARI_ASSERT_(offsetof(hattari_bridge_event, cards) == 8);
HATTARI_ASSERT_(sizeof(hattari_bridge_view) == 248);
HATTARI_ASSERT_(offsetof(hattari_bridge_view, size) == 0);
HATTARI_ASSERT_(offsetof(hattari_bridge_view, deal) == 4);
HATTARI_ASSERT_(offsetof(hattari_bridge_view, deals) == 8);
HATTARI_ASSERT_(offsetof(hattari_bridge_view, seat) == 12);
HATTARI_ASSERT_(offsetof(hattari_bridge_view, dealer) == 13);
HATTARI_ASSERT_(offsetof(hattari_bridge_view, declarer) == 14);
HATTARI_ASSERT_(offsetof(hattari_bridge_view, dummy) == 15);
HATTARI_ASSERT_(offsetof(hattari_bridge_view, level) == 16);
HATTARI_ASSERT_(offsetof(hattari_bridge_view, strain) == 17);
HATTARI_ASSERT_(offsetof(hattari_bridge_view, doubling) == 18);
HATTARI_ASSERT_(offsetof(hattari_bridge_view, vulnerable) == 19);
HATTARI_ASSERT_(offsetof(hattari_bridge_view, turn) == 20);
HATTARI_ASSERT_(offsetof(hattari_bridge_view, leader) == 21);
HATTARI_ASSERT_(offsetof(hattari_bridge_view, on_table) == 22);
HATTARI_ASSERT_(offsetof(hattari_bridge_view, played_count) == 23);
HATTARI_ASSERT_(offsetof(hattari_bridge_view, won) == 24);
HATTARI_ASSERT_(offsetof(hattari_bridge_view, call_count) == 26);
HATTARI_ASSERT_(offsetof(hattari_bridge_view, dummy_shown) == 27);
HATTARI_ASSERT_(offsetof(hattari_bridge_view, reserved) == 28);
HATTARI_ASSERT_(offsetof(hattari_bridge_view, hand) == 32);
HATTARI_ASSERT_(offsetof(hattari_bridge_view, dummy_hand) == 40);
HATTARI_ASSERT_(offsetof(hattari_bridge_view, played) == 48);
HATTARI_ASSERT_(offsetof(hattari_bridge_view, results) == 80);
HATTARI_ASSERT_(offsetof(hattari_bridge_view, cards) == 112);
HATTARI_ASSERT_(offsetof(hattari_bridge_view, leaders) == 164);
HATTARI_ASSERT_(offsetof(hattari_bridge_view, calls) == 177);
HATTARI_ASSERT_(offsetof(hattari_bridge_view, reserved_end) == 241);
#endif

#ifdef __cplusplus
}
#endif

#endif /* HATTARI_BRIDGE_H */
