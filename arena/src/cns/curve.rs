//! Curves out of what blocks have measured.

use super::{BlockSums, Sums};
use serde::Serialize;

/// A mean over decisions with its interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Point {
    /// Mean.
    pub mean: f64,
    /// Half the width of its 95 % interval; `None` with fewer than two blocks.
    pub margin: Option<f64>,
}

/// What decisions with so many cards come to.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Curve {
    /// Cards.
    pub cards: usize,
    /// Decisions.
    pub decisions: u64,
    /// As measured, mean over actions.
    pub raw: Point,
    /// Less the playouts' noise.
    pub corrected: Point,
    /// As measured, of the best action.
    pub best_raw: Point,
    /// Less the noise, of the best action.
    pub best_corrected: Point,
}

/// Both figures' curves, by ascending number of cards; numbers without a decision are left out.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Curves {
    /// By the cards of the seat that decides.
    pub own: Vec<Curve>,
    /// By the cards of all seats.
    pub all: Vec<Curve>,
}

impl Curves {
    /// The curves of some blocks. A block is the unit: decisions of one game resemble each other.
    #[must_use]
    pub fn of(blocks: &[BlockSums]) -> Curves {
        let curve = |part: fn(&BlockSums) -> &[Sums]| {
            let cells = blocks.iter().map(|block| part(block).len()).max().unwrap_or(0);
            let cell = |cards: usize| {
                let sums: Vec<Sums> =
                    blocks.iter().map(|block| part(block).get(cards).copied().unwrap_or_default()).collect();
                Curve {
                    cards,
                    decisions: sums.iter().map(|sums| sums.decisions).sum(),
                    raw: ratio(&sums, |sums| sums.raw),
                    corrected: ratio(&sums, |sums| sums.corrected),
                    best_raw: ratio(&sums, |sums| sums.best_raw),
                    best_corrected: ratio(&sums, |sums| sums.best_corrected),
                }
            };
            (0..cells).map(cell).filter(|curve| curve.decisions > 0).collect()
        };
        Curves { own: curve(|block| &block.own), all: curve(|block| &block.all) }
    }
}

/// Normal quantile of a 95 % interval.
const QUANTILE: f64 = 1.959_964;

/// The mean over all decisions, and its interval from the differences between blocks: the linearised variance of a ratio
/// of sums (Cochran, "Sampling Techniques", chapter 6).
fn ratio(blocks: &[Sums], value: impl Fn(&Sums) -> f64) -> Point {
    let n = blocks.len() as f64;
    let decisions: f64 = blocks.iter().map(|block| block.decisions as f64).sum();
    let mean = blocks.iter().map(&value).sum::<f64>() / decisions;
    let squares: f64 = blocks.iter().map(|block| (value(block) - mean * block.decisions as f64).powi(2)).sum();
    let with_decisions = blocks.iter().filter(|block| block.decisions > 0).count();
    let margin = (with_decisions > 1).then(|| QUANTILE * (squares * n / (n - 1.0)).sqrt() / decisions);
    Point { mean, margin }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(decisions: u64, raw: f64) -> BlockSums {
        let mut sums = BlockSums::default();
        sums.own[5] = Sums { decisions, raw, corrected: raw / 2.0, best_raw: 0.0, best_corrected: 0.0 };
        sums
    }

    #[test]
    fn points_are_ratios_over_blocks() {
        // Means 0.2 and 0.4 of 10 decisions each: 0.3, deviations -1 and 1, so 1.96 · sqrt(2 · 2) / 20.
        let curves = Curves::of(&[block(10, 2.0), block(10, 4.0)]);
        assert_eq!((curves.own.len(), curves.all.len()), (1, 0));
        let curve = curves.own[0];
        assert_eq!((curve.cards, curve.decisions), (5, 20));
        assert!((curve.raw.mean - 0.3).abs() < 1e-12 && (curve.corrected.mean - 0.15).abs() < 1e-12);
        assert!((curve.raw.margin.unwrap() - QUANTILE * 2.0 / 20.0).abs() < 1e-12);
    }

    #[test]
    fn one_block_has_no_interval() {
        assert_eq!(Curves::of(&[block(10, 2.0)]).own[0].raw.margin, None);
        assert_eq!(Curves::of(&[block(10, 2.0), block(0, 0.0)]).own[0].raw.margin, None);
        assert_eq!(Curves::of(&[]), Curves { own: Vec::new(), all: Vec::new() });
    }
}
