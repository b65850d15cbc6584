//! From a league to its jobs: a list of values, the same on every machine and whatever has been played.

use crate::league::{Format, League};
use crate::record::JobId;
use crate::seeds::{Purpose, Seeds};
use crate::text::{counted, grouped};
use hattari_plugin::games::chance;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::str::FromStr;

/// Most line-ups of a league.
pub const LINE_UPS_MAX: u64 = 1_000_000;
/// Most line-ups that are gone through to find those wanted.
const CANDIDATES_MAX: u64 = 20_000_000;
/// Most jobs of a league.
pub const JOBS_MAX: u64 = 100_000_000;

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
        let number = |name: &String| league.entrant(name).expect("a checked league knows its entrants");
        let numbers = |names: &[String]| names.iter().map(number).collect::<Vec<_>>();
        let line_ups = match &league.format {
            Format::LineUps { size, sample, require } => {
                let require: Vec<Vec<usize>> = require.iter().map(|group| numbers(group)).collect();
                let combinations = Combinations::new(league.entrants.len(), *size);
                let eligible = combinations.filter(|line_up| meets(line_up, &require));
                match sample {
                    None => eligible.collect(),
                    Some(sample) => {
                        let count = Combinations::new(league.entrants.len(), *size)
                            .filter(|line_up| meets(line_up, &require))
                            .count();
                        let chosen = draw(*sample, count, league.seed);
                        eligible.enumerate().filter(|(i, _)| chosen.contains(i)).map(|(_, line_up)| line_up).collect()
                    }
                }
            }
            Format::Duel { a, b, field } => {
                let (b, field) = (numbers(b), numbers(field));
                let with_a = |a: usize| b.iter().map(move |&b| [a, b]).collect::<Vec<_>>();
                let pairs = numbers(a).into_iter().flat_map(with_a);
                pairs.map(|pair| pair.into_iter().chain(field.iter().copied()).collect()).collect()
            }
            Format::Pairs { a, b } => {
                let b = numbers(b);
                numbers(a).into_iter().flat_map(|a| b.iter().map(move |&b| vec![a, b, a, b])).collect()
            }
            Format::Challenge { challengers, field } => {
                let field = numbers(field);
                let table = |challenger| std::iter::once(challenger).chain(field.iter().copied()).collect();
                numbers(challengers).into_iter().map(table).collect()
            }
        };
        let line_ups: Vec<Vec<usize>> = line_ups;
        Schedule { line_ups: line_ups.into_iter().map(|entrants| LineUp { entrants }).collect(), blocks: league.blocks }
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

/// Whether a league's size can be handled: line-ups to be had at all, and not too many of them.
///
/// # Errors
/// What is too much or too little, and what would help.
pub fn check_size(league: &League) -> Result<(), (String, &'static str)> {
    const SMALLER: &str = "take fewer entrants or blocks, or add `sample: 200` to a format of line-ups";
    let line_ups = match &league.format {
        Format::LineUps { size, sample, require } => {
            let roster = league.entrants.len();
            let candidates = binomial(roster as u64, *size as u64);
            if CANDIDATES_MAX < candidates {
                let (all, most) = (grouped(candidates), grouped(CANDIDATES_MAX));
                let message =
                    format!("{roster} entrants make {all} line-ups of {size}; {most} at most can be gone through");
                return Err((message, "take fewer entrants"));
            }
            let eligible = if require.is_empty() {
                candidates
            } else {
                let number = |name: &String| league.entrant(name).into_iter();
                let require: Vec<Vec<usize>> = require.iter().map(|g| g.iter().flat_map(number).collect()).collect();
                Combinations::new(roster, *size).filter(|line_up| meets(line_up, &require)).count() as u64
            };
            if eligible == 0 {
                return Err((
                    format!("no line-up of {size} has a member of every group of `require`"),
                    "take fewer groups",
                ));
            }
            if let Some(sample) = sample.filter(|&sample| eligible < u64::from(sample)) {
                let (sample, all) = (grouped(sample.into()), counted(eligible, "line-up"));
                let message = format!("a sample of {sample} cannot be drawn from {all}");
                return Err((message, "lower `sample`, or leave it out to play every line-up"));
            }
            sample.map_or(eligible, u64::from)
        }
        Format::Duel { a, b, .. } | Format::Pairs { a, b } => a.len() as u64 * b.len() as u64,
        Format::Challenge { challengers, .. } => challengers.len() as u64,
    };
    let jobs = line_ups.saturating_mul(u64::from(league.blocks));
    let all = counted(line_ups, "line-up");
    if LINE_UPS_MAX < line_ups {
        return Err((format!("{all} are too many; a league takes {} at most", grouped(LINE_UPS_MAX)), SMALLER));
    }
    if JOBS_MAX < jobs {
        let each = counted(league.blocks.into(), "block");
        let message = format!("{all} of {each} each are too many; a league takes {} blocks at most", grouped(JOBS_MAX));
        return Err((message, SMALLER));
    }
    Ok(())
}

/// Whether a line-up has a member of every group.
fn meets(line_up: &[usize], require: &[Vec<usize>]) -> bool {
    require.iter().all(|group| line_up.iter().any(|entrant| group.contains(entrant)))
}

/// Ordinals of `sample` of `count` line-ups, every choice equally likely (Floyd's sampling).
fn draw(sample: u32, count: usize, seed: u64) -> BTreeSet<usize> {
    let mut stream = Seeds::league(seed).purpose(Purpose::Schedule).stream(0);
    let mut chosen = BTreeSet::new();
    for last in count.saturating_sub(sample as usize)..count {
        let bound = u32::try_from(last + 1).expect("line-ups are counted within bounds");
        let drawn = chance::below(&mut stream, bound) as usize;
        if !chosen.insert(drawn) {
            chosen.insert(last);
        }
    }
    chosen
}

