//! Policies of daihinmin: fitted to the choices that bots of a league make, and learned from what
//! their games bring.

mod ascent;
mod climb;
mod learn;
mod learner;
mod open;
mod record;

pub use climb::Climb;
pub use learn::{Learned, Learners, Lessons, NotLearnt, Pace, Round, learn};
pub use learner::Titles;
pub use record::{Recorded, record};
