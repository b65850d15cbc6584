//! Congeniality: who beats whom over all line-ups, in the symbols of Satō and Itō, "A study on the congeniality of play
//! styles in daihinmin" (大貧民におけるプレイスタイルの相性に関する研究), twice: by the test on blocks and by the paper's
//! test on single deals. The rule that makes a symbol of line-ups is [`hattari_stats::congeniality`]'s.

mod beside;
mod published;

pub use beside::beside;
pub use published::{PublishedError, PublishedTable};
