//! Hold'em: betting, pots, counts, and what every game promises.

mod betting;
mod conformance;
mod counts;
mod playthrough;
mod script;
mod showdown;
