//! Decomposition of a table of mean differences into a transitive and a cyclic part.
//!
//! The combinatorial Hodge decomposition (Jiang, Lim, Yao and Ye, "Statistical ranking and
//! combinatorial Hodge theory") splits the antisymmetric table in two. One part consists of the
//! differences of a potential, which is the least-squares estimate of the strengths. The rest
//! cannot be explained by strengths: it is cyclic, as in rock-paper-scissors.

use crate::Untestable;
use crate::linear::{centre, solve_symmetric};

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

/// Decomposes a table of mean differences.
///
/// `table[i][j]` is the lead of i over j, or `None` if the pair was not compared and on the
/// diagonal. `weight(i, j)` is the weight of an entry, for example its number of blocks; it must be
/// symmetric. Entries with weight 0 are ignored.
///
/// # Errors
/// Returns an error if the table is not square, not antisymmetric or not finite, or if a weight is
/// negative, not finite or not symmetric. Returns [`Untestable::ZeroVariance`] if all differences
/// are zero, and [`Untestable::MissingScores`] if there are none.
pub fn hodge(
    table: &[Vec<Option<f64>>],
    weight: impl Fn(usize, usize) -> f64,
) -> Result<Hodge, Untestable> {
    let n = table.len();
    let edges = checked_edges(table, &weight)?;
    if edges.is_empty() {
        return Err(Untestable::MissingScores);
    }
    let total: f64 = edges
        .iter()
        .map(|edge| edge.weight * edge.lead * edge.lead)
        .sum();
    if total == 0.0 {
        return Err(Untestable::ZeroVariance);
    }
    let potential = potential(n, &edges)?;
    let rest = |edge: &Edge| edge.lead - (potential[edge.a] - potential[edge.b]);
    let unexplained: f64 = edges
        .iter()
        .map(|edge| edge.weight * rest(edge) * rest(edge))
        .sum();
    Ok(Hodge {
        transitive_share: (1.0 - unexplained / total).clamp(0.0, 1.0),
        potential,
    })
}

/// A compared pair with a < b.
struct Edge {
    a: usize,
    b: usize,
    lead: f64,
    weight: f64,
}

fn checked_edges(
    table: &[Vec<Option<f64>>],
    weight: &impl Fn(usize, usize) -> f64,
) -> Result<Vec<Edge>, Untestable> {
    let n = table.len();
    if table.iter().any(|row| row.len() != n) {
        return Err(Untestable::LengthMismatch);
    }
    let mut edges = Vec::new();
    for (a, row) in table.iter().enumerate() {
        for (b, &entry) in row.iter().enumerate().skip(a + 1) {
            let (lead, back) = match (entry, table[b][a]) {
                (Some(lead), Some(back)) => (lead, back),
                (None, None) => continue,
                _ => {
                    return Err(Untestable::bad(format!(
                        "the pair {a}, {b} is compared in one direction only"
                    )));
                }
            };
            let (w, w_back) = (weight(a, b), weight(b, a));
            if !(lead.is_finite() && back.is_finite() && w.is_finite()) {
                return Err(Untestable::NotFinite);
            }
            if 1e-9 * (lead.abs() + back.abs()) < (lead + back).abs() {
                return Err(Untestable::bad(format!(
                    "the table is not antisymmetric at {a}, {b}"
                )));
            }
            if w < 0.0 || w != w_back {
                return Err(Untestable::bad(format!(
                    "the weight of the pair {a}, {b} is negative or not symmetric"
                )));
            }
            if 0.0 < w {
                edges.push(Edge {
                    a,
                    b,
                    lead,
                    weight: w,
                });
            }
        }
    }
    Ok(edges)
}

