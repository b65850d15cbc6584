//! Daihinmin: plays, effects, matches, recorded games, and what every game promises.

mod conformance;
mod corpus;
mod flow;
mod matches;
mod moves;
mod plays;
mod playthrough;
mod position;
