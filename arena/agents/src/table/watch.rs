//! Observers of blocks and the events that they receive.

use crate::agent::{Call, CallResult};
use crate::record::Record;
use hattari_plugin::games::{BlockState, ChanceEvent, Game, Move};
use serde::Serialize;

/// An observer of a block.
pub trait TypedObserver<G: Game> {
    /// Called after cards have been dealt. `entrants[player]` is the index in the line-up.
    fn dealt(&mut self, _game: &G, _block: &BlockState<G>, _deal: &G::Deal, _entrants: &[usize]) {}
    /// Called before a bot decides. `actions` are the legal actions of `seat`; `entrant` is the
    /// index of the deciding bot in the line-up.
    fn asked(
        &mut self,
        _game: &G,
        _block: &BlockState<G>,
        _deal: &G::Deal,
        _seat: u8,
        _entrant: usize,
        _actions: &[G::Action],
    ) {
    }
    /// Called after each call of the bot with index `entrant` in the line-up. `answer` is the bot's
    /// error, its choice if it had to decide and the choice is legal, or `None` after other calls.
    /// The plan, the seeds and all answers together determine the block.
    fn answered(&mut self, _entrant: usize, _call: Call, _answer: CallResult<'_>) {}
    /// Called after a choice has been carried out.
    fn acted(&mut self, _game: &G, _deal: &G::Deal, _step: &TakenStep<'_, G>) {}
    /// Called for each chance event of a deal ([`Game::luck`]) before the end of the deal, if luck
    /// is measured.
    fn chanced(&mut self, _event: ChanceEvent<'_>) {}
    /// Called at the end of a deal, with payoffs by player.
    fn ended(&mut self, _game: &G, _deal: &G::Deal, _payoffs: &[i64], _entrants: &[usize]) {}
    /// Called at the end of the block, with its record.
    fn finished(&mut self, _record: &Record) {}
    /// Called after every deal. If it returns `true`, the rest of the block is skipped and the
    /// record of the block is not valid.
    fn has_seen_enough(&self) -> bool {
        false
    }
}

/// A choice that has been carried out.
pub struct TakenStep<'a, G: Game> {
    /// Seat for which the choice was made.
    pub seat: u8,
    /// Index of the deciding entrant in the line-up.
    pub entrant: usize,
    /// Action and amount that were chosen.
    pub choice: Move<G::Action>,
    /// Source of the choice: the bot, the rules or a forced move.
    pub decider: Decider,
    /// Index of the decision in the deal, as in faults; `None` if the bot was not called.
    pub decision: Option<u32>,
    /// Public events that the choice caused.
    pub events: &'a [G::Event],
}

/// The source of a choice.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decider {
    /// The bot gave a legal answer.
    Bot,
    /// A forced move: there is only one legal action.
    Forced,
    /// The fallback action after a fault.
    Rule,
}

/// An observer that ignores all events.
impl<G: Game> TypedObserver<G> for () {}
