//! Whether the bots stand in an order, or beat each other in circles.

use super::types::{Answer, Relation};
use hattari_stats::Comparison;
use hattari_stats::compare::{PairSummary, Verdict};
use hattari_stats::hodge::{cyclic_triples, hodge};

/// The relation of three bots or more; `None` for fewer.
pub(super) fn relation(names: &[String], pooled: &Comparison) -> Option<Relation> {
    let n = names.len();
    if n < 3 {
        return None;
    }
    let blocks = |pair: &PairSummary| pair.test.map_or(0, |test| test.n_a.min(test.n_b).max(pair.shared_blocks));
    let table: Vec<Vec<Option<f64>>> =
        (0..n).map(|a| (0..n).map(|b| pooled.pair(a, b).and_then(|pair| pair.mean_difference)).collect()).collect();
    let weight = |a, b| pooled.pair(a, b).map_or(0.0, |pair| blocks(pair) as f64);
    let above = |a, b| pooled.pair(a, b).is_some_and(|pair| pair.verdict == Verdict::Ahead);
    let name = |bot: usize| names[bot].clone();
    Some(Relation {
        transitive_share: match hodge(&table, weight) {
            Ok(hodge) => Answer::Tested(hodge.transitive_share),
            Err(reason) => Answer::NotTestable(reason.to_string()),
        },
        cycles: cyclic_triples(n, above).into_iter().map(|triple| triple.map(name)).collect(),
    })
}
