/*
 * hattari_daihinmin.h: the records of daihinmin/1, as plain structs. C11, C++11 and later.
 *
 * Generated from the description of the game's records; changes to this file are lost.
 *
 * Cards are numbered by cell: 4 times the column plus the suit. Columns 1 to 13 are the ranks 3, 4,
 * 5 and so on to K, A, 2. Suits are 0 spades, 1 hearts, 2 diamonds, 3 clubs. For example, the three
 * of spades is 4 and the two of clubs is 55. Columns 0 and 14 exist only for a joker that extends a
 * sequence below 3 or above 2. The joker itself is card 60.
 *
 * A set of cards has bit 1 << n for card n. Four adjacent bits are a rank; every fourth bit is a
 * suit.
 *
 * Seats are numbered from 0 in the order of play. A set of seats has bit 1 << n for seat n. Titles
 * are 0 daifugo, 1 fugo, 2 heimin, 3 hinmin, 4 daihinmin.
 */
#ifndef HATTARI_DAIHINMIN_H
#define HATTARI_DAIHINMIN_H

#include "hattari.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Name and revision of the game, as in hattari_block_info.game. */
#define HATTARI_DAIHINMIN_GAME "daihinmin/1"

#define HATTARI_DAIHINMIN_PLAYERS 5u /* Number of players at a table. */
#define HATTARI_DAIHINMIN_NONE 255u /* Value for no seat, title, place or card. */
#define HATTARI_DAIHINMIN_JOKER 60u /* Card number of the joker. */
/* Set that contains only the joker. */
#define HATTARI_DAIHINMIN_JOKER_SET UINT64_C(0x1000000000000000)
#define HATTARI_DAIHINMIN_SUITED UINT64_C(0x00fffffffffffff0) /* Set of the 52 suited cards. */
#define HATTARI_DAIHINMIN_PACK UINT64_C(0x10fffffffffffff0) /* Set of all 53 cards. */
/* Set of the three of spades, the only card that beats a lone joker. */
#define HATTARI_DAIHINMIN_SPADE_3 UINT64_C(0x0000000000000010)
/* Set of the three of diamonds, whose holder leads the first trick. */
#define HATTARI_DAIHINMIN_DIAMOND_3 UINT64_C(0x0000000000000040)
#define HATTARI_DAIHINMIN_COLUMN_3 1u /* Column of the threes, the lowest. */
#define HATTARI_DAIHINMIN_COLUMN_8 6u /* Column of the eights, which clear the trick. */
#define HATTARI_DAIHINMIN_COLUMN_J 9u /* Column of the jacks. */
#define HATTARI_DAIHINMIN_COLUMN_Q 10u /* Column of the queens. */
#define HATTARI_DAIHINMIN_COLUMN_2 13u /* Column of the twos, the highest. */

/* Values of hattari_daihinmin_action.kind. */
#define HATTARI_DAIHINMIN_KIND_PASS 0u
#define HATTARI_DAIHINMIN_KIND_SINGLE 1u
#define HATTARI_DAIHINMIN_KIND_GROUP 2u
#define HATTARI_DAIHINMIN_KIND_SEQUENCE 3u
#define HATTARI_DAIHINMIN_KIND_GIVE 4u

/* Values of hattari_daihinmin_action.effects. */
#define HATTARI_DAIHINMIN_EFFECTS_CUT 1u
#define HATTARI_DAIHINMIN_EFFECTS_REVOLUTION 2u
#define HATTARI_DAIHINMIN_EFFECTS_LOCK 4u
#define HATTARI_DAIHINMIN_EFFECTS_ELEVEN_BACK 8u

