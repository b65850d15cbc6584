//! Tests whether results depend on the group of a block, for example on the machine that played it.
//!
//! Blocks are compared within strata (line-ups) only: the estimate is the slope of the residuals
//! from the mean of the stratum on membership of the group. Its error is computed over clusters, so
//! it is valid if blocks share deals and if groups have different variances (Arellano, "Computing
//! robust standard errors for within-groups estimators", 1987).
//!
//! Residuals from estimated means are too small, so the variance is divided by its mean for equal
//! variances. Source: MacKinnon and White, "Some heteroskedasticity-consistent covariance matrix
//! estimators with improved finite sample properties", 1985.

use crate::clustered::{Block, ClusteredMean, Stratum, clustered_mean};
use crate::compare::BLOCKS_MIN;
use crate::{Correction, Untestable};
use std::collections::BTreeMap;

/// The score of a bot in a block.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GroupedBlock {
    /// Number of the line-up.
    pub stratum: usize,
    /// Cluster number: blocks with the same number share their deals.
    pub cluster: usize,
    /// Number of the group, from 0.
    pub group: usize,
    /// Score of the bot in the block.
    pub value: f64,
}

/// The difference of a group from all other groups.
#[derive(Debug, Clone, PartialEq)]
pub struct GroupDifference {
    /// The mean difference within line-ups, with its error.
    pub estimate: ClusteredMean,
    /// Two-sided p value of the hypothesis that there is no difference.
    pub p: f64,
    /// `p` adjusted by Holm's method over all bots and groups.
    pub p_adjusted: f64,
}

/// Compares each of `groups` groups with all others. `bots` contains the blocks of each bot. The
/// result has one list per bot, with one entry per group. If any adjusted p is small, results depend
/// on the group.
pub fn compare_groups(
    bots: &[Vec<GroupedBlock>],
    groups: usize,
) -> Vec<Vec<Result<GroupDifference, Untestable>>> {
    let mut compared: Vec<Vec<Result<GroupDifference, Untestable>>> = bots
        .iter()
        .map(|blocks| (0..groups).map(|group| difference(blocks, group)).collect())
        .collect();
    // Two groups are one comparison, with two signs.
    let distinct = if groups == 2 { 1 } else { groups };
    let p: Vec<f64> = compared
        .iter()
        .flat_map(|of_bot| of_bot[..distinct].iter().flatten())
        .map(|found| found.p)
        .collect();
    let mut adjusted = Correction::Holm.adjust(&p).into_iter();
    for of_bot in &mut compared {
        let mut own = 1.0;
        for (group, found) in of_bot.iter_mut().enumerate() {
            let Ok(found) = found else { continue };
            if group < distinct {
                own = adjusted.next().unwrap_or(own);
            }
            found.p_adjusted = own;
        }
    }
    compared
}

/// Number of blocks of a stratum, in total and in the group, and the sum of their scores.
#[derive(Clone, Default)]
struct StratumSums {
    blocks: f64,
    in_group: f64,
    sum: f64,
}

