//! Deals and choices as short texts for terminals and logs.

use crate::scene::{Fact, from_one, spoken};
use crate::{BlockState, Game, Move};

/// Returns the state of a deal as one line: the state of play, then the seats, separated by ` | `,
/// with `>` before the seat to act. Shows the cards of every seat.
pub fn deal<G: Game>(game: &G, block: &BlockState<G>, deal: &G::Deal) -> String {
    let scene_of = |seat| game.scene(&game.view_of(block, deal, seat));
    let table = scene_of(0).table;
    let piles = table.piles.iter().map(|pile| {
        let whose = pile.seat.map(|seat| format!("seat {}", from_one(seat)));
        let name = [pile.name.to_owned(), whose.unwrap_or_default()];
        format!("{}: {}", listed(name, " of "), spoken(&pile.faces))
    });
    let mut parts = vec![listed(facts(&table.facts).chain(piles), ", ")];
    for (seat, place) in (0..).zip(&table.places) {
        let arrow = if game.to_act(deal) == Some(seat) {
            ">"
        } else {
            ""
        };
        let (number, player) = (from_one(seat), from_one(place.player));
        let who = [
            format!("{arrow}seat {number} player {player}"),
            place.role.clone(),
            place.note.clone(),
        ];
        let open = Some(&place.open).filter(|open| !open.is_empty());
        let cards = open.map_or_else(String::new, |open| format!("open {}", spoken(open)));
        let own = scene_of(seat).own;
        let holds = [spoken(&own.hand), cards].into_iter();
        let holds = holds.chain(facts(&place.facts)).chain(facts(&own.facts));
        parts.push(format!("{}: {}", listed(who, ", "), listed(holds, ", ")));
    }
    listed(parts, " | ")
}

/// Returns a choice in a few words for use within a sentence: `play 7♠`, `raise to 200`.
pub fn choice<G: Game>(game: &G, choice: &Move<G::Action>) -> String {
    let mut words = game.offer(&choice.action).words;
    if let Some(first) = words.get_mut(..1) {
        first.make_ascii_lowercase();
    }
    match G::amounts(&choice.action) {
        Some(_) => format!("{words} {}", choice.amount),
        None => words,
    }
}

/// Formats the facts that have a value.
fn facts(facts: &[Fact]) -> impl Iterator<Item = String> {
    let known = facts.iter().filter(|(_, value)| !value.is_empty());
    known.map(|(name, value)| format!("{name} {value}"))
}

/// Joins the texts that are not empty.
fn listed(texts: impl IntoIterator<Item = String>, separator: &str) -> String {
    let texts: Vec<String> = texts.into_iter().filter(|text| !text.is_empty()).collect();
    texts.join(separator)
}
