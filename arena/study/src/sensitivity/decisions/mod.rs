//! Chance-node sensitivity of daihinmin: how much the points that an action brings depend on what
//! the others hold (Nishino and Nishino, 大貧民における偶然手番感度, section 5.2).
//!
//! At a decision, deals are drawn that fit what the seat knows, and every action is tried by
//! playouts in each of them. The sensitivity of an action is the variance, over deals, of its mean
//! points (equation 4 of the paper). Means of a few playouts vary even where deals do not matter;
//! what that adds is estimated from the playouts and taken off again.

mod command;
mod curve;
mod file;
mod measure;
mod sums;

pub(super) use command::{Arguments, run};
