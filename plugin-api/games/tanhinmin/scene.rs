//! Tanhinmin for people: views as scenes.

use super::Tanhinmin;
use super::records::{NONE, View};
use crate::GameTypes;
use crate::cards::members;
use crate::scene::{OwnCards, Pile, Scene, SceneSeat, Tableau, ordinal};

pub(super) fn scene(view: &View) -> Scene {
    let pile = (view.table != NONE).then(|| Pile {
        name: "to beat",
        seat: Some(view.table_seat),
        faces: Tanhinmin::faces([view.table]),
    });
    let places = (0..view.seats).map(|seat| {
        let at = usize::from(seat);
        let is_out = view.places[at] != NONE;
        let note = match view.passed >> seat & 1 {
            _ if is_out => ordinal(view.places[at]),
            1 => "passed".to_owned(),
            _ => String::new(),
        };
        SceneSeat {
            player: view.players[at],
            held: view.cards_left[at],
            facts: vec![("points", view.points[at].to_string())],
            note,
            is_out,
            ..SceneSeat::default()
        }
    });
    Scene {
        table: Tableau {
            facts: vec![("played", Tanhinmin::faces(members(view.gone)))],
            piles: pile.into_iter().collect(),
            places: places.collect(),
        },
        own: OwnCards {
            hand: Tanhinmin::faces(members(view.hand)),
            facts: Vec::new(),
        },
    }
}
