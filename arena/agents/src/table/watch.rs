//! Whoever looks on while blocks are played, and what there is to see.

use crate::agent::{Call, Misstep};
use crate::record::Record;
use hattari_plugin::Choice;
use hattari_plugin::games::{ChanceEvent, Game, Grant};
use serde::Serialize;

/// Looks on while a block is played.
pub trait Watch<G: Game> {
    /// Cards have been dealt. `entrants[player]` is the place in the line-up.
    fn dealt(&mut self, _game: &G, _block: &G::Block, _deal: &G::Deal, _entrants: &[usize]) {}
    /// A bot is about to be asked: `seat` has these actions, `entrant` is the place in the line-up
    /// of whoever decides.
    fn asked(
        &mut self,
        _game: &G,
        _block: &G::Block,
        _deal: &G::Deal,
        _seat: u8,
        _entrant: usize,
        _actions: &[G::Action],
    ) {
    }
    /// The bot of the place `entrant` in the line-up has been called: its choice where it was asked
    /// for one and that is legal, or what it did wrong. With the plan and the seeds, all
    /// answers together make the block.
    fn answered(
        &mut self,
        _entrant: usize,
        _call: Call,
        _answer: Result<Option<&Choice>, &Misstep>,
    ) {
    }
    /// A choice has been carried out.
    fn acted(&mut self, _game: &G, _deal: &G::Deal, _step: &Step<'_, G>) {}
    /// Something that chance did in the deal that is over, as [`Game::luck`]; told before its end,
    /// where it is measured.
    fn chanced(&mut self, _event: ChanceEvent<'_>) {}
    /// The deal is over; payoffs by player.
    fn ended(&mut self, _game: &G, _deal: &G::Deal, _payoffs: &[i64], _entrants: &[usize]) {}
    /// The block is over; what is left of it.
    fn finished(&mut self, _record: &Record) {}
    /// Asked after every deal: whether the rest of the block need not be played. Its record is of
    /// no use then.
    fn has_seen_enough(&self) -> bool {
        false
    }
}

/// A choice that was carried out.
pub struct Step<'a, G: Game> {
    /// The seat that it was for.
    pub seat: u8,
    /// Place in the line-up of whoever decided.
    pub entrant: usize,
    /// The choice.
    pub choice: Grant<G::Action>,
    /// Who made it.
    pub decider: Decider,
    /// Number of the decision in the deal as faults give it, where the bot was asked.
    pub decision: Option<u32>,
    /// The new lines of the record.
    pub events: &'a [G::Event],
}

/// Who made a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decider {
    /// The bot.
    Bot,
    /// Nobody: there was one thing to do.
    Forced,
    /// The rule for faults.
    Rule,
}

/// Nobody looks on.
impl<G: Game> Watch<G> for () {}
