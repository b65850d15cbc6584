//! What the others have done so far, and how likely hands make it.

use super::playout::Scratch;
use super::policy::{Look, Policy, Sight};
use hattari_games::daihinmin::card::CardSet;
use hattari_games::daihinmin::{Event, PLAYERS, Position, View, event, phase, rule};

/// The plays and passes of a deal up to a decision, to be played through once more with other
/// hands.
#[derive(Clone, Debug)]
pub struct Past<'a> {
    seat: u8,
    history: &'a [Event],
    /// Cards that each seat has played.
    played: [CardSet; PLAYERS],
    rules: u8,
    ask_last: bool,
    deadlock_after: u32,
    /// Seat that acted first.
    first: Option<u8>,
}

/// The least that a choice is taken to be likely: nobody plays quite as a policy says.
const LEAST: f64 = 1e-4;

impl<'a> Past<'a> {
    /// What `view.seat` has seen. `deadlock_after` is that of
    /// [`Options`](hattari_games::daihinmin::Options::deadlock_after).
    #[must_use]
    pub fn new(view: &View, history: &'a [Event], deadlock_after: u32) -> Past<'a> {
        let mut played = [0; PLAYERS];
        for event in history.iter().filter(|event| event.kind == event::ACTION) {
            played[usize::from(event.seat) % PLAYERS] |= event.action.cards;
        }
        Past {
            seat: view.seat,
            history,
            played,
            rules: view.rules & !rule::BACKWARDS,
            ask_last: view.ask_last != 0,
            deadlock_after,
            first: history
                .first()
                .filter(|_| view.phase != phase::EXCHANGE)
                .map(|event| event.seat),
        }
    }

    /// How likely players of a policy make all choices of the others so far if these are the hands
    /// now: the product of the probabilities of the choices. The hands are such as fit; choices
    /// without alternative count nothing.
    pub fn likelihood<L: Look<N>, const N: usize>(
        &self,
        hands: &[CardSet; PLAYERS],
        policy: &Policy<L, N>,
        scratch: &mut Scratch,
    ) -> f64 {
        let mut likelihood = 1.0;
        self.each_choice(hands, scratch, |mover, sight, scratch, taken| {
            if mover != self.seat {
                likelihood *=
                    f64::from(policy.probability(sight, &scratch.actions, taken)).max(LEAST);
            }
        });
        likelihood
    }

    /// Shows every choice so far between two or more actions: who chose, what that seat saw with
    /// these hands, the legal actions (in `scratch`) and the index of the one taken.
    pub fn each_choice(
        &self,
        hands: &[CardSet; PLAYERS],
        scratch: &mut Scratch,
        mut show: impl FnMut(u8, &Sight, &mut Scratch, usize),
    ) {
        let Some(first) = self.first else { return };
        let mut start = *hands;
        for (hand, played) in start.iter_mut().zip(self.played) {
            *hand |= played;
        }
        let mut position =
            Position::dealt(start, self.rules, self.ask_last, self.deadlock_after, first);
        for event in self
            .history
            .iter()
            .filter(|event| event.kind == event::ACTION)
        {
            position.legal(&mut scratch.actions);
            if scratch.actions.len() > 1
                && let Some(taken) = scratch
                    .actions
                    .iter()
                    .position(|action| *action == event.action)
            {
                show(
                    event.seat,
                    &Sight::of(&position, event.seat),
                    scratch,
                    taken,
                );
            }
            position.play(&event.action);
        }
    }
}
