//! Policies as vectors of parameters, which learning changes, and as text.

use hattari_search::daihinmin::policy::{Groups, Hidden, Policy, STEPS, STEPS_MAX, UNITS};

/// The parameters of a policy with features in `N` groups: logarithms of the weights by feature,
/// then the numbers of the hidden units, if any.
pub(crate) trait Parameters<const N: usize>: Sized {
    /// Creates a policy from its parameters. Numbers of hidden units are rounded to steps.
    ///
    /// # Panics
    /// Panics if there are fewer parameters than features.
    fn from_parameters(point: &[f64]) -> Self;
    /// Returns the parameters from which learning starts. If hidden units are allowed but missing,
    /// their numbers are near 0.
    fn parameters(&self) -> Vec<f64>;
    /// Adds `share` times the derivatives of an action's log-strength to `slopes`. They are taken
    /// with respect to the parameters. The units of a feature are adjacent.
    fn add_slope(&self, features: &[u16; N], share: f64, slopes: &mut [f64]);
    /// Formats the weights for [`Policy::parse`], without comments.
    fn to_text(&self) -> String;
}

impl<L: Groups<N>, const N: usize> Parameters<N> for Policy<L, N> {
    fn from_parameters(point: &[f64]) -> Self {
        let (weights, hidden) = point.split_at(Self::FEATURES);
        let strengths: Vec<f64> = weights.iter().map(|&weight| libm::exp(weight)).collect();
        let mut policy = Self::new(&strengths);
        let steps = f64::from(STEPS);
        let most = f64::from(STEPS_MAX);
        #[expect(
            clippy::cast_possible_truncation,
            reason = "whole numbers below a thousand"
        )]
        let kept = |number: f64| (number * steps).round().clamp(-most, most) as i16;
        let row = |numbers: &[f64]| std::array::from_fn(|unit| kept(numbers[unit]));
        policy.hidden = (!hidden.is_empty()).then(|| Hidden {
            rows: hidden.chunks_exact(UNITS).map(row).collect(),
        });
        policy
    }

    fn parameters(&self) -> Vec<f64> {
        let weights = self.weights().map(|weight| libm::log(f64::from(weight)));
        match &self.hidden {
            Some(hidden) => {
                let numbers = hidden.rows.iter().flatten();
                let numbers = numbers.map(|&number| f64::from(number) / f64::from(STEPS));
                weights.chain(numbers).collect()
            }
            None if L::HIDDEN => weights.chain(initial_units(Self::FEATURES)).collect(),
            None => weights.collect(),
        }
    }

    fn add_slope(&self, features: &[u16; N], share: f64, slopes: &mut [f64]) {
        features
            .iter()
            .for_each(|&feature| slopes[usize::from(feature)] += share);
        let Some(hidden) = &self.hidden else { return };
        let slopes = &mut slopes[Self::FEATURES..];
        let sums = hidden.sums(features);
        let mut step = [0.0; UNITS];
        for (unit, step) in step.iter_mut().enumerate() {
            let sign = if unit < UNITS / 2 { 1.0 } else { -1.0 };
            *step = if sums[unit] > 0 { sign * share } else { 0.0 };
        }
        for &feature in features {
            let slopes = &mut slopes[usize::from(feature) * UNITS..][..UNITS];
            slopes
                .iter_mut()
                .zip(step)
                .for_each(|(slope, step)| *slope += step);
        }
    }

    fn to_text(&self) -> String {
        let mut text = String::new();
        let weights: Vec<f32> = self.weights().collect();
        for (group, name) in L::NAMES.iter().enumerate() {
            for number in 0..L::SIZES[group] {
                let feature = usize::from(Self::STARTS[group] + number);
                let weight = weights[feature];
                let units = self.hidden.as_ref().map(|hidden| &hidden.rows[feature]);
                let units = units.filter(|units| units.iter().any(|&steps| steps != 0));
                if weight.to_bits() != 1.0_f32.to_bits() || units.is_some() {
                    text += &format!("{name} {number} {weight}");
                    for steps in units.into_iter().flatten() {
                        text += &format!(" {steps}");
                    }
                    text += "\n";
                }
            }
        }
        text
    }
}

/// Returns the initial numbers of hidden units: small random numbers. With equal numbers, all units
/// would learn the same.
fn initial_units(features: usize) -> Vec<f64> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut number = || {
        // Marsaglia, "Xorshift RNGs".
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        ((state >> 11) as f64 / (1_u64 << 53) as f64 - 0.5) * 0.2
    };
    (0..features * UNITS).map(|_| number()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hattari_search::daihinmin::policy::{DeepPolicy, LightPolicy};

    #[test]
    fn weights_are_unchanged_after_writing_and_reading() {
        let mut strengths = vec![1.0; LightPolicy::FEATURES];
        strengths[3] = 2.5;
        strengths[usize::from(LightPolicy::STARTS[2]) + 7] = 0.125;
        let policy = LightPolicy::new(&strengths);
        assert_eq!(policy.to_text(), "shape 3 2.5\nafter 7 0.125\n");
        assert_eq!(
            LightPolicy::parse(&policy.to_text()).unwrap().to_text(),
            policy.to_text()
        );
    }

    #[test]
    fn hidden_units_are_unchanged_after_writing_and_have_slopes() {
        // The first half of the units counts for the action, the second half against it.
        let rest = " 0".repeat(UNITS / 2 - 2);
        let text = format!("shape 3 2.5 50{rest} 0 -20{rest} 25\nafter 7 0.125\n");
        let policy = DeepPolicy::parse(&text).unwrap();
        assert_eq!(policy.to_text(), text);
        let mut features = DeepPolicy::STARTS;
        features[0] += 3;
        let expected = policy.product(&features);
        let again = DeepPolicy::from_parameters(&policy.parameters());
        assert!((again.product(&features) - expected).abs() < 1e-5);
        // The derivative is 1 for a unit that counts for the action, and -1 for one against it.
        let mut slopes = vec![0.0; policy.parameters().len()];
        policy.add_slope(&features, 2.0, &mut slopes);
        let row = &slopes[DeepPolicy::FEATURES + usize::from(features[0]) * UNITS..][..UNITS];
        assert_eq!(
            (row[0], row[1], row[UNITS / 2], row[UNITS - 1]),
            (2.0, 0.0, 0.0, -2.0)
        );
        assert_eq!(
            slopes[usize::from(features[0])].to_bits(),
            2.0_f64.to_bits()
        );
    }
}
