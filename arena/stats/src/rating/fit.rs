//! Maximum likelihood fit of the Bradley-Terry model, by Newton's method. The log likelihood is
//! concave. Steps that would decrease it are halved.

use super::{Ahead, centred};
use crate::linear::{Cholesky, LANES};
use crate::summary::pairs_below;
use crate::{Untestable, solve_symmetric};

/// Maximum number of iterations. Well-posed problems need about ten.
const ITERATIONS_MAX: usize = 2000;

/// Maximum change of any log strength in a step at which the fit has converged.
const TOLERANCE: f64 = 1e-11;

/// Returns the log strengths that maximise the likelihood, centred at zero.
pub(super) fn maximise(orders: &[Ahead], bots: usize) -> Result<Vec<f64>, Untestable> {
    if let Some(group) = undefeated_group(orders, bots) {
        return Err(Untestable::Unbounded { group });
    }
    let mut theta = vec![0.0; bots];
    if bots < 2 {
        return Ok(theta);
    }
    let mut likelihood = log_likelihood(orders, &theta);
    for _ in 0..ITERATIONS_MAX {
        let gradient = gradient(orders, &strengths(&theta));
        let mut step = solve_symmetric(&curvature(orders, &theta), &gradient)
            .ok_or(Untestable::NoConvergence)?;
        step.resize(bots, 0.0);
        // Near the maximum, a step can lose likelihood by rounding; such a loss is ignored.
        let least = likelihood - 1e-13 * likelihood.abs();
        let next = loop {
            let next = centred(theta.iter().zip(&step).map(|(t, s)| t + s).collect());
            likelihood = log_likelihood(orders, &next);
            if least <= likelihood {
                break next;
            }
            step.iter_mut().for_each(|s| *s *= 0.5);
        };
        let is_settled = theta
            .iter()
            .zip(&next)
            .map(|(a, b)| (a - b).abs())
            .fold(0.0, f64::max)
            <= TOLERANCE;
        theta = next;
        if is_settled {
            return Ok(theta);
        }
    }
    Err(Untestable::NoConvergence)
}

/// Returns the strength of each bot from its log strength.
fn strengths(theta: &[f64]) -> Vec<f64> {
    theta.iter().map(|&theta| libm::exp(theta)).collect()
}

/// Returns how often each order of two bots was observed in all blocks and the virtual draws, each
/// order once. These counts are the sufficient statistics of the likelihood.
pub(super) fn count_orders(
    bots: usize,
    blocks: &[&[Ahead]],
    virtual_draws: f64,
) -> Result<Vec<Ahead>, Untestable> {
    Untestable::require(
        (0.0..f64::INFINITY).contains(&virtual_draws),
        "virtual draws must be zero or more",
    )?;
    let mut counts = vec![0.5 * virtual_draws; bots * bots];
    for observed in blocks.iter().copied().flatten() {
        check(bots, observed)?;
        counts[observed.first * bots + observed.second] += observed.times;
    }
    Ok(pairs_below(bots)
        .flat_map(|(a, b)| [(a, b), (b, a)])
        .map(|(first, second)| Ahead {
            first,
            second,
            times: counts[first * bots + second],
        })
        .filter(|order| 0.0 < order.times)
        .collect())
}

fn check(bots: usize, observed: &Ahead) -> Result<(), Untestable> {
    let &Ahead {
        first,
        second,
        times,
    } = observed;
    if !(times.is_finite() && 0.0 < times) {
        return Err(Untestable::bad(format!(
            "an order must be observed a positive number of times (got {times})"
        )));
    }
    if bots <= first.max(second) {
        return Err(Untestable::bad(format!(
            "there is no bot {}; there are {bots} bots",
            first.max(second)
        )));
    }
    if first == second {
        return Err(Untestable::bad(format!("bot {first} is ahead of itself")));
    }
    Ok(())
}

fn log_likelihood(orders: &[Ahead], theta: &[f64]) -> f64 {
    let gamma = strengths(theta);
    orders
        .iter()
        .map(|order| {
            let both = gamma[order.first] + gamma[order.second];
            order.times * (theta[order.first] - libm::log(both))
        })
        .sum()
}

