//! Tanhinmin: how deals go, and what every game promises.

mod conformance;
mod flow;
mod playthrough;
