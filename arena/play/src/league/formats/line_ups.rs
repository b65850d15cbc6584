//! The line-ups format: all combinations of `size` different entrants, or a sample of them.

use super::round_builder::canonical_order;
use super::{League, NamedEntrants, Node, Problem, Reader, TournamentFormat, indices};
use crate::league::keys::{EntrantList, EntrantNames, IntegerRange, KeyType, keys};
use hattari_agents::seeds::{Purpose, Seeds};
use hattari_agents::text::{counted, grouped};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, BinaryHeap};
use xxhash_rust::xxh3::xxh3_64;

/// Maximum number of line-ups that are enumerated. If there are more, a sample is drawn without
/// enumerating them.
const CANDIDATES_MAX: u64 = 20_000_000;
/// Maximum number of random numbers for a sample that is drawn without enumeration. Each draw needs
/// one number per entrant.
const NUMBERS_MAX: u64 = 200_000_000;
/// Number of draws per requested line-up that are allowed even if they need more random numbers.
const DRAWS_PER_LINE_UP_MIN: u64 = 4;

/// All line-ups of `size` different entrants.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LineUps {
    /// Number of entrants in a line-up.
    pub size: usize,
    /// Number of line-ups to draw; `None` for all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sample: Option<u32>,
    /// Groups of entrants; a line-up must contain a member of each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub require: Vec<Vec<String>>,
}

impl LineUps {
    /// Draws a sample from line-ups that are too many to enumerate. Returns the line-ups, each in
    /// the order of the league, and the number of draws. The sample is smaller than requested if
    /// line-ups with a member of every `require` group are too rare.
    ///
    /// Each draw assigns a number to every entrant by its name and takes the entrants with the
    /// lowest numbers. So all line-ups have the same probability, and adding or removing an entrant
    /// changes only the draws that contain it.
    pub(super) fn draw_sample(
        &self,
        league: &League,
        sample: usize,
    ) -> (BTreeSet<Vec<usize>>, u64) {
        let seeds = Seeds::league(league.seed).purpose(Purpose::Schedule);
        let require = self.required_groups(league);
        // The entrant of a group of one is in every line-up.
        let required: BTreeSet<usize> = require
            .iter()
            .filter(|group| group.len() == 1)
            .map(|group| group[0])
            .collect();
        let (mut line_ups, mut draws) = (BTreeSet::new(), 0);
        let Some(others) = self.size.checked_sub(required.len()) else {
            return (line_ups, draws);
        };
        let names: Vec<(u64, usize)> = (0..league.entrants.len())
            .filter(|entrant| !required.contains(entrant))
            .map(|entrant| (xxh3_64(league.entrants[entrant].name.as_bytes()), entrant))
            .collect();
        let draws_max =
            (NUMBERS_MAX / names.len().max(1) as u64).max(DRAWS_PER_LINE_UP_MIN * sample as u64);
        let mut drawn: Vec<(u64, usize)> = Vec::with_capacity(names.len());
        while line_ups.len() < sample && draws < draws_max {
            let draw = seeds.number(draws);
            draws += 1;
            drawn.clear();
            let numbers = names
                .iter()
                .map(|&(name, entrant)| (mix_bits(draw ^ name), entrant));
            drawn.extend(numbers);
            if drawn.len() > others {
                drawn.select_nth_unstable(others);
            }
            let mut line_up: Vec<usize> = drawn
                .iter()
                .take(others)
                .map(|(_, entrant)| entrant)
                .chain(&required)
                .copied()
                .collect();
            line_up.sort_unstable();
            if has_member_of_every_group(&line_up, &require) {
                line_ups.insert(line_up);
            }
        }
        (line_ups, draws)
    }

    /// Returns the entrants of every `require` group.
    fn required_groups(&self, league: &League) -> Vec<Vec<usize>> {
        self.require
            .iter()
            .map(|group| indices(league, group))
            .collect()
    }

