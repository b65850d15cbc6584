//! Measures of the dependence between deals.

use super::compared::ComparedLineUp;
use super::{Dependence, PairAtLineUp, TestResult};
use hattari_play::samples::LineUpSample;
use hattari_stats::clustered::{Block, Stratum, clustered_mean};
use hattari_stats::dependence::{effective_n, lag1_from_sums};

/// Returns the serial dependence of the deals of `bot` over its line-ups.
pub(super) fn dependence<'a>(
    bot: usize,
    line_ups: impl Iterator<Item = &'a LineUpSample>,
) -> TestResult<Dependence> {
    let (mut strata, mut deals) = (Vec::new(), 0);
    for sample in line_ups.filter_map(|line_up| line_up.bot(bot)) {
        strata.push(sample.lag);
        // The sums contain each deal once per copy of the bot at the table.
        deals += sample.lag.games.n.div_ceil(u64::from(sample.copies.max(1)));
    }
    if deals == 0 {
        return TestResult::NotTestable("scores of single deals are not recorded".to_owned());
    }
    let dependence = lag1_from_sums(&strata).and_then(|lag1| {
        let effective_deals = effective_n(usize::try_from(deals).unwrap_or(usize::MAX), lag1)?;
        Ok(Dependence {
            lag1,
            effective_deals,
        })
    });
    dependence.into()
}

/// Returns the design effect of the difference of `a` and `b` over the line-ups with both bots: its
/// variance over clusters of blocks, divided by the variance for independent deals. Returns `None`
/// if one of the variances is unknown.
pub(super) fn design_effect<'a>(
    a: usize,
    b: usize,
    line_ups: impl Iterator<Item = (&'a ComparedLineUp<'a>, &'a PairAtLineUp)>,
) -> Option<f64> {
    let (mut strata, mut scale, mut naive) = (Vec::new(), 0.0f64, 0.0);
    for (line_up, tests) in line_ups {
        let (bot_a, bot_b) = (line_up.sample.bot(a)?, line_up.sample.bot(b)?);
        let means = bot_a.means.iter().zip(&bot_b.means);
        let mut blocks = Vec::new();
        for (block, (x, y)) in line_up.sample.blocks.iter().zip(means) {
            let (Some(x), Some(y)) = (x, y) else { continue };
            let n = block.deals as f64;
            blocks.push(Block {
                cluster: block.cluster,
                n,
                sum: (x - y) * n,
            });
            scale = scale.max(x.abs()).max(y.abs());
        }
        if !blocks.is_empty() {
            naive += tests.by_deal.tested().map(|test| test.se * test.se)?;
            strata.push(Stratum::alone(blocks));
        }
    }
    // Both variances are those of sums over line-ups.
    let robust = clustered_mean(&strata, scale).ok()?;
    (naive > 0.0).then(|| robust.se * robust.se / naive)
}
