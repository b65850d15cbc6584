//! Stud: rulings, and what every game promises.

mod conformance;
mod playthrough;
mod rulings;
mod script;
