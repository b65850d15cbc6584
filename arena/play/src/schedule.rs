//! The jobs of a league in the order of play, which is the same on every machine.

use crate::league::{AssumedResults, League, Pairing, RoundSchedule};
use hattari_agents::record::JobId;
use hattari_agents::text::joined;
use std::collections::HashMap;
use std::ops::Range;
use std::str::FromStr;

/// The line-ups of a league and their blocks.
#[derive(Clone, Debug)]
pub struct Schedule {
    /// Line-ups; the number of a line-up is its index in this list. A line-up contains the index of
    /// the entrant at each place. Each copy of an entrant has its own seat.
    pub line_ups: Vec<Vec<usize>>,
    /// Number of blocks per line-up; the maximum if it differs between line-ups.
    pub blocks: u32,
    /// The pairings so far, for formats that play in rounds.
    pairings: Option<PairingOrder>,
}

/// The pairings of a format that plays in rounds.
#[derive(Clone, Debug, Default)]
struct PairingOrder {
    /// The pairings in the order of play.
    all: Vec<RoundBlocks>,
    /// Indices of `all`, ordered by line-up and then by block.
    by_line_up: Vec<u32>,
}

impl PairingOrder {
    /// Returns the indices of a line-up's pairings in `all`, in the order of their blocks.
    fn indices(&self, line_up: u32) -> &[u32] {
        let line_up_at = |index: &u32| self.all[*index as usize].line_up;
        let indices = &self.by_line_up;
        let start = indices.partition_point(|index| line_up_at(index) < line_up);
        let end = indices.partition_point(|index| line_up_at(index) <= line_up);
        &indices[start..end]
    }
}

/// The blocks of one line-up in one round.
#[derive(Clone, Debug)]
struct RoundBlocks {
    line_up: u32,
    blocks: Range<u32>,
    /// Number of jobs in all earlier pairings.
    jobs_before: u64,
}

impl Schedule {
    /// Creates the schedule of a checked league before the first block.
    ///
    /// # Panics
    /// Panics if the league lacks an entrant that it names, which is impossible for a checked
    /// league.
    pub fn of(league: &League) -> Schedule {
        let assumed = if league.format.is_planned() {
            AssumedResults::Zero
        } else {
            AssumedResults::None
        };
        match league.format.round_schedule(league, &assumed) {
            Some(RoundSchedule { rounds, .. }) => {
                Schedule::from_pairings(rounds.iter().flat_map(|round| &round.pairings))
            }
            None => Schedule {
                line_ups: league.format.line_ups(league),
                blocks: league.blocks,
                pairings: None,
            },
        }
    }

