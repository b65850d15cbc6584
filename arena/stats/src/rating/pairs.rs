//! Counts of the observed orders: the sufficient statistics of the likelihood.

use super::Ahead;
use crate::Untestable;
use crate::summary::pairs_below;
use std::collections::BTreeMap;

/// Counts of all blocks, over a common list of pairs.
pub(super) struct Pairs {
    /// The pairs that met, the smaller index first, in the order of their first meeting.
    pub pairs: Vec<[usize; 2]>,
    /// The counts of each block.
    pub blocks: Vec<Counts>,
    /// The sum over all blocks and the virtual draws.
    pub total: Counts,
    /// `ahead[i * bots + j]` is true if i was ahead of j at least once.
    pub ahead: Vec<bool>,
}

/// Counts of one or more blocks.
#[derive(Default)]
pub(super) struct Counts {
    /// Number of meetings: (index of the pair, count), sorted by index.
    pub met: Vec<(usize, f64)>,
    /// Number of times that each bot was ahead, without zeros.
    pub won: BTreeMap<usize, f64>,
}

impl Pairs {
    /// Counts the observations of each block.
    pub(super) fn new(
        bots: usize,
        blocks: &[&[Ahead]],
        virtual_draws: f64,
    ) -> Result<Self, Untestable> {
        Untestable::require(
            (0.0..f64::INFINITY).contains(&virtual_draws),
            "virtual draws must be zero or more",
        )?;
        /// Marker of a pair that has no index yet.
        const NONE: u32 = u32::MAX;
        let mut pairs = Vec::new();
        let mut numbers = vec![NONE; bots * bots];
        // An index table is used, because searching a list would take most of the time.
        let mut number = |a: usize, b: usize| {
            let known = &mut numbers[a.min(b) * bots + a.max(b)];
            if *known == NONE {
                *known = u32::try_from(pairs.len()).expect("the number of a pair is within bounds");
                pairs.push([a.min(b), a.max(b)]);
            }
            *known as usize
        };
        let mut ahead = vec![false; bots * bots];
        let mut counts = |block: &[Ahead]| -> Result<Counts, Untestable> {
            let mut counts = Counts::default();
            let mut met: BTreeMap<usize, f64> = BTreeMap::new();
            for observed in block {
                check(bots, observed)?;
                let &Ahead {
                    first,
                    second,
                    times,
                } = observed;
                *counts.won.entry(first).or_default() += times;
                *met.entry(number(first, second)).or_default() += times;
                ahead[first * bots + second] = true;
            }
            counts.met = met.into_iter().collect();
            Ok(counts)
        };
        let counted = blocks.iter().map(|block| counts(block));
        let blocks: Vec<Counts> = counted.collect::<Result<_, _>>()?;
        if 0.0 < virtual_draws {
            pairs_below(bots).for_each(|(a, b)| _ = number(a, b));
            ahead.fill(true);
        }
        let (mut met, mut won) = (vec![0.0; pairs.len()], BTreeMap::<usize, f64>::new());
        for block in &blocks {
            block
                .met
                .iter()
                .for_each(|&(pair, times)| met[pair] += times);
            for (&bot, times) in &block.won {
                *won.entry(bot).or_default() += times;
            }
        }
        if 0.0 < virtual_draws {
            for (pair, met) in pairs.iter().zip(&mut met) {
                *met += virtual_draws;
                for &bot in pair {
                    *won.entry(bot).or_default() += 0.5 * virtual_draws;
                }
            }
        }
        let met = met.into_iter().enumerate().collect();
        Ok(Self {
            pairs,
            blocks,
            total: Counts { met, won },
            ahead,
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
    if bots <= first.max(second) {
        return Err(Untestable::bad(format!(
            "there is no bot {}; there are {bots} bots",
            first.max(second)
        )));
    }
    if first == second {
        return Err(Untestable::bad(format!("bot {first} is ahead of itself")));
    }
    Ok(())
}
