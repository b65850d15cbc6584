//! Exact solution of tanhinmin (単貧民): perfect-information search of every deal, and how much the
//! best lead depends on the hidden cards.
//!
//! The game and the measure, chance-node sensitivity, are from Nishino & Nishino, "Chance Node
//! Sensitivity of the game of Computer Daihinmin", IPSJ SIG Technical Report 2013-GI-29 No. 5. The
//! game has `cards * players` cards of different strength, dealt equally to the players. A move is
//! a card that is stronger than the card on the table, or a pass.

mod command;
mod position;
mod search;
mod sensitivity;
mod table;

pub(crate) use command::{Arguments, run};
pub use hattari_plugin::games::tanhinmin::PassRule;
pub use search::{Conventions, Solver};
pub use sensitivity::{HandReport, Size, SizeReport, TieRule, solve_size};
pub use table::Memory;
