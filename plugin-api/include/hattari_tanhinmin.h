/*
 * hattari_tanhinmin.h: the records of tanhinmin/1, as plain structs. C11, C++11 and later.
 *
 * Generated from the description of the game's records; changes to this file are lost.
 *
 * Cards differ only in strength. They are numbered from 0, the weakest. In text, strengths start at
 * 1, so card 0 is written "1". A set of cards has bit 1 << n for card n.
 *
 * Seats are numbered from 0 in the order of play; seat 0 leads the deal. A set of seats has bit 1
 * << n for seat n.
 */
#ifndef HATTARI_TANHINMIN_H
#define HATTARI_TANHINMIN_H

#include "hattari.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Name and revision of the game, as in hattari_block_info.game. */
#define HATTARI_TANHINMIN_GAME "tanhinmin/1"

#define HATTARI_TANHINMIN_PLAYERS_MAX 6u /* Maximum number of players at a table. */
#define HATTARI_TANHINMIN_CARDS_MAX 10u /* Maximum number of cards in a hand. */
#define HATTARI_TANHINMIN_NONE 255u /* Value for no seat, player, place or card. */

/* Values of hattari_tanhinmin_action.kind. */
#define HATTARI_TANHINMIN_KIND_PASS 0u
#define HATTARI_TANHINMIN_KIND_PLAY 1u

/* An action: pass, or play a card. */
typedef struct hattari_tanhinmin_action {
    /* Kind of action: pass or play. HATTARI_TANHINMIN_KIND_*. */
    uint8_t kind;
    /* Card to play; none for a pass. */
    uint8_t card;
    /* Reserved; always 0. */
    uint16_t reserved;
} hattari_tanhinmin_action;

/* Values of hattari_tanhinmin_event.kind. */
#define HATTARI_TANHINMIN_KIND_LEAD 2u
#define HATTARI_TANHINMIN_KIND_OUT 3u

/* An event of the public history: an action or one of its consequences. */
typedef struct hattari_tanhinmin_event {
    /*
     * Kind of event: a pass, a play, a new lead after the end of a trick, or the final place of a
     * seat. HATTARI_TANHINMIN_KIND_*.
     */
    uint8_t kind;
    /* Seat of the event. */
    uint8_t seat;
    /* Card played; none for other kinds. */
    uint8_t card;
    /* For `out`: place of the seat, 0 is first. */
    uint8_t place;
} hattari_tanhinmin_event;

/* Values of hattari_tanhinmin_view.rules. */
#define HATTARI_TANHINMIN_RULES_FREE_PASS 1u
#define HATTARI_TANHINMIN_RULES_LOWEST_LEADS 2u

/* All information that a seat has now. */
typedef struct hattari_tanhinmin_view {
    /* Size of this record in bytes. Later releases may add fields at the end. */
    uint32_t size;
    /* Number of finished deals of this block. */
    uint32_t deal;
    /* Planned number of deals of this block. */
    uint32_t deals;
    /* Your seat. Seats are numbered in the order of play; seat 0 leads the deal. */
    uint8_t seat;
    /* Number of players at the table. Seats from this number on are empty. */
    uint8_t seats;
    /* Number of cards dealt to each player. */
    uint8_t cards;
    /* Card on the table; none while the table is empty (you lead). */
    uint8_t table;
    /* Seat of the card on the table; none while the table is empty. */
    uint8_t table_seat;
    /* Seats that have passed and get no turn at present. */
    uint8_t passed;
    /* Seats without cards. */
    uint8_t out;
    /* Options of the rules that are on. HATTARI_TANHINMIN_RULES_*. */
    uint8_t rules;
    /* Player number of each seat; none for an empty seat. */
    uint8_t players[6];
    /* Number of cards left, by seat. */
    uint8_t cards_left[6];
    /* Final place of each seat, 0 is first; none while the seat plays. */
    uint8_t places[6];
    /* Reserved; always 0. */
    uint16_t reserved;
    /* Your cards. */
    uint64_t hand;
    /* Cards that all seats have played in this deal. */
    uint64_t gone;
    /* Points in this block so far, by seat. */
    int32_t points[6];
} hattari_tanhinmin_view;

