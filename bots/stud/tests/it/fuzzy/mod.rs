//! Tests of the estimates and the player: recorded cases, tables of the paper, and general
//! properties.

mod golden;
mod player;
mod properties;
mod tables;
