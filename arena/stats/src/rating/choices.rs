//! Rankings as choices: who was chosen first from which set, how often. All that the likelihood
//! depends on.

use super::{Ahead, Observed, Ranking};
use crate::Untestable;
use std::collections::BTreeMap;

/// Bots in one tie at most: the average runs over all subsets of the tie.
const TIE_MAX: usize = 12;

/// Choices made in each block, over a shared list of choice sets.
pub(super) struct Choices {
    bots: usize,
    sets: Vec<Vec<usize>>,
    blocks: Vec<Counts>,
    /// Which bots were chosen while which others were in the set, a row for each bot.
    ahead: Vec<bool>,
    virtual_draws: f64,
}

/// What one block holds.
#[derive(Default)]
struct Counts {
    /// How often a choice was made from each set: (index of the set, weight).
    made: Vec<(usize, f64)>,
    /// How often bots were chosen, those that were.
    chosen: BTreeMap<usize, f64>,
}

/// Choice sets, numbered as they first come.
struct Sets {
    bots: usize,
    /// The numbers of pairs, by the lower bot, then by the higher one; [`Sets::NONE`] of those that
    /// have not come. Most sets are pairs, and a search for each would take most of the time.
    pairs: Vec<u32>,
    /// The numbers of larger sets.
    larger: BTreeMap<Vec<usize>, usize>,
    /// All sets by number, the larger ones empty.
    all: Vec<Vec<usize>>,
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
    pub ahead: &'a [bool],
}

impl Choices {
    /// Breaks the rankings of each block into choices.
    pub(super) fn new<R>(
        bots: usize,
        blocks: &[&[R]],
        virtual_draws: f64,
    ) -> Result<Self, Untestable>
    where
        for<'a> Observed<'a>: From<&'a R>,
    {
        if !(0.0..f64::INFINITY).contains(&virtual_draws) {
            return Err(Untestable::bad("virtual draws must be zero or more"));
        }
        let mut sets = Sets {
            bots,
            pairs: vec![Sets::NONE; bots * bots],
            larger: BTreeMap::new(),
            all: Vec::new(),
        };
        let mut ahead = vec![false; bots * bots];
        let mut counted = Vec::with_capacity(blocks.len());
        for block in blocks {
            let mut counts = Counts::default();
            let mut made: BTreeMap<usize, f64> = BTreeMap::new();
            for observed in *block {
                match observed.into() {
                    Observed::Ranking(ranking) => {
                        check(bots, ranking)?;
                        break_up(ranking, &mut sets, &mut made, &mut counts, &mut ahead);
                    }
                    Observed::Ahead(Ahead {
                        first,
                        second,
                        times,
                    }) => {
                        check_weight(times)?;
                        for bot in [first, second] {
                            check_bot(bots, bot)?;
                        }
                        if first == second {
                            return Err(named_twice(first));
                        }
                        *counts.chosen.entry(first).or_default() += times;
                        ahead[first * bots + second] = true;
                        let set = sets.pair(first.min(second), first.max(second));
                        *made.entry(set).or_default() += times;
                    }
                }
            }
            counts.made = made.into_iter().collect();
            counted.push(counts);
        }
        if 0.0 < virtual_draws {
            for i in 0..bots {
                for j in i + 1..bots {
                    sets.pair(i, j);
                }
            }
            ahead.fill(true);
        }
        let Sets {
            larger,
            all: mut sets,
            ..
        } = sets;
        for (set, id) in larger {
            sets[id] = set;
        }
        Ok(Self {
            bots,
            sets,
            blocks: counted,
            ahead,
            virtual_draws,
        })
    }

    /// All blocks, and the virtual draws.
    pub(super) fn total(&self) -> Totals<'_> {
        let mut totals = Totals {
            sets: &self.sets,
            made: vec![0.0; self.sets.len()],
            chosen: vec![0.0; self.bots],
            ahead: &self.ahead,
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
        }
        if 0.0 < self.virtual_draws {
            for (set, made) in self.sets.iter().zip(&mut totals.made) {
                if let [i, j] = set[..] {
                    *made += self.virtual_draws;
                    totals.chosen[i] += 0.5 * self.virtual_draws;
                    totals.chosen[j] += 0.5 * self.virtual_draws;
                }
            }
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

impl Sets {
    /// Stands for the number of a pair that has not come.
    const NONE: u32 = u32::MAX;

    /// The number of a pair, the lower bot first.
    fn pair(&mut self, a: usize, b: usize) -> usize {
        let known = &mut self.pairs[a * self.bots + b];
        if *known == Sets::NONE {
            *known = u32::try_from(self.all.len()).expect("sets are numbered within bounds");
            self.all.push(vec![a, b]);
        }
        *known as usize
    }

    /// The number of a set, whose bots go up.
    fn id(&mut self, set: Vec<usize>) -> usize {
        if let [a, b] = set[..] {
            return self.pair(a, b);
        }
        let next = self.all.len();
        let id = *self.larger.entry(set).or_insert(next);
        if id == next {
            self.all.push(Vec::new());
        }
        id
    }
}

fn check_weight(weight: f64) -> Result<(), Untestable> {
    if weight.is_finite() && 0.0 < weight {
        Ok(())
    } else {
        Err(Untestable::bad(format!(
            "a ranking's weight must be positive, not {weight}"
        )))
    }
}

fn check_bot(bots: usize, bot: usize) -> Result<(), Untestable> {
    if bot < bots {
        Ok(())
    } else {
        Err(Untestable::bad(format!(
            "a ranking names bot {bot} of {bots}"
        )))
    }
}

fn named_twice(bot: usize) -> Untestable {
    Untestable::bad(format!("a ranking names bot {bot} twice"))
}

fn check(bots: usize, ranking: &Ranking) -> Result<(), Untestable> {
    check_weight(ranking.weight)?;
    let mut seen = vec![false; bots];
    for &bot in ranking.groups.iter().flatten() {
        check_bot(bots, bot)?;
        if std::mem::replace(&mut seen[bot], true) {
            return Err(named_twice(bot));
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
    sets: &mut Sets,
    made: &mut BTreeMap<usize, f64>,
    counts: &mut Counts,
    ahead: &mut [bool],
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
                let others = set.iter().filter(|&&other| other != bot);
                others.for_each(|&other| ahead[bot * sets.bots + other] = true);
            }
            *made.entry(sets.id(set)).or_default() += weight;
        }
        remaining.retain(|bot| !group.contains(bot));
    }
}

fn binomial(n: usize, k: usize) -> f64 {
    (0..k).map(|i| (n - i) as f64 / (i + 1) as f64).product()
}
