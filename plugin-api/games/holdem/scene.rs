//! Hold'em for people: views as scenes, events and actions in words.

use super::records::{Action, Event, View, kind};
use crate::poker::scene::{self, Chips, faces_of};
use crate::scene::{Line, Offer, Own, Pile, Scene, Tableau};

/// Names of the streets.
const STREETS: [&str; 4] = ["preflop", "flop", "turn", "river"];

pub(super) fn scene(view: &View) -> Scene {
    let street = STREETS
        .get(usize::from(view.street))
        .copied()
        .unwrap_or_default();
    let facts = vec![
        (
            "street",
            if view.over == 0 { street } else { "over" }.to_owned(),
        ),
        ("pot", view.pot.to_string()),
        ("blinds", format!("{}/{}", view.small_blind, view.big_blind)),
    ];
    let board = Pile {
        name: "board",
        seat: None,
        faces: faces_of(view.community),
    };
    let piles = if view.community == 0 {
        Vec::new()
    } else {
        vec![board]
    };
    let places = (0..view.players).map(|seat| {
        let at = usize::from(seat);
        let shown = view.shown[at];
        let chips = Chips {
            seat,
            is_button: seat == view.button,
            held: 2 - shown.count_ones().min(2),
            open: shown,
            stack: view.stacks[at],
            bet: view.bets[at],
            paid: view.paid[at],
            result: view.results[at],
            is_in_play: view.in_play >> seat & 1 == 1,
            is_all_in: view.all_in >> seat & 1 == 1,
        };
        chips.place()
    });
    let places = places.collect();
    let hidden = view.hand & !view.shown.get(usize::from(view.seat)).copied().unwrap_or(0);
    let own = Own {
        hand: faces_of(hidden),
        facts: Vec::new(),
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

pub(super) fn line(event: &Event) -> Line {
    scene::line(&(*event).into(), &STREETS)
}

pub(super) fn offer(action: &Action) -> Offer {
    Offer::plain(match action.kind {
        kind::FOLD => "Fold".to_owned(),
        kind::CHECK => "Check".to_owned(),
        kind::CALL => format!("Call {}", action.lowest),
        _ => "Raise to".to_owned(),
    })
}
