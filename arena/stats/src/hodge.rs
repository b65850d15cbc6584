//! Decomposition of a table of mean differences into a transitive and a cyclic part.
//!
//! The combinatorial Hodge decomposition (Jiang, Lim, Yao and Ye, "Statistical ranking and
//! combinatorial Hodge theory") splits the antisymmetric table in two. One part consists of the
//! differences of a potential, which is the least-squares estimate of the strengths. The rest
//! cannot be explained by strengths: it is cyclic, as in rock-paper-scissors.

use crate::summary::{join, pairs_below, root};
use crate::{Untestable, solve_symmetric};

/// The decomposition of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Hodge {
    /// Strength of each bot in the unit of the table. The mean is zero within each set of bots that
    /// are compared directly or through other bots.
    pub potential: Vec<f64>,
    /// Share of the weighted sum of squares of the table that the potential explains: 1 if the
    /// table is fully transitive, 0 if it is fully cyclic.
    pub transitive_share: f64,
}

/// The mean score difference of two bots, with its weight.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lead {
    /// Index of the first bot.
    pub a: usize,
    /// Index of the second bot.
    pub b: usize,
    /// Mean difference, first minus second.
    pub lead: f64,
    /// Weight, for example the number of blocks. Pairs with weight 0 are ignored.
    pub weight: f64,
}

/// Decomposes the mean differences of pairs of `bots` bots. Every pair is given at most once.
///
/// # Errors
/// Returns an error if a lead is not finite, or if a weight is negative or not finite. Returns
/// [`Untestable::ZeroVariance`] if all differences are zero, and [`Untestable::MissingScores`] if
/// no pair has a positive weight.
pub fn hodge(bots: usize, pairs: &[Lead]) -> Result<Hodge, Untestable> {
    if !pairs
        .iter()
        .all(|pair| pair.lead.is_finite() && (0.0..f64::MAX).contains(&pair.weight))
    {
        return Err(Untestable::NotFinite);
    }
    let pairs: Vec<&Lead> = pairs.iter().filter(|pair| 0.0 < pair.weight).collect();
    if pairs.is_empty() {
        return Err(Untestable::MissingScores);
    }
    let squares = |of: &dyn Fn(&Lead) -> f64| -> f64 {
        pairs
            .iter()
            .map(|pair| pair.weight * of(pair) * of(pair))
            .sum()
    };
    let total = squares(&|pair| pair.lead);
    if total == 0.0 {
        return Err(Untestable::ZeroVariance);
    }
    let potential = potential(bots, &pairs)?;
    let unexplained = squares(&|pair| pair.lead - (potential[pair.a] - potential[pair.b]));
    Ok(Hodge {
        transitive_share: (1.0 - unexplained / total).clamp(0.0, 1.0),
        potential,
    })
}

/// Returns the potential: the weighted least-squares estimate of the strengths.
fn potential(bots: usize, pairs: &[&Lead]) -> Result<Vec<f64>, Untestable> {
    // The connected components of the comparison graph.
    let mut parents: Vec<usize> = (0..bots).collect();
    for pair in pairs {
        join(&mut parents, pair.a, pair.b);
    }
    let roots: Vec<usize> = (0..bots).map(|bot| root(&mut parents, bot)).collect();
    let (mut laplacian, mut flow) = (vec![vec![0.0; bots]; bots], vec![0.0; bots]);
    for pair in pairs {
        for (end, other, sign) in [(pair.a, pair.b, 1.0), (pair.b, pair.a, -1.0)] {
            laplacian[end][end] += pair.weight;
            laplacian[end][other] -= pair.weight;
            flow[end] += sign * pair.weight * pair.lead;
        }
    }
    // The additional weight fixes the potential of each root at zero, so that the matrix is
    // positive definite.
    let is_root = |bot: &usize| roots[*bot] == *bot;
    (0..bots)
        .filter(is_root)
        .for_each(|bot| laplacian[bot][bot] += 1.0);
    let mut potential = solve_symmetric(&laplacian, &flow).ok_or(Untestable::NoConvergence)?;
    for own in (0..bots).filter(is_root) {
        let members = (0..bots).filter(|&bot| roots[bot] == own);
        let sum: f64 = members.clone().map(|bot| potential[bot]).sum();
        let mean = sum / members.clone().count() as f64;
        members.for_each(|bot| potential[bot] -= mean);
    }
    Ok(potential)
}

