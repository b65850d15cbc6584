//! Seven-card stud: at fixed limit, and in seven turns as a fuzzy stud system plays it.
//!
//! Facts: 2 to 8 players, 52 cards, seven cards each of which three are hidden, payoffs add up to
//! 0. All chance of a deal is drawn before its first decision.
//!
//! At fixed limit: every seat antes and gets two cards face down and one face up. The lowest card
//! has to bring in, or to bet; then in turn fold, call, complete to the small bet, raise by it.
//! Three more cards come face up and a last one face down, each with a round of betting that the
//! best hand showing begins, from the third of the five on in big bets. The best five of seven
//! cards win. Where eight players leave too few cards for a seventh each, one lies open for all.
//!
//! In seven turns, for two: the same cards on turns 1 to 5, then two turns on which each turns up a
//! hidden card of its choice, both at once. On every turn the first seat has to bet, no less than
//! the least bet and no more than the pot; the other drops, calls or raises by no more than that
//! pot; the first calls or drops.

mod features;
mod options;
mod records;

pub use crate::poker::{Block, Deal};
pub use options::{Opener, Options, Variant};
pub use records::{Action, Event, PLAYERS_MAX, View, kind, limit, phase};

/// The rules of stud under their options.
pub type Stud = crate::poker::Poker<Options>;
