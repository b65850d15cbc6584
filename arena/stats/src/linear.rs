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

/// The Cholesky factor of a symmetric positive definite matrix: its upper triangle, by rows.
pub(crate) struct Cholesky(Vec<Vec<f64>>);

impl Cholesky {
    /// Factors `matrix`. Returns `None` if it is not positive definite (to double precision).
    pub(crate) fn new(matrix: &[Vec<f64>]) -> Option<Self> {
        let mut upper = matrix.to_vec();
        for (i, given) in matrix.iter().enumerate() {
            let (above, rest) = upper.split_at_mut(i);
            let row = &mut rest[0][i..];
            for above in above {
                let above = &above[i..];
                row.iter_mut()
                    .zip(above)
                    .for_each(|(x, y)| *x -= above[0] * y);
            }
            let pivot = row[0];
            if pivot <= 1e-14 * given[i].abs() || !pivot.is_finite() {
                return None;
            }
            row.iter_mut().for_each(|x| *x /= pivot.sqrt());
        }
        Some(Self(upper))
    }

    /// Solves for one right-hand side per lane. Returns `None` if any solution is not finite.
    pub(crate) fn solve_lanes(&self, mut x: Vec<Lanes>) -> Option<Vec<Lanes>> {
        for (i, row) in self.0.iter().enumerate() {
            let own = x[i].map(|value| value / row[i]);
            x[i] = own;
            for (factor, lanes) in row[i + 1..].iter().zip(&mut x[i + 1..]) {
                lanes
                    .iter_mut()
                    .zip(own)
                    .for_each(|(x, own)| *x -= factor * own);
            }
        }
        for (i, row) in self.0.iter().enumerate().rev() {
            let known = dot(&row[i + 1..], &x[i + 1..]);
            x[i] = std::array::from_fn(|lane| (x[i][lane] - known[lane]) / row[i]);
        }
        let is_finite = x.iter().flatten().all(|value| value.is_finite());
        is_finite.then_some(x)
    }
}

/// Solves `matrix · x = right` for a symmetric positive definite matrix. Returns `None` if it is
/// not positive definite.
pub fn solve_symmetric(matrix: &[Vec<f64>], right: &[f64]) -> Option<Vec<f64>> {
    let lanes = right.iter().map(|&value| [value; LANES]).collect();
    let x = Cholesky::new(matrix)?.solve_lanes(lanes)?;
    Some(x.into_iter().map(|[first, ..]| first).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Uses a matrix with more rows than one group of lanes, so that rows of two groups are
    /// combined.
    #[test]
    fn solving_lanes_together_equals_solving_each_lane() {
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
    fn symmetric_systems_are_solved_and_singular_systems_are_rejected() {
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
