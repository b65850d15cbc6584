//! Simulated entrants of known strength, for tests of all formats.

use super::super::*;
use crate::league::formats::round_schedule::{Round, RoundStanding};
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap, HashSet};

/// Results in which each entrant scores its strength plus noise.
#[derive(Clone)]
pub(super) struct Strengths {
    /// Strength of each entrant.
    pub levels: Vec<f64>,
    /// Half the width of the noise.
    pub noise: f64,
    /// Seed of the noise.
    pub seed: u64,
    /// Percentage of blocks that have been played.
    pub percent: u64,
}

/// Creates results without noise, with all blocks played.
pub(super) fn strengths(levels: &[f64]) -> Strengths {
    Strengths {
        levels: levels.to_vec(),
        noise: 0.0,
        seed: 0,
        percent: 100,
    }
}

/// Returns the strengths of `count` entrants in an order drawn by `seed`.
pub(super) fn shuffled(count: usize, seed: u64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by_key(|&entrant| drawn(seed, &[entrant], 0));
    let mut levels = vec![0.0; count];
    order
        .into_iter()
        .zip(0_u32..)
        .for_each(|(entrant, strength)| levels[entrant] = strength.into());
    levels
}

fn drawn(seed: u64, entrants: &[usize], block: u32) -> u64 {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hasher = DefaultHasher::new();
    (seed, entrants, block).hash(&mut hasher);
    hasher.finish()
}

impl Results for Strengths {
    fn scores(&self, entrants: &[usize], block: u32) -> Option<Vec<f64>> {
        let score = |(place, &entrant): (usize, &usize)| {
            #[expect(clippy::cast_precision_loss, reason = "noise")]
            let chance =
                drawn(self.seed + 1 + place as u64, entrants, block) as f64 / u64::MAX as f64;
            self.levels[entrant] + self.noise * (2.0 * chance - 1.0)
        };
        (drawn(self.seed, entrants, block) % 100 < self.percent)
            .then(|| entrants.iter().enumerate().map(score).collect())
    }
}

/// Scores by line-up and block.
type Scores = HashMap<(Vec<usize>, u32), Vec<f64>>;

/// Results of the blocks that have been played so far.
#[derive(Default)]
struct Store(RefCell<Scores>);

impl Results for Store {
    fn scores(&self, entrants: &[usize], block: u32) -> Option<Vec<f64>> {
        self.0.borrow().get(&(entrants.to_vec(), block)).cloned()
    }
}

/// Creates a league of `count` entrants, named a00, a01 and so on. `format` is written as in a
/// league file.
pub(super) fn field(count: usize, blocks: u32, format: &str) -> League {
    let names: Vec<String> = (0..count).map(|i| format!("a{i:02}")).collect();
    League {
        blocks,
        ..super::league(&names, super::format(format))
    }
}

/// Returns the schedule of a league with all blocks played, after checking the invariants of all
/// formats.
pub(super) fn played(league: &League, results: &Strengths) -> RoundSchedule {
    check_size(league).unwrap_or_else(|problem| panic!("{problem:?}"));
    let round_schedule =
        |results: &dyn Results| league.format.round_schedule(league, results).unwrap();
    let full = round_schedule(results);
    assert!(full.is_over, "{} rounds", full.rounds.len());
    assert_eq!(full, round_schedule(results));
    for round in &full.rounds {
        check_round(league, round);
    }
    // No table plays a block twice or skips one.
    let mut next: HashMap<&[usize], u32> = HashMap::new();
    for meeting in pairings(&full) {
        let next = next.entry(&meeting.entrants).or_default();
        assert_eq!(*next, meeting.blocks.start);
        *next = meeting.blocks.end;
    }
    // With some of the blocks, the schedule is a prefix of the full schedule.
    for percent in [0, 50, 90, 99] {
        let part = round_schedule(&Strengths {
            percent,
            ..results.clone()
        });
        assert!(is_beginning(&part, &full), "{percent} % of the blocks");
    }
    full
}

