//! The Adam optimiser.

/// State of the optimiser: gradient steps that are scaled per coordinate by the size of earlier
/// gradients (Kingma and Ba, "Adam: A Method for Stochastic Optimization").
pub(crate) struct Adam {
    mean: Vec<f64>,
    square: Vec<f64>,
    steps: i32,
}

impl Adam {
    /// Creates the initial state for this number of coordinates.
    pub(crate) fn new(dimensions: usize) -> Adam {
        Adam {
            mean: vec![0.0; dimensions],
            square: vec![0.0; dimensions],
            steps: 0,
        }
    }

    /// Returns `true` if a coordinate has ever had a gradient.
    pub(crate) fn moved(&self, coordinate: usize) -> bool {
        self.square[coordinate] > 0.0
    }

    /// Moves `point` along `gradient`, each coordinate by about `rate`.
    pub(crate) fn step(&mut self, point: &mut [f64], gradient: &[f64], rate: f64) {
        const MEAN: f64 = 0.9;
        const SQUARE: f64 = 0.99;
        self.steps += 1;
        let (first, second) = (1.0 - MEAN.powi(self.steps), 1.0 - SQUARE.powi(self.steps));
        let moments = self.mean.iter_mut().zip(&mut self.square);
        for ((coordinate, &gradient), (mean, square)) in point.iter_mut().zip(gradient).zip(moments)
        {
            *mean = MEAN * *mean + (1.0 - MEAN) * gradient;
            *square = SQUARE * *square + (1.0 - SQUARE) * gradient * gradient;
            *coordinate += rate * (*mean / first) / ((*square / second).sqrt() + 1e-4);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gradient_ascent_finds_the_maximum_for_any_gradient_scale() {
        for scale in [0.01, 1.0, 100.0] {
            let (mut point, mut adam) = (vec![0.0, 5.0], Adam::new(2));
            for step in 0..2000 {
                let gradient: Vec<f64> = point
                    .iter()
                    .zip([1.0, 2.0])
                    .map(|(x, top)| scale * (top - x))
                    .collect();
                adam.step(
                    &mut point,
                    &gradient,
                    0.02 * (1.0 - f64::from(step) / 2000.0),
                );
            }
            assert!(
                (point[0] - 1.0).abs() < 0.05 && (point[1] - 2.0).abs() < 0.05,
                "{scale}: {point:?}"
            );
        }
    }
}
