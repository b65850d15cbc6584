//! Small dense linear systems, for the fits of this crate.

/// A symmetric positive definite matrix, made ready for solving (Cholesky).
pub(crate) struct Cholesky {
    lower: Vec<Vec<f64>>,
}

impl Cholesky {
    /// `None` when the matrix is not positive definite (to the digits of a double).
    pub(crate) fn new(matrix: &[Vec<f64>]) -> Option<Self> {
        let n = matrix.len();
        let mut lower = vec![vec![0.0; n]; n];
        for i in 0..n {
            for j in 0..=i {
                let known: f64 = (0..j).map(|k| lower[i][k] * lower[j][k]).sum();
                let rest = matrix[i][j] - known;
                if i != j {
                    lower[i][j] = rest / lower[j][j];
                } else if rest <= 1e-14 * matrix[i][i].abs() || !rest.is_finite() {
                    return None;
                } else {
                    lower[i][i] = rest.sqrt();
                }
            }
        }
        Some(Self { lower })
    }

    /// x of `matrix · x = right`; `None` where it is not finite.
    pub(crate) fn solve(&self, right: &[f64]) -> Option<Vec<f64>> {
        let lower = &self.lower;
        let n = right.len();
        let mut x = right.to_vec();
        for i in 0..n {
            let known: f64 = (0..i).map(|k| lower[i][k] * x[k]).sum();
            x[i] = (x[i] - known) / lower[i][i];
        }
        for i in (0..n).rev() {
            let known: f64 = (i + 1..n).map(|k| lower[k][i] * x[k]).sum();
            x[i] = (x[i] - known) / lower[i][i];
        }
        x.iter().all(|value| value.is_finite()).then_some(x)
    }
}

/// Solves `matrix · x = right` for a symmetric positive definite matrix; `None` when it is not.
#[must_use]
pub fn solve_symmetric(matrix: &[Vec<f64>], right: &[f64]) -> Option<Vec<f64>> {
    Cholesky::new(matrix)?.solve(right)
}

/// Subtracts the mean.
pub(crate) fn centre(values: &mut [f64]) {
    let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
    values.iter_mut().for_each(|value| *value -= mean);
}

#[cfg(test)]
mod tests {
    use super::*;

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
