//! Line-ups: every choice of so many different entrants, or a sample of them.

use super::rounds::seated;
use super::{League, Meetings, Node, Reader, numbers};
use crate::league::keys::{Names, Takes, Whole, keys};
use hattari_agents::seeds::{Purpose, Seeds};
use hattari_agents::text::{counted, grouped};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, BinaryHeap};
use xxhash_rust::xxh3::xxh3_64;

/// Most line-ups that are gone through to find those wanted. Of more than these a sample is drawn
/// without going through them.
const CANDIDATES_MAX: u64 = 20_000_000;
/// Numbers that drawing such a sample may take at most, one for each entrant and draw.
const NUMBERS_MAX: u64 = 200_000_000;
/// Draws for each line-up of a sample that are made in any case.
const DRAWS_LEAST: u64 = 4;

/// Every line-up of `size` different entrants.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LineUps {
    /// Entrants of a line-up.
    pub size: usize,
    /// How many line-ups to draw instead of taking all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sample: Option<u32>,
    /// Only line-ups with at least one member of each of these groups.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub require: Vec<Vec<String>>,
}

impl LineUps {
    /// A sample of line-ups that are too many to be gone through, each in the order of the league,
    /// and how many draws it took. It is shorter than it was to be where those with a member of
    /// every group of `require` are too rare to be drawn.
    ///
    /// A draw gives every entrant a number by its name and takes the lowest: so every line-up has
    /// the same chance, and who joins or leaves changes those draws alone that the entrant is
    /// or was in.
    pub(super) fn drawn(&self, league: &League, sample: usize) -> (BTreeSet<Vec<usize>>, u64) {
        let seeds = Seeds::league(league.seed).purpose(Purpose::Schedule);
        let require: Vec<Vec<usize>> = self
            .require
            .iter()
            .map(|group| numbers(league, group))
            .collect();
        // A group of one says who sits at every table.
        let given: BTreeSet<usize> = require
            .iter()
            .filter(|group| group.len() == 1)
            .map(|group| group[0])
            .collect();
        let (mut found, mut draws) = (BTreeSet::new(), 0);
        let Some(others) = self.size.checked_sub(given.len()) else {
            return (found, draws);
        };
        let free = (0..league.entrants.len()).filter(|entrant| !given.contains(entrant));
        let names: Vec<(u64, usize)> = free
            .map(|entrant| (xxh3_64(league.entrants[entrant].name.as_bytes()), entrant))
            .collect();
        let draws_max = (NUMBERS_MAX / names.len().max(1) as u64).max(DRAWS_LEAST * sample as u64);
        let mut drawn: Vec<(u64, usize)> = Vec::with_capacity(names.len());
        while found.len() < sample && draws < draws_max {
            let draw = seeds.number(draws);
            draws += 1;
            drawn.clear();
            drawn.extend(
                names
                    .iter()
                    .map(|&(name, entrant)| (mixed(draw ^ name), entrant)),
            );
            if others < drawn.len() {
                drawn.select_nth_unstable(others);
            }
            let mut line_up: Vec<usize> = drawn
                .iter()
                .take(others)
                .map(|&(_, entrant)| entrant)
                .collect();
            line_up.extend(&given);
            line_up.sort_unstable();
            if meets(&line_up, &require) {
                found.insert(line_up);
            }
        }
        (found, draws)
    }

    /// The line-ups to choose from.
    fn eligible(&self, league: &League) -> impl Iterator<Item = Vec<usize>> {
        let require: Vec<Vec<usize>> = self
            .require
            .iter()
            .map(|group| numbers(league, group))
            .collect();
        Combinations::new(league.entrants.len(), self.size)
            .filter(move |line_up| meets(line_up, &require))
    }
}

keys! {
    /// every line-up of `size` different entrants
    Keys = "a format of line-ups", kind "line-ups";
    /// players of a table, 1 to 64
    size = Whole<usize>(1, 64), needs "size: 5";
    /// play so many of them, drawn by the seed. There may be any number to draw from
    sample = Whole<u32>(1, u32::MAX), or "all";
    /// only those with one member of each of these lists at least, as in `[[base], [mine, bold]]`
    require = Groups, or "all";
}

/// Groups of entrants.
pub(in crate::league) struct Groups;

impl Takes<'_> for Groups {
    type Value = Vec<Vec<String>>;

    fn schema(&self) -> serde_json::Value {
        serde_json::json!({"type": "array", "items": Names(false).schema()})
    }

    fn read(&self, reader: &Reader<'_>, node: &Node, key: &str) -> Option<Vec<Vec<String>>> {
        let expected = "a list of lists of entrants, as in `[[base], [base-k]]`";
        let groups = reader.list(node, key, expected)?;
        groups
            .iter()
            .map(|group| reader.names(group, key, false))
            .collect()
    }
}

impl LineUps {
    /// Makes the format of its keys.
    pub(super) fn read(reader: &Reader<'_>, keys: Keys<'_>) -> Option<LineUps> {
        if let (Some(size), Some(node)) = (keys.size, keys.fields.get("size")) {
            reader.check_players(node, size);
            if let Some(entrants) = reader.entrants.as_ref().filter(|all| all.len() < size) {
                let message = format!(
                    "line-ups of {size} need {size} entrants; there are {}",
                    entrants.len()
                );
                let cure = "add entrants (copies of a bot need names of their own) or lower `size`";
                reader.problem(node, message, cure);
            }
        }
        Some(LineUps {
            size: keys.size?,
            sample: keys.sample,
            require: keys.require.unwrap_or_default(),
        })
    }
}

