//! Shortens text reports and pages of leagues with many bots. CSV and JSON contain everything.

use super::{LeftOut, PairStanding, Standings, VerdictKind, VerdictTally};
use std::collections::HashMap;

/// Maximum number of pairs for which nothing is left out.
const PAIRS_MAX: usize = 2_000;
/// Number of top bots whose pairs are kept in a shortened report.
const BOTS_KEPT: usize = 30;
/// Number of line-ups that are kept in a shortened report.
const LINE_UPS_KEPT: usize = 300;
/// Maximum number of tables of the last rounds that are kept in a shortened report.
const TABLES_KEPT: usize = 500;

/// The parts of a report that are kept.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct KeptParts {
    /// Number of top bots whose pairs are kept.
    pub bots: usize,
    /// Number of played line-ups that are kept, from the first on.
    pub line_ups: usize,
}

impl KeptParts {
    /// All pairs and line-ups.
    pub(super) const ALL: KeptParts = KeptParts {
        bots: usize::MAX,
        line_ups: usize::MAX,
    };

    /// Returns the parts to keep for this number of pairs.
    pub(super) fn of(pairs: usize) -> KeptParts {
        if pairs <= PAIRS_MAX {
            KeptParts::ALL
        } else {
            KeptParts {
                bots: BOTS_KEPT,
                line_ups: LINE_UPS_KEPT,
            }
        }
    }

    /// Returns `true` if the pair with these ranks is kept.
    pub(super) fn has_pair(self, ranks: [usize; 2]) -> bool {
        ranks.iter().all(|&rank| rank < self.bots)
    }

    /// Returns a summary of the parts that are left out; `None` if nothing is left out. `pairs` is
    /// the number of all pairs, and `tallies` counts their verdicts ([`LeftOut::tallies`]).
    pub(super) fn left_out(self, pairs: usize, tallies: Vec<VerdictTally>) -> Option<LeftOut> {
        (self != KeptParts::ALL).then(|| LeftOut {
            pairs: pairs as u64,
            bots: self.bots.min(tallies.len()) as u64,
            tallies,
        })
    }
}

impl Standings {
    /// Returns the verdict counts of each bot, in the order of [`Standings::bots`].
    pub fn tallies(&self) -> Vec<VerdictTally> {
        if let Some(left) = &self.left_out {
            return left.tallies.clone();
        }
        let places: HashMap<&str, usize> = self
            .bots
            .iter()
            .map(|bot| bot.name.as_str())
            .zip(0..)
            .collect();
        let mut tallies = vec![VerdictTally::default(); self.bots.len()];
        for PairStanding { a, b, verdict, .. } in &self.pairs {
            if let (Some(&a), Some(&b)) = (places.get(a.as_str()), places.get(b.as_str())) {
                count(&mut tallies, [a, b], verdict.kind);
            }
        }
        tallies
    }
}

/// Adds a verdict on two bots, given by index, to the tallies of both.
pub(super) fn count(tallies: &mut [VerdictTally], [a, b]: [usize; 2], kind: VerdictKind) {
    tallies[a].add(kind);
    tallies[b].add(kind.mirrored());
}

/// The number, from 0, of the first round whose tables are kept, and of the first round whose
/// standings are kept.
#[derive(Default)]
pub(super) struct FirstKeptRounds {
    /// First round that is kept with its tables and byes.
    pub tables: usize,
    /// First round that is kept with the standings after it.
    pub standing: usize,
}

impl FirstKeptRounds {
    /// Computes the first kept rounds from the number of tables of each round.
    pub(super) fn of(
        tables: impl DoubleEndedIterator<Item = usize> + ExactSizeIterator,
    ) -> FirstKeptRounds {
        let rounds = tables.len();
        let mut sum = 0;
        let last = tables
            .rev()
            .take_while(|tables| {
                sum += tables;
                sum <= TABLES_KEPT
            })
            .count()
            .max(1)
            .min(rounds);
        FirstKeptRounds {
            tables: rounds - last,
            standing: rounds.saturating_sub(STANDINGS_KEPT),
        }
    }
}

/// Number of last rounds whose standings are kept; standings are shorter than tables.
const STANDINGS_KEPT: usize = 21;
