//! Chance-node sensitivity of daihinmin: how much the points of an action depend on the hidden
//! cards (Nishino and Nishino, 大貧民における偶然手番感度, section 5.2).
//!
//! For each decision, deals are sampled that are consistent with the information of the seat. Every
//! action is tried by playouts in each deal. The sensitivity of an action is the variance over
//! deals of its mean points (equation 4 of the paper). The noise of the playouts increases this
//! variance; it is estimated from the playouts and subtracted.

mod command;
mod curve;
mod file;
mod measure;
mod sums;

pub(super) use command::{Arguments, run};
