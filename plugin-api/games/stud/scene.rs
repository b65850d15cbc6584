//! Stud for people: views as scenes, events and actions in words.

use super::options::Variant;
use super::records::{Action, Event, View, kind, phase};
use crate::poker::Form;
use crate::poker::card::name;
use crate::poker::scene::{self, Chips, faces_of};
use crate::scene::{Line, Offer, Own, Pile, Scene, Tableau, spoken};

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
fn streets(variant: Variant) -> &'static [&'static str] {
    match variant {
        Variant::FixedLimit => &STREETS,
        Variant::SevenTurns => &TURNS,
    }
}

pub(super) fn scene(form: &Form, variant: Variant, view: &View) -> Scene {
    let street = streets(variant)
        .get(usize::from(view.street))
        .copied()
        .unwrap_or_default();
    let street = match view.phase {
        phase::BET => street.to_owned(),
        phase::OPEN => format!("{street}, cards are turned up"),
        _ => "over".to_owned(),
    };
    let facts = vec![("street", street), ("pot", view.pot.to_string())];
    let board = Pile {
        name: "community card",
        seat: None,
        faces: faces_of(view.community),
    };
    let piles = if view.community == 0 {
        Vec::new()
    } else {
        vec![board]
    };
    // All who have not folded hold as many; a community card stands for the last of each.
    let streets = form.streets.iter().take(usize::from(view.street) + 1);
    let dealt: u8 = streets.map(|street| street.down + street.up).sum();
    let dealt = u32::from(dealt) - u32::from(view.community != 0);
    let is_in_play = |seat: u8| view.in_play >> seat & 1 == 1;
    let places = (0..view.players).map(|seat| {
        let at = usize::from(seat);
        let chips = Chips {
            seat,
            is_button: seat == view.button,
            held: if is_in_play(seat) {
                dealt.saturating_sub(view.shown[at].count_ones())
            } else {
                0
            },
            open: view.shown[at],
            stack: view.stacks[at],
            bet: view.bets[at],
            paid: view.paid[at],
            result: view.results[at],
            is_in_play: is_in_play(seat),
            is_all_in: view.all_in >> seat & 1 == 1,
        };
        chips.place()
    });
    let places = places.collect();
    let hidden = view.hand & !view.shown.get(usize::from(view.seat)).copied().unwrap_or(0);
    let own = if is_in_play(view.seat) {
        Own {
            hand: faces_of(hidden),
            facts: vec![("folded", String::new())],
        }
    } else {
        let folded = if hidden == 0 {
            String::new()
        } else {
            spoken(&faces_of(hidden))
        };
        Own {
            hand: String::new(),
            facts: vec![("folded", folded)],
        }
    };
    Scene {
        table: Tableau {
            facts,
            piles,
            places,
        },
        own,
    }
}

pub(super) fn line(event: &Event, variant: Variant) -> Line {
    scene::line(&(*event).into(), streets(variant))
}

pub(super) fn offer(action: &Action) -> Offer {
    match action.kind {
        kind::FOLD => Offer::plain("Fold"),
        kind::CHECK => Offer::plain("Check"),
        kind::CALL => Offer::plain(format!("Call {}", action.lowest)),
        kind::BRING_IN => Offer::plain(format!("Bring in {}", action.lowest)),
        kind::OPEN => {
            let faces = name(action.card).unwrap_or("?").to_ascii_uppercase();
            Offer {
                words: format!("Turn up {}", spoken(&faces)),
                faces,
            }
        }
        _ => Offer::plain("Raise to"),
    }
}
