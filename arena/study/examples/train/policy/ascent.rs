//! Gradient ascent for the weights of a policy.

use super::climb::Adam;
use super::parameters::Parameters;
use hattari_search::daihinmin::policy::{Groups, Policy};

/// A policy that is improved by gradient ascent, with its parameter vector.
pub(crate) struct Ascent<L: Groups<N>, const N: usize> {
    pub policy: Policy<L, N>,
    pub point: Vec<f64>,
    weights: Adam,
    units: Adam,
}

/// Limit of the absolute value of the logarithm of a weight. The table of a policy cannot represent
/// larger values.
const WEIGHT_MAX: f64 = 6.9;
/// Step size of hidden units relative to that of weights. The noise of many units adds up, and it
/// must not dominate the strength of an action.
const UNITS_SHARE: f64 = 0.25;

impl<L: Groups<N>, const N: usize> Ascent<L, N> {
    /// Creates an ascent that starts at the parameters of `policy`.
    pub(crate) fn new(policy: &Policy<L, N>) -> Self {
        let point = policy.parameters();
        let weights = Policy::<L, N>::FEATURES;
        let units = Adam::new(point.len() - weights);
        Ascent {
            policy: Policy::from_parameters(&point),
            weights: Adam::new(weights),
            units,
            point,
        }
    }

    /// Moves the parameters by about `rate` along the gradient: `slopes`, summed over `samples`
    /// choices.
    pub(crate) fn step(&mut self, slopes: &[f64], samples: u64, rate: f64) {
        let gradient: Vec<f64> = slopes
            .iter()
            .map(|sum| sum / (samples as f64).max(1.0).sqrt())
            .collect();
        let (weights, units) = self.point.split_at_mut(Policy::<L, N>::FEATURES);
        let (of_weights, of_units) = gradient.split_at(weights.len());
        self.weights.step(weights, of_weights, rate);
        self.units.step(units, of_units, rate * UNITS_SHARE);
        self.point
            .iter_mut()
            .for_each(|weight| *weight = weight.clamp(-WEIGHT_MAX, WEIGHT_MAX));
        self.policy = Policy::from_parameters(&self.point);
    }

    /// Returns the policy with the parameters `point`. Units that never had a gradient are set to
    /// 0, because their random initial value has no meaning.
    pub(crate) fn at(&self, mut point: Vec<f64>) -> Policy<L, N> {
        let units = point.iter_mut().skip(Policy::<L, N>::FEATURES);
        units
            .enumerate()
            .filter(|&(unit, _)| !self.units.moved(unit))
            .for_each(|(_, number)| *number = 0.0);
        Policy::from_parameters(&point)
    }
}