/* An action: pass, play cards, or give cards away in the exchange. */
typedef struct hattari_daihinmin_action {
    /* Cards that leave the hand. A joker is listed as the joker, not as the card it replaces. */
    uint64_t cards;
    /*
     * Cells that the play covers on the table. A joker covers the cell of the card it replaces. A
     * lone joker and the joker in a group of five cover no cell.
     */
    uint64_t cells;
    /* Kind of action: pass, single, group, sequence or give. HATTARI_DAIHINMIN_KIND_*. */
    uint8_t kind;
    /* Number of cards. */
    uint8_t count;
    /*
     * Lowest column covered: 1 for rank 3, 2 for rank 4, ... 13 for rank 2. Columns 0 and 14 occur
     * only if the joker is below 3 or above 2. 15 for a lone joker; 0 for pass and give.
     */
    uint8_t column;
    /* Suits covered, one bit each: spades 1, hearts 2, diamonds 4, clubs 8. 0 for a lone joker. */
    uint8_t suits;
    /*
     * Cell of the card that the joker replaces; 60 if it replaces none (alone or fifth in a group);
     * 0xff without a joker.
     */
    uint8_t joker;
    /* Effects of the play, if it is legal now. HATTARI_DAIHINMIN_EFFECTS_*. */
    uint8_t effects;
    /* Reserved; always 0. */
    uint16_t reserved;
} hattari_daihinmin_action;

/* Values of hattari_daihinmin_event.kind. */
#define HATTARI_DAIHINMIN_KIND_ACTION 0u
#define HATTARI_DAIHINMIN_KIND_LEAD 1u
#define HATTARI_DAIHINMIN_KIND_OUT 2u

/* Values of hattari_daihinmin_event.flags. */
#define HATTARI_DAIHINMIN_FLAGS_EMPTY 1u
#define HATTARI_DAIHINMIN_FLAGS_LOCK 2u
#define HATTARI_DAIHINMIN_FLAGS_REVOLUTION 4u
#define HATTARI_DAIHINMIN_FLAGS_ELEVEN_BACK 8u

/* An event of the public history: an action or one of its consequences. */
typedef struct hattari_daihinmin_event {
    /*
     * Kind of event: an action (play or pass), a new lead after the end of a trick, or the final
     * place of a seat. HATTARI_DAIHINMIN_KIND_*.
     */
    uint8_t kind;
    /* Seat that acted, leads, or received its final place. */
    uint8_t seat;
    /*
     * State of the table after the event. After a play, the state includes that play, even if the
     * play clears the trick. HATTARI_DAIHINMIN_FLAGS_*.
     */
    uint8_t flags;
    /* For `out`: place of the seat, 0 is first. */
    uint8_t place;
    /* Reserved; always 0. */
    uint32_t reserved;
    /* The action; all zero for other kinds. */
    hattari_daihinmin_action action;
} hattari_daihinmin_event;

/* Values of hattari_daihinmin_view.phase. */
#define HATTARI_DAIHINMIN_PHASE_EXCHANGE 0u
#define HATTARI_DAIHINMIN_PHASE_PLAY 1u
#define HATTARI_DAIHINMIN_PHASE_OVER 2u

/* Values of hattari_daihinmin_view.rules. */
#define HATTARI_DAIHINMIN_RULES_REVOLUTION 1u
#define HATTARI_DAIHINMIN_RULES_LOCK 2u
#define HATTARI_DAIHINMIN_RULES_SEQUENCES 4u
#define HATTARI_DAIHINMIN_RULES_EIGHT_CUT 8u
#define HATTARI_DAIHINMIN_RULES_ELEVEN_BACK 16u
#define HATTARI_DAIHINMIN_RULES_FIVE_SKIP 32u
#define HATTARI_DAIHINMIN_RULES_SIX_REVERSE 64u
#define HATTARI_DAIHINMIN_RULES_BACKWARDS 128u

