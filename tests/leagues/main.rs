//! Leagues through the program: played, killed, gone on with, kept and made again.

mod bridge;
mod contest;
mod engines;
mod holdem;
mod hostile_stores;
mod kills;
mod league;
mod living;
mod luck;
mod pack;
mod papers;
mod policies;
mod replay;
mod review;
mod shipped;
mod store_faults;
mod stud;
#[path = "../support/mod.rs"]
mod support;
