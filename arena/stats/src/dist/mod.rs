//! Distribution functions that are accurate in the far tails: normal, Student t, noncentral t, F
//! and binomial.
//!
//! All functions accept any finite argument, take a bounded number of steps and return
//! [`Untestable::BadParameter`](crate::Untestable::BadParameter) if the result is not defined.

pub mod binomial;
pub(crate) mod fisher;
pub mod noncentral;
pub mod normal;
mod roots;
mod special;
pub mod student;