    /// Returns all line-ups that have a member of every `require` group.
    fn eligible(&self, league: &League) -> impl Iterator<Item = Vec<usize>> {
        let require = self.required_groups(league);
        Combinations::new(league.entrants.len(), self.size)
            .filter(move |line_up| has_member_of_every_group(line_up, &require))
    }
}

keys! {
    /// every line-up of `size` different entrants
    Keys = "a format of line-ups", kind "line-ups";
    /// number of players at a table, 1 to 64
    size = IntegerRange<usize>(1, 64), needs "size: 5";
    /// number of line-ups to play, sampled at random with the seed
    sample = IntegerRange<u32>(1, u32::MAX), or "all";
    /// only line-ups with at least one member of each of these lists, as in `[[base], [mine,
    /// bold]]`
    require = EntrantGroups, or "all";
}

/// The type of the key `require`: groups of entrants.
pub(in crate::league) struct EntrantGroups;

impl KeyType<'_> for EntrantGroups {
    type Value = Vec<Vec<String>>;

    fn schema(&self) -> serde_json::Value {
        serde_json::json!({"type": "array", "items": EntrantNames(EntrantList::Distinct).schema()})
    }

    fn read(&self, reader: &Reader<'_>, node: &Node, key: &str) -> Option<Vec<Vec<String>>> {
        reader
            .list(
                node,
                key,
                "a list of lists of entrants, as in `[[base], [base-k]]`",
            )?
            .iter()
            .map(|group| EntrantNames(EntrantList::Distinct).read(reader, group, key))
            .collect()
    }
}

impl LineUps {
    pub(super) fn read(reader: &Reader<'_>, keys: Keys<'_>) -> Option<LineUps> {
        if let (Some(size), Some(node)) = (keys.size, keys.fields.get("size")) {
            reader.check_size(
                node,
                size,
                &format!("line-ups of {size} need"),
                "add entrants (copies of a bot need different names), or lower `size`",
            );
        }
        Some(LineUps {
            size: keys.size?,
            sample: keys.sample,
            require: keys.require.unwrap_or_default(),
        })
    }
}

impl TournamentFormat for LineUps {
    fn count(&self, league: &League) -> Result<u64, Problem> {
        let (roster, size) = (league.entrants.len(), self.size);
        let refuse = |message: String, remedy: &str| Err(Problem::of_file(message, remedy));
        let candidates = binomial(roster as u64, size as u64);
        if candidates > CANDIDATES_MAX {
            let (all, most) = (count_in_words(candidates), grouped(CANDIDATES_MAX));
            let Some(sample) = self.sample else {
                return refuse(
                    format!(
                        "{roster} entrants make {all} line-ups of {size}; at most {most} can be \
                    enumerated"
                    ),
                    "add `sample: 200`, or use fewer entrants",
                );
            };
            if u64::from(sample) <= super::LINE_UPS_MAX {
                let (line_ups, draws) = self.draw_sample(league, sample as usize);
                if line_ups.len() < sample as usize {
                    return refuse(
                        format!(
                            "cannot sample {} of {all} line-ups: of {} tried, only {} had a member of \
                        every group of `require`",
                            grouped(sample.into()),
                            grouped(draws),
                            grouped(line_ups.len() as u64)
                        ),
                        "lower `sample`, or give fewer or larger groups",
                    );
                }
            }
            return Ok(sample.into());
        }
        let eligible = if self.require.is_empty() {
            candidates
        } else {
            self.eligible(league).count() as u64
        };
        match self.sample.map(u64::from) {
            _ if eligible == 0 => refuse(
                format!("no line-up of {size} has a member of every group of `require`"),
                "give fewer groups",
            ),
            Some(sample) if eligible < sample => {
                let (sample, all) = (grouped(sample), counted(eligible, "line-up"));
                refuse(
                    format!("cannot sample {sample} of {all}"),
                    "lower `sample`, or remove it to play every line-up",
                )
            }
            sample => Ok(sample.unwrap_or(eligible)),
        }
    }

