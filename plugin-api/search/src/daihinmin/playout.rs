//! Playouts: random play from a position until a seat has its place.

use super::policy::{Policy, PolicyInput, PolicyView};
use hattari_games::chance;
use hattari_games::daihinmin::card::CardSet;
use hattari_games::daihinmin::{Action, NONE, Position, Situation, pick};
use rand::Rng;

/// Plays uniformly random actions until `seat` has its place. Returns the place, from 0.
///
/// All legal actions are equally likely, including the pass if the table is not empty. A leader
/// does not pass, because this is rarely right and would make playouts longer.
#[inline]
pub fn uniform(position: &mut Position, seat: u8, chance: &mut impl Rng) -> u8 {
    while position.place(seat) == NONE {
        let Some(mover) = position.to_act() else {
            break;
        };
        let action = uniform_action(position.hand(mover), position.situation(), chance);
        position.play(&action);
    }
    position.place(seat)
}

/// Returns a uniformly random legal action of a hand. On an empty table, it is not a pass.
#[inline]
pub fn uniform_action(hand: CardSet, situation: &Situation, chance: &mut impl Rng) -> Action {
    // The pass is the first of the list. A hand that leads always has a play.
    let pass = u32::from(situation.table.is_pass());
    pick(hand, situation, |count| {
        if count == 1 {
            0
        } else {
            pass + chance::below(chance, count - pass)
        }
    })
}

/// Buffers for playouts. They are reused, so that playouts do not allocate.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    /// Legal actions.
    pub actions: Vec<Action>,
    /// Strengths of the actions.
    pub strengths: Vec<f32>,
}

/// Plays with a policy until `seat` has its place. Returns the place, from 0. A leader does not
/// pass.
#[inline]
pub fn by_policy<L: PolicyInput<N>, const N: usize, R: Rng>(
    position: &mut Position,
    seat: u8,
    policy: &Policy<L, N>,
    scratch: &mut Scratch,
    chance: &mut R,
) -> u8 {
    while position.place(seat) == NONE {
        let Some(mover) = position.to_act() else {
            break;
        };
        position.legal(&mut scratch.actions);
        let pass = usize::from(position.situation().table.is_pass());
        let actions = &scratch.actions[pass..];
        let action = if actions.len() == 1 {
            actions[0]
        } else {
            actions[policy.choose(
                &PolicyView::of(position, mover),
                actions,
                &mut scratch.strengths,
                chance,
            )]
        };
        position.play(&action);
    }
    position.place(seat)
}
