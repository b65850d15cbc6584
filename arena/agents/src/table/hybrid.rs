//! A seat in which one bot decides, and a second bot decides in selected decisions.

use super::shared::{Selects, ask, decided};
use crate::agent::{Agent, AgentError, BlockStart, Observation, Turn};
use hattari_plugin::Choice;
use hattari_plugin::games::Game;
use std::marker::PhantomData;

/// A bot of a hybrid with its name, for messages.
pub type HybridPart = (String, Box<dyn Agent>);

/// The agent of a hybrid. Both bots receive all calls, so that both know the game. A fault of
/// either bot is a fault of the hybrid.
pub(super) struct HybridSeat<G> {
    /// The bot of the selected decisions, and that of all others: the order of
    /// [`ComparedDecision::answers`](super::ComparedDecision::answers).
    parts: [HybridPart; 2],
    selects: Selects,
    game: PhantomData<fn() -> G>,
}

impl<G: Game> HybridSeat<G> {
    pub(super) fn new(parts: [HybridPart; 2], selects: Selects) -> HybridSeat<G> {
        HybridSeat {
            parts,
            selects,
            game: PhantomData,
        }
    }
}

impl<G> HybridSeat<G> {
    /// Calls both bots.
    ///
    /// # Errors
    /// Returns the first error, with the name of the bot.
    fn both<T>(
        &mut self,
        mut call: impl FnMut(&mut dyn Agent) -> Result<T, AgentError>,
    ) -> Result<[T; 2], AgentError> {
        let mut one = |(name, bot): &mut HybridPart| {
            call(&mut **bot).map_err(|agent_error| AgentError {
                message: format!("{name}: {}", agent_error.message),
                ..agent_error
            })
        };
        let [second, first] = &mut self.parts;
        let first = one(first)?;
        Ok([one(second)?, first])
    }
}

impl<G: Game> Agent for HybridSeat<G> {
    fn block_start(&mut self, start: &BlockStart<'_>) -> Result<(), AgentError> {
        self.both(|bot| bot.block_start(start)).map(drop)
    }

    fn deal_start(&mut self, seen: &Observation<'_>) -> Result<(), AgentError> {
        self.both(|bot| bot.deal_start(seen)).map(drop)
    }

    fn act(&mut self, turn: &Turn<'_>) -> Result<Choice, AgentError> {
        let answers = self.both(|bot| ask::<G>(bot, turn))?;
        let is_selected = (self.selects)(&decided::<G>(turn, answers));
        Ok(answers[usize::from(!is_selected)])
    }

    fn deal_end(&mut self, seen: &Observation<'_>, payoffs: &[i64]) -> Result<(), AgentError> {
        self.both(|bot| bot.deal_end(seen, payoffs)).map(drop)
    }

    fn block_end(&mut self) -> Result<(), AgentError> {
        self.both(|bot| bot.block_end()).map(drop)
    }
}
