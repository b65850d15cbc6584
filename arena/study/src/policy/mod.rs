//! Policies of daihinmin: fitted to the choices that bots of a league make, and learned from what their games bring.

mod learn;
mod record;

pub use learn::{Climb, Learned, Learners, Pace, Round, learn};
pub use record::{Recorded, record};