/* All information that a seat has now. */
typedef struct hattari_daihinmin_view {
    /* Size of this record in bytes. Later releases may add fields at the end. */
    uint32_t size;
    /* Number of finished deals of this block. */
    uint32_t deal;
    /* Planned number of deals of this block. */
    uint32_t deals;
    /* Your seat. Seats are numbered in the order of play. */
    uint8_t seat;
    /* Phase of the deal. HATTARI_DAIHINMIN_PHASE_*. */
    uint8_t phase;
    /*
     * Number of cards to give away now. In the exchange, 2 for the highest title and 1 for the
     * next; otherwise 0.
     */
    uint8_t give;
    /* 1 while a revolution reverses the order of ranks. */
    uint8_t revolution;
    /* 1 while suits are locked. */
    uint8_t lock;
    /* 1 while a jack reverses the order of ranks for this trick (option `eleven_back`). */
    uint8_t eleven_back;
    /* 1 in the first deal after a reset of titles, which has no exchange and no titles. */
    uint8_t fresh;
    /* Seat of the play on the table; none while the table is empty (you lead). */
    uint8_t table_seat;
    /* Seats that have passed in this trick. */
    uint8_t passed;
    /* Seats without cards. */
    uint8_t out;
    /*
     * 1 if the seat that played last gets another turn before the trick ends (option
     * `ask_last_player_again`).
     */
    uint8_t ask_last;
    /*
     * Options of the rules that are on. `backwards` is on while the direction of play is reversed
     * (option `six_reverse`). HATTARI_DAIHINMIN_RULES_*.
     */
    uint8_t rules;
    /* Your cards. */
    uint64_t hand;
    /* Cards that all seats have played in this deal. */
    uint64_t gone;
    /* Cards that you gave away in the exchange, by choice or by rule. */
    uint64_t given;
    /*
     * Cards that you received in the exchange, if the rules reveal them. Lower titles know these
     * cards; upper titles see only the larger hand.
     */
    uint64_t received;
    /* The play on the table; all zero while the table is empty. */
    hattari_daihinmin_action table;
    /* Points in this block so far, by seat. */
    int32_t points[5];
    /*
     * Player number of each seat. Players keep their numbers during the block; seats are redrawn.
     */
    uint8_t players[5];
    /* Number of cards left, by seat. */
    uint8_t cards_left[5];
    /*
     * Title of each seat at the start of the deal: 0 daifugo, 1 fugo, 2 heimin, 3 hinmin, 4
     * daihinmin; 0xff in a fresh deal.
     */
    uint8_t titles[5];
    /* Final place of each seat, 0 is first; 0xff while the seat plays. */
    uint8_t places[5];
} hattari_daihinmin_view;

/* The view of a decision. */
static inline const hattari_daihinmin_view *
hattari_daihinmin_view_of(const hattari_decision *decision)
{
    return (const hattari_daihinmin_view *)decision->view;
}

/* Action number `index` of a decision; `index` is less than its action_count. */
static inline const hattari_daihinmin_action *
hattari_daihinmin_action_at(const hattari_decision *decision, uint32_t index)
{
    const unsigned char *actions = (const unsigned char *)decision->actions;
    return (const hattari_daihinmin_action *)(const void *)(actions + (size_t)index * decision->action_stride);
}

/* Event number `index` of a history whose events are `stride` bytes apart. */
static inline const hattari_daihinmin_event *
hattari_daihinmin_event_at(const void *history, uint32_t stride, uint32_t index)
{
    const unsigned char *events = (const unsigned char *)history;
    return (const hattari_daihinmin_event *)(const void *)(events + (size_t)index * stride);
}

