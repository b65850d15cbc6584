//! An approximate solution of fixed-limit hold'em for two players in an abstract game: the strategy
//! of the bot `cfr` in [`crate::bots`].
//!
//! The abstract game has the bets and cards of the real one, but its players distinguish hands only
//! by classes ([`classes`]). From earlier streets they remember only the pot and the last bettor
//! ([`betting`]). Counterfactual regret minimisation with sampled opponents and chance (the example
//! `learn_cfr`) approaches an equilibrium of this game. The average strategy is stored as text
//! ([`strategy`]).

pub mod betting;
pub mod classes;
pub mod strategy;