/// Estimates the difference of a group from all others; `p_adjusted` is not adjusted yet.
fn difference(blocks: &[GroupedBlock], group: usize) -> Result<GroupDifference, Untestable> {
    let strata = blocks.iter().map(|block| block.stratum + 1).max();
    let mut sizes = vec![StratumSums::default(); strata.unwrap_or(0)];
    for block in blocks {
        let size = &mut sizes[block.stratum];
        size.blocks += 1.0;
        size.in_group += f64::from(u8::from(block.group == group));
        size.sum += block.value;
    }
    // A stratum that one side played alone says nothing about the difference.
    let is_shared = |size: &StratumSums| 0.0 < size.in_group && size.in_group < size.blocks;
    let shared: Vec<&GroupedBlock> = blocks
        .iter()
        .filter(|block| is_shared(&sizes[block.stratum]))
        .collect();
    let own = shared.iter().filter(|block| block.group == group).count();
    Untestable::require_blocks(own.min(shared.len() - own), BLOCKS_MIN)?;
    let mut scale = 0.0_f64;
    let mut weighted = Vec::with_capacity(shared.len());
    let mut of_cluster: BTreeMap<usize, f64> = BTreeMap::new();
    for block in &shared {
        let size = &sizes[block.stratum];
        let member = f64::from(u8::from(block.group == group)) - size.in_group / size.blocks;
        let residual = block.value - size.sum / size.blocks;
        scale = scale.max(block.value.abs());
        *of_cluster.entry(block.cluster).or_default() += member * member;
        // The weighted mean of residual / member, with the weights member², is the slope.
        weighted.push(Block {
            cluster: block.cluster,
            n: member * member,
            sum: member * residual,
        });
    }
    let total: f64 = of_cluster.values().sum();
    let clusters = of_cluster.len() as f64;
    let expected: f64 = shared
        .iter()
        .zip(&weighted)
        .map(|(block, weight)| {
            let of_mean = 1.0 / sizes[block.stratum].blocks;
            let of_slope = of_cluster[&block.cluster] / total;
            weight.n * (1.0 - of_mean - of_slope)
        })
        .sum();
    if expected <= 0.0 {
        return Err(Untestable::ZeroVariance);
    }
    let mut estimate = clustered_mean(&[Stratum::alone(weighted)], scale)?;
    let factor = total / expected;
    // `clustered_mean` has corrected for one estimated mean.
    estimate.se *= (factor * (clusters - 1.0) / clusters).sqrt();
    estimate.df /= factor;
    let p = estimate.p()?;
    Ok(GroupDifference {
        estimate,
        p,
        p_adjusted: p,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;
    use crate::dist::binomial;

    /// Number of simulated leagues for each error rate.
    const LEAGUES: u64 = 200;

    /// A league of three bots. The score of a bot is the sum of a mean of the line-up, the luck of
    /// the cluster and the luck of the block; the scores of a block add up to zero.
    struct Design {
        line_ups: usize,
        blocks: usize,
        groups: usize,
        /// True if blocks with the same number share deals, also between line-ups.
        is_shared: bool,
        /// The group of a block by line-up and number.
        group: fn(&mut Rng, usize, usize) -> usize,
        /// Points that group 0 adds to the first bot and takes from the second.
        shift: f64,
    }

    impl Design {
        fn play(&self, seed: u64) -> Vec<Vec<GroupedBlock>> {
            let mut rng = Rng::new(seed);
            let mut uniform = move || 2.0 * rng.uniform() - 1.0;
            let mut who = Rng::new(!seed);
            let luck: Vec<[f64; 2]> = (0..self.blocks).map(|_| [uniform(), uniform()]).collect();
            let mut bots = vec![Vec::new(); 3];
            for line_up in 0..self.line_ups {
                for (number, luck) in luck.iter().enumerate() {
                    let group = (self.group)(&mut who, line_up, number);
                    let shift = if group == 0 { self.shift } else { 0.0 };
                    let shared = if self.is_shared { *luck } else { [0.0; 2] };
                    // Third powers make heavy tails.
                    let own = [uniform(), uniform()].map(|x| x * x * x);
                    let first = line_up as f64 + shared[0] + own[0] + shift;
                    let second = shared[1] + own[1] - shift;
                    for (bot, value) in [first, second, -first - second].into_iter().enumerate() {
                        bots[bot].push(GroupedBlock {
                            stratum: line_up,
                            cluster: if self.is_shared {
                                number
                            } else {
                                line_up * self.blocks + number
                            },
                            group,
                            value,
                        });
                    }
                }
            }
            bots
        }

        /// Returns the numbers of leagues with a significant result at 5 %: for the first bot and
        /// group alone, and for any bot and group after adjustment.
        fn significant(&self) -> [u64; 2] {
            let mut counts = [0; 2];
            for seed in 0..LEAGUES {
                let compared = compare_groups(&self.play(seed), self.groups);
                let one = compared[0][0].as_ref().is_ok_and(|found| found.p <= 0.05);
                let any = compared
                    .iter()
                    .flatten()
                    .flatten()
                    .any(|found| found.p_adjusted <= 0.05);
                counts[0] += u64::from(one);
                counts[1] += u64::from(any);
            }
            counts
        }
    }

    /// One line-up with two groups of the same size.
    const PLAIN: Design = Design {
        line_ups: 1,
        blocks: 60,
        groups: 2,
        is_shared: false,
        group: |_, _, number| number % 2,
        shift: 0.0,
    };

    const DESIGNS: [Design; 5] = [
        PLAIN,
        // One group has few blocks.
        Design {
            line_ups: 2,
            blocks: 100,
            group: |_, _, number| usize::from(7 < number),
            ..PLAIN
        },
        // Many line-ups with few blocks, some of them on one machine only.
        Design {
            line_ups: 60,
            blocks: 3,
            groups: 3,
            group: |rng, _, _| rng.below(3),
            ..PLAIN
        },
        // A unit has all line-ups of some numbers, with the same deals.
        Design {
            line_ups: 8,
            blocks: 30,
            groups: 3,
            is_shared: true,
            group: |_, _, number| number / 10,
            ..PLAIN
        },
        // A unit has some numbers of one line-up.
        Design {
            line_ups: 8,
            blocks: 30,
            groups: 4,
            is_shared: true,
            group: |_, line_up, number| (line_up + number / 8) % 4,
            ..PLAIN
        },
    ];

    #[test]
    fn honest_groups_differ_as_rarely_as_the_level_says() {
        for (number, design) in DESIGNS.iter().enumerate() {
            let [one, any] = design.significant();
            // At a rate of 5 %, a larger count has a probability below 0.1 %.
            let is_likely = |count| 0.001 < binomial::at_least(count, LEAGUES, 0.05).unwrap();
            assert!(is_likely(one) && is_likely(any), "{number}: {one}, {any}");
            assert!(2 <= one, "{number}: {one} of {LEAGUES} are too few");
        }
    }

    #[test]
    fn a_group_with_other_results_is_found() {
        for (number, design) in DESIGNS.into_iter().enumerate() {
            let design = Design {
                shift: 1.0,
                ..design
            };
            let [one, any] = design.significant();
            assert!(180 < one && 180 < any, "{number}: {one}, {any}");
            // The mean over leagues is the true difference.
            let estimates = (0..LEAGUES).filter_map(|seed| {
                let compared = compare_groups(&design.play(seed), design.groups);
                Some(compared[0][0].as_ref().ok()?.estimate.mean)
            });
            let estimates: Vec<f64> = estimates.collect();
            let mean = estimates.iter().sum::<f64>() / estimates.len() as f64;
            assert!((mean - 1.0).abs() < 0.05, "{number}: {mean}");
        }
    }

    /// With one line-up and equal variances, the test is Student's test of two samples.
    #[test]
    fn one_line_up_gives_the_estimate_and_error_of_two_samples() {
        let bots = DESIGNS[0].play(7);
        let compared = compare_groups(&bots, 2);
        let (a, b) = (
            &compared[0][0].as_ref().unwrap(),
            &compared[0][1].as_ref().unwrap(),
        );
        let sample = |group| {
            let own = bots[0].iter().filter(|block| block.group == group);
            own.map(|block| block.value).collect::<Vec<f64>>()
        };
        let (x, y) = (sample(0), sample(1));
        let mean = |of: &[f64]| of.iter().sum::<f64>() / of.len() as f64;
        let squares = |of: &[f64]| {
            let deviations = of.iter().map(|value| value - mean(of));
            deviations
                .map(|deviation| deviation * deviation)
                .sum::<f64>()
        };
        let size = x.len() as f64;
        let se = ((squares(&x) + squares(&y)) / (2.0 * size - 2.0) * (2.0 / size)).sqrt();
        assert!((a.estimate.mean - (mean(&x) - mean(&y))).abs() < 1e-12);
        assert!(
            (a.estimate.se / se - 1.0).abs() < 1e-9,
            "{} {se}",
            a.estimate.se
        );
        assert_eq!(a.estimate.mean, -b.estimate.mean);
        assert_eq!(a.p_adjusted, b.p_adjusted);
    }

    #[test]
    fn blocks_of_one_group_alone_have_no_test() {
        let design = Design {
            groups: 2,
            group: |_, line_up, _| line_up % 2,
            ..DESIGNS[3]
        };
        let compared = compare_groups(&design.play(1), 2);
        let why = compared[0][0].as_ref().unwrap_err();
        assert_eq!(why.to_string(), "too few blocks (0, 10 needed)");
        let nothing = compare_groups(&[Vec::new()], 2);
        assert!(nothing[0][1].is_err());
    }
}
