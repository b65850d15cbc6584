//! Heads-up hold'em at fixed limit, solved in a coarser game: what [`crate::bots`]' `cfr` plays by,
//! and how it is learnt.
//!
//! The coarser game has the real one's bets and cards, but its players tell hands apart by classes
//! alone ([`classes`]) and remember of earlier streets what is in the pot and who bet last
//! ([`betting`]). Counterfactual regret minimisation with sampled opponents and chance ([`learn`])
//! goes towards an equilibrium of it; the average is kept as text ([`strategy`]).

pub mod betting;
pub mod classes;
pub mod learn;
pub mod strategy;