/// Plays a league round by round, only the requested blocks. Checks that the schedule is the same
/// as if all results were known from the start.
pub(super) fn live(league: &League, results: &Strengths) {
    let store = Store::default();
    let mut times = 0;
    loop {
        let round_schedule = league.format.round_schedule(league, &store).unwrap();
        if round_schedule.is_over {
            assert_eq!(round_schedule, played(league, results));
            return;
        }
        let before = store.0.borrow().len();
        for Pairing { entrants, blocks } in &round_schedule.rounds.last().unwrap().pairings {
            for block in blocks.clone() {
                let scores = results.scores(entrants, block).unwrap();
                store
                    .0
                    .borrow_mut()
                    .insert((entrants.clone(), block), scores);
            }
        }
        let after = store.0.borrow().len();
        assert!(before < after, "an open round has open blocks");
        times += 1;
        assert!(times < 10_000);
    }
}

fn check_round(league: &League, round: &Round) {
    let tables: Vec<&Vec<usize>> = round.pairings.iter().map(|m| &m.entrants).collect();
    let sizes: BTreeSet<usize> = tables.iter().map(|table| table.len()).collect();
    assert_eq!(sizes.len(), 1, "{}", round.name);
    let mut seats = tables.iter().copied().flatten().chain(&round.byes);
    let mut seen = HashSet::new();
    assert!(
        seats.all(|entrant| seen.insert(entrant)),
        "no entrant has two tables in {}",
        round.name
    );
    for table in tables {
        assert_eq!(
            round_builder::canonical_order(league, table.clone()),
            *table
        );
    }
    let standing: HashSet<usize> = round.standing.iter().map(|line| line.entrant).collect();
    assert_eq!(standing.len(), round.standing.len());
    assert!(!round.standing.is_empty());
    assert!(
        round.standing.is_sorted_by(|a, b| b.points <= a.points),
        "{:?}",
        round.standing
    );
}

fn is_beginning(part: &RoundSchedule, full: &RoundSchedule) -> bool {
    let Some((last, closed)) = part.rounds.split_last() else {
        return full.rounds.is_empty();
    };
    let Some(same) = full.rounds.get(closed.len()) else {
        return false;
    };
    let starts = |(part, full): (&Pairing, &Pairing)| {
        part.entrants == full.entrants
            && part.blocks.start == full.blocks.start
            && part.blocks.end <= full.blocks.end
    };
    full.rounds.starts_with(closed)
        && (&last.name, &last.byes, last.pairings.len())
            == (&same.name, &same.byes, same.pairings.len())
        && last.pairings.iter().zip(&same.pairings).all(starts)
        && if part.is_over {
            part == full
        } else {
            last.standing.is_empty()
        }
}

/// Formats the line-ups of a round by number, for example `0-2 1-3`.
pub(super) fn tables(round: &Round) -> String {
    let table = |meeting: &Pairing| joined(&meeting.entrants, "-", usize::to_string);
    joined(&round.pairings, " ", table)
}

/// Formats the line-ups of all rounds.
pub(super) fn all_tables(round_schedule: &RoundSchedule) -> Vec<String> {
    round_schedule.rounds.iter().map(tables).collect()
}

/// Returns all pairings of a schedule in order.
pub(super) fn pairings(round_schedule: &RoundSchedule) -> impl Iterator<Item = &Pairing> {
    round_schedule
        .rounds
        .iter()
        .flat_map(|round| &round.pairings)
}

/// Returns the schedule of a format for entrants of these strengths.
pub(super) fn schedule(blocks: u32, format: &str, levels: &[f64]) -> RoundSchedule {
    played(&field(levels.len(), blocks, format), &strengths(levels))
}

/// Creates results with noise for entrants in an order drawn by `seed`.
pub(super) fn noisy(count: usize, noise: f64, seed: u64) -> Strengths {
    Strengths {
        noise,
        seed,
        ..strengths(&shuffled(count, seed))
    }
}

/// Returns the line of an entrant in the standings after a round.
pub(super) fn line(round: &Round, entrant: usize) -> Option<&RoundStanding> {
    let mut lines = round.standing.iter();
    lines.find(|line| line.entrant == entrant)
}

/// Returns `true` if an entrant has a table in a round.
pub(super) fn plays(round: &Round, entrant: usize) -> bool {
    let mut tables = round.pairings.iter();
    tables.any(|meeting| meeting.entrants.contains(&entrant))
}

/// Formats a standing by number with points, for example `0:2 1:1`.
pub(super) fn standing(round: &Round) -> String {
    let line = |line: &RoundStanding| format!("{}:{}", line.entrant, line.points);
    joined(&round.standing, " ", line)
}

fn joined<T>(items: &[T], between: &str, text: impl Fn(&T) -> String) -> String {
    items.iter().map(text).collect::<Vec<_>>().join(between)
}
