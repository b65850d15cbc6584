//! Deals, choices and events in words, for people who read a replay.

use super::board::Board;
use super::call::{Call, Contract};
use super::cards::{Card, Seat};
use super::deal::Deal;
use super::records::{Action, Event, event};

fn seat(number: u8) -> Seat {
    Seat::ALL[usize::from(number & 3)]
}

fn card(number: u8) -> String {
    Card::of_index(number).map_or("nothing".into(), |card| card.to_string())
}

/// Who holds what now, on one line.
pub(super) fn board(board: &Board, contract: &Contract) -> String {
    let [north_south, east_west] = board.won;
    let turn = board
        .turn()
        .map_or("over".into(), |seat| format!("{seat} to play"));
    let hands = Deal { hands: board.hands };
    format!(
        "{contract} by {}, {turn}, tricks {north_south}-{east_west} | {hands}",
        contract.declarer
    )
}

/// A choice in words.
pub(super) fn choice(action: &Action) -> String {
    format!("plays {} from {}", card(action.card), seat(action.seat))
}

/// An event in words.
pub(super) fn event(event: &Event) -> String {
    let who = seat(event.seat);
    match event.kind {
        event::CALL => Call::of_number(event.call).map_or(format!("{who} calls nothing"), |call| {
            format!("{who}: {call}")
        }),
        event::DUMMY => {
            let mut deal = Deal::default();
            deal.hands[who as usize] = super::cards::CardSet(event.cards);
            let hands = deal.to_string();
            let hand = hands[2..].split(' ').nth(who as usize).unwrap_or_default();
            format!("{who} is dummy: {hand}")
        }
        _ if event.winner < 4 => format!(
            "{who} plays {}; {} wins the trick",
            card(event.card),
            seat(event.winner)
        ),
        _ => format!("{who} plays {}", card(event.card)),
    }
}