/// `n` over `k`, or the largest number where it is larger.
fn binomial(n: u64, k: u64) -> u64 {
    if n < k {
        return 0;
    }
    let mut value: u128 = 1;
    for i in 0..u128::from(k.min(n - k)) {
        value = value * (u128::from(n) - i) / (i + 1);
        if u128::from(u64::MAX) < value {
            return u64::MAX;
        }
    }
    u64::try_from(value).unwrap_or(u64::MAX)
}

/// Every choice of `size` of the numbers below `n`, in lexicographic order.
struct Combinations {
    n: usize,
    next: Option<Vec<usize>>,
}

impl Combinations {
    fn new(n: usize, size: usize) -> Combinations {
        Combinations { n, next: (size <= n).then(|| (0..size).collect()) }
    }
}

impl Iterator for Combinations {
    type Item = Vec<usize>;

    fn next(&mut self) -> Option<Vec<usize>> {
        let current = self.next.take()?;
        let size = current.len();
        // The last place that has not reached its highest number yet is raised, those behind it follow closely.
        if let Some(place) = (0..size).rev().find(|&place| current[place] < self.n - size + place) {
            let mut following = current.clone();
            for (offset, number) in following[place..].iter_mut().enumerate() {
                *number = current[place] + 1 + offset;
            }
            self.next = Some(following);
        }
        Some(current)
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
    use crate::league::Entrant;

    fn league(names: &[&str], format: Format) -> League {
        let entrant = |name: &&str| Entrant {
            name: (*name).into(),
            bot: (*name).into(),
            config: serde_json::json!({}),
            isolation: None,
            client: None,
        };
        let text = r#"{"game": "highcard", "preset": "high", "options": {}, "seed": 7, "entrants": [], "blocks": 3, "deals": 1,
            "format": {"kind": "line-ups", "size": 2}, "duplicate": false, "faults": "substitute", "budget": {},
            "report": {"confidence": 0.95, "correction": "holm", "published": null}}"#;
        let league: League = serde_json::from_str(text).unwrap();
        League { entrants: names.iter().map(entrant).collect(), format, ..league }
    }

    fn line_ups(league: &League) -> Vec<Vec<usize>> {
        check_size(league).unwrap();
        Schedule::of(league).line_ups.into_iter().map(|line_up| line_up.entrants).collect()
    }

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn every_line_up_comes_once() {
        let all = league(&["a", "b", "c", "d"], Format::LineUps { size: 2, sample: None, require: vec![] });
        assert_eq!(line_ups(&all), [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]);
        // The paper's first table has every five of seven styles; its second every five of fourteen that mixes both kinds.
        let styles: Vec<String> = (0..14).map(|i| i.to_string()).collect();
        let names: Vec<&str> = styles.iter().map(String::as_str).collect();
        let fives = |require| Format::LineUps { size: 5, sample: None, require };
        assert_eq!(line_ups(&league(&names[..7], fives(vec![]))).len(), 21);
        let mixed = line_ups(&league(&names, fives(vec![styles[..7].to_vec(), styles[7..].to_vec()])));
        assert_eq!(mixed.len(), 2002 - 2 * 21);
        assert!(mixed.iter().all(|line_up| line_up[0] < 7 && line_up[4] >= 7));
    }

    #[test]
    fn a_sample_is_drawn_by_the_seed() {
        let names: Vec<String> = (0..14).map(|i| i.to_string()).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let sampled = |seed| {
            let league = league(
                &names,
                Format::LineUps { size: 5, sample: Some(200), require: vec![words("0 1"), words("12 13")] },
            );
            line_ups(&League { seed, ..league })
        };
        let drawn = sampled(7);
        assert_eq!((drawn.len(), &drawn), (200, &sampled(7)));
        assert!(drawn != sampled(8) && drawn.is_sorted());
        assert!(drawn.iter().all(|line_up| line_up[0] <= 1 && 12 <= line_up[4]));
        // Every line-up has the same chance: over many seeds each of three is drawn two times of three.
        let mut times = [0; 3];
        for seed in 0..3000 {
            let three = league(&["a", "b", "c"], Format::LineUps { size: 2, sample: Some(2), require: vec![] });
            for line_up in line_ups(&League { seed, ..three }) {
                times[line_up[0] + line_up[1] - 1] += 1;
            }
        }
        assert!(times.iter().all(|times| (1900..2100).contains(times)), "{times:?}");
    }

    #[test]
    fn duels_and_challenges_keep_their_field() {
        let names = ["a", "b", "c", "x"];
        let duel = Format::Duel { a: words("a"), b: words("b c"), field: words("x x") };
        assert_eq!(line_ups(&league(&names, duel)), [[0, 1, 3, 3], [0, 2, 3, 3]]);
        let challenge = Format::Challenge { challengers: words("c a"), field: words("x b") };
        assert_eq!(line_ups(&league(&names, challenge)), [[2, 3, 1], [0, 3, 1]]);
    }

    #[test]
    fn partners_are_copies_and_sit_opposite_each_other() {
        let pairs = Format::Pairs { a: words("a x"), b: words("b c") };
        let all = line_ups(&league(&["a", "b", "c", "x"], pairs));
        assert_eq!(all, [[0, 1, 0, 1], [0, 2, 0, 2], [3, 1, 3, 1], [3, 2, 3, 2]]);
    }

    #[test]
    fn shards_divide_the_jobs_evenly() {
        let schedule =
            Schedule::of(&league(&["a", "b", "c", "d"], Format::LineUps { size: 2, sample: None, require: vec![] }));
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
