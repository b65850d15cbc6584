//! The decisions of a seven-card stud player that uses fuzzy rules, bluffs, and learns the
//! tendencies of its opponent. It follows a paper on such a playing system at the Intelligent
//! Systems Symposium of the Japan Society of Mechanical Engineers (2002).
//!
//! Inputs and outputs are plain values: the module uses the card types of the games, but no rules,
//! views or tables. The bot in [`crate::bots::fuzzy`] and the command `hattari study stud` use this
//! module.
//!
//! A decision starts with [`estimate`]: the exact distribution of the opponent's final score over
//! all completions (`counts`) gives an expected strength. [`infer`] adjusts this strength by 18
//! rules with uncertain consequents. The probabilities of the consequents are the tendencies, which
//! [`learn`] changes after each game. [`decide`] contains the three decisions, and `player` the
//! complete player.

pub mod cases;
mod chance;
pub mod config;
pub(crate) mod counts;
pub mod decide;
pub mod estimate;
pub mod infer;
pub mod learn;
mod memory;
pub(crate) mod player;
pub mod score;
pub(crate) mod sets;

pub use config::Config;
pub use decide::{Estimate, Situation};
pub use player::{Action, Player};
