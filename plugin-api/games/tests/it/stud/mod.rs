//! Stud: rulings, and what every game promises.

mod conformance;
mod rulings;
mod script;
