//! Poker for people: the part of scenes that all variants share.

use super::card::{CardSet, name};
use crate::cards::{descending, face};
use crate::scene::{Pile, faces};

/// Returns the faces of a set, highest card first.
pub fn faces_of(set: CardSet) -> String {
    faces(descending(set).into_iter().map(|card| face(name(card))))
}

/// Returns the pile of the community cards, if there are any.
pub(crate) fn community(name: &'static str, cards: CardSet) -> Vec<Pile> {
    let pile = (cards != 0).then(|| Pile {
        name,
        seat: None,
        faces: faces_of(cards),
    });
    pile.into_iter().collect()
}
