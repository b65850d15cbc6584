//! The points that actions win in given deals, measured by playouts.

use super::playout::{self, Scratch};
use super::policy::{LightFeatures, PolicyInput};
use hattari_games::daihinmin::card::CardSet;
use hattari_games::daihinmin::{Action, PLAYERS, Position};
use rand::Rng;

/// The way in which all seats play in playouts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Playout {
    /// Random players: all legal actions are equally likely, but leaders do not pass.
    #[default]
    Uniform,
    /// The fitted policy of this package.
    Fitted,
}

/// The results of playouts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Trials {
    /// Number of playouts.
    pub count: u32,
    /// Sum of the points.
    pub total: f64,
    /// Sum of the squared points.
    pub squares: f64,
}

impl Trials {
    /// Adds the points of a playout.
    pub fn add(&mut self, points: f64) {
        self.count += 1;
        self.total += points;
        self.squares += points * points;
    }

    /// Returns the mean points, or 0 without playouts.
    #[must_use]
    pub fn mean(&self) -> f64 {
        if self.count == 0 {
            0.0
        } else {
            self.total / f64::from(self.count)
        }
    }

    /// Returns an unbiased estimate of the variance of the mean: the variance of one playout
    /// divided by the number of playouts. Returns `None` for fewer than two playouts.
    #[must_use]
    pub fn variance_of_mean(&self) -> Option<f64> {
        if self.count < 2 {
            return None;
        }
        let count = f64::from(self.count);
        let deviations = self.squares - self.total * self.total / count;
        Some(deviations.max(0.0) / (count - 1.0) / count)
    }
}

/// Plays an action of the seat to act and continues until this seat has its place, `playouts` times
/// from the same deal. `points` contains the points of each place.
#[expect(
    clippy::too_many_arguments,
    reason = "they describe a deal, an action and the playouts"
)]
pub fn try_action<R: Rng>(
    root: &Position,
    hands: &[CardSet; PLAYERS],
    action: &Action,
    playouts: u32,
    policy: Playout,
    points: &[f64; PLAYERS],
    scratch: &mut Scratch,
    chance: &mut R,
) -> Trials {
    let mut trials = Trials::default();
    let Some(seat) = root.to_act() else {
        return trials;
    };
    let mut start = root.with_hands(hands);
    start.play(action);
    for _ in 0..playouts {
        let mut position = start;
        let place = match policy {
            Playout::Uniform => playout::uniform(&mut position, seat, chance),
            Playout::Fitted => playout::by_policy(
                &mut position,
                seat,
                LightFeatures::shipped(),
                scratch,
                chance,
            ),
        };
        trials.add(points[usize::from(place) % PLAYERS]);
    }
    trials
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mean_and_variance_match_the_textbook_formulas() {
        let mut trials = Trials::default();
        assert_eq!((trials.mean(), trials.variance_of_mean()), (0.0, None));
        for points in [1.0, 2.0, 3.0, 4.0] {
            trials.add(points);
        }
        // The sample variance is 5/3, divided by four.
        assert_eq!(trials.mean(), 2.5);
        assert!((trials.variance_of_mean().unwrap() - 5.0 / 12.0).abs() < 1e-12);
    }
}
