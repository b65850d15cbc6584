//! Tanhinmin (単貧民) solved exactly: every deal by perfect-information search, and how much the
//! best lead depends on what the others hold.
//!
//! The game and the measure, chance-node sensitivity, are from Nishino & Nishino, "Chance Node
//! Sensitivity of the game of Computer Daihinmin", IPSJ SIG Technical Report 2013-GI-29 No. 5:
//! `cards * players` cards of different strength, as many to each player, singles only; a move is
//! one stronger card or a pass.

mod command;
mod position;
mod search;
mod sensitivity;
mod table;

pub(crate) use command::{Arguments, run};
pub use hattari_plugin::games::tanhinmin::{LeadRule, PassRule};
pub use search::{Conventions, Opponents, Solver};
pub use sensitivity::{
    HandReport, Outlook, Size, SizeError, TieReading, hand_report, hands, outlook,
};
pub use table::Memory;
