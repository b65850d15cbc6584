//! Bridge: rulings, notation, and what every game promises.

mod conformance;
mod notation;
mod playthrough;
mod rulings;
