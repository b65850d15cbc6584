//! Rankings as choices: who was chosen first from which set, how often. All that the likelihood
//! depends on.

use super::{Order, Ranking};
use crate::Untestable;
use std::collections::{BTreeMap, BTreeSet};

/// Bots in one tie at most: the average runs over all subsets of the tie.
const TIE_MAX: usize = 12;

/// Choices made in each block, over a shared list of choice sets.
pub(super) struct Choices {
    bots: usize,
    sets: Vec<Vec<usize>>,
    blocks: Vec<Counts>,
    virtual_draws: f64,
}

/// What one block holds.
struct Counts {
    /// How often a choice was made from each set: (index of the set, weight).
    made: Vec<(usize, f64)>,
    /// How often bots were chosen, those that were.
    chosen: BTreeMap<usize, f64>,
    /// Which bots were chosen while which others were in the set.
    ahead: BTreeSet<(usize, usize)>,
}

/// Choices of one block.
pub(super) struct Part<'a> {
    /// The sets chosen from and how often, in the order of their numbers.
    pub made: &'a [(usize, f64)],
    /// How often bots were chosen, those that were.
    pub chosen: &'a BTreeMap<usize, f64>,
}

/// Choices summed over blocks.
pub(super) struct Totals<'a> {
    /// The sets chosen from, each with at least two bots.
    pub sets: &'a [Vec<usize>],
    /// How often a choice was made from each set.
    pub made: Vec<f64>,
    /// How often each bot was chosen.
    pub chosen: Vec<f64>,
    /// `ahead[i * bots + j]`: i was chosen at least once while j was in the set.
    pub ahead: Vec<bool>,
}

impl Choices {
    /// Breaks the rankings of each block into choices.
    pub(super) fn new(
        bots: usize,
        blocks: &[&[impl Order]],
        virtual_draws: f64,
    ) -> Result<Self, Untestable> {
        if !(0.0..f64::INFINITY).contains(&virtual_draws) {
            return Err(Untestable::bad("virtual draws must be zero or more"));
        }
        let mut ids: BTreeMap<Vec<usize>, usize> = BTreeMap::new();
        let mut counted = Vec::with_capacity(blocks.len());
        for rankings in blocks {
            let mut counts = Counts {
                made: Vec::new(),
                chosen: BTreeMap::new(),
                ahead: BTreeSet::new(),
            };
            let mut made: BTreeMap<usize, f64> = BTreeMap::new();
            for ranking in *rankings {
                let ranking = ranking.ranking();
                check(bots, &ranking)?;
                break_up(&ranking, &mut ids, &mut made, &mut counts);
            }
            counts.made = made.into_iter().collect();
            counted.push(counts);
        }
        if 0.0 < virtual_draws {
            for i in 0..bots {
                for j in i + 1..bots {
                    id_of(&mut ids, vec![i, j]);
                }
            }
        }
        let mut sets = vec![Vec::new(); ids.len()];
        for (set, id) in ids {
            sets[id] = set;
        }
        Ok(Self {
            bots,
            sets,
            blocks: counted,
            virtual_draws,
        })
    }

    /// All blocks, and the virtual draws.
    pub(super) fn total(&self) -> Totals<'_> {
        let mut totals = Totals {
            sets: &self.sets,
            made: vec![0.0; self.sets.len()],
            chosen: vec![0.0; self.bots],
            ahead: vec![false; self.bots * self.bots],
        };
        for block in &self.blocks {
            block
                .made
                .iter()
                .for_each(|&(set, weight)| totals.made[set] += weight);
            block
                .chosen
                .iter()
                .for_each(|(&bot, times)| totals.chosen[bot] += times);
            block
                .ahead
                .iter()
                .for_each(|&(bot, other)| totals.ahead[bot * self.bots + other] = true);
        }
        if 0.0 < self.virtual_draws {
            for (set, made) in self.sets.iter().zip(&mut totals.made) {
                if let [i, j] = set[..] {
                    *made += self.virtual_draws;
                    totals.chosen[i] += 0.5 * self.virtual_draws;
                    totals.chosen[j] += 0.5 * self.virtual_draws;
                }
            }
            totals.ahead.fill(true);
        }
        totals
    }

    /// Each block alone, without virtual draws.
    pub(super) fn parts(&self) -> impl Iterator<Item = Part<'_>> {
        self.blocks.iter().map(|block| Part {
            made: &block.made,
            chosen: &block.chosen,
        })
    }
}

fn id_of(ids: &mut BTreeMap<Vec<usize>, usize>, set: Vec<usize>) -> usize {
    let next = ids.len();
    *ids.entry(set).or_insert(next)
}

fn check(bots: usize, ranking: &Ranking) -> Result<(), Untestable> {
    if !(ranking.weight.is_finite() && 0.0 < ranking.weight) {
        return Err(Untestable::bad(format!(
            "a ranking's weight must be positive, not {}",
            ranking.weight
        )));
    }
    let mut seen = vec![false; bots];
    for &bot in ranking.groups.iter().flatten() {
        match seen.get_mut(bot) {
            Some(seen) if !*seen => *seen = true,
            Some(_) => return Err(Untestable::bad(format!("a ranking names bot {bot} twice"))),
            None => {
                return Err(Untestable::bad(format!(
                    "a ranking names bot {bot} of {bots}"
                )));
            }
        }
    }
    let tied = ranking.groups.iter().map(Vec::len).max().unwrap_or(0);
    if TIE_MAX < tied {
        Err(Untestable::TieTooLarge {
            tied,
            limit: TIE_MAX,
        })
    } else {
        Ok(())
    }
}

/// Adds a ranking's choices. Within a tie of k bots every order is as likely, so after s of them
/// are gone each of the subsets of s bots is gone with probability 1 / C(k, s), and each of those
/// left is the next with equal chance.
fn break_up(
    ranking: &Ranking,
    ids: &mut BTreeMap<Vec<usize>, usize>,
    made: &mut BTreeMap<usize, f64>,
    counts: &mut Counts,
) {
    let mut remaining: Vec<usize> = ranking.groups.iter().flatten().copied().collect();
    remaining.sort_unstable();
    for group in &ranking.groups {
        let k = group.len();
        for gone in 0..(1u32 << k) - 1 {
            let left: Vec<usize> = (0..k)
                .filter(|&i| gone & (1 << i) == 0)
                .map(|i| group[i])
                .collect();
            let taken: Vec<usize> = (0..k)
                .filter(|&i| gone & (1 << i) != 0)
                .map(|i| group[i])
                .collect();
            let set: Vec<usize> = remaining
                .iter()
                .copied()
                .filter(|bot| !taken.contains(bot))
                .collect();
            if set.len() < 2 {
                continue;
            }
            let weight = ranking.weight / binomial(k, taken.len());
            for &bot in &left {
                *counts.chosen.entry(bot).or_default() += weight / left.len() as f64;
                counts.ahead.extend(
                    set.iter()
                        .filter(|&&other| other != bot)
                        .map(|&other| (bot, other)),
                );
            }
            *made.entry(id_of(ids, set)).or_insert(0.0) += weight;
        }
        remaining.retain(|bot| !group.contains(bot));
    }
}

fn binomial(n: usize, k: usize) -> f64 {
    (0..k).map(|i| (n - i) as f64 / (i + 1) as f64).product()
}