impl Meetings for LineUps {
    fn count(&self, league: &League) -> Result<u64, (String, &'static str)> {
        let (roster, size) = (league.entrants.len(), self.size);
        let candidates = binomial(roster as u64, size as u64);
        if CANDIDATES_MAX < candidates {
            let (all, most) = (count_in_words(candidates), grouped(CANDIDATES_MAX));
            let Some(sample) = self.sample else {
                let message = format!(
                    "{roster} entrants make {all} line-ups of {size}; {most} at most can be gone through"
                );
                return Err((message, "add `sample: 200`, or take fewer entrants"));
            };
            if u64::from(sample) <= super::LINE_UPS_MAX {
                let (found, draws) = self.drawn(league, sample as usize);
                if found.len() < sample as usize {
                    let message = format!(
                        "a sample of {} cannot be drawn from {all} line-ups: of {} only {} had a member of every group of `require`",
                        grouped(sample.into()),
                        grouped(draws),
                        grouped(found.len() as u64)
                    );
                    return Err((message, "lower `sample`, or take fewer or larger groups"));
                }
            }
            return Ok(sample.into());
        }
        let eligible = if self.require.is_empty() {
            candidates
        } else {
            self.eligible(league).count() as u64
        };
        if eligible == 0 {
            let message = format!("no line-up of {size} has a member of every group of `require`");
            return Err((message, "take fewer groups"));
        }
        if let Some(sample) = self.sample.filter(|&sample| eligible < u64::from(sample)) {
            let (sample, all) = (grouped(sample.into()), counted(eligible, "line-up"));
            let message = format!("a sample of {sample} cannot be drawn from {all}");
            return Err((
                message,
                "lower `sample`, or leave it out to play every line-up",
            ));
        }
        Ok(self.sample.map_or(eligible, u64::from))
    }

    fn line_ups(&self, league: &League) -> Vec<Vec<usize>> {
        let seat = |line_up| seated(league, line_up);
        let Some(sample) = self.sample else {
            return self.eligible(league).map(seat).collect();
        };
        if CANDIDATES_MAX < binomial(league.entrants.len() as u64, self.size as u64) {
            return self
                .drawn(league, sample as usize)
                .0
                .into_iter()
                .map(seat)
                .collect();
        }
        // Those for which a draw by their names comes out lowest: whoever joins or leaves changes
        // little of the sample.
        let seeds = Seeds::league(league.seed).purpose(Purpose::Schedule);
        let mut lowest = BinaryHeap::new();
        for (number, line_up) in self.eligible(league).map(seat).enumerate() {
            let names = line_up
                .iter()
                .map(|&entrant| league.entrants[entrant].name.as_str());
            lowest.push((seeds.line_up(names).bots.number(0), number, line_up));
            if lowest.len() > sample as usize {
                lowest.pop();
            }
        }
        let mut drawn: Vec<_> = lowest
            .into_iter()
            .map(|(_, number, line_up)| (number, line_up))
            .collect();
        drawn.sort_unstable();
        drawn.into_iter().map(|(_, line_up)| line_up).collect()
    }

    fn words(&self, league: &League) -> String {
        let LineUps {
            size,
            sample,
            require,
        } = self;
        let of = format!("{size} of {} entrants", league.entrants.len());
        let groups = require
            .iter()
            .map(|group| format!("one of {}", group.join(", ")))
            .collect::<Vec<_>>();
        let with = if groups.is_empty() {
            String::new()
        } else {
            format!(" with {}", groups.join(" and "))
        };
        match sample {
            Some(sample) => format!(
                "{} line-ups drawn from those of {of}{with}",
                grouped(u64::from(*sample))
            ),
            None => format!("every line-up of {of}{with}"),
        }
    }
}

/// A number whose bits all hang on all bits of another (Steele, Lea and Flood, "Fast splittable
/// pseudorandom number generators").
fn mixed(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

/// A number of line-ups, which may be larger than can be counted.
fn count_in_words(line_ups: u64) -> String {
    if line_ups == u64::MAX {
        format!("more than {}", grouped(line_ups))
    } else {
        grouped(line_ups)
    }
}

/// Whether a line-up has a member of every group.
fn meets(line_up: &[usize], require: &[Vec<usize>]) -> bool {
    require
        .iter()
        .all(|group| line_up.iter().any(|entrant| group.contains(entrant)))
}

/// `n` over `k`, or the largest number where it is larger.
pub(super) fn binomial(n: u64, k: u64) -> u64 {
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
        // The last place that has not reached its highest number yet is raised, those behind it
        // follow closely.
        if let Some(place) = (0..size)
            .rev()
            .find(|&place| current[place] < self.n - size + place)
        {
            let mut following = current.clone();
            for (offset, number) in following[place..].iter_mut().enumerate() {
                *number = current[place] + 1 + offset;
            }
            self.next = Some(following);
        }
        Some(current)
    }
}
