//! Tests of leagues through the program: played, killed, resumed, stored and replayed.

mod bridge;
mod contest;
mod engines;
mod holdem;
mod hostile_stores;
mod hybrid;
mod kills;
mod league;
mod living;
mod luck;
mod origins;
mod pack;
mod papers;
mod replay;
mod review;
mod shipped;
mod store_faults;
mod stored_reviews;
mod stud;
mod study_sensitivity;
#[path = "../support/mod.rs"]
mod support;
