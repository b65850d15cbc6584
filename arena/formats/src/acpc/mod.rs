//! Hold'em as text of the Annual Computer Poker Competition (ACPC), version 2.0.0 of its protocol:
//! game definitions, states of a match, and the lines of a log. Pure functions; sockets and files
//! are the caller's.
//!
//! A player's *position* in a hand is the number of seats that he sits after the seat left of the
//! button, so that the button is the last one. Amounts are what a player has put in over the whole
//! hand, while here they are what he has put in on a street.
//!
//! The competition's servers let any raise re-open the betting, however short, and have it move the
//! least raise by itself alone; the presets `acpc` and `acpc-limit` play so. They also take a raise
//! where there is nothing to raise with, or nobody to raise: here that is the call that it comes
//! to. (At a limit their program even lowers what all owe where a player with fewer chips than that
//! raises; that is not done here.)

mod choice;
mod game_def;
mod log;
mod position;
mod replay;
mod state;
mod telling;

pub use choice::{Illegal, Standing, act_of, choose};
pub use game_def::{GameDef, Problem};
pub use log::{LogLine, of_deal};
pub use position::{position, seat};
pub use replay::{is_shown, replay};
pub use state::{Act, Cards, MatchState, Rounds};
pub use telling::Telling;

#[cfg(test)]
mod tests;
