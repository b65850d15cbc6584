//! Maximum likelihood fit of the Bradley-Terry model.
//!
//! The minorise-maximise steps of Hunter ("MM algorithms for generalized Bradley-Terry models")
//! increase the likelihood in every iteration. A Newton step is used instead if it also does.

use super::centred;
use super::pairs::{Part, Totals};
use crate::Untestable;
use crate::linear::{Cholesky, LANES, solve_symmetric};

/// Maximum number of iterations. Well-posed problems need about ten.
const ITERATIONS_MAX: usize = 2000;

/// The fit has converged when no log strength changes by more than this.
const TOLERANCE: f64 = 1e-11;

/// Returns the log strengths that maximise the likelihood, centred at zero.
pub(super) fn maximise(totals: &Totals<'_>) -> Result<Vec<f64>, Untestable> {
    let bots = totals.won.len();
    if let Some(group) = undefeated_group(totals.ahead, bots) {
        return Err(Untestable::Unbounded { group });
    }
    let mut theta = vec![0.0; bots];
    if bots < 2 {
        return Ok(theta);
    }
    let mut likelihood = log_likelihood(totals, &theta);
    for _ in 0..ITERATIONS_MAX {
        let newton = newton_step(totals, &theta).map(|next| {
            let value = log_likelihood(totals, &next);
            (next, value)
        });
        // Near the maximum, a Newton step can lose likelihood by rounding; such a loss is ignored.
        let slack = 1e-13 * likelihood.abs();
        let (next, value) = match newton {
            Some((next, value)) if likelihood - slack <= value => (next, value),
            _ => {
                let next = minorise_maximise_step(totals, &theta);
                let value = log_likelihood(totals, &next);
                (next, value)
            }
        };
        let moved = theta
            .iter()
            .zip(&next)
            .map(|(a, b)| (a - b).abs())
            .fold(0.0, f64::max);
        (theta, likelihood) = (next, value);
        if moved <= TOLERANCE {
            return Ok(theta);
        }
    }
    Err(Untestable::NoConvergence)
}

/// Returns the strength of each bot from its log strength.
fn strengths(theta: &[f64]) -> Vec<f64> {
    theta.iter().map(|&theta| libm::exp(theta)).collect()
}

fn log_likelihood(totals: &Totals<'_>, theta: &[f64]) -> f64 {
    let gamma = strengths(theta);
    let won: f64 = totals.won.iter().zip(theta).map(|(w, t)| w * t).sum();
    let lost = |([a, b], met): ([usize; 2], f64)| met * libm::log(gamma[a] + gamma[b]);
    won - totals.met().map(lost).sum::<f64>()
}

/// Sets γᵢ to the number of wins of i, divided by the sum over its games of 1/(γᵢ + γⱼ).
fn minorise_maximise_step(totals: &Totals<'_>, theta: &[f64]) -> Vec<f64> {
    let gamma = strengths(theta);
    let mut rates = vec![0.0; theta.len()];
    for (pair, met) in totals.met() {
        let strength: f64 = pair.iter().map(|&i| gamma[i]).sum();
        pair.iter().for_each(|&i| rates[i] += met / strength);
    }
    centred(
        totals
            .won
            .iter()
            .zip(&rates)
            .map(|(won, rate)| libm::log(won / rate))
            .collect(),
    )
}

/// Performs one Newton step. Returns `None` if the curvature matrix is not positive definite.
fn newton_step(totals: &Totals<'_>, theta: &[f64]) -> Option<Vec<f64>> {
    let (gradient, curvature) = derivatives(totals, theta);
    let step = solve_symmetric(&curvature, &gradient)?;
    let mut next = theta.to_vec();
    next.iter_mut().zip(&step).for_each(|(t, s)| *t += s);
    Some(centred(next))
}

