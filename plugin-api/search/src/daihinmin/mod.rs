//! Look-ahead in daihinmin.
//!
//! [`Knowledge`] is what a seat can know of the other hands, [`Deals`] draws hands that fit it,
//! [`try_action`] plays them out.

mod deals;
pub mod endgame;
mod knowledge;
mod past;
pub mod sure;
mod trials;
mod tribute;

pub mod playout;
pub mod policy;

pub use deals::Deals;
pub use knowledge::{Knowledge, Unfit};
pub use past::{Past, Pool};
pub use trials::{Playout, Trials, try_action};
