//! Weights on their way up.

use super::climb::Climb;
use hattari_search::daihinmin::policy::{Groups, Policy};

/// Weights that follow gradients, with the point that they stand for.
pub(crate) struct Ascent<L: Groups<N>, const N: usize> {
    pub(crate) policy: Policy<L, N>,
    pub(crate) point: Vec<f64>,
    weights: Climb,
    units: Climb,
}

/// Logarithms of weights stay within this; a policy's table holds no others.
const WEIGHT_MAX: f64 = 6.9;
/// Steps of units' numbers as a share of those of weights: noise in many units adds up, and must
/// not be what an action's strength goes by.
const UNITS_SHARE: f64 = 0.25;

impl<L: Groups<N>, const N: usize> Ascent<L, N> {
    /// Begins where `policy` is.
    pub(crate) fn new(policy: &Policy<L, N>) -> Self {
        let point = policy.point();
        let weights = Policy::<L, N>::FEATURES;
        let units = Climb::new(point.len() - weights);
        Ascent {
            policy: Policy::at(&point),
            weights: Climb::new(weights),
            units,
            point,
        }
    }

    /// Moves by about `rate` along slopes that so many samples have added up to.
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
        self.policy = Policy::at(&self.point);
    }

    /// The policy at another point; what began by chance and was never met means nothing.
    pub(crate) fn at(&self, mut point: Vec<f64>) -> Policy<L, N> {
        let units = point.iter_mut().skip(Policy::<L, N>::FEATURES);
        units
            .enumerate()
            .filter(|&(unit, _)| !self.units.moved(unit))
            .for_each(|(_, number)| *number = 0.0);
        Policy::at(&point)
    }
}
