//! Checks beside the t-test on blocks: the same difference by other means, and how much deals
//! depend on each other.

use super::line_ups::Compared;
use super::types::{Answer, Checks, ClusterRobust, Dependence, PairAtLineUp, Permutation};
use hattari_play::samples::LineUpSample;
use hattari_stats::Untestable;
use hattari_stats::clustered::{Block, Stratum, clustered_mean};
use hattari_stats::dependence::{LagSums, effective_n, lag1_from_sums};
use hattari_stats::rank_test::{PMethod, sign_flip_test_up_to};
use std::collections::BTreeMap;

/// Groups of clusters whose signs are flipped together at most; neighbours share a group where
/// there are more. Differences of independent blocks that are symmetric about zero add up to such
/// differences.
const GROUPS_MAX: usize = 1000;
/// Signs that all permutation tests of a report flip at most, about.
const FLIPS_MAX: usize = 300_000_000;
/// Patterns of signs that are drawn for a pair, at most and at least.
const DRAWN: (usize, usize) = (9_999, 999);
/// Signs that all permutation tests whose patterns are counted, not drawn, flip at most, about.
const COUNTED_MAX: usize = 2_000_000_000;

/// Computes the dependence of the deals of `bot` on their neighbours, over the line-ups that it sat
/// at.
pub(super) fn dependence<'a>(
    bot: usize,
    line_ups: impl Iterator<Item = &'a LineUpSample>,
) -> Answer<Dependence> {
    let strata: Vec<LagSums> = line_ups
        .filter_map(|here| here.bot(bot))
        .map(|here| here.lag)
        .collect();
    let deals: u64 = strata.iter().map(|stratum| stratum.games.n).sum();
    if deals == 0 {
        return Answer::NotTestable("scores of single deals are not recorded".to_owned());
    }
    let found = lag1_from_sums(&strata).and_then(|lag1| {
        let effective_deals = effective_n(usize::try_from(deals).unwrap_or(usize::MAX), lag1)?;
        Ok(Dependence {
            lag1,
            effective_deals,
        })
    });
    answer(found)
}

/// Makes the checks of pairs; `pairs` is how many there will be, to keep the time in bounds.
pub(super) struct Checker {
    confidence: f64,
    drawn: u32,
    /// Differences up to which patterns of signs are counted.
    counted: usize,
    seed: u64,
}

/// What two bots did at one line-up.
struct Both {
    /// The blocks that both played: deals, and the sum of their differences.
    blocks: Vec<Block>,
    /// Differences of block means.
    differences: Vec<(usize, f64)>,
    /// The largest mean of a block.
    scale: f64,
    /// Squared standard error of the mean difference if deals were independent.
    naive: Option<f64>,
}

