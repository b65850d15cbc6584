//! Look-ahead in games of imperfect information, for bots and for analyses.
//!
//! The rules sample the deals that are consistent with a seat's information. This package contains
//! weights of such deals, playouts, policies and bandits. It depends only on the rules, and uses no
//! clock; random numbers come from the caller's generator. The rules use no floating-point numbers,
//! but policies and bandits do. Transcendental functions are those of `libm`, so that a seed gives
//! the same results on every machine.

pub mod bandit;
pub mod daihinmin;
mod normal;
mod pool;
pub mod race;

pub use pool::Pool;
