//! Seven-card stud: at fixed limit, or in seven turns as in an experiment with a fuzzy-logic
//! player.
//!
//! Properties: 2 to 8 players, 52 cards, seven cards each, of which three are hidden; payoffs sum
//! to zero. All random draws are made before the first decision.
//!
//! Fixed limit: every seat antes and gets two hidden cards and one open card. The seat with the
//! lowest open card must post the bring-in or bet more. Then seats fold, call, complete to the
//! small bet, or raise by it. Three open cards and one hidden card follow, each with a betting
//! round that the best open hand starts. Big bets start with the third of the five rounds. The best
//! five of seven cards win. If too few cards are left for eight players, the last card is a
//! community card.
//!
//! Seven turns, for two players: turns 1 to 5 have the same cards. On each of the last two turns,
//! both seats turn up a hidden card of their choice at the same time. On every turn, the first seat
//! must bet at least the minimum and at most the pot. The other seat folds, calls or raises by at
//! most that pot, and the first seat calls or folds.

mod features;
mod options;
mod records;

pub use crate::poker::{Block, Deal};
pub use options::{Opener, Options, Variant};
pub use records::{Action, Event, PLAYERS_MAX, View, kind, limit, phase};

/// The rules of stud with their options.
pub type Stud = crate::poker::Poker<Options>;
