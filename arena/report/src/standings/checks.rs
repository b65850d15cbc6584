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
    lag1_from_sums(&strata)
        .and_then(|lag1| {
            let effective_deals = effective_n(usize::try_from(deals).unwrap_or(usize::MAX), lag1)?;
            Ok(Dependence {
                lag1,
                effective_deals,
            })
        })
        .into()
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
        let (blocks, largest) = difference_sums(a, b, line_up.sample)?;
        scale = scale.max(largest);
        if !blocks.is_empty() {
            naive += tests.by_deal.tested().map(|test| test.se * test.se)?;
            strata.push(Stratum::alone(blocks));
        }
    }
    // Both variances are those of sums over line-ups.
    let robust = clustered_mean(&strata, scale).ok()?;
    (naive > 0.0).then(|| robust.se * robust.se / naive)
}

/// Returns the standard error of the difference of `a` and `b` per deal over clusters of blocks,
/// divided by the one for independent deals, which is `by_deal`. Returns `None` if one of them is
/// unknown.
pub(super) fn error_ratio(a: usize, b: usize, line_up: &LineUpSample, by_deal: f64) -> Option<f64> {
    let (blocks, scale) = difference_sums(a, b, line_up)?;
    let robust = clustered_mean(&[Stratum::alone(blocks)], scale).ok()?;
    (by_deal > 0.0).then(|| robust.se / by_deal)
}

/// Returns the sums of the difference of `a` and `b` over the played deals of each block, and the
/// largest absolute score. Returns `None` if one of the bots is not at the line-up.
fn difference_sums(a: usize, b: usize, line_up: &LineUpSample) -> Option<(Vec<Block>, f64)> {
    let (bot_a, bot_b) = (line_up.bot(a)?, line_up.bot(b)?);
    let means = bot_a.means.iter().zip(&bot_b.means);
    let mut scale = 0.0f64;
    let mut blocks = Vec::new();
    for (block, (x, y)) in line_up.blocks.iter().zip(means) {
        let (Some(x), Some(y)) = (x, y) else { continue };
        blocks.push(Block {
            cluster: block.cluster,
            n: block.deals as f64,
            // The means are per planned deal, and the rules may end a block early.
            sum: (x - y) * line_up.divisor(block) as f64,
        });
        scale = scale.max(x.abs()).max(y.abs());
    }
    Some((blocks, scale))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hattari_play::samples::read_scores;

    #[test]
    fn blocks_that_end_early_have_the_same_error_for_every_planned_number_of_deals() {
        let text = "block,a,b\n1,6,0\n1,6,0\n2,0,3\n2,0,6\n2,0,9\n3,5,0\n3,4,0\n4,0,2\n4,0,7\n";
        let mut line_up = read_scores(text.as_bytes()).unwrap().line_ups.remove(0);
        let expected = error_ratio(0, 1, &line_up, 1.0).unwrap();
        line_up.planned_deals = 10;
        for (bot, total) in [(0, [12.0, 0.0, 9.0, 0.0]), (1, [0.0, 18.0, 0.0, 9.0])] {
            line_up.bots[bot].means = total.map(|total| Some(total / 10.0)).to_vec();
        }
        let found = error_ratio(0, 1, &line_up, 1.0).unwrap();
        assert!((found / expected - 1.0).abs() < 1e-9, "{found}, {expected}");
    }
}
