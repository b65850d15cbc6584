//! Deals and choices in words, for people who read a replay.

use super::{Action, Deal, kind};
use crate::Grant;
use crate::poker::{Phase, card};
use crate::scene::from_one;
use std::fmt::Write;

/// Names of the streets.
pub(super) const STREETS: [&str; 4] = ["preflop", "flop", "turn", "river"];

/// Who holds what now, on one line; an arrow marks the seat to act.
pub(super) fn deal(deal: &Deal) -> String {
    let street = if deal.phase == Phase::Over {
        "over"
    } else {
        STREETS[usize::from(deal.street)]
    };
    let betting = &deal.betting;
    let mut text = format!(
        "{street}, community {}, pot {}",
        card::describe(deal.community),
        betting.pot
    );
    for seat in 0..betting.players() {
        let index = usize::from(seat);
        let arrow = if seat == deal.to_act { ">" } else { "" };
        let button = if seat == deal.button { " button" } else { "" };
        let folded = if betting.in_play & 1 << seat == 0 {
            " (folded)"
        } else {
            ""
        };
        let (hand, stack, bet) = (
            card::describe(deal.hands[index]),
            betting.stacks[index],
            betting.bets[index],
        );
        write!(
            text,
            " | {arrow}seat {}{button}: {hand} {stack}",
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
        _ => format!("raise to {}", choice.amount),
    }
}
