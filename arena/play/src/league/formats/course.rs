//! What a format that decides as it goes has asked for so far: rounds, each a pure function of what
//! the rounds before came to.

use std::ops::Range;

/// What tables have scored so far.
pub trait Results {
    /// Mean score a deal in a block, by place in the line-up; `None` if it has not been played.
    fn scores(&self, entrants: &[usize], block: u32) -> Option<Vec<f64>>;
    /// What chance was worth a deal to the first place in a block that has been played, by kind;
    /// nothing where that is not known.
    fn luck(&self, _entrants: &[usize], _block: u32) -> Vec<f64> {
        Vec::new()
    }
    /// The number of rounds, counted from the last one, whose standings the course keeps.
    fn standings_kept(&self) -> usize {
        usize::MAX
    }
}

/// Either nothing has been played, or everything, with whatever result.
pub struct Imagined(pub bool);

impl Results for Imagined {
    fn scores(&self, entrants: &[usize], _block: u32) -> Option<Vec<f64>> {
        self.0.then(|| vec![0.0; entrants.len()])
    }
}

/// One table and what it plays in a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meeting {
    /// Entrants by number in the league, one for each place. The same entrants are always in the
    /// same places.
    pub entrants: Vec<usize>,
    /// Numbers of the blocks. A table that meets again goes on where it has ended. As long as its
    /// round is not over, more may be asked for at the end where a table must not end level.
    pub blocks: Range<u32>,
}

/// Tables that play at the same time: none hangs on another's result.
#[derive(Clone, Debug, PartialEq)]
pub struct Round {
    /// What people call it, as in "round 3" or "semi-finals".
    pub name: String,
    /// Its tables.
    pub meetings: Vec<Meeting>,
    /// Entrants that have no table in it.
    pub byes: Vec<usize>,
    /// Where entrants stand when it is over, the first one first; empty as long as it is not, and
    /// of rounds before those that [`Results::standings_kept`] asks for.
    pub standing: Vec<Standing>,
}

/// Where an entrant stands after a round.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// The entrant.
    pub entrant: usize,
    /// What the format counts.
    pub points: f64,
    /// What has become of it, as in "out" or "rank 3 is certain"; empty where nothing is to be
    /// said.
    pub note: String,
}

/// All that a format has asked for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Course {
    /// The rounds; all but the last are played in full.
    pub rounds: Vec<Round>,
    /// Whether the last round is the last one and played in full.
    pub is_over: bool,
}
