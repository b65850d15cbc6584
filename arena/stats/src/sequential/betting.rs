//! Betting on the mean of bounded numbers (Waudby-Smith and Ramdas, "Estimating means of bounded
//! random variables by betting"): exact at every number of blocks, however few, and whatever the
//! distribution within the bounds.
//!
//! Against each candidate mean m two bettors stake a part of their capital on every block, one on
//! larger, one on smaller numbers. If m is the mean, neither can expect to grow; the candidates
//! against which neither has grown 2/α-fold form the interval.

use super::{Bias, Decision, Evidence, Standing};
use crate::Untestable;
use crate::summary::{Interval, check_confidence, mean};
use serde::{Deserialize, Serialize};

/// How bets are placed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BettingOptions {
    /// The least difference per game that the game's payoffs allow.
    pub low: f64,
    /// The largest.
    pub high: f64,
    /// Confidence level for all times together.
    #[serde(default = "super::default_confidence")]
    pub confidence: f64,
    /// Candidate means, evenly spaced between the bounds. The intervals of a sequence are rounded
    /// outwards to them, the one at the end is exact.
    #[serde(default = "default_grid")]
    pub grid: usize,
}

fn default_grid() -> usize {
    1000
}

/// A bettor never stakes more than this part of what could be lost, so no capital is ever wiped
/// out.
const STAKE_MAX: f64 = 0.5;

impl BettingOptions {
    fn check(&self, differences: &[f64]) -> Result<(), Untestable> {
        check_confidence(self.confidence)?;
        if !(self.low.is_finite() && self.high.is_finite() && self.low < 0.0 && 0.0 < self.high) {
            return Err(Untestable::bad(
                "the bounds of a difference are finite and have zero between them",
            ));
        }
        if !(2..=1_000_000).contains(&self.grid) {
            return Err(Untestable::bad(
                "a betting grid has 2 to 1000000 candidates",
            ));
        }
        if differences.iter().any(|d| !d.is_finite()) {
            return Err(Untestable::NotFinite);
        }
        if let Some(d) = differences.iter().find(|&&d| d < self.low || self.high < d) {
            let what = format!(
                "a difference of {d} is outside the stated bounds {} to {}",
                self.low, self.high
            );
            return Err(Untestable::bad(what));
        }
        Ok(())
    }

    fn to_share(self, x: f64) -> f64 {
        ((x - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
    }

    fn to_points(self, m: f64) -> f64 {
        self.low + m * (self.high - self.low)
    }

    /// Candidate k of the grid, on the unit scale.
    fn candidate(&self, k: usize) -> f64 {
        k as f64 / (self.grid - 1) as f64
    }
}

/// What decides the next stake: only numbers that have already come, so that the bets are fair.
#[derive(Debug, Clone)]
struct Stakes {
    n: f64,
    sum: f64,
    squares: f64,
    ln_two_over_alpha: f64,
}

impl Stakes {
    fn new(confidence: f64) -> Self {
        Self {
            n: 0.0,
            sum: 0.0,
            squares: 0.0,
            ln_two_over_alpha: libm::log(2.0 / (1.0 - confidence)),
        }
    }

    /// √(2 ln(2/α) / (σ̂² t ln(1 + t))) with the variance of what came before, which starts out as
    /// that of a coin.
    fn next(&self) -> f64 {
        let t = self.n + 1.0;
        let variance = (0.25 + self.squares) / t;
        (2.0 * self.ln_two_over_alpha / (variance * t * libm::log1p(t))).sqrt()
    }

    fn push(&mut self, x: f64) {
        self.n += 1.0;
        self.sum += x;
        let mean = (0.5 + self.sum) / (self.n + 1.0);
        self.squares += (x - mean) * (x - mean);
    }
}

/// ln of the capital of the two bettors against one candidate mean.
#[derive(Debug, Clone, Copy, Default)]
struct Capital {
    ln_up: f64,
    ln_down: f64,
}

impl Capital {
    fn bet(&mut self, stake: f64, x: f64, m: f64) {
        // A candidate at a bound allows any stake on the other side, so the cap there is only that
        // of overflow.
        let up = stake.min(STAKE_MAX / m.max(1e-12));
        let down = stake.min(STAKE_MAX / (1.0 - m).max(1e-12));
        self.ln_up += libm::log1p(up * (x - m));
        self.ln_down += libm::log1p(-down * (x - m));
    }

    /// ln of the larger half of a purse shared between the two: never more than their fair joint
    /// capital.
    fn ln_hedged(&self) -> f64 {
        self.ln_up.max(self.ln_down) - std::f64::consts::LN_2
    }
}

/// The interval after each block: entry t − 1 covers the first t differences. With the stated
/// confidence all of them hold the true mean together, for any distribution within the bounds.
/// Takes time in proportion to blocks times grid.
///
/// # Errors
/// A difference that is not finite or outside the bounds, or options out of range.
pub fn betting_sequence(
    differences: &[f64],
    options: &BettingOptions,
) -> Result<Vec<Interval>, Untestable> {
    options.check(differences)?;
    let mut grid = Grid::new(options);
    Ok(differences
        .iter()
        .map(|&d| {
            let held = grid.push(d);
            grid.around(held)
        })
        .collect())
}

struct Grid<'a> {
    options: &'a BettingOptions,
    stakes: Stakes,
    capital: Vec<Capital>,
    ln_limit: f64,
}

impl<'a> Grid<'a> {
    fn new(options: &'a BettingOptions) -> Self {
        Self {
            options,
            stakes: Stakes::new(options.confidence),
            capital: vec![Capital::default(); options.grid],
            ln_limit: -libm::log(1.0 - options.confidence),
        }
    }

