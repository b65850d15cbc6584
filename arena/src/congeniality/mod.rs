//! Congeniality: who beats whom over all line-ups, in the five symbols of Satō and Itō, "A study on the congeniality
//! of play styles in daihinmin" (大貧民におけるプレイスタイルの相性に関する研究), and a sixth for their exception.
//!
//! The paper defines its symbols in words; the words are read as follows. Every line-up at which both bots sit gives
//! one two-sided test of their difference at the league's level.
//!
//! * `◎` significantly ahead in every line-up, `××` significantly behind in every line-up. The claim is about all
//!   line-ups at once, so single tests at the level keep it (an intersection of tests): nothing is adjusted.
//! * For the other symbols a claim is about *some* line-up, and with many line-ups some test is significant by chance;
//!   so the tests of the pair's line-ups are adjusted by Holm's method first.
//!   * `△` no line-up shows a significant difference.
//!   * `○` significantly ahead in at least one line-up, significantly behind in none, and ahead in score in more than
//!     half of them; `×` the same the other way round.
//!   * `※` anything else: the outcome depends on the line-up. Both directions occur significantly, or the few line-ups
//!     that are significant point the other way than most.

mod published;

pub use published::{Published, PublishedError, Reading};

use serde::{Deserialize, Serialize};

/// How one bot stands against another over all line-ups.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Symbol {
    /// ◎ significantly ahead in every line-up.
    #[serde(rename = "++")]
    AheadAlways,
    /// ○ ahead in most line-ups, not always significantly.
    #[serde(rename = "+")]
    AheadMostly,
    /// △ no significant difference.
    #[serde(rename = "0")]
    Even,
    /// × behind in most line-ups, not always significantly.
    #[serde(rename = "-")]
    BehindMostly,
    /// ×× significantly behind in every line-up.
    #[serde(rename = "--")]
    BehindAlways,
    /// ※ depends on the line-up.
    #[serde(rename = "*")]
    Depends,
}

impl Symbol {
    /// All symbols with what they mean.
    pub const LEGEND: [(Symbol, &str); 6] = [
        (Symbol::AheadAlways, "significantly ahead in every line-up"),
        (Symbol::AheadMostly, "ahead in most, not always significantly"),
        (Symbol::Even, "no significant difference"),
        (Symbol::BehindMostly, "behind in most, not always significantly"),
        (Symbol::BehindAlways, "significantly behind in every line-up"),
        (Symbol::Depends, "depends on the line-up"),
    ];

    /// The symbol as the paper prints it.
    #[must_use]
    pub fn glyph(self) -> &'static str {
        match self {
            Symbol::AheadAlways => "◎",
            Symbol::AheadMostly => "○",
            Symbol::Even => "△",
            Symbol::BehindMostly => "×",
            Symbol::BehindAlways => "××",
            Symbol::Depends => "※",
        }
    }

    /// 1 ahead, 0 even, -1 behind; `None` where it depends on the line-up.
    #[must_use]
    pub fn direction(self) -> Option<i8> {
        match self {
            Symbol::AheadAlways | Symbol::AheadMostly => Some(1),
            Symbol::Even => Some(0),
            Symbol::BehindMostly | Symbol::BehindAlways => Some(-1),
            Symbol::Depends => None,
        }
    }

    /// The symbol of the same pair seen from the other side.
    #[must_use]
    pub fn reversed(self) -> Symbol {
        match self {
            Symbol::AheadAlways => Symbol::BehindAlways,
            Symbol::AheadMostly => Symbol::BehindMostly,
            Symbol::Even => Symbol::Even,
            Symbol::BehindMostly => Symbol::AheadMostly,
            Symbol::BehindAlways => Symbol::AheadAlways,
            Symbol::Depends => Symbol::Depends,
        }
    }
}
