//! Transitivity of the results, and cycles.

use super::compared::ComparedLineUp;
use super::{TestResult, Transitivity};
use hattari_stats::Comparison;
use hattari_stats::compare::Verdict;
use hattari_stats::hodge::{Lead, cyclic_triples, hodge};

/// The reason for not reporting the share of the differences that one number per bot explains.
const ALWAYS: &str =
    "all bots sat at every table, so a single rating per bot always explains all differences";
/// Maximum number of cycles that are listed.
const CYCLES_MAX: usize = 1000;

/// Returns the transitivity of three or more bots; `None` for fewer.
pub(super) fn transitivity(
    names: &[String],
    pooled: &Comparison,
    line_ups: &[ComparedLineUp<'_>],
) -> Option<Transitivity> {
    let n = names.len();
    if n < 3 {
        return None;
    }
    let mut is_above = vec![vec![false; n]; n];
    for pair in &pooled.pairs {
        let (a, b) = (pair.a, pair.b);
        is_above[a][b] = pair.verdict == Verdict::Ahead;
        is_above[b][a] = pair.verdict == Verdict::Behind;
    }
    let leads: Vec<Lead> = pooled
        .pairs
        .iter()
        .filter_map(|pair| {
            Some(Lead {
                a: pair.a,
                b: pair.b,
                lead: pair.mean_difference?,
                weight: pair
                    .test
                    .map_or(0, |test| test.n_a.min(test.n_b).max(pair.shared_blocks))
                    as f64,
            })
        })
        .collect();
    let above = |a: usize, b: usize| is_above[a][b];
    let (cycles, cycle_count) = cyclic_triples(n, CYCLES_MAX, above);
    Some(Transitivity {
        // If all bots sit at every table, (a − b) + (b − c) = a − c holds exactly, whatever the
        // results.
        transitive_share: match hodge(n, &leads) {
            _ if line_ups
                .iter()
                .all(|line_up| line_up.sample.bots.len() == n) =>
            {
                TestResult::NotTestable(ALWAYS.to_owned())
            }
            fit => fit.map(|fit| fit.transitive_share).into(),
        },
        cycles: cycles
            .into_iter()
            .map(|triple| triple.map(|bot| names[bot].clone()))
            .collect(),
        cycle_count,
    })
}
