//! From a league to its jobs: a list of values, the same on every machine and whatever has been played.

use crate::league::League;
use hattari_hosts::record::JobId;
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// The entrants of a table, by number in the league. Copies of one entrant are seats of their own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineUp {
    /// Number of the entrant in each place.
    pub entrants: Vec<usize>,
}

/// Who plays whom, and how often.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// Line-ups by number.
    pub line_ups: Vec<LineUp>,
    /// Blocks that each plays.
    pub blocks: u32,
}

impl Schedule {
    /// The schedule of a checked league.
    ///
    /// # Panics
    /// If the league names entrants that it does not have, which no checked league does.
    #[must_use]
    pub fn of(league: &League) -> Schedule {
        let line_ups = league.format.line_ups(league).into_iter().map(|entrants| LineUp { entrants }).collect();
        Schedule { line_ups, blocks: league.blocks }
    }

    /// How many jobs there are.
    #[must_use]
    pub fn jobs(&self) -> u64 {
        self.line_ups.len() as u64 * u64::from(self.blocks)
    }

    /// The job at `index`, in the order of play: the first block of all line-ups, then the second, so that a league that
    /// is stopped half-way has played its line-ups evenly. The order stays when blocks are added.
    ///
    /// # Panics
    /// If there are no line-ups, or the index does not fit a block's number.
    #[must_use]
    pub fn job(&self, index: u64) -> JobId {
        let line_ups = self.line_ups.len() as u64;
        let number = |n: u64| u32::try_from(n).expect("jobs are numbered within bounds");
        JobId { line_up: number(index % line_ups), block: number(index / line_ups) }
    }

    /// The place of a job in the order of play.
    #[must_use]
    pub fn index(&self, job: JobId) -> u64 {
        u64::from(job.block) * self.line_ups.len() as u64 + u64::from(job.line_up)
    }
}

/// One of several parts that a league's jobs are divided into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Which part, from 1.
    pub number: u32,
    /// Of how many.
    pub of: u32,
}

impl Shard {
    /// All jobs.
    pub const WHOLE: Shard = Shard { number: 1, of: 1 };

    /// Whether the job at `index` in the order of play belongs to this part. Parts differ by one job at most.
    #[must_use]
    pub fn holds(self, index: u64) -> bool {
        index % u64::from(self.of) == u64::from(self.number) - 1
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let explain = || format!("`{text}` is no shard: give its number and how many there are, as in 1/4 … 4/4");
        let (number, of) = text.split_once('/').ok_or_else(explain)?;
        let number: u32 = number.trim().parse().map_err(|_| explain())?;
        let of: u32 = of.trim().parse().map_err(|_| explain())?;
        if 0 < number && number <= of { Ok(Shard { number, of }) } else { Err(explain()) }
    }
}

impl std::fmt::Display for Shard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_divide_the_jobs_evenly() {
        let pair = |a, b| LineUp { entrants: vec![a, b] };
        let schedule = Schedule {
            line_ups: vec![pair(0, 1), pair(0, 2), pair(0, 3), pair(1, 2), pair(1, 3), pair(2, 3)],
            blocks: 3,
        };
        assert_eq!(schedule.jobs(), 18);
        for of in 1..=20 {
            let shards: Vec<Shard> = (1..=of).map(|number| Shard { number, of }).collect();
            let sizes: Vec<_> = shards.iter().map(|s| (0..18).filter(|&i| s.holds(i)).count()).collect();
            assert_eq!(sizes.iter().sum::<usize>(), 18);
            assert!(sizes.iter().max().unwrap() - sizes.iter().min().unwrap() <= 1, "{sizes:?}");
        }
        for index in 0..18 {
            assert_eq!(schedule.index(schedule.job(index)), index);
        }
        assert_eq!("3/8".parse(), Ok(Shard { number: 3, of: 8 }));
        for bad in ["", "3", "0/4", "5/4", "1/0", "a/b", "-1/4"] {
            assert!(bad.parse::<Shard>().unwrap_err().contains("1/4"), "{bad}");
        }
    }
}