    /// Creates a schedule from pairings in the given order. Line-ups are numbered by first
    /// occurrence.
    pub(crate) fn from_pairings<'m>(pairings: impl IntoIterator<Item = &'m Pairing>) -> Schedule {
        let mut schedule = Schedule {
            line_ups: Vec::new(),
            blocks: 0,
            pairings: None,
        };
        let mut numbers = HashMap::new();
        let mut order = PairingOrder::default();
        let mut jobs_before = 0;
        for Pairing { entrants, blocks } in pairings {
            let number = *numbers.entry(&entrants[..]).or_insert_with(|| {
                schedule.line_ups.push(entrants.clone());
                u32::try_from(schedule.line_ups.len() - 1)
                    .expect("a league has fewer than 2^32 line-ups")
            });
            let index =
                u32::try_from(order.all.len()).expect("a league has fewer than 2^32 pairings");
            order.by_line_up.push(index);
            order.all.push(RoundBlocks {
                line_up: number,
                blocks: blocks.clone(),
                jobs_before,
            });
            jobs_before += u64::from(blocks.end - blocks.start);
            schedule.blocks = schedule.blocks.max(blocks.end);
        }
        // Formats give the blocks of a line-up in order, but a hand-written unit may not.
        order.by_line_up.sort_by_key(|index| {
            let round_blocks = &order.all[*index as usize];
            (round_blocks.line_up, round_blocks.blocks.start)
        });
        schedule.pairings = Some(order);
        schedule
    }

    /// Returns the number of jobs that are known so far.
    pub fn jobs(&self) -> u64 {
        match &self.pairings {
            None => self.line_ups.len() as u64 * u64::from(self.blocks),
            Some(order) => order.all.last().map_or(0, |last| {
                last.jobs_before + u64::from(last.blocks.end - last.blocks.start)
            }),
        }
    }

    /// Returns the number of blocks of each line-up.
    pub fn blocks_by_line_up(&self) -> Vec<u32> {
        let Some(order) = &self.pairings else {
            return vec![self.blocks; self.line_ups.len()];
        };
        let mut blocks = vec![0; self.line_ups.len()];
        for round_blocks in &order.all {
            let end = &mut blocks[round_blocks.line_up as usize];
            *end = round_blocks.blocks.end.max(*end);
        }
        blocks
    }

    /// Returns the job at `index` in the order of play: the first block of every line-up, then the
    /// second block of every line-up, and so on. An interrupted league has therefore played about
    /// the same number of blocks of each line-up. If the format plays in rounds, the order is by
    /// pairing. Adding blocks or rounds does not change the order.
    ///
    /// # Panics
    /// Panics if there are no line-ups, or if the number of the block is too large.
    pub(crate) fn job(&self, index: u64) -> JobId {
        let number =
            |n: u64| u32::try_from(n).expect("numbers of line-ups and blocks have 32 bits");
        match &self.pairings {
            None => {
                let line_ups = self.line_ups.len() as u64;
                JobId {
                    line_up: number(index % line_ups),
                    block: number(index / line_ups),
                }
            }
            Some(order) => {
                let later = (order.all).partition_point(|round| round.jobs_before <= index);
                let round_blocks = &order.all[later - 1];
                JobId {
                    line_up: round_blocks.line_up,
                    block: round_blocks.blocks.start + number(index - round_blocks.jobs_before),
                }
            }
        }
    }

    /// Returns `true` if the format plays in rounds, so that later rounds may add jobs.
    pub fn plays_in_rounds(&self) -> bool {
        self.pairings.is_some()
    }

    /// Returns the jobs at `indices`, which must ascend, as a part. Machines without the results of
    /// earlier rounds can play this part, too.
    pub(crate) fn part(&self, indices: impl IntoIterator<Item = u64>) -> Part {
        if !self.plays_in_rounds() {
            return Part::of(indices);
        }
        let mut pairings: Vec<Pairing> = Vec::new();
        for JobId { line_up, block } in indices.into_iter().map(|index| self.job(index)) {
            let entrants = &self.line_ups[line_up as usize];
            match pairings.last_mut() {
                Some(last) if last.entrants == *entrants && last.blocks.end == block => {
                    last.blocks.end += 1
                }
                _ => pairings.push(Pairing {
                    entrants: entrants.clone(),
                    blocks: block..block + 1,
                }),
            }
        }
        Part::Pairings(pairings)
    }

    /// Returns the index of a job in the order of play.
    ///
    /// # Panics
    /// Panics if no pairing contains the job.
    pub fn index(&self, job: JobId) -> u64 {
        self.find(job).expect("the job belongs to a pairing")
    }

    /// Returns the index of a job in the order of play; `None` if no pairing contains it.
    pub fn find(&self, job: JobId) -> Option<u64> {
        let Some(order) = &self.pairings else {
            let line_ups = self.line_ups.len() as u64;
            return Some(u64::from(job.block) * line_ups + u64::from(job.line_up));
        };
        let round_blocks = |index: &u32| &order.all[*index as usize];
        let indices = order.indices(job.line_up);
        let begun = indices.partition_point(|index| round_blocks(index).blocks.start <= job.block);
        let round_blocks = indices[..begun]
            .iter()
            .rev()
            .map(round_blocks)
            .find(|round_blocks| round_blocks.blocks.contains(&job.block))?;
        Some(round_blocks.jobs_before + u64::from(job.block - round_blocks.blocks.start))
    }
}

/// A set of jobs: a bit for each index in the order of play.
#[derive(Clone, Default)]
pub(crate) struct JobSet(Vec<u64>);

impl JobSet {
    /// Adds the job at `index`.
    pub(crate) fn add(&mut self, index: u64) {
        let word = usize::try_from(index / 64).expect("the set has a bit in memory for each job");
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (index % 64);
    }

    /// Returns `true` if the job at `index` is in the set.
    pub(crate) fn contains(&self, index: u64) -> bool {
        let word = usize::try_from(index / 64).ok();
        let bits = word.and_then(|word| self.0.get(word));
        bits.is_some_and(|bits| bits >> (index % 64) & 1 == 1)
    }
}

/// A part of a league's jobs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// One of several parts whose sizes differ by at most one job.
    Shard {
        /// Number of the shard, from 1.
        number: u32,
        /// Number of shards.
        count: u32,
    },
    /// Jobs given by their indices in the order of play: ascending, disjoint ranges with inclusive
    /// ends.
    Unit(Vec<(u64, u64)>),
    /// Jobs given by their pairings, for leagues in which the order of play depends on earlier
    /// rounds.
    Pairings(Vec<Pairing>),
}

