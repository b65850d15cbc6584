//! Simulated fields of arms with known strengths, and block scores drawn for them.

use hattari_stats::Rng;
use std::fmt;

/// The mean scores of the arms of a field, in standard deviations of a block score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Strengths {
    /// Each arm is 0.1 weaker than the previous one.
    Even,
    /// The first arm is 0.2 above all others, which are equal.
    OneAhead,
    /// The first two arms are 0.1 apart; the others are equal, 0.5 below the second.
    TwoLeaders,
    /// All arms are equal.
    Equal,
    /// The first arm is ahead of all others, which are equal, by 1.001 times this margin.
    JustBeyond(f64),
}

impl Strengths {
    /// Returns the mean score of every arm, best first.
    pub(crate) fn of(self, arms: usize) -> Vec<f64> {
        (0..arms)
            .map(|arm| match (self, arm) {
                (Self::Even, _) => -0.1 * arm as f64,
                (Self::Equal, _) | (_, 0) => 0.0,
                (Self::OneAhead, _) => -0.2,
                (Self::TwoLeaders, 1) => -0.1,
                (Self::TwoLeaders, _) => -0.6,
                (Self::JustBeyond(margin), _) => -1.001 * margin,
            })
            .collect()
    }
}

impl fmt::Display for Strengths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Even => f.write_str("evenly 0.1 apart"),
            Self::OneAhead => f.write_str("one 0.2 ahead"),
            Self::TwoLeaders => f.write_str("two leaders 0.1 apart"),
            Self::Equal => f.write_str("all equal"),
            Self::JustBeyond(margin) => write!(f, "one slightly more than {margin} ahead"),
        }
    }
}

/// The distribution of block scores, always with standard deviation 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Shape {
    /// Normal distribution.
    Normal,
    /// Gamma distribution with skewness 1, negated for arms with odd index, so that differences
    /// between arms are skewed as well.
    Skewed,
    /// Like `Skewed`, with skewness 2 (exponential distribution).
    VerySkewed,
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Normal => "normal",
            Self::Skewed => "skewness ±1",
            Self::VerySkewed => "skewness ±2",
        })
    }
}

/// A field of arms with the distribution of their scores.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Field {
    pub(crate) arms: usize,
    pub(crate) strengths: Strengths,
    /// Correlation between the scores of different arms in the same block: 0 if arms play separate
    /// deals.
    pub(crate) correlation: f64,
    pub(crate) shape: Shape,
}

impl Field {
    pub(crate) fn deals_text(&self) -> String {
        if self.correlation == 0.0 {
            "own".into()
        } else {
            format!("shared, {}", self.correlation)
        }
    }
}

/// A seeded simulation of a field. The score of block n of an arm does not depend on the order in
/// which blocks are requested.
pub(crate) struct Simulation {
    field: Field,
    means: Vec<f64>,
    /// Generator of the luck that all arms have in common in a block. `luck` contains the values
    /// drawn so far.
    common: Normal,
    luck: Vec<f64>,
    arms: Vec<Normal>,
    /// Index of the next block of each arm.
    next: Vec<usize>,
}

impl Simulation {
    pub(crate) fn new(field: Field, seed: u64) -> Simulation {
        let mut seeds = Rng::new(seed);
        Simulation {
            field,
            means: field.strengths.of(field.arms),
            common: Normal::new(seeds.next_u64()),
            luck: Vec::new(),
            arms: (0..field.arms)
                .map(|_| Normal::new(seeds.next_u64()))
                .collect(),
            next: vec![0; field.arms],
        }
    }

    /// Returns the score of the next block of `arm`.
    pub(crate) fn block(&mut self, arm: usize) -> f64 {
        let own = match self.field.shape {
            Shape::Normal => self.arms[arm].draw(),
            Shape::Skewed => self.arms[arm].gamma(4) * skew_sign(arm),
            Shape::VerySkewed => self.arms[arm].gamma(1) * skew_sign(arm),
        };
        let correlation = self.field.correlation;
        let block = self.next[arm];
        self.next[arm] += 1;
        if correlation == 0.0 {
            return self.means[arm] + own;
        }
        while self.luck.len() <= block {
            self.luck.push(self.common.draw());
        }
        self.means[arm] + correlation.sqrt() * self.luck[block] + (1.0 - correlation).sqrt() * own
    }
}

fn skew_sign(arm: usize) -> f64 {
    if arm.is_multiple_of(2) { 1.0 } else { -1.0 }
}

/// Generator of standard normal numbers (Box and Muller).
pub(crate) struct Normal {
    rng: Rng,
    spare: Option<f64>,
}

impl Normal {
    pub(crate) fn new(seed: u64) -> Normal {
        Normal {
            rng: Rng::new(seed),
            spare: None,
        }
    }

    pub(crate) fn draw(&mut self) -> f64 {
        if let Some(spare) = self.spare.take() {
            return spare;
        }
        let radius = (-2.0 * (1.0 - self.rng.uniform()).ln()).sqrt();
        let (sin, cos) = (std::f64::consts::TAU * self.rng.uniform()).sin_cos();
        self.spare = Some(radius * sin);
        radius * cos
    }

    /// Returns a gamma-distributed number of this shape, standardised to mean 0 and variance 1.
    fn gamma(&mut self, shape: u32) -> f64 {
        let product: f64 = (0..shape).map(|_| 1.0 - self.rng.uniform()).product();
        let shape = f64::from(shape);
        (-product.ln() - shape) / shape.sqrt()
    }
}