/// Returns the first-order influence of each part of the blocks on the strengths: the inverse of
/// the curvature times the gradient of the part, centred. Returns `None` if the curvature matrix is
/// not positive definite.
pub(super) fn influences<'a>(
    total: &Totals<'_>,
    theta: &[f64],
    parts: impl Iterator<Item = Part<'a>>,
) -> Option<Vec<Vec<f64>>> {
    let factor = Cholesky::new(&derivatives(total, theta).1)?;
    let gamma = strengths(theta);
    let gradients: Vec<Vec<f64>> = parts
        .map(|part| gradient(total.pairs, &part, &gamma))
        .collect();
    let mut moved = Vec::with_capacity(gradients.len());
    for gradients in gradients.chunks(LANES) {
        let side = |bot: usize| {
            let of = |lane: usize| gradients.get(lane).map_or(0.0, |gradient| gradient[bot]);
            std::array::from_fn(of)
        };
        let together = factor.solve_lanes((0..theta.len() - 1).map(side).collect())?;
        moved.extend((0..gradients.len()).map(|lane| {
            let own = together.iter().map(|lanes| lanes[lane]);
            centred(own.chain([0.0]).collect())
        }));
    }
    Some(moved)
}

/// Returns the gradient of a part's log likelihood by the log strengths, with the last bot fixed.
fn gradient(pairs: &[[usize; 2]], part: &Part<'_>, gamma: &[f64]) -> Vec<f64> {
    let free = gamma.len() - 1;
    let mut gradient = vec![0.0; free];
    part.won
        .iter()
        .filter(|(bot, _)| **bot < free)
        .for_each(|(&bot, times)| gradient[bot] = *times);
    for &(pair, met) in part.met {
        let strength: f64 = pairs[pair].iter().map(|&i| gamma[i]).sum();
        for &i in pairs[pair].iter().filter(|&&i| i < free) {
            gradient[i] -= met * (gamma[i] / strength);
        }
    }
    gradient
}

/// Returns the gradient of the log likelihood and its curvature (minus the second derivatives),
/// with the last bot fixed.
fn derivatives(totals: &Totals<'_>, theta: &[f64]) -> (Vec<f64>, Vec<Vec<f64>>) {
    let (free, gamma) = (theta.len() - 1, strengths(theta));
    let mut gradient = totals.won[..free].to_vec();
    let mut curvature = vec![vec![0.0; free]; free];
    for (pair, met) in totals.met() {
        let strength: f64 = pair.iter().map(|&i| gamma[i]).sum();
        for &i in pair.iter().filter(|&&i| i < free) {
            let share = gamma[i] / strength;
            gradient[i] -= met * share;
            curvature[i][i] += met * share;
            for &j in pair.iter().filter(|&&j| j < free) {
                curvature[i][j] -= met * share * gamma[j] / strength;
            }
        }
    }
    (gradient, curvature)
}

/// Returns a smallest group of bots that no bot outside was ever ahead of, or `None` if the only
/// such group contains all bots. The likelihood has its maximum at finite strengths exactly in the
/// latter case (Ford, "Solution of a ranking problem from binary comparisons"; Hunter, assumption
/// 1).
fn undefeated_group(ahead: &[bool], bots: usize) -> Option<Vec<usize>> {
    // If the first bot is connected to all others in both directions, directly or through others,
    // all bots are connected.
    let from_first = |is_ahead: &dyn Fn(usize, usize) -> bool| {
        let (mut reached, mut open) = (vec![false; bots], vec![0]);
        while let Some(current) = open.pop() {
            if !std::mem::replace(&mut reached[current], true) {
                open.extend((0..bots).filter(|&other| is_ahead(other, current) && !reached[other]));
            }
        }
        reached.iter().all(|&reached| reached)
    };
    let by_ahead = |a: usize, b: usize| ahead[a * bots + b];
    if bots == 0 || from_first(&by_ahead) && from_first(&|a, b| by_ahead(b, a)) {
        return None;
    }
    let better_than = |bot: usize| {
        let mut reached = vec![false; bots];
        reached[bot] = true;
        let mut open = vec![bot];
        while let Some(current) = open.pop() {
            for other in 0..bots {
                if ahead[other * bots + current] && !reached[other] {
                    reached[other] = true;
                    open.push(other);
                }
            }
        }
        (0..bots)
            .filter(|&other| reached[other])
            .collect::<Vec<usize>>()
    };
    let smallest = (0..bots).map(better_than).min_by_key(Vec::len)?;
    (smallest.len() < bots).then_some(smallest)
}