/// Returns the first-order influence of each block on the strengths: the inverse of the curvature
/// times the gradient of the block, centred. Returns `None` if the curvature matrix is not positive
/// definite.
pub(super) fn influences(
    orders: &[Ahead],
    blocks: &[&[Ahead]],
    theta: &[f64],
) -> Option<Vec<Vec<f64>>> {
    let factor = Cholesky::new(&curvature(orders, theta))?;
    let gamma = strengths(theta);
    let mut moved = Vec::with_capacity(blocks.len());
    for blocks in blocks.chunks(LANES) {
        let mut sides = vec![[0.0; LANES]; theta.len() - 1];
        for (lane, block) in blocks.iter().enumerate() {
            sides
                .iter_mut()
                .zip(gradient(block, &gamma))
                .for_each(|(side, x)| side[lane] = x);
        }
        let together = factor.solve_lanes(sides)?;
        moved.extend((0..blocks.len()).map(|lane| {
            let own = together.iter().map(|lanes| lanes[lane]);
            centred(own.chain([0.0]).collect())
        }));
    }
    Some(moved)
}

/// Returns the gradient of the log likelihood of `orders` with respect to the log strengths of all
/// bots except the last, which is fixed.
fn gradient(orders: &[Ahead], gamma: &[f64]) -> Vec<f64> {
    let mut gradient = vec![0.0; gamma.len()];
    for order in orders {
        let (winner, loser) = (gamma[order.first], gamma[order.second]);
        let unexpected = order.times * (loser / (winner + loser));
        gradient[order.first] += unexpected;
        gradient[order.second] -= unexpected;
    }
    gradient.pop();
    gradient
}

/// Returns the curvature of the log likelihood (minus the second derivatives) for all bots except
/// the last, which is fixed.
fn curvature(orders: &[Ahead], theta: &[f64]) -> Vec<Vec<f64>> {
    let (free, gamma) = (theta.len() - 1, strengths(theta));
    let mut curvature = vec![vec![0.0; free]; free];
    for order in orders {
        let (a, b) = (order.first, order.second);
        let strength = gamma[a] + gamma[b];
        let product = order.times * (gamma[a] / strength) * (gamma[b] / strength);
        for (i, j) in [(a, b), (b, a)] {
            if i < free {
                curvature[i][i] += product;
                if j < free {
                    curvature[i][j] -= product;
                }
            }
        }
    }
    curvature
}

/// Returns a smallest group of bots such that no other bot was ever ahead of a member, or `None` if
/// the only such group contains all bots. The likelihood has its maximum at finite strengths
/// exactly in the latter case (Ford, "Solution of a ranking problem from binary comparisons";
/// Hunter, "MM algorithms for generalized Bradley-Terry models", assumption 1).
fn undefeated_group(orders: &[Ahead], bots: usize) -> Option<Vec<usize>> {
    let mut ahead = vec![false; bots * bots];
    for order in orders {
        ahead[order.first * bots + order.second] = true;
    }
    // Returns the bots that are connected to one bot, directly or through others.
    let connected = |bot: usize, is_ahead: &dyn Fn(usize, usize) -> bool| -> Vec<usize> {
        let (mut is_reached, mut open) = (vec![false; bots], vec![bot]);
        while let Some(current) = open.pop() {
            if !std::mem::replace(&mut is_reached[current], true) {
                let more = (0..bots).filter(|&other| is_ahead(other, current));
                open.extend(more.filter(|&other| !is_reached[other]));
            }
        }
        (0..bots).filter(|&bot| is_reached[bot]).collect()
    };
    let by_ahead = |a: usize, b: usize| ahead[a * bots + b];
    let by_behind = |a: usize, b: usize| by_ahead(b, a);
    // If the first bot is connected to all others in both directions, all bots are connected.
    let is_whole = |group: Vec<usize>| group.len() == bots;
    if bots == 0 || is_whole(connected(0, &by_ahead)) && is_whole(connected(0, &by_behind)) {
        return None;
    }
    (0..bots)
        .map(|bot| connected(bot, &by_ahead))
        .min_by_key(Vec::len)
}
