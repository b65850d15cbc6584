//! Deals and events in words, for people who read a replay.

use super::card;
use super::deal::Deal;
use super::records::{Action, Event, NONE, PLAYERS, effect, event, flag, kind, phase};
use crate::scene::from_one;
use std::fmt::Write;

/// Names of the titles by place.
pub const TITLES: [&str; PLAYERS] = ["daifugo", "fugo", "heimin", "hinmin", "daihinmin"];

/// Who sits where and holds what now, on one line; an arrow marks the seat to act.
pub(super) fn deal(deal: &Deal) -> String {
    let mut text = match deal.phase {
        phase::EXCHANGE => "exchange".to_string(),
        phase::PLAY => "play".to_string(),
        _ => "over".to_string(),
    };
    for (up, name) in [
        (flag::REVOLUTION, "revolution"),
        (flag::LOCK, "locked"),
        (flag::ELEVEN_BACK, "eleven-back"),
    ] {
        if deal.position.flags & up != 0 {
            write!(text, ", {name}").expect("strings take everything");
        }
    }
    for (seat, hand) in (0..).zip(*deal.hands()) {
        let arrow = if seat == deal.position.to_act {
            ">"
        } else {
            ""
        };
        let (number, player) = (from_one(seat), from_one(deal.seats.player(seat)));
        write!(text, " | {arrow}seat {number} player {player}").expect("strings take everything");
        if let Some(title) = TITLES.get(usize::from(deal.seats.title(seat))) {
            write!(text, " {title}").expect("strings take everything");
        }
        write!(text, ": {}", card::describe(hand)).expect("strings take everything");
        let place = deal.seats.place(seat);
        if place != NONE {
            write!(text, " (place {})", place + 1).expect("strings take everything");
        }
    }
    text
}

/// A choice in words.
pub(super) fn choice(action: &Action) -> String {
    match action.kind {
        kind::PASS => "passes".into(),
        kind::GIVE => format!("gives {action}"),
        _ => format!("plays {action}"),
    }
}

/// One event in words.
pub(super) fn event(event: &Event) -> String {
    let seat = from_one(event.seat);
    match event.kind {
        event::LEAD => format!("the trick ends, seat {seat} leads"),
        event::OUT => {
            let title = TITLES
                .get(usize::from(event.place))
                .copied()
                .unwrap_or("nothing");
            format!("seat {seat} is {title}, place {}", event.place + 1)
        }
        _ if event.action.is_pass() => format!("seat {seat} passes"),
        _ => {
            let mut text = format!("seat {seat} plays {}", event.action);
            for (flag, words) in [
                (effect::CUT, ", which clears the trick"),
                (effect::REVOLUTION, ", a revolution"),
                (effect::LOCK, ", which locks the suits"),
                (
                    effect::ELEVEN_BACK,
                    ", which turns the order round for the trick",
                ),
            ] {
                if event.action.effects & flag != 0 {
                    text += words;
                }
            }
            if event.action.effects & effect::REVOLUTION != 0 && event.flags & flag::REVOLUTION == 0
            {
                text += " that restores the order";
            }
            text
        }
    }
}
