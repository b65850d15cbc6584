//! Samples, from which all statistics are computed: one number per bot and block. Tests and
//! intervals are computed elsewhere.
//!
//! The unit of observation is the **block**: the deals between two resets of the bots and of the
//! state of play. Deals within a block are dependent: the winner of a deal of daihinmin starts the
//! next one with better cards. Block means are independent unless the blocks have the same cards
//! ([`DealSharing`](crate::league::DealSharing)). Every pair also stores the moments of its
//! difference per deal, for the per-deal test that papers report.
//!
//! If an entrant has several seats at a table, its sample is the mean over its copies.

mod accumulate;
mod data;
mod luck;
mod records;
mod scores;

pub use accumulate::keep_first;
pub use data::{BlockInfo, BlockLabel, BotSample, FaultNote, LineUpSample, PairSample, Samples};
pub(crate) use data::{FAULTS_SHOWN, PairDeals};
pub use records::SampleCollector;
pub use scores::read_scores;
