//! From a league to its jobs: a list of values, the same on every machine and whatever has been played.

use crate::league::League;
use hattari_hosts::record::JobId;
use serde::{Deserialize, Serialize};

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

    /// Blocks of a line-up.
    #[must_use]
    pub fn blocks_of(&self, _line_up: u32) -> u32 {
        self.blocks
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

/// The part of a league's jobs that a run plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// One of several parts that differ by one job at most.
    Shard {
        /// Which, from 1.
        number: u32,
        /// Of how many.
        of: u32,
    },
    /// Jobs by their places in the order of play: ranges with both ends, in order and apart.
    Unit(Vec<(u64, u64)>),
}

impl Part {
    /// All jobs.
    pub const WHOLE: Part = Part::Shard { number: 1, of: 1 };

    /// Whether the job at `index` in the order of play belongs to this part.
    #[must_use]
    pub fn holds(&self, index: u64) -> bool {
        match self {
            Part::Shard { number, of } => index % u64::from(*of) == u64::from(*number) - 1,
            Part::Unit(ranges) => {
                let after = ranges.partition_point(|(_, last)| *last < index);
                ranges.get(after).is_some_and(|(first, _)| *first <= index)
            }
        }
    }

    /// The jobs at these places in the order of play, which go up.
    #[must_use]
    pub fn of(indices: impl IntoIterator<Item = u64>) -> Part {
        let mut ranges: Vec<(u64, u64)> = Vec::new();
        for index in indices {
            match ranges.last_mut() {
                Some((_, last)) if *last + 1 == index => *last = index,
                _ => ranges.push((index, index)),
            }
        }
        Part::Unit(ranges)
    }

    /// Reads a shard: its number and how many there are, as in `1/4`.
    ///
    /// # Errors
    /// What is expected.
    pub fn shard(text: &str) -> Result<Part, String> {
        let explain = || format!("`{text}` is no shard: give its number and how many there are, as in 1/4 … 4/4");
        let (number, of) = text.split_once('/').ok_or_else(explain)?;
        let number: u32 = number.trim().parse().map_err(|_| explain())?;
        let of: u32 = of.trim().parse().map_err(|_| explain())?;
        if 0 < number && number <= of { Ok(Part::Shard { number, of }) } else { Err(explain()) }
    }

    /// Reads a unit as a plan gives it: places and ranges of places, as in `0-99,250,260-299`.
    ///
    /// # Errors
    /// What is expected.
    pub fn unit(text: &str) -> Result<Part, String> {
        let explain = || format!("`{text}` is no unit: give what `hattari plan` says, as in 0-99,250,260-299");
        let mut ranges: Vec<(u64, u64)> = Vec::new();
        for range in text.split(',') {
            let (first, last) = range.split_once('-').unwrap_or((range, range));
            let number = |text: &str| text.trim().parse::<u64>().map_err(|_| explain());
            let (first, last) = (number(first)?, number(last)?);
            if last < first || ranges.last().is_some_and(|(_, before)| first <= *before) {
                return Err(explain());
            }
            ranges.push((first, last));
        }
        Ok(Part::Unit(ranges))
    }
}

impl std::fmt::Display for Part {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Part::Shard { number, of } => write!(f, "{number}/{of}"),
            Part::Unit(ranges) => {
                let range = |(first, last): &(u64, u64)| match first == last {
                    true => first.to_string(),
                    false => format!("{first}-{last}"),
                };
                f.write_str(&ranges.iter().map(range).collect::<Vec<_>>().join(","))
            }
        }
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
            let shards: Vec<Part> = (1..=of).map(|number| Part::Shard { number, of }).collect();
            let sizes: Vec<_> = shards.iter().map(|s| (0..18).filter(|&i| s.holds(i)).count()).collect();
            assert_eq!(sizes.iter().sum::<usize>(), 18);
            assert!(sizes.iter().max().unwrap() - sizes.iter().min().unwrap() <= 1, "{sizes:?}");
        }
        for index in 0..18 {
            assert_eq!(schedule.index(schedule.job(index)), index);
        }
        assert_eq!(Part::shard("3/8"), Ok(Part::Shard { number: 3, of: 8 }));
        for bad in ["", "3", "0/4", "5/4", "1/0", "a/b", "-1/4"] {
            assert!(Part::shard(bad).unwrap_err().contains("1/4"), "{bad}");
        }
    }

    #[test]
    fn units_are_written_as_ranges() {
        let places = [0, 1, 2, 7, 9, 10, u64::MAX - 1];
        let unit = Part::of(places);
        assert_eq!(unit.to_string(), "0-2,7,9-10,18446744073709551614");
        assert_eq!(Part::unit(&unit.to_string()), Ok(unit.clone()));
        for index in (0..12).chain([u64::MAX - 2, u64::MAX - 1, u64::MAX]) {
            assert_eq!(unit.holds(index), places.contains(&index), "{index}");
        }
        for bad in ["", "x", "3-1", "1,1", "5,2", "1-3,3", "-1", "1--2"] {
            assert!(Part::unit(bad).unwrap_err().contains("hattari plan"), "{bad}");
        }
    }
}