/* The view of a decision. */
static inline const hattari_tanhinmin_view *
hattari_tanhinmin_view_of(const hattari_decision *decision)
{
    return (const hattari_tanhinmin_view *)decision->view;
}

/* Action number `index` of a decision; `index` is less than its action_count. */
static inline const hattari_tanhinmin_action *
hattari_tanhinmin_action_at(const hattari_decision *decision, uint32_t index)
{
    const unsigned char *actions = (const unsigned char *)decision->actions;
    return (const hattari_tanhinmin_action *)(const void *)(actions + (size_t)index * decision->action_stride);
}

/* Event number `index` of a history whose events are `stride` bytes apart. */
static inline const hattari_tanhinmin_event *
hattari_tanhinmin_event_at(const void *history, uint32_t stride, uint32_t index)
{
    const unsigned char *events = (const unsigned char *)history;
    return (const hattari_tanhinmin_event *)(const void *)(events + (size_t)index * stride);
}

/* Checks that the library is built with the layout of the host. */
#if UINTPTR_MAX == 0xffffffffffffffffu || defined(__wasm32__)
HATTARI_ASSERT_(sizeof(hattari_tanhinmin_action) == 4);
HATTARI_ASSERT_(offsetof(hattari_tanhinmin_action, kind) == 0);
HATTARI_ASSERT_(offsetof(hattari_tanhinmin_action, card) == 1);
HATTARI_ASSERT_(offsetof(hattari_tanhinmin_action, reserved) == 2);
HATTARI_ASSERT_(sizeof(hattari_tanhinmin_event) == 4);
HATTARI_ASSERT_(offsetof(hattari_tanhinmin_event, kind) == 0);
HATTARI_ASSERT_(offsetof(hattari_tanhinmin_event, seat) == 1);
HATTARI_ASSERT_(offsetof(hattari_tanhinmin_event, card) == 2);
HATTARI_ASSERT_(offsetof(hattari_tanhinmin_event, place) == 3);
HATTARI_ASSERT_(sizeof(hattari_tanhinmin_view) == 80);
HATTARI_ASSERT_(offsetof(hattari_tanhinmin_view, size) == 0);
HATTARI_ASSERT_(offsetof(hattari_tanhinmin_view, deal) == 4);
HATTARI_ASSERT_(offsetof(hattari_tanhinmin_view, deals) == 8);
HATTARI_ASSERT_(offsetof(hattari_tanhinmin_view, seat) == 12);
HATTARI_ASSERT_(offsetof(hattari_tanhinmin_view, seats) == 13);
HATTARI_ASSERT_(offsetof(hattari_tanhinmin_view, cards) == 14);
HATTARI_ASSERT_(offsetof(hattari_tanhinmin_view, table) == 15);
HATTARI_ASSERT_(offsetof(hattari_tanhinmin_view, table_seat) == 16);
HATTARI_ASSERT_(offsetof(hattari_tanhinmin_view, passed) == 17);
HATTARI_ASSERT_(offsetof(hattari_tanhinmin_view, out) == 18);
HATTARI_ASSERT_(offsetof(hattari_tanhinmin_view, rules) == 19);
HATTARI_ASSERT_(offsetof(hattari_tanhinmin_view, players) == 20);
HATTARI_ASSERT_(offsetof(hattari_tanhinmin_view, cards_left) == 26);
HATTARI_ASSERT_(offsetof(hattari_tanhinmin_view, places) == 32);
HATTARI_ASSERT_(offsetof(hattari_tanhinmin_view, reserved) == 38);
HATTARI_ASSERT_(offsetof(hattari_tanhinmin_view, hand) == 40);
HATTARI_ASSERT_(offsetof(hattari_tanhinmin_view, gone) == 48);
HATTARI_ASSERT_(offsetof(hattari_tanhinmin_view, points) == 56);
#endif

#ifdef __cplusplus
}
#endif

#endif /* HATTARI_TANHINMIN_H */