/// Solves the weighted least-squares problem for each connected component of the comparison graph.
fn potential(n: usize, edges: &[Edge]) -> Result<Vec<f64>, Untestable> {
    let mut part: Vec<usize> = (0..n).collect();
    // Label the components: each sweep propagates the smallest index of a component until nothing
    // changes.
    let mut is_settled = false;
    while !is_settled {
        is_settled = true;
        for edge in edges {
            let smallest = part[edge.a].min(part[edge.b]);
            is_settled &= part[edge.a] == smallest && part[edge.b] == smallest;
            part[edge.a] = smallest;
            part[edge.b] = smallest;
        }
    }
    let mut potential = vec![0.0; n];
    for root in 0..n {
        let members: Vec<usize> = (0..n).filter(|&i| part[i] == root).collect();
        if members.len() < 2 {
            continue;
        }
        // The first member is fixed at zero, so that the Laplacian of the others is positive
        // definite.
        let mut places = vec![None; n];
        members[1..]
            .iter()
            .enumerate()
            .for_each(|(place, &member)| places[member] = Some(place));
        let place = |i: usize| places[i];
        let free = members.len() - 1;
        let (mut laplacian, mut flow) = (vec![vec![0.0; free]; free], vec![0.0; free]);
        for edge in edges.iter().filter(|edge| part[edge.a] == root) {
            let (a, b) = (place(edge.a), place(edge.b));
            for (end, sign) in [(a, 1.0), (b, -1.0)] {
                if let Some(i) = end {
                    laplacian[i][i] += edge.weight;
                    flow[i] += sign * edge.weight * edge.lead;
                }
            }
            if let (Some(i), Some(j)) = (a, b) {
                laplacian[i][j] -= edge.weight;
                laplacian[j][i] -= edge.weight;
            }
        }
        let mut values = solve_symmetric(&laplacian, &flow).ok_or(Untestable::NoConvergence)?;
        values.insert(0, 0.0);
        centre(&mut values);
        members
            .iter()
            .zip(values)
            .for_each(|(&member, value)| potential[member] = value);
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
    // One bit per bot, so that all k for given i and j are examined together.
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
    for (i, j) in (0..bots).flat_map(|i| (i + 1..bots).map(move |j| (i, j))) {
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

    fn table(rows: &[&[f64]]) -> Vec<Vec<Option<f64>>> {
        let cell = |i: usize, j: usize, x: f64| (i != j).then_some(x);
        rows.iter()
            .enumerate()
            .map(|(i, row)| {
                row.iter()
                    .enumerate()
                    .map(|(j, &x)| cell(i, j, x))
                    .collect()
            })
            .collect()
    }

    #[test]
    fn strengths_alone_are_wholly_transitive_and_a_cycle_wholly_cyclic() {
        let line = hodge(
            &table(&[&[0.0, 1.0, 3.0], &[-1.0, 0.0, 2.0], &[-3.0, -2.0, 0.0]]),
            |_, _| 1.0,
        )
        .expect("valid");
        assert!((line.transitive_share - 1.0).abs() < 1e-15);
        assert!(
            line.potential
                .iter()
                .zip([4.0, 1.0, -5.0])
                .all(|(x, y)| (x - y / 3.0).abs() < 1e-15)
        );
        let cycle = hodge(
            &table(&[&[0.0, 1.0, -1.0], &[-1.0, 0.0, 1.0], &[1.0, -1.0, 0.0]]),
            |_, _| 1.0,
        )
        .expect("valid");
        assert!(
            cycle.transitive_share.abs() < 1e-15 && cycle.potential.iter().all(|x| x.abs() < 1e-15)
        );
    }

    #[test]
    fn pairs_that_never_met_and_weights_are_minded() {
        // Two components, {0, 1} and {2, 3, 4}. The pair 2, 4 has weight zero, so its lead is
        // ignored.
        let mut t = vec![vec![None; 5]; 5];
        for (a, b, lead) in [(0, 1, 4.0), (2, 3, 1.0), (3, 4, 1.0), (2, 4, -9.0)] {
            t[a][b] = Some(lead);
            t[b][a] = Some(-lead);
        }
        let h = hodge(&t, |a, b| if a.abs_diff(b) == 2 { 0.0 } else { 3.0 }).expect("valid");
        assert!(
            h.potential
                .iter()
                .zip([2.0, -2.0, 1.0, 0.0, -1.0])
                .all(|(x, y): (&f64, f64)| (x - y).abs() < 1e-14)
        );
        assert_eq!(h.transitive_share, 1.0);
    }

    #[test]
    fn bad_tables_are_refused() {
        let skew = table(&[&[0.0, 1.0], &[1.0, 0.0]]);
        assert!(matches!(
            hodge(&skew, |_, _| 1.0),
            Err(Untestable::BadParameter { .. })
        ));
        let level = table(&[&[0.0, 0.0], &[0.0, 0.0]]);
        assert_eq!(hodge(&level, |_, _| 1.0), Err(Untestable::ZeroVariance));
        assert_eq!(hodge(&[], |_, _| 1.0), Err(Untestable::MissingScores));
        let good = table(&[&[0.0, 1.0], &[-1.0, 0.0]]);
        assert!(matches!(
            hodge(&good, |a, _| a as f64),
            Err(Untestable::BadParameter { .. })
        ));
    }

    #[test]
    fn cycles_are_listed_once() {
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