impl Part {
    /// The part that contains all jobs.
    pub const WHOLE: Part = Part::Shard {
        number: 1,
        count: 1,
    };

    /// Returns `true` if the job at `index` in the order of play belongs to this part.
    pub fn contains(&self, index: u64) -> bool {
        match self {
            Part::Shard { number, count } => index % u64::from(*count) == u64::from(*number) - 1,
            Part::Unit(ranges) => {
                let number = ranges.partition_point(|(_, last)| *last < index);
                ranges.get(number).is_some_and(|(first, _)| *first <= index)
            }
            // The schedule of a part with pairings contains only the jobs of this part.
            Part::Pairings(_) => true,
        }
    }

    /// Creates a part from ascending indices in the order of play.
    pub(crate) fn of(indices: impl IntoIterator<Item = u64>) -> Part {
        let mut ranges: Vec<(u64, u64)> = Vec::new();
        for index in indices {
            match ranges.last_mut() {
                Some((_, last)) if *last + 1 == index => *last = index,
                _ => ranges.push((index, index)),
            }
        }
        Part::Unit(ranges)
    }

    /// Parses a shard: its number and the number of shards, for example `1/4`.
    ///
    /// # Errors
    /// Returns a message with the expected form.
    pub fn shard(text: &str) -> Result<Part, String> {
        let shard = || {
            let (number, count) = text.split_once('/')?;
            let (number, count): (u32, u32) = (parse(number)?, parse(count)?);
            (number > 0 && number <= count).then_some(Part::Shard { number, count })
        };
        shard().ok_or_else(|| {
            format!(
                "`{text}` is not a shard: give its number and the number of shards, as in 1/4 \
                … 4/4"
            )
        })
    }

    /// Parses a unit of a plan: indices and ranges of indices, for example `0-99,250,260-299`; or
    /// pairings, each with the numbers of its entrants and its blocks, for example
    /// `0.3:0-9,2.5:10-19`.
    ///
    /// # Errors
    /// Returns a message with the expected form.
    pub fn unit(text: &str) -> Result<Part, String> {
        let (part, example) = if text.contains(':') {
            (Part::parse_pairings(text), "0.3:0-9,2.5:10-19")
        } else {
            (Part::parse_ranges(text), "0-99,250,260-299")
        };
        part.ok_or_else(|| {
            format!(
                "`{text}` is not a unit: give a unit from `hattari cluster plan`, as in {example}"
            )
        })
    }

    fn parse_ranges(text: &str) -> Option<Part> {
        let mut ranges: Vec<(u64, u64)> = Vec::new();
        for range in text.split(',') {
            let (first, last) = parse_range(range)?;
            if last < first || ranges.last().is_some_and(|(_, before)| first <= *before) {
                return None;
            }
            ranges.push((first, last));
        }
        Some(Part::Unit(ranges))
    }

    fn parse_pairings(text: &str) -> Option<Part> {
        let pairing = |text: &str| {
            let (entrants, blocks) = text.split_once(':')?;
            let entrants = entrants
                .split('.')
                .map(|entrant| entrant.parse().ok())
                .collect::<Option<Vec<usize>>>()?;
            let (first, last): (u32, u32) = parse_range(blocks)?;
            let blocks = first..last.checked_add(1)?;
            (!blocks.is_empty()).then_some(Pairing { entrants, blocks })
        };
        text.split(',')
            .map(pairing)
            .collect::<Option<_>>()
            .map(Part::Pairings)
    }
}

/// Parses a range with inclusive ends, or a single number.
fn parse_range<N: FromStr>(text: &str) -> Option<(N, N)> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    Some((parse(first)?, parse(last)?))
}

/// Parses a number between spaces.
fn parse<N: FromStr>(text: &str) -> Option<N> {
    text.trim().parse().ok()
}

