//! Curves of the measurements of several blocks.

use super::sums::{BlockSums, Sums};
use hattari_stats::clustered::{Block, Stratum, clustered_mean};
use serde::Serialize;

/// A mean over decisions with its confidence interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Point {
    /// Mean over decisions.
    pub mean: f64,
    /// Half the width of the 95 % interval (Student's t). `None` with fewer than two blocks, or if
    /// all blocks are equal.
    pub margin: Option<f64>,
}

/// The mean sensitivity of all decisions with a given number of cards.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct CurvePoint {
    /// Number of cards.
    pub cards: usize,
    /// Number of decisions.
    pub decisions: u64,
    /// Raw sensitivity, mean over actions.
    pub raw: Point,
    /// Sensitivity without the noise of playouts, mean over actions.
    pub corrected: Point,
    /// Raw sensitivity of the best action.
    pub best_raw: Point,
    /// Sensitivity of the best action without the noise of playouts.
    pub best_corrected: Point,
}

/// The curves of both figures, by increasing number of cards. Numbers of cards without decisions
/// are omitted.
#[derive(Debug, PartialEq, Serialize)]
pub(crate) struct Curves {
    /// Curves by the number of cards of the deciding seat.
    pub own: Vec<CurvePoint>,
    /// Curves by the number of cards of all seats together.
    pub all: Vec<CurvePoint>,
}

impl Curves {
    /// Computes the curves. Blocks are the unit of observation, because decisions in one game are
    /// correlated.
    pub(crate) fn of(blocks: &[BlockSums]) -> Curves {
        let curve = |part: fn(&BlockSums) -> &[Sums]| {
            let cells = blocks
                .iter()
                .map(|block| part(block).len())
                .max()
                .unwrap_or(0);
            (0..cells)
                .map(|cards| {
                    let sums: Vec<Sums> = blocks
                        .iter()
                        .map(|block| part(block).get(cards).copied().unwrap_or_default())
                        .collect();
                    CurvePoint {
                        cards,
                        decisions: sums.iter().map(|sums| sums.decisions).sum(),
                        raw: ratio(&sums, |sums| sums.raw),
                        corrected: ratio(&sums, |sums| sums.corrected),
                        best_raw: ratio(&sums, |sums| sums.best_raw),
                        best_corrected: ratio(&sums, |sums| sums.best_corrected),
                    }
                })
                .filter(|curve| curve.decisions > 0)
                .collect()
        };
        Curves {
            own: curve(|block| &block.own),
            all: curve(|block| &block.all),
        }
    }
}

/// Confidence level of the intervals.
const CONFIDENCE: f64 = 0.95;

/// Returns the mean over all decisions, with an interval from the variation between blocks.
fn ratio(blocks: &[Sums], value: impl Fn(&Sums) -> f64) -> Point {
    let block = |(cluster, block): (usize, &Sums)| Block {
        cluster,
        n: block.decisions as f64,
        sum: value(block),
    };
    let sums: Vec<Block> = blocks
        .iter()
        .filter(|block| 0 < block.decisions)
        .enumerate()
        .map(block)
        .collect();
    let decisions: f64 = sums.iter().map(|block| block.n).sum();
    let mean = sums.iter().map(|block| block.sum).sum::<f64>() / decisions;
    let scale = sums
        .iter()
        .map(|block| (block.sum / block.n).abs())
        .fold(0.0, f64::max);
    let found = clustered_mean(&[Stratum::alone(sums)], scale);
    let interval = found.and_then(|found| found.interval(CONFIDENCE));
    Point {
        mean,
        margin: interval
            .ok()
            .map(|interval| (interval.high - interval.low) / 2.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(decisions: u64, raw: f64) -> BlockSums {
        let mut sums = BlockSums::default();
        sums.own[5] = Sums {
            decisions,
            raw,
            corrected: raw / 2.0,
            best_raw: 0.0,
            best_corrected: 0.0,
        };
        sums
    }

    #[test]
    fn curve_points_are_ratios_over_blocks() {
        // Two blocks of 10 decisions with means 0.2 and 0.4: mean 0.3, deviations −1 and 1. The
        // margin is t · sqrt(2 · 2) / 20 with t = 12.706 (SciPy's t.isf(0.025, 1)), not 1.96.
        let curves = Curves::of(&[block(10, 2.0), block(10, 4.0)]);
        assert_eq!((curves.own.len(), curves.all.len()), (1, 0));
        let curve = curves.own[0];
        assert_eq!((curve.cards, curve.decisions), (5, 20));
        assert!(
            (curve.raw.mean - 0.3).abs() < 1e-12 && (curve.corrected.mean - 0.15).abs() < 1e-12
        );
        assert!((curve.raw.margin.unwrap() - 12.706_204_736_174_698 * 2.0 / 20.0).abs() < 1e-12);
    }

    #[test]
    fn a_curve_of_one_block_has_no_interval() {
        assert_eq!(Curves::of(&[block(10, 2.0)]).own[0].raw.margin, None);
        assert_eq!(
            Curves::of(&[block(10, 2.0), block(0, 0.0)]).own[0]
                .raw
                .margin,
            None
        );
        assert_eq!(
            Curves::of(&[]),
            Curves {
                own: Vec::new(),
                all: Vec::new()
            }
        );
    }
}
