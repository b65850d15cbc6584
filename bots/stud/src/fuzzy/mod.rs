//! The decisions of a seven-card stud player that thinks in fuzzy rules, bluffs, and learns its
//! opponent's tendencies, after a paper on such a playing system at the Intelligent Systems
//! Symposium of the Japan Society of Mechanical Engineers (2002).
//!
//! Takes plain inputs and returns decisions: it uses the cards of the games, but no rules, views or
//! tables. The bot in [`crate::bots::fuzzy`] plays by it, and the command `hattari study stud`
//! computes the same estimates.
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
pub mod infer;
pub mod learn;
mod memory;
pub mod player;
pub mod score;
pub mod sets;

pub use config::Config;
pub use decide::{Estimate, Situation};
pub use player::{Action, Player};