impl std::fmt::Display for Part {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let range = |first: u64, last: u64| {
            if first == last {
                first.to_string()
            } else {
                format!("{first}-{last}")
            }
        };
        let pairing = |Pairing { entrants, blocks }: &Pairing| {
            let entrants = joined(entrants.iter().map(usize::to_string), ".");
            let blocks = range(blocks.start.into(), (blocks.end - 1).into());
            format!("{entrants}:{blocks}")
        };
        let items: Vec<String> = match self {
            Part::Shard { number, count } => return write!(f, "{number}/{count}"),
            Part::Unit(ranges) => ranges.iter().map(|&(a, b)| range(a, b)).collect(),
            Part::Pairings(pairings) => pairings.iter().map(pairing).collect(),
        };
        f.write_str(&items.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_divide_the_jobs_evenly() {
        let pairs = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];
        let schedule = Schedule {
            line_ups: pairs.map(|pair| pair.to_vec()).to_vec(),
            blocks: 3,
            pairings: None,
        };
        assert_eq!(schedule.jobs(), 18);
        for count in 1..=20 {
            let shards = (1..=count).map(|number| Part::Shard { number, count });
            let size = |shard: Part| (0..18).filter(|&index| shard.contains(index)).count();
            let sizes: Vec<usize> = shards.map(size).collect();
            assert_eq!(sizes.iter().sum::<usize>(), 18);
            let (least, most) = (sizes.iter().min().unwrap(), sizes.iter().max().unwrap());
            assert!(most - least <= 1, "{sizes:?}");
        }
        for index in 0..18 {
            assert_eq!(schedule.index(schedule.job(index)), index);
        }
        assert_eq!(Part::shard("3/8").unwrap().to_string(), "3/8");
        for bad in ["", "3", "0/4", "5/4", "1/0", "a/b", "-1/4"] {
            assert!(Part::shard(bad).unwrap_err().contains("1/4"), "{bad}");
        }
    }

    fn pairing(entrants: [usize; 2], blocks: Range<u32>) -> Pairing {
        Pairing {
            entrants: entrants.to_vec(),
            blocks,
        }
    }

    #[test]
    fn pairings_are_scheduled_in_order_of_play() {
        let pairings = [
            pairing([0, 1], 0..2),
            pairing([2, 3], 0..2),
            pairing([0, 2], 0..1),
            pairing([0, 1], 2..5),
            pairing([1, 3], 0..1),
        ];
        let schedule = Schedule::from_pairings(&pairings);
        assert_eq!(
            (schedule.jobs(), schedule.line_ups.len(), schedule.blocks),
            (9, 4, 5)
        );
        assert_eq!(schedule.blocks_by_line_up(), [5, 2, 1, 1]);
        let blocks = [1, 5].map(|index| (schedule.job(index).line_up, schedule.job(index).block));
        assert_eq!(blocks, [(0, 1), (0, 2)]);
        assert!((0..9).all(|index| schedule.index(schedule.job(index)) == index));
        let unit = schedule.part([1, 2, 3, 5, 6, 8]);
        assert_eq!(unit.to_string(), "0.1:1,2.3:0-1,0.1:2-3,1.3:0");
        assert_eq!(Part::unit(&unit.to_string()), Ok(unit));
        for bad in ["0.1:", ":3", "0.x:1", "0.1:3-1", "0.1:1,", "0.1:4294967295"] {
            crate::mock::has(&Part::unit(bad).unwrap_err(), "hattari cluster plan");
        }
    }

    /// Opening a store looks up each of its blocks, so the cost of a look-up must not grow with the
    /// league.
    #[test]
    fn finding_a_job_examines_only_its_line_up() {
        let examined = |line_ups: usize| {
            let pairings = (0..line_ups).map(|a| pairing([a, a + 1], 0..2));
            let pairings: Vec<Pairing> = pairings.collect();
            let schedule = Schedule::from_pairings(&pairings);
            let last = JobId {
                line_up: u32::try_from(line_ups - 1).unwrap(),
                block: 1,
            };
            assert_eq!(schedule.find(last), Some(schedule.jobs() - 1));
            schedule.pairings.unwrap().indices(last.line_up).len()
        };
        assert_eq!([examined(10), examined(1000)], [1, 1]);
        // Blocks out of order, as in a hand-written unit.
        let schedule = Schedule::from_pairings(&[pairing([0, 1], 5..9), pairing([0, 1], 0..2)]);
        let index = |block| schedule.find(JobId { line_up: 0, block });
        assert_eq!([1, 3, 5, 9].map(index), [Some(5), None, Some(0), None]);
    }

    #[test]
    fn units_are_written_as_ranges() {
        let indices = [0, 1, 2, 7, 9, 10, u64::MAX - 1];
        let unit = Part::of(indices);
        assert_eq!(unit.to_string(), "0-2,7,9-10,18446744073709551614");
        assert_eq!(Part::unit(&unit.to_string()), Ok(unit.clone()));
        for index in (0..12).chain([u64::MAX - 2, u64::MAX - 1, u64::MAX]) {
            assert_eq!(unit.contains(index), indices.contains(&index), "{index}");
        }
        for bad in ["", "x", "3-1", "1,1", "5,2", "1-3,3", "-1", "1--2"] {
            crate::mock::has(&Part::unit(bad).unwrap_err(), "hattari cluster plan");
        }
    }
}
