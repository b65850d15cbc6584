//! The decisions of a seven-card stud player that thinks in fuzzy rules, bluffs, and learns its
//! opponent's tendencies, after a paper on such a playing system at the Intelligent Systems
//! Symposium of the Japan Society of Mechanical Engineers (2002).
//!
//! Plain inputs in, decisions out: of the games only the cards are used; rules, views and the table
//! are elsewhere. Not part of the games, which have no floating-point numbers; not part of a bot,
//! because the host's `analyse` command computes the same estimates.
//!
//! A decision begins with [`estimate`]: the exact distribution of the opponent's final score over
//! all completions ([`counts`]) gives an expected strength. [`infer`] adjusts it by 18 rules whose
//! outcome is a matter of probability, the tendencies that [`learn`] changes after each game.
//! [`decide`] has the three decisions, [`player`] the whole player.

pub mod cases;
mod chance;
pub mod config;
pub mod counts;
pub mod decide;
pub mod estimate;
pub mod fuzzy;
pub mod infer;
pub mod learn;
mod memory;
pub mod player;
pub mod score;

pub use config::Config;
pub use decide::{Estimate, Situation};
/// Cards and sets, those of the poker games.
pub use hattari_games::poker::card;
pub use player::{Action, Player};
