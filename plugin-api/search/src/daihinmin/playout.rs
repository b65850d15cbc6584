//! Playing a position out by chance.

use super::policy::{Look, Policy, Sight};
use hattari_games::chance;
use hattari_games::daihinmin::card::CardSet;
use hattari_games::daihinmin::{Action, NONE, Position, Situation, pick};
use rand::Rng;

/// Plays on with uniformly random actions until `seat` has its place, and tells which, 0 being the
/// first.
///
/// Every legal action is equally likely, the pass among them where something lies on the table. Who
/// leads does not pass: a lead passed on is hardly ever right, and playouts would be longer for it.
#[inline]
pub fn uniform<R: Rng>(position: &mut Position, seat: u8, chance: &mut R) -> u8 {
    while position.place(seat) == NONE {
        let Some(mover) = position.to_act() else {
            break;
        };
        let action = uniform_action(position.hand(mover), position.situation(), chance);
        position.play(&action);
    }
    position.place(seat)
}

/// A legal action of a hand, each as likely as the others; on an empty table no pass.
#[inline]
pub fn uniform_action<R: Rng>(hand: CardSet, situation: &Situation, chance: &mut R) -> Action {
    // The pass is the first of the list, and a hand that leads has a play.
    let pass = u32::from(situation.table.is_pass());
    pick(hand, situation, |count| {
        if count == 1 {
            0
        } else {
            pass + chance::below(chance, count - pass)
        }
    })
}

/// What a playout writes into while it goes on; kept from one to the next so that none allocates.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    /// Legal actions.
    pub actions: Vec<Action>,
    /// Their strengths.
    pub strengths: Vec<f32>,
}

/// Plays on by a policy until `seat` has its place, and tells which, 0 being the first. Who leads
/// does not pass.
#[inline]
pub fn by_policy<L: Look<N>, const N: usize, R: Rng>(
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
                &Sight::of(position, mover),
                actions,
                &mut scratch.strengths,
                chance,
            )]
        };
        position.play(&action);
    }
    position.place(seat)
}
