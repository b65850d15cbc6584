//! Training of daihinmin policies: fitted to the choices of bots, or learned from game results.

mod ascent;
mod choice;
mod climb;
mod learn;
mod learner;
mod open;
mod parameters;
mod record;

pub(crate) use learn::{Learners, LearningOptions, LearningPolicy, PolicyState, learn};
pub(crate) use parameters::Parameters;
pub(crate) use record::{Recorded, record};
