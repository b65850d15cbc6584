//! Deals of a block that are stored after the cards were dealt, and replayed one by one, also from
//! a fork with other hidden cards.

use super::super::watch::{TakenStep, TypedObserver};
use super::{BlockPlan, BlockRun, SeatCondition, Table, Unfinished, accept};
use crate::agent::Agents;
use crate::record::{Fault, JobId};
use crate::seeds::Seeds;
use hattari_plugin::Choice;
use hattari_plugin::games::conformance::replayed;
use hattari_plugin::games::{BlockState, Game, GameTypes, Move};

/// The state of a deal right after the cards were dealt, with the state of the block.
pub(crate) struct KeptDeal<G: Game> {
    block: BlockState<G>,
    /// State before the first choice.
    pub deal: G::Deal,
    /// Index of the deal in the block; rotations are numbered consecutively.
    number: u32,
    /// For each player, the index of the entrant in the line-up.
    entrants: Vec<usize>,
}

impl<G: Game> KeptDeal<G> {
    /// Returns a copy with the state `deal`, in which the cards are others.
    pub(crate) fn with_deal(&self, deal: G::Deal) -> KeptDeal<G> {
        KeptDeal {
            block: self.block.clone(),
            deal,
            number: self.number,
            entrants: self.entrants.clone(),
        }
    }
}

/// An observer that stores the deals of a block and their payoffs.
pub(crate) struct DealKeeper<G: Game> {
    /// The deals in order.
    pub deals: Vec<KeptDeal<G>>,
    /// Payoffs of each deal, indexed by entrant.
    pub payoffs: Vec<Vec<i64>>,
}

impl<G: Game> TypedObserver<G> for DealKeeper<G> {
    fn dealt(&mut self, _: &G, block: &BlockState<G>, deal: &G::Deal, entrants: &[usize]) {
        self.deals.push(KeptDeal {
            block: block.clone(),
            deal: deal.clone(),
            number: u32::try_from(self.deals.len()).unwrap_or(u32::MAX),
            entrants: entrants.to_vec(),
        });
    }

    fn ended(&mut self, _: &G, _: &G::Deal, payoffs: &[i64], entrants: &[usize]) {
        self.payoffs.push(by_entrant(payoffs, entrants));
    }
}

/// Returns payoffs in the order of the line-up, given payoffs in the order of players.
fn by_entrant(payoffs: &[i64], entrants: &[usize]) -> Vec<i64> {
    let mut by_place = vec![0; payoffs.len()];
    for (&entrant, &payoff) in entrants.iter().zip(payoffs) {
        by_place[entrant] = payoff;
    }
    by_place
}

impl<G: Game> Table<'_, G> {
    /// Replays a deal of the block `job`. All bots are restarted with seeds derived from `bots`,
    /// and are called as usual, but `given` replaces the first choices. Returns the payoffs,
    /// indexed by entrant, and the faults.
    ///
    /// # Errors
    /// Returns the errors of [`Table::play_block`].
    pub(crate) fn play_dealt(
        &mut self,
        (dealt, given): (&KeptDeal<G>, &[Move<G::Action>]),
        (job, plan): (JobId, BlockPlan),
        bots: &Seeds,
        agents: &mut Agents,
        observer: &mut impl TypedObserver<G>,
    ) -> Result<(Vec<i64>, Vec<Fault>), Unfinished> {
        let mut run = BlockRun::new(job, plan, agents);
        run.entrants.clone_from(&dealt.entrants);
        run.number = dealt.number;
        run.conditions.fill(SeatCondition::NeedsRestart);
        let seeds = bots.child(u64::from(dealt.number));
        let mut block = dealt.block.clone();
        self.start_bots(&block, &seeds, &mut run, observer)?;
        run.decisions = 0;
        self.deal.clone_from(&dealt.deal);
        self.play_deal(&block, given, &mut run, observer)?;
        let mut payoffs = vec![0; run.entrants.len()];
        self.game.finish(&mut block, &self.deal, &mut payoffs);
        observer.ended(self.game, &self.deal, &payoffs, &run.entrants);
        self.tell(&block, &mut run, observer, Some(&payoffs))?;
        run.end_block(observer)?;
        Ok((by_entrant(&payoffs, &run.entrants), run.record.faults))
    }
}

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
        _: &BlockState<G>,
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