    /// The candidates that are the outermost ones still held.
    fn push(&mut self, difference: f64) -> (usize, usize) {
        let x = self.options.to_share(difference);
        let stake = self.stakes.next();
        for (k, capital) in self.capital.iter_mut().enumerate() {
            capital.bet(stake, x, self.options.candidate(k));
        }
        self.stakes.push(x);
        let held = |capital: &Capital| capital.ln_hedged() < self.ln_limit;
        let first = self.capital.iter().position(held);
        let last = self.capital.iter().rposition(held);
        // When bettors have beaten every candidate of the grid, the mean lies between two of them:
        // the least beaten ones stand for it.
        let least = || {
            let order = |x: &(usize, &Capital), y: &(usize, &Capital)| {
                x.1.ln_hedged().total_cmp(&y.1.ln_hedged())
            };
            self.capital
                .iter()
                .enumerate()
                .min_by(order)
                .map_or(0, |(k, _)| k)
        };
        first.zip(last).unwrap_or_else(|| (least(), least()))
    }

    /// Rounded outwards: the neighbours have been beaten, what lies before them perhaps not.
    fn around(&self, (first, last): (usize, usize)) -> Interval {
        let low = self.options.candidate(first.saturating_sub(1));
        let high = self
            .options
            .candidate((last + 1).min(self.options.grid - 1));
        Interval {
            low: self.options.to_points(low),
            high: self.options.to_points(high),
        }
    }
}

/// The last interval alone, its ends found between candidates to the digits of a double.
fn last_interval(differences: &[f64], options: &BettingOptions) -> Option<Interval> {
    let mut grid = Grid::new(options);
    let (first, last) = differences.iter().map(|&d| grid.push(d)).last()?;
    let beaten = |m: f64| {
        let mut stakes = Stakes::new(options.confidence);
        let mut capital = Capital::default();
        for &d in differences {
            let x = options.to_share(d);
            capital.bet(stakes.next(), x, m);
            stakes.push(x);
        }
        grid.ln_limit <= capital.ln_hedged()
    };
    // The capital falls towards the interval from both sides, so halving finds where it passes the
    // limit.
    let end = |outside: f64, inside: f64| {
        if !beaten(outside) {
            return outside;
        }
        let (mut outside, mut inside) = (outside, inside);
        for _ in 0..50 {
            let middle = 0.5 * (outside + inside);
            *(if beaten(middle) {
                &mut outside
            } else {
                &mut inside
            }) = middle;
        }
        outside
    };
    let low = end(
        options.candidate(first.saturating_sub(1)),
        options.candidate(first),
    );
    let high = end(
        options.candidate((last + 1).min(options.grid - 1)),
        options.candidate(last),
    );
    Some(Interval {
        low: options.to_points(low),
        high: options.to_points(high),
    })
}

/// Bets against "no difference", block by block.
#[derive(Debug, Clone)]
pub(super) struct Watch {
    options: BettingOptions,
    stakes: Stakes,
    capital: Capital,
    ln_most: f64,
}

impl Watch {
    pub(super) fn new(options: &BettingOptions) -> Result<Self, Untestable> {
        options.check(&[])?;
        let stakes = Stakes::new(options.confidence);
        Ok(Self {
            options: *options,
            stakes,
            capital: Capital::default(),
            ln_most: f64::NEG_INFINITY,
        })
    }

    pub(super) fn push(&mut self, d: f64) -> Result<Decision, Untestable> {
        self.options.check(&[d])?;
        let x = self.options.to_share(d);
        self.capital
            .bet(self.stakes.next(), x, self.options.to_share(0.0));
        self.stakes.push(x);
        self.ln_most = self.ln_most.max(self.capital.ln_hedged());
        Ok(
            if self.capital.ln_hedged() < -libm::log(1.0 - self.options.confidence) {
                Decision::Continue
            } else if self.capital.ln_down < self.capital.ln_up {
                Decision::Ahead
            } else {
                Decision::Behind
            },
        )
    }
}

/// Bets against "no difference" until the stake has grown enough.
pub(super) fn apply(differences: &[f64], options: &BettingOptions) -> Result<Standing, Untestable> {
    options.check(differences)?;
    let mut watch = Watch::new(options)?;
    let mut used = 0;
    let mut decision = Decision::Continue;
    for &d in differences {
        used += 1;
        decision = watch.push(d)?;
        if decision != Decision::Continue {
            break;
        }
    }
    let ln_most = watch.ln_most;
    let stopped = decision != Decision::Continue;
    Ok(Standing {
        decision,
        blocks: used,
        estimate: (0 < used).then(|| mean(&differences[..used])),
        interval: last_interval(&differences[..used], options),
        evidence: (0 < used).then(|| Evidence::EValue(libm::exp(ln_most).min(f64::MAX))),
        bias: if stopped {
            Bias::EstimateLeans
        } else {
            Bias::None
        },
    })
}
