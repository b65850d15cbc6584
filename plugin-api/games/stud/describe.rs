//! Deals and choices in words, for people who read a replay.

use super::{Action, Deal, Variant, kind};
use crate::Grant;
use crate::poker::{Phase, card};
use crate::scene::from_one;
use std::fmt::Write;

const STREETS: [&str; 5] = [
    "third street",
    "fourth street",
    "fifth street",
    "sixth street",
    "seventh street",
];
const TURNS: [&str; 7] = [
    "turn 1", "turn 2", "turn 3", "turn 4", "turn 5", "turn 6", "turn 7",
];

/// Names of the streets.
pub(super) fn streets(variant: Variant) -> &'static [&'static str] {
    match variant {
        Variant::FixedLimit => &STREETS,
        Variant::SevenTurns => &TURNS,
    }
}

/// Who holds what now, on one line; an arrow marks the seat to act, brackets hold hidden cards.
pub(super) fn deal(deal: &Deal, variant: Variant) -> String {
    let street = streets(variant)
        .get(usize::from(deal.street))
        .copied()
        .unwrap_or("?");
    let betting = &deal.betting;
    let mut text = match deal.phase {
        Phase::Bet => format!("{street}, pot {}", betting.pot),
        Phase::Open => format!("{street}, cards are turned up, pot {}", betting.pot),
        Phase::Over => format!("over, pot {}", betting.pot),
    };
    if deal.community != 0 {
        write!(text, ", community {}", card::describe(deal.community))
            .expect("strings take everything");
    }
    for seat in 0..betting.players() {
        let index = usize::from(seat);
        let arrow = if seat == deal.to_act { ">" } else { "" };
        let button = if seat == deal.button { " button" } else { "" };
        let folded = if betting.in_play & 1 << seat == 0 {
            " (folded)"
        } else {
            ""
        };
        let (down, up) = (
            card::describe(deal.hands[index] & !deal.up[index]),
            card::describe(deal.up[index]),
        );
        let (stack, bet) = (betting.stacks[index], betting.bets[index]);
        write!(
            text,
            " | {arrow}seat {}{button}: ({down}) {up} {stack}",
            from_one(seat)
        )
        .expect("strings take everything");
        if bet != 0 {
            write!(text, " bet {bet}").expect("strings take everything");
        }
        text += folded;
    }
    text
}

/// A choice in words.
pub(super) fn choice(choice: &Grant<Action>) -> String {
    match choice.action.kind {
        kind::FOLD => "fold".into(),
        kind::CHECK => "check".into(),
        kind::CALL => format!("call {}", choice.action.lowest),
        kind::BRING_IN => format!("bring in {}", choice.action.lowest),
        kind::OPEN => format!(
            "will turn up {}",
            card::name(choice.action.card).unwrap_or("?")
        ),
        _ => format!("raise to {}", choice.amount),
    }
}
