//! Curves out of what blocks have measured.

use super::sums::{BlockSums, Sums};
use hattari_stats::clustered::{Block, Stratum, clustered_mean};
use serde::Serialize;

/// A mean over decisions with its interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Point {
    /// Mean.
    pub(crate) mean: f64,
    /// Half the width of its 95 % interval (Student's t); `None` with fewer than two blocks, or
    /// where none differ.
    pub(crate) margin: Option<f64>,
}

/// What decisions with so many cards come to.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Curve {
    /// Cards.
    pub(crate) cards: usize,
    /// Decisions.
    pub(crate) decisions: u64,
    /// As measured, mean over actions.
    pub(crate) raw: Point,
    /// Less the playouts' noise.
    pub(crate) corrected: Point,
    /// As measured, of the best action.
    pub(crate) best_raw: Point,
    /// Less the noise, of the best action.
    pub(crate) best_corrected: Point,
}

/// Both figures' curves, by ascending number of cards; numbers without a decision are left out.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Curves {
    /// By the cards of the seat that decides.
    pub(crate) own: Vec<Curve>,
    /// By the cards of all seats.
    pub(crate) all: Vec<Curve>,
}

impl Curves {
    /// The curves of some blocks. A block is the unit: decisions of one game resemble each other.
    #[must_use]
    pub(crate) fn of(blocks: &[BlockSums]) -> Curves {
        let curve = |part: fn(&BlockSums) -> &[Sums]| {
            let cells = blocks
                .iter()
                .map(|block| part(block).len())
                .max()
                .unwrap_or(0);
            let cell = |cards: usize| {
                let sums: Vec<Sums> = blocks
                    .iter()
                    .map(|block| part(block).get(cards).copied().unwrap_or_default())
                    .collect();
                Curve {
                    cards,
                    decisions: sums.iter().map(|sums| sums.decisions).sum(),
                    raw: ratio(&sums, |sums| sums.raw),
                    corrected: ratio(&sums, |sums| sums.corrected),
                    best_raw: ratio(&sums, |sums| sums.best_raw),
                    best_corrected: ratio(&sums, |sums| sums.best_corrected),
                }
            };
            (0..cells)
                .map(cell)
                .filter(|curve| curve.decisions > 0)
                .collect()
        };
        Curves {
            own: curve(|block| &block.own),
            all: curve(|block| &block.all),
        }
    }
}

/// Confidence of the intervals.
const CONFIDENCE: f64 = 0.95;

/// The mean over all decisions, and its interval from the differences between blocks.
fn ratio(blocks: &[Sums], value: impl Fn(&Sums) -> f64) -> Point {
    let block = |(cluster, block): (usize, &Sums)| Block {
        cluster,
        n: block.decisions as f64,
        sum: value(block),
    };
    let filled = blocks.iter().filter(|block| 0 < block.decisions);
    let sums: Vec<Block> = filled.enumerate().map(block).collect();
    let decisions: f64 = sums.iter().map(|block| block.n).sum();
    let mean = sums.iter().map(|block| block.sum).sum::<f64>() / decisions;
    let means = sums.iter().map(|block| (block.sum / block.n).abs());
    let scale = means.fold(0.0, f64::max);
    let found = clustered_mean(&[Stratum::alone(sums)], scale);
    let interval = found.and_then(|found| found.interval(CONFIDENCE));
    Point {
        mean,
        margin: interval.ok().map(|interval| 0.5 * interval.width()),
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
    fn points_are_ratios_over_blocks() {
        // Means 0.2 and 0.4 of 10 decisions each: 0.3, deviations -1 and 1, so t · sqrt(2 · 2) / 20
        // with SciPy's t.isf(0.025, 1) = 12.706, not 1.96.
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
    fn one_block_has_no_interval() {
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