/* Checks that the library is built with the layout of the host. */
#if UINTPTR_MAX == 0xffffffffffffffffu || defined(__wasm32__)
HATTARI_ASSERT_(sizeof(hattari_daihinmin_action) == 24);
HATTARI_ASSERT_(offsetof(hattari_daihinmin_action, cards) == 0);
HATTARI_ASSERT_(offsetof(hattari_daihinmin_action, cells) == 8);
HATTARI_ASSERT_(offsetof(hattari_daihinmin_action, kind) == 16);
HATTARI_ASSERT_(offsetof(hattari_daihinmin_action, count) == 17);
HATTARI_ASSERT_(offsetof(hattari_daihinmin_action, column) == 18);
HATTARI_ASSERT_(offsetof(hattari_daihinmin_action, suits) == 19);
HATTARI_ASSERT_(offsetof(hattari_daihinmin_action, joker) == 20);
HATTARI_ASSERT_(offsetof(hattari_daihinmin_action, effects) == 21);
HATTARI_ASSERT_(offsetof(hattari_daihinmin_action, reserved) == 22);
HATTARI_ASSERT_(sizeof(hattari_daihinmin_event) == 32);
HATTARI_ASSERT_(offsetof(hattari_daihinmin_event, kind) == 0);
HATTARI_ASSERT_(offsetof(hattari_daihinmin_event, seat) == 1);
HATTARI_ASSERT_(offsetof(hattari_daihinmin_event, flags) == 2);
HATTARI_ASSERT_(offsetof(hattari_daihinmin_event, place) == 3);
HATTARI_ASSERT_(offsetof(hattari_daihinmin_event, reserved) == 4);
HATTARI_ASSERT_(offsetof(hattari_daihinmin_event, action) == 8);
HATTARI_ASSERT_(sizeof(hattari_daihinmin_view) == 120);
HATTARI_ASSERT_(offsetof(hattari_daihinmin_view, size) == 0);
HATTARI_ASSERT_(offsetof(hattari_daihinmin_view, deal) == 4);
HATTARI_ASSERT_(offsetof(hattari_daihinmin_view, deals) == 8);
HATTARI_ASSERT_(offsetof(hattari_daihinmin_view, seat) == 12);
HATTARI_ASSERT_(offsetof(hattari_daihinmin_view, phase) == 13);
HATTARI_ASSERT_(offsetof(hattari_daihinmin_view, give) == 14);
HATTARI_ASSERT_(offsetof(hattari_daihinmin_view, revolution) == 15);
HATTARI_ASSERT_(offsetof(hattari_daihinmin_view, lock) == 16);
HATTARI_ASSERT_(offsetof(hattari_daihinmin_view, eleven_back) == 17);
HATTARI_ASSERT_(offsetof(hattari_daihinmin_view, fresh) == 18);
HATTARI_ASSERT_(offsetof(hattari_daihinmin_view, table_seat) == 19);
HATTARI_ASSERT_(offsetof(hattari_daihinmin_view, passed) == 20);
HATTARI_ASSERT_(offsetof(hattari_daihinmin_view, out) == 21);
HATTARI_ASSERT_(offsetof(hattari_daihinmin_view, ask_last) == 22);
HATTARI_ASSERT_(offsetof(hattari_daihinmin_view, rules) == 23);
HATTARI_ASSERT_(offsetof(hattari_daihinmin_view, hand) == 24);
HATTARI_ASSERT_(offsetof(hattari_daihinmin_view, gone) == 32);
HATTARI_ASSERT_(offsetof(hattari_daihinmin_view, given) == 40);
HATTARI_ASSERT_(offsetof(hattari_daihinmin_view, received) == 48);
HATTARI_ASSERT_(offsetof(hattari_daihinmin_view, table) == 56);
HATTARI_ASSERT_(offsetof(hattari_daihinmin_view, points) == 80);
HATTARI_ASSERT_(offsetof(hattari_daihinmin_view, players) == 100);
HATTARI_ASSERT_(offsetof(hattari_daihinmin_view, cards_left) == 105);
HATTARI_ASSERT_(offsetof(hattari_daihinmin_view, titles) == 110);
HATTARI_ASSERT_(offsetof(hattari_daihinmin_view, places) == 115);
#endif

#ifdef __cplusplus
}
#endif

#endif /* HATTARI_DAIHINMIN_H */
