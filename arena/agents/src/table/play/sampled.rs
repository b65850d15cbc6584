//! Replays of a fork with other hidden cards.

use super::super::watch::{TakenStep, TypedObserver};
use super::accept;
use super::dealt::KeptDeal;
use crate::seeds::Seeds;
use hattari_plugin::Choice;
use hattari_plugin::games::conformance::replayed;
use hattari_plugin::games::{Game, GameTypes, Move};

/// The first choices of a deal.
type Moves<G> = Vec<Move<<G as GameTypes>::Action>>;

/// An observer that records a fork of a deal: the choices before the fork, and the position at the
/// fork.
pub(crate) struct RecordedFork<G: Game> {
    /// Places in the line-up whose decisions are counted.
    pub places: Vec<usize>,
    /// Number of unforced decisions at these places that are still to come before the fork.
    pub left: usize,
    pub choices: Vec<Move<G::Action>>,
    /// The deal, the seat to act and its legal actions at the fork.
    pub position: Option<(G::Deal, u8, Vec<G::Action>)>,
}

impl<G: Game> RecordedFork<G> {
    /// Deals other cards that fit what the seat knows at the fork. Returns the deal before its
    /// first choice, and the choices up to the fork with `choice` as the last; `None` if the game
    /// does not support it.
    pub(crate) fn dealt_again(
        &self,
        game: &G,
        dealt: &KeptDeal<G>,
        choice: Choice,
        cards: &Seeds,
    ) -> Option<(KeptDeal<G>, Moves<G>)> {
        let (position, seat, actions) = self.position.as_ref()?;
        let mut later = position.clone();
        game.resample(&mut later, *seat, &mut cards.stream(0));
        let mut choices = self.choices.clone();
        let deal = game.origin(&dealt.deal, &later, &mut choices)?;
        choices.push(accept::<G>(actions, choice).ok()?);
        // The rules of a game from another crate may return a deal in which a choice is illegal.
        replayed(game, deal.clone(), &choices)?;
        Some((dealt.with_deal(deal), choices))
    }
}

impl<G: Game> TypedObserver<G> for RecordedFork<G> {
    fn asked(
        &mut self,
        _: &G,
        _: &G::Block,
        deal: &G::Deal,
        seat: u8,
        entrant: usize,
        actions: &[G::Action],
    ) {
        if self.position.is_some() || !self.places.contains(&entrant) {
            return;
        }
        match self.left.checked_sub(1) {
            Some(left) => self.left = left,
            None => self.position = Some((deal.clone(), seat, actions.to_vec())),
        }
    }

    fn acted(&mut self, _: &G, _: &G::Deal, step: &TakenStep<'_, G>) {
        if self.position.is_none() {
            self.choices.push(step.choice);
        }
    }
}