impl Checker {
    pub(super) fn new(
        line_ups: &[Compared<'_>],
        pairs: usize,
        confidence: f64,
        seed: u64,
    ) -> Checker {
        let blocks: usize = line_ups.iter().map(|here| here.sample.blocks.len()).sum();
        let work = pairs.max(1) * blocks.clamp(1, GROUPS_MAX);
        let drawn = (FLIPS_MAX / work).clamp(DRAWN.1, DRAWN.0);
        let is_counted = |n: &usize| pairs * n * (1 << (n - 1)) <= COUNTED_MAX;
        let counted = (1..=18).take_while(is_counted).last().unwrap_or(0);
        Checker {
            confidence,
            drawn: u32::try_from(drawn).expect("a few thousand"),
            counted,
            seed,
        }
    }

    /// The checks of `a` less `b` at the line-ups with both, each with what the pair's tests say
    /// there.
    pub(super) fn of<'a>(
        &self,
        a: usize,
        b: usize,
        line_ups: impl Iterator<Item = (&'a Compared<'a>, &'a PairAtLineUp)>,
    ) -> Checks {
        let both: Vec<Both> = line_ups
            .filter_map(|(here, at)| both(here, at, a, b))
            .collect();
        if both.is_empty() {
            let never = || "never at one table".to_owned();
            return Checks {
                cluster_robust: Answer::NotTestable(never()),
                permutation: Answer::NotTestable(never()),
                design_effect: Answer::NotTestable(never()),
                effective_deals: None,
            };
        }
        let l = both.len() as f64;
        let stratum = |here: &Both| Stratum {
            weight: 1.0 / l,
            blocks: here.blocks.clone(),
        };
        let strata: Vec<Stratum> = both.iter().map(stratum).collect();
        let scale = both.iter().fold(0.0f64, |most, here| most.max(here.scale));
        let robust = clustered_mean(&strata, scale);
        let design_effect = robust.clone().and_then(|robust| {
            let naive: Option<f64> = both.iter().map(|here| here.naive).sum();
            naive
                .filter(|naive| 0.0 < *naive)
                .map(|naive| robust.se * robust.se * l * l / naive)
                .ok_or(Untestable::ZeroVariance)
        });
        let deals: f64 = strata
            .iter()
            .flat_map(|stratum| &stratum.blocks)
            .map(|block| block.n)
            .sum();
        let effective_deals = design_effect
            .as_ref()
            .ok()
            .filter(|effect| 0.0 < **effect)
            .map(|effect| deals / effect);
        let robust = robust.and_then(|robust| {
            let interval = robust.interval(self.confidence)?;
            Ok(ClusterRobust {
                difference: robust.mean,
                se: robust.se,
                low: interval.low,
                high: interval.high,
                p: robust.p()?,
                clusters: robust.influence.len() as u64,
            })
        });
        Checks {
            cluster_robust: answer(robust),
            permutation: answer(self.permutation(&both)),
            design_effect: answer(design_effect),
            effective_deals,
        }
    }

    /// Each line-up counts alike, whatever its blocks; the sign of a cluster is flipped as a whole.
    fn permutation(&self, both: &[Both]) -> Result<Permutation, Untestable> {
        let mut by_cluster: BTreeMap<usize, f64> = BTreeMap::new();
        for here in both {
            let n = here.differences.len() as f64;
            for (cluster, difference) in &here.differences {
                *by_cluster.entry(*cluster).or_default() += difference / n;
            }
        }
        let clusters: Vec<f64> = by_cluster.into_values().collect();
        let size = clusters.len().div_ceil(GROUPS_MAX).max(1);
        let shares: Vec<f64> = clusters
            .chunks(size)
            .map(|group| group.iter().sum())
            .collect();
        let test = sign_flip_test_up_to(self.counted, &shares, self.drawn, self.seed)?;
        let drawn = (test.method == PMethod::MonteCarlo).then_some(self.drawn);
        Ok(Permutation { p: test.p, drawn })
    }
}

fn both(here: &Compared<'_>, at: &PairAtLineUp, a: usize, b: usize) -> Option<Both> {
    let (bot_a, bot_b) = (here.sample.bot(a)?, here.sample.bot(b)?);
    let (mut blocks, mut differences, mut scale) = (Vec::new(), Vec::new(), 0.0f64);
    for ((block, x), y) in here
        .sample
        .blocks
        .iter()
        .zip(&bot_a.means)
        .zip(&bot_b.means)
    {
        let (Some(x), Some(y)) = (x, y) else { continue };
        let n = block.deals as f64;
        blocks.push(Block {
            cluster: block.cluster,
            n,
            sum: (x - y) * n,
        });
        differences.push((block.cluster, x - y));
        scale = scale.max(x.abs()).max(y.abs());
    }
    let naive = at.by_deal.tested().map(|test| test.se * test.se);
    (!differences.is_empty()).then_some(Both {
        blocks,
        differences,
        scale,
        naive,
    })
}

fn answer<T>(result: Result<T, Untestable>) -> Answer<T> {
    match result {
        Ok(value) => Answer::Tested(value),
        Err(reason) => Answer::NotTestable(reason.to_string()),
    }
}
