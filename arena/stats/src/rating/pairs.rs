//! Counts of who finished ahead of whom: the sufficient statistics of the likelihood.

use super::Ahead;
use crate::Untestable;
use std::collections::BTreeMap;

/// Counts for each block, over a common list of pairs.
pub(super) struct Pairs {
    bots: usize,
    /// The pairs that met, lower bot first, in the order of their first meeting.
    pairs: Vec<[usize; 2]>,
    blocks: Vec<Counts>,
    /// `ahead[i * bots + j]` is true if i was ahead of j at least once.
    ahead: Vec<bool>,
    virtual_draws: f64,
}

/// The counts of one block.
#[derive(Default)]
struct Counts {
    /// Number of meetings: (index of the pair, count).
    met: Vec<(usize, f64)>,
    /// Number of times that each bot was ahead, without zeros.
    won: BTreeMap<usize, f64>,
}

/// The counts of one block, borrowed.
pub(super) struct Part<'a> {
    /// Number of meetings: (index of the pair, count), sorted by index.
    pub met: &'a [(usize, f64)],
    /// Number of times that each bot was ahead, without zeros.
    pub won: &'a BTreeMap<usize, f64>,
}

/// Counts summed over blocks.
pub(super) struct Totals<'a> {
    /// The pairs that met.
    pub pairs: &'a [[usize; 2]],
    /// Number of meetings of each pair.
    met: Vec<f64>,
    /// Number of times that each bot was ahead.
    pub won: Vec<f64>,
    /// `ahead[i * bots + j]` is true if i was ahead of j at least once.
    pub ahead: &'a [bool],
}

impl Totals<'_> {
    /// Returns the pairs that met, with the number of meetings.
    pub(super) fn met(&self) -> impl Iterator<Item = ([usize; 2], f64)> {
        let all = self.pairs.iter().copied().zip(self.met.iter().copied());
        all.filter(|(_, met)| 0.0 < *met)
    }
}

impl Pairs {
    /// Counts the observations of each block.
    pub(super) fn new(
        bots: usize,
        blocks: &[&[Ahead]],
        virtual_draws: f64,
    ) -> Result<Self, Untestable> {
        if !(0.0..f64::INFINITY).contains(&virtual_draws) {
            return Err(Untestable::bad("virtual draws must be zero or more"));
        }
        /// Marks a pair that has no index yet.
        const NONE: u32 = u32::MAX;
        let mut pairs = Vec::new();
        let mut numbers = vec![NONE; bots * bots];
        // An index table is used, because searching a list would take most of the time.
        let mut number = |a: usize, b: usize| {
            let known = &mut numbers[a * bots + b];
            if *known == NONE {
                *known = u32::try_from(pairs.len()).expect("pairs are numbered within bounds");
                pairs.push([a, b]);
            }
            *known as usize
        };
        let mut ahead = vec![false; bots * bots];
        let mut counted = Vec::with_capacity(blocks.len());
        for block in blocks {
            let mut counts = Counts::default();
            let mut met: BTreeMap<usize, f64> = BTreeMap::new();
            for observed in *block {
                check(bots, observed)?;
                let &Ahead {
                    first,
                    second,
                    times,
                } = observed;
                *counts.won.entry(first).or_default() += times;
                ahead[first * bots + second] = true;
                let pair = number(first.min(second), first.max(second));
                *met.entry(pair).or_default() += times;
            }
            counts.met = met.into_iter().collect();
            counted.push(counts);
        }
        if 0.0 < virtual_draws {
            for i in 0..bots {
                for j in i + 1..bots {
                    number(i, j);
                }
            }
            ahead.fill(true);
        }
        Ok(Self {
            bots,
            pairs,
            blocks: counted,
            ahead,
            virtual_draws,
        })
    }

    /// Returns the sum over all blocks and the virtual draws.
    pub(super) fn total(&self) -> Totals<'_> {
        let mut totals = Totals {
            pairs: &self.pairs,
            met: vec![0.0; self.pairs.len()],
            won: vec![0.0; self.bots],
            ahead: &self.ahead,
        };
        for block in &self.blocks {
            block
                .met
                .iter()
                .for_each(|&(pair, times)| totals.met[pair] += times);
            block
                .won
                .iter()
                .for_each(|(&bot, times)| totals.won[bot] += times);
        }
        if 0.0 < self.virtual_draws {
            for (pair, met) in self.pairs.iter().zip(&mut totals.met) {
                *met += self.virtual_draws;
                for &bot in pair {
                    totals.won[bot] += 0.5 * self.virtual_draws;
                }
            }
        }
        totals
    }

    /// Returns the counts of each block, without virtual draws.
    pub(super) fn parts(&self) -> impl Iterator<Item = Part<'_>> {
        self.blocks.iter().map(|block| Part {
            met: &block.met,
            won: &block.won,
        })
    }
}

fn check(bots: usize, observed: &Ahead) -> Result<(), Untestable> {
    let &Ahead {
        first,
        second,
        times,
    } = observed;
    if !(times.is_finite() && 0.0 < times) {
        return Err(Untestable::bad(format!(
            "an order must be observed a positive number of times (got {times})"
        )));
    }
    if let Some(bot) = [first, second].into_iter().find(|&bot| bots <= bot) {
        return Err(Untestable::bad(format!(
            "there is no bot {bot}; there are {bots} bots"
        )));
    }
    if first == second {
        return Err(Untestable::bad(format!("bot {first} is ahead of itself")));
    }
    Ok(())
}