/// Returns the first `most` cyclic triples and the number of all cyclic triples.
///
/// Each triple is listed once, as i, j, k with i above j, j above k, k above i, and i the smallest
/// index. `above` is usually "significantly ahead".
pub fn cyclic_triples(
    bots: usize,
    most: usize,
    above: impl Fn(usize, usize) -> bool,
) -> (Vec<[usize; 3]>, u64) {
    // Store one bit per bot, so that all k for given i and j are examined together.
    let words = bots.div_ceil(64);
    let (mut below_of, mut above_of) = (vec![0_u64; bots * words], vec![0_u64; bots * words]);
    for (a, b) in (0..bots)
        .flat_map(|a| (0..bots).map(move |b| (a, b)))
        .filter(|&(a, b)| a != b && above(a, b))
    {
        below_of[a * words + b / 64] |= 1 << (b % 64);
        above_of[b * words + a / 64] |= 1 << (a % 64);
    }
    let (mut triples, mut count) = (Vec::new(), 0);
    for (i, j) in pairs_below(bots) {
        let is = |bits: &[u64]| bits[i * words + j / 64] >> (j % 64) & 1 == 1;
        let (next, last) = match (is(&below_of), is(&above_of)) {
            (true, _) => (&below_of, &above_of),
            (_, true) => (&above_of, &below_of),
            _ => continue,
        };
        for word in j / 64..words {
            let later = if word == j / 64 {
                (!1_u64) << (j % 64)
            } else {
                !0
            };
            let mut found = next[j * words + word] & last[i * words + word] & later;
            count += u64::from(found.count_ones());
            while found != 0 && triples.len() < most {
                let k = 64 * word + found.trailing_zeros() as usize;
                triples.push(if is(&below_of) { [i, j, k] } else { [i, k, j] });
                found &= found - 1;
            }
        }
    }
    (triples, count)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns pairs of equal weight.
    fn leads(leads: &[(usize, usize, f64)]) -> Vec<Lead> {
        leads
            .iter()
            .map(|&(a, b, lead)| Lead {
                a,
                b,
                lead,
                weight: 3.0,
            })
            .collect()
    }

    #[test]
    fn the_transitive_share_is_one_for_strengths_and_zero_for_a_cycle() {
        let line = hodge(3, &leads(&[(0, 1, 1.0), (0, 2, 3.0), (1, 2, 2.0)])).expect("valid");
        assert!((line.transitive_share - 1.0).abs() < 1e-15);
        assert!(
            line.potential
                .iter()
                .zip([4.0, 1.0, -5.0])
                .all(|(x, y)| (x - y / 3.0).abs() < 1e-15)
        );
        let cycle = hodge(3, &leads(&[(0, 1, 1.0), (0, 2, -1.0), (1, 2, 1.0)])).expect("valid");
        assert!(
            cycle.transitive_share.abs() < 1e-15 && cycle.potential.iter().all(|x| x.abs() < 1e-15)
        );
    }

    #[test]
    fn hodge_decomposition_handles_missing_pairs_and_weights() {
        // Two components, {0, 1} and {2, 3, 4}. The pair 2, 4 has weight zero, so its lead is
        // ignored.
        let mut pairs = leads(&[(0, 1, 4.0), (2, 3, 1.0), (3, 4, 1.0), (2, 4, -9.0)]);
        pairs[3].weight = 0.0;
        let h = hodge(5, &pairs).expect("valid");
        assert!(
            h.potential
                .iter()
                .zip([2.0, -2.0, 1.0, 0.0, -1.0])
                .all(|(x, y): (&f64, f64)| (x - y).abs() < 1e-14)
        );
        assert_eq!(h.transitive_share, 1.0);
    }

    #[test]
    fn invalid_lead_tables_are_rejected() {
        let level = leads(&[(0, 1, 0.0)]);
        assert_eq!(hodge(2, &level), Err(Untestable::ZeroVariance));
        assert_eq!(hodge(0, &[]), Err(Untestable::MissingScores));
        assert_eq!(
            hodge(2, &leads(&[(0, 1, f64::NAN)])),
            Err(Untestable::NotFinite)
        );
        let negative = Lead {
            weight: -1.0,
            ..level[0]
        };
        assert_eq!(hodge(2, &[negative]), Err(Untestable::NotFinite));
    }

    #[test]
    fn cyclic_triples_are_listed_once() {
        // 0 → 1 → 2 → 0, with 3 below all of them; then a cycle of four that contains no cycle of
        // three.
        let rps = |a: usize, b: usize| (a < 3 && b < 3 && (a + 1) % 3 == b) || (a < 3 && b == 3);
        assert_eq!(cyclic_triples(4, 9, rps), (vec![[0, 1, 2]], 1));
        assert_eq!(cyclic_triples(4, 9, |a, b| rps(b, a)), (vec![[0, 2, 1]], 1));
        let ring = |a: usize, b: usize| (a + 1) % 4 == b;
        assert!(cyclic_triples(4, 9, ring).0.is_empty());
        // Each of 150 bots in a circle is above the next 70. The bit sets need more than one word.
        let wheel = |a: usize, b: usize| (1..=70).contains(&((b + 150 - a) % 150));
        let mut listed = Vec::new();
        for (i, j) in (0..150).flat_map(|i| (i + 1..150).map(move |j| (i, j))) {
            for k in j + 1..150 {
                if wheel(i, j) && wheel(j, k) && wheel(k, i) {
                    listed.push([i, j, k]);
                } else if wheel(i, k) && wheel(k, j) && wheel(j, i) {
                    listed.push([i, k, j]);
                }
            }
        }
        let (first, count) = cyclic_triples(150, 100, wheel);
        assert_eq!((&first[..], count), (&listed[..100], listed.len() as u64));
    }
}
