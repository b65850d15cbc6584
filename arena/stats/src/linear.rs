//! Small dense linear systems.

/// Number of sums that are formed together, for vectorisation. Each sum adds its terms in the same
/// order as if it were formed separately, so its result is identical to the last bit.
pub(crate) const LANES: usize = 8;

/// One number for each of the sums that are formed together.
pub(crate) type Lanes = [f64; LANES];

/// Returns, for each lane, the sum of the products of `numbers` with the numbers of the lane, added
/// from first to last.
pub(crate) fn dot(numbers: &[f64], lanes: &[Lanes]) -> Lanes {
    // −0.0 is the neutral element of addition, as in `Iterator::sum`.
    let mut sums = [-0.0; LANES];
    for (x, ys) in numbers.iter().zip(lanes) {
        for (sum, y) in sums.iter_mut().zip(ys) {
            *sum += x * y;
        }
    }
    sums
}

/// The Cholesky factor of a symmetric positive definite matrix.
pub(crate) struct Cholesky {
    /// Rows of the lower factor, each up to the diagonal.
    rows: Vec<Vec<f64>>,
    /// Columns of the lower factor, each from below the diagonal on.
    columns: Vec<Vec<f64>>,
}

impl Cholesky {
    /// Factors `matrix`. Returns `None` if it is not positive definite (to double precision).
    pub(crate) fn new(matrix: &[Vec<f64>]) -> Option<Self> {
        let n = matrix.len();
        let mut rows: Vec<Vec<f64>> = Vec::with_capacity(n);
        let mut columns: Vec<Vec<f64>> = vec![Vec::new(); n];
        for given in matrix.chunks(LANES) {
            let start = rows.len();
            // The next rows of the factor, stored by column.
            let mut open = vec![[0.0; LANES]; start + given.len()];
            for (j, row) in rows.iter().enumerate() {
                let known = dot(&row[..j], &open);
                for (lane, given) in given.iter().enumerate() {
                    open[j][lane] = (given[j] - known[lane]) / row[j];
                }
            }
            for (lane, given) in given.iter().enumerate() {
                let i = start + lane;
                let mut row: Vec<f64> = open.iter().map(|column| column[lane]).collect();
                row.truncate(i + 1);
                for j in start..=i {
                    let known: f64 = (0..j).map(|k| row[k] * open[k][j - start]).sum();
                    let rest = given[j] - known;
                    if i != j {
                        row[j] = rest / open[j][j - start];
                    } else if rest <= 1e-14 * given[i].abs() || !rest.is_finite() {
                        return None;
                    } else {
                        row[i] = rest.sqrt();
                    }
                    open[j][lane] = row[j];
                }
                for (column, &x) in columns.iter_mut().zip(&row[..i]) {
                    column.push(x);
                }
                rows.push(row);
            }
        }
        Some(Self { rows, columns })
    }

    /// Returns x with `matrix · x = right`, or `None` if it is not finite.
    pub(crate) fn solve(&self, right: &[f64]) -> Option<Vec<f64>> {
        let lanes = right.iter().map(|&value| [value; LANES]).collect();
        let x = self.solve_lanes(lanes)?;
        Some(x.into_iter().map(|[first, ..]| first).collect())
    }

    /// Solves for one right-hand side per lane. Returns `None` if any solution is not finite.
    pub(crate) fn solve_lanes(&self, right: Vec<Lanes>) -> Option<Vec<Lanes>> {
        let mut x = right;
        let settle = |x: &mut [Lanes], i: usize, known: Lanes| {
            let diagonal = self.rows[i][i];
            let lanes = x[i].iter_mut().zip(known);
            lanes.for_each(|(value, known)| *value = (*value - known) / diagonal);
        };
        for i in 0..x.len() {
            let known = dot(&self.rows[i][..i], &x);
            settle(&mut x, i, known);
        }
        for i in (0..x.len()).rev() {
            let known = dot(&self.columns[i], &x[i + 1..]);
            settle(&mut x, i, known);
        }
        let is_finite = x.iter().flatten().all(|value| value.is_finite());
        is_finite.then_some(x)
    }
}

/// Solves `matrix · x = right` for a symmetric positive definite matrix. Returns `None` if it is
/// not positive definite.
#[must_use]
pub fn solve_symmetric(matrix: &[Vec<f64>], right: &[f64]) -> Option<Vec<f64>> {
    Cholesky::new(matrix)?.solve(right)
}

/// Subtracts the mean from all values.
pub(crate) fn centre(values: &mut [f64]) {
    let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
    values.iter_mut().for_each(|value| *value -= mean);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Uses a matrix with more rows than one group of lanes, so that rows of two groups are
    /// combined.
    #[test]
    fn solves_each_lane_as_it_would_alone() {
        let n = 2 * LANES + 3;
        let entry = |i: usize, j: usize| {
            let near = 1.0 / (1.0 + i.abs_diff(j) as f64);
            if i == j { 3.0 } else { near }
        };
        let matrix: Vec<Vec<f64>> = (0..n)
            .map(|i| (0..n).map(|j| entry(i, j)).collect())
            .collect();
        let side = |lane: usize, i: usize| ((i * 7 + lane * 5) % 11) as f64 - 4.0;
        let factor = Cholesky::new(&matrix).expect("positive definite");
        let sides = (0..n).map(|i| std::array::from_fn(|lane| side(lane, i)));
        let together = factor.solve_lanes(sides.collect()).expect("finite");
        let by_lane = |lane: usize| together.iter().map(move |lanes| lanes[lane]);
        for (lane, together) in (0..LANES).map(by_lane).enumerate() {
            let together: Vec<f64> = together.collect();
            let right: Vec<f64> = (0..n).map(|i| side(lane, i)).collect();
            let alone = solve_symmetric(&matrix, &right).expect("positive definite");
            for (i, row) in matrix.iter().enumerate() {
                assert_eq!(alone[i].to_bits(), together[i].to_bits());
                let left: f64 = row.iter().zip(&alone).map(|(a, x)| a * x).sum();
                assert!(
                    (left - right[i]).abs() < 1e-12,
                    "{left} is not {}",
                    right[i]
                );
            }
        }
    }

    #[test]
    fn solves_and_refuses() {
        let x = solve_symmetric(&[vec![4.0, 2.0], vec![2.0, 3.0]], &[2.0, 5.0])
            .expect("positive definite");
        assert!(
            (x[0] + 0.5).abs() < 1e-15 && (x[1] - 2.0).abs() < 1e-15,
            "{x:?}"
        );
        assert_eq!(
            solve_symmetric(&[vec![1.0, 1.0], vec![1.0, 1.0]], &[1.0, 1.0]),
            None
        );
        assert_eq!(solve_symmetric(&[], &[]), Some(vec![]));
    }
}
