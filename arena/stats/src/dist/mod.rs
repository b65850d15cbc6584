//! Distribution functions that stay right in the far tails: normal, Student t, noncentral t,
//! binomial.
//!
//! All take any finite argument, end after a bounded number of steps, and answer
//! [`OutOfDomain`](crate::OutOfDomain) where no number is right.

pub mod binomial;
pub mod noncentral;
pub mod normal;
mod roots;
mod special;
pub mod student;
