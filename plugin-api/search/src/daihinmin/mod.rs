//! Look-ahead in daihinmin.
//!
//! [`Knowledge`] is the information of a seat about other hands, and [`HandSampler`] samples
//! consistent hands; both belong to the rules. [`try_action`] plays out an action with such hands.

pub mod endgame;
mod past;
pub mod sure;
mod trials;

pub mod playout;
pub mod policy;

pub use crate::bandit::Trials;
pub use hattari_games::daihinmin::{HandSampler, InconsistentView, Knowledge};
pub use past::PlayHistory;
pub use trials::{Playout, try_action};
