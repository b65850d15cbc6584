//! Tanhinmin for people: views as scenes, events and actions as text.

use super::records::{Action, Event, NONE, View, event};
use super::schema::card_name;
use crate::cards;
use crate::scene::{Line, Offer, OwnCards, Pile, Scene, SceneSeat, Tableau, faces, ordinal};

fn face(card: u8) -> String {
    cards::face(card_name(card))
}

fn faces_of(set: u64) -> String {
    faces(cards::members(set).map(face))
}

pub(super) fn scene(view: &View) -> Scene {
    let mut piles = Vec::new();
    if view.table != NONE {
        piles.push(Pile {
            name: "to beat",
            seat: Some(view.table_seat),
            faces: face(view.table),
        });
    }
    let places = (0..view.seats).map(|seat| {
        let at = usize::from(seat);
        let finished = view.places[at] != NONE;
        let note = match () {
            () if finished => ordinal(view.places[at]),
            () if view.passed >> seat & 1 == 1 => "passed".to_owned(),
            () => String::new(),
        };
        SceneSeat {
            player: view.players[at],
            held: view.cards_left[at],
            facts: vec![("points", view.points[at].to_string())],
            note,
            is_out: finished,
            ..SceneSeat::default()
        }
    });
    let places = places.collect();
    let own = OwnCards {
        hand: faces_of(view.hand),
        facts: Vec::new(),
    };
    Scene {
        table: Tableau {
            facts: vec![("played", faces_of(view.gone))],
            piles,
            places,
        },
        own,
    }
}

pub(super) fn line(event: &Event) -> Line {
    match event.kind {
        event::PASS => Line::of(event.seat, "passes"),
        event::PLAY => Line::of(event.seat, format!("plays {}", face(event.card))),
        event::LEAD => Line::of(event.seat, "leads: the trick is over"),
        _ => Line::of(event.seat, format!("comes {}", ordinal(event.place))),
    }
}

pub(super) fn offer(action: &Action) -> Offer {
    if action.is_pass() {
        return Offer::plain("Pass");
    }
    Offer {
        words: format!("Play {}", face(action.card)),
        faces: face(action.card),
    }
}
