//! Whether the bots stand in an order, or beat each other in circles.

use super::line_ups::Compared;
use super::types::{Answer, Relation};
use hattari_stats::Comparison;
use hattari_stats::compare::{PairSummary, Verdict};
use hattari_stats::hodge::{cyclic_triples, hodge};

/// The reason that there is no share of differences that one number per bot explains.
const ALWAYS: &str = "all bots sat at every table, where one number per bot always explains all differences";

/// The relation of three bots or more; `None` for fewer.
pub(super) fn relation(names: &[String], pooled: &Comparison, line_ups: &[Compared<'_>]) -> Option<Relation> {
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
        // At the tables where all sit, a less c is a less b plus b less c, whoever plays how.
        transitive_share: match hodge(&table, weight) {
            _ if line_ups.iter().all(|line_up| line_up.roster.len() == n) => Answer::NotTestable(ALWAYS.to_owned()),
            Ok(hodge) => Answer::Tested(hodge.transitive_share),
            Err(reason) => Answer::NotTestable(reason.to_string()),
        },
        cycles: cyclic_triples(n, above).into_iter().map(|triple| triple.map(name)).collect(),
    })
}
