//! The likelihood of hands, given the choices of other seats.

use super::playout::Scratch;
use super::policy::{Policy, PolicyInput, PolicyView};
use hattari_games::daihinmin::card::CardSet;
use hattari_games::daihinmin::{Event, PLAYERS, Position, View, event, phase, rule};

/// The plays and passes of a deal before a decision, which can be replayed with other hands.
#[derive(Clone, Debug)]
pub struct PlayHistory<'a> {
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

/// Minimum probability of a choice, because real players deviate from every policy.
const CHOICE_PROBABILITY_MIN: f64 = 1e-4;

impl<'a> PlayHistory<'a> {
    /// Collects the plays and passes that `view.seat` has seen. `deadlock_after` is the number of
    /// successive passes that end a deal.
    #[must_use]
    pub fn new(view: &View, history: &'a [Event], deadlock_after: u32) -> PlayHistory<'a> {
        let mut played = [0; PLAYERS];
        for event in history.iter().filter(|event| event.kind == event::ACTION) {
            played[usize::from(event.seat) % PLAYERS] |= event.action.cards;
        }
        PlayHistory {
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

    /// Returns the probability that players with this policy make all choices that the other seats
    /// made, if `hands` are the current hands. It is the product over the choices. The hands must
    /// be possible. Forced actions are ignored.
    pub fn likelihood<L: PolicyInput<N>, const N: usize>(
        &self,
        hands: &[CardSet; PLAYERS],
        policy: &Policy<L, N>,
        scratch: &mut Scratch,
    ) -> f64 {
        let mut likelihood = 1.0;
        let Some(first) = self.first else {
            return likelihood;
        };
        let mut start = *hands;
        for (hand, played) in start.iter_mut().zip(self.played) {
            *hand |= played;
        }
        let mut position =
            Position::before_play(start, self.rules, self.ask_last, self.deadlock_after, first);
        for event in self
            .history
            .iter()
            .filter(|event| event.kind == event::ACTION)
        {
            position.legal(&mut scratch.actions);
            let actions = &scratch.actions;
            if event.seat != self.seat
                && actions.len() > 1
                && let Some(taken) = actions.iter().position(|action| *action == event.action)
            {
                let sight = PolicyView::of(&position, event.seat);
                likelihood *= f64::from(policy.probability(&sight, actions, taken))
                    .max(CHOICE_PROBABILITY_MIN);
            }
            position.play(&event.action);
        }
        likelihood
    }
}
