//! The estimate and the player: recorded cases, tables, and what holds of all hands.

mod golden;
mod player;
mod properties;
mod tables;
