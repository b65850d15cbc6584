//! The shared part of hold'em and stud: cards, ranks of hands, betting, pots and the steps of a
//! deal.
//!
//! A game is a [`BettingStructure`]: a list of streets with forced bets and limits. [`Deal`] plays
//! any such structure. Chips are integers. A seat cannot lose more chips than it has (table
//! stakes), and payoffs sum to zero.

mod balance;
pub mod betting;
mod block;
pub mod card;
pub mod equity;
pub mod event;
pub mod features;
mod game;
mod hand;
pub mod heads_up;
pub(crate) mod luck;
mod play;
pub mod pots;
pub(crate) mod records;
pub mod scene;
mod steps;
mod street;

pub use block::{Block, Memory};
pub use event::VariantActions;
pub use game::{Poker, Variant};
pub use hand::{Category, Group, RANKED_MAX, RANKED_MIN, Strength, Tally, open_hand_strength};
pub use play::{CARDS_EACH_MAX, Deal, Phase, SeatMove};
pub use street::{
    BetLimit, BettingStructure, CHIPS_MAX, FirstToAct, NOBODY, OddChips, SEATS_MAX, STREETS_MAX,
    Street, check_chips,
};