    fn line_ups(&self, league: &League) -> Vec<Vec<usize>> {
        let ordered = |line_up| canonical_order(league, line_up);
        let Some(sample) = self.sample else {
            return self.eligible(league).map(ordered).collect();
        };
        if binomial(league.entrants.len() as u64, self.size as u64) > CANDIDATES_MAX {
            let (line_ups, _) = self.draw_sample(league, sample as usize);
            return line_ups.into_iter().map(ordered).collect();
        }
        // Take the line-ups with the lowest random numbers. The numbers depend on names, so that
        // adding or removing an entrant changes little of the sample.
        let seeds = Seeds::league(league.seed).purpose(Purpose::Schedule);
        let mut lowest = BinaryHeap::new();
        for (number, line_up) in self.eligible(league).map(ordered).enumerate() {
            let names = (line_up.iter()).map(|&entrant| league.entrants[entrant].name.as_str());
            lowest.push((seeds.line_up(names).bots.number(0), number, line_up));
            if lowest.len() > sample as usize {
                lowest.pop();
            }
        }
        let mut drawn = lowest.into_vec();
        drawn.sort_unstable_by_key(|&(_, number, _)| number);
        drawn.into_iter().map(|(_, _, line_up)| line_up).collect()
    }

    fn entrants_per_table(&self) -> usize {
        self.size
    }

    fn named_entrants(&mut self) -> NamedEntrants<'_> {
        NamedEntrants {
            table_size: Some(self.size),
            lists: self.require.iter_mut().collect(),
            ..NamedEntrants::default()
        }
    }

    fn description(&self, league: &League) -> String {
        let start = match self.sample {
            Some(sample) => format!("{} line-ups, sampled from those of", grouped(sample.into())),
            None => "every line-up of".to_owned(),
        };
        let mut text = format!(
            "{start} {} of {} entrants",
            self.size,
            league.entrants.len()
        );
        for (number, group) in self.require.iter().enumerate() {
            let word = if number == 0 { "with" } else { "and" };
            text += &format!(" {word} one of {}", group.join(", "));
        }
        text
    }
}

/// Mixes the bits of a number: each output bit depends on all input bits (Steele, Lea and Flood,
/// "Fast splittable pseudorandom number generators").
fn mix_bits(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

/// Formats a number of line-ups; `u64::MAX` means an overflow.
fn count_in_words(line_ups: u64) -> String {
    let more = if line_ups == u64::MAX {
        "more than "
    } else {
        ""
    };
    format!("{more}{}", grouped(line_ups))
}

/// Returns `true` if a line-up has a member of every group.
fn has_member_of_every_group(line_up: &[usize], require: &[Vec<usize>]) -> bool {
    require
        .iter()
        .all(|group| line_up.iter().any(|entrant| group.contains(entrant)))
}

/// Returns the binomial coefficient `n` over `k`, or `u64::MAX` if it is larger.
pub(super) fn binomial(n: u64, k: u64) -> u64 {
    if n < k {
        return 0;
    }
    let mut value: u128 = 1;
    for i in 0..u128::from(k.min(n - k)) {
        value = value * (u128::from(n) - i) / (i + 1);
        if value > u128::from(u64::MAX) {
            return u64::MAX;
        }
    }
    u64::try_from(value).unwrap_or(u64::MAX)
}

/// All choices of `size` numbers below `n`, in lexicographic order.
pub(super) struct Combinations {
    n: usize,
    next: Option<Vec<usize>>,
}

impl Combinations {
    pub(super) fn new(n: usize, size: usize) -> Combinations {
        Combinations {
            n,
            next: (size <= n).then(|| (0..size).collect()),
        }
    }
}

impl Iterator for Combinations {
    type Item = Vec<usize>;

    fn next(&mut self) -> Option<Vec<usize>> {
        let current = self.next.take()?;
        let size = current.len();
        // Increment the last number below its maximum, and set the numbers after it to the next
        // ones.
        if let Some(index) = (0..size)
            .rev()
            .find(|index| current[*index] < self.n - size + index)
        {
            let mut following = current.clone();
            for (offset, number) in following[index..].iter_mut().enumerate() {
                *number = current[index] + 1 + offset;
            }
            self.next = Some(following);
        }
        Some(current)
    }
}
