//! The points that actions win in given deals, measured by playouts.

use super::playout::{self, Scratch};
use super::policy::{LightFeatures, PolicyInput};
use crate::bandit::Trials;
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

/// Plays an action of the seat to act and continues until this seat has its place, `playouts` times
/// from the same deal. `points` contains the points of each place.
#[expect(
    clippy::too_many_arguments,
    reason = "they describe a deal, an action and the playouts"
)]
pub fn try_action(
    root: &Position,
    hands: &[CardSet; PLAYERS],
    action: &Action,
    playouts: u32,
    policy: Playout,
    points: &[f64; PLAYERS],
    scratch: &mut Scratch,
    chance: &mut impl Rng,
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
