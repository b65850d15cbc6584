//! The schedule of a format that plays in rounds. Each round is a pure function of the results of
//! earlier rounds.

use std::ops::Range;

/// The results of tables so far.
pub trait Results {
    /// Returns the mean score per deal in a block, by place in the line-up; `None` if the block has
    /// not been played.
    fn scores(&self, entrants: &[usize], block: u32) -> Option<Vec<f64>>;
    /// Returns the luck per deal of the bot at the first place in a played block, by kind of
    /// chance; empty if unknown.
    fn luck(&self, _entrants: &[usize], _block: u32) -> Vec<f64> {
        Vec::new()
    }
    /// Returns the number of most recent rounds for which the schedule keeps standings.
    fn standings_kept(&self) -> usize {
        usize::MAX
    }
}

/// Assumed results, from which a schedule is made before the first block.
pub(crate) enum AssumedResults {
    /// All blocks are played with zero scores.
    Zero,
    /// No block is played.
    None,
}

impl Results for AssumedResults {
    fn scores(&self, entrants: &[usize], _block: u32) -> Option<Vec<f64>> {
        match self {
            AssumedResults::Zero => Some(vec![0.0; entrants.len()]),
            AssumedResults::None => None,
        }
    }
}

/// A table and its blocks in a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// Indices of the entrants, one per place. The order is the same in all pairings of the same
    /// entrants.
    pub entrants: Vec<usize>,
    /// Numbers of the blocks. A later pairing of the same entrants continues after the last block.
    /// Before the round is over, blocks may be appended to break a tie.
    pub blocks: Range<u32>,
}

/// Tables that can be played at the same time, because none depends on another's result.
#[derive(Clone, Debug, PartialEq)]
pub struct Round {
    /// Display name, for example "round 3" or "semi-finals".
    pub name: String,
    /// The tables of the round.
    pub pairings: Vec<Pairing>,
    /// Entrants without a table in this round.
    pub byes: Vec<usize>,
    /// The standings after the round, best first; empty before the end of the round, and if
    /// [`Results::standings_kept`] excludes the round.
    pub standing: Vec<RoundStanding>,
}

/// The standing of an entrant after a round.
#[derive(Clone, Debug, PartialEq)]
pub struct RoundStanding {
    /// Index of the entrant in the league.
    pub entrant: usize,
    /// Points, as the format counts them.
    pub points: f64,
    /// Status, for example "out in round 2"; may be empty.
    pub note: String,
}

/// All rounds of a format so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RoundSchedule {
    /// The rounds; all except the last are complete.
    pub rounds: Vec<Round>,
    /// True if the last round of the format is complete.
    pub is_over: bool,
}
