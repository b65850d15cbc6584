//! Policies of daihinmin: fitted to the choices that bots of a league make, and learned from what
//! their games bring.

mod ascent;
mod climb;
mod learn;
mod learner;
mod open;
mod record;

pub(crate) use learn::{Learners, Lessons, Pace, learn};
pub(crate) use record::{Recorded, record};
