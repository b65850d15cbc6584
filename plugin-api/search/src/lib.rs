//! Look-ahead in games of imperfect information, for bots and for whoever analyses games.
//!
//! What a bot that searches needs of a game beyond its rules, which deal what a seat cannot see:
//! weights of such deals, playouts, policies, bandits. It knows rules and nothing else: no bot, no host, no clock; chance
//! comes in through the caller's generator. Rules have no floats; policies and bandits do, so they
//! live here. Transcendental functions come from `libm`, so that a seed gives the same numbers on
//! every machine.

pub mod bandit;
pub mod choice;
pub mod daihinmin;
mod normal;
mod pool;
pub mod race;

pub use pool::Pool;
