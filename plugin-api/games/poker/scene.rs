//! Poker for people: the part of scenes that all variants share.

use super::card::{CardSet, cards, name};
use crate::cards::face;
use crate::scene::{Pile, faces};

/// Returns the faces of a set, highest card first.
pub fn faces_of(set: CardSet) -> String {
    let mut numbers: Vec<u8> = cards(set).collect();
    numbers.reverse();
    faces(numbers.into_iter().map(|card| face(name(card))))
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
