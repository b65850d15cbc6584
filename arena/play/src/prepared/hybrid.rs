//! Opens the agents of hybrids.

use crate::league::{Hybrid, League};
use crate::runner::SeatConfig;
use hattari_agents::agent::{Agent, AgentError, AgentFactory, AgentResult, ProcessReport};
use hattari_agents::games::GameInfo;
use hattari_agents::table::{self, AnyGame, DecisionSelector, parse_conditions};

/// The factory of a hybrid's agents.
pub(super) struct HybridFactory {
    game: Box<dyn AnyGame>,
    /// Name and seat of the bot that makes the selected decisions, and of the bot that makes all
    /// others.
    parts: [(String, SeatConfig); 2],
    selects: DecisionSelector,
}

impl HybridFactory {
    /// Creates the factory; `seats` are in the order of the hybrid's parts.
    ///
    /// # Errors
    /// Returns an error if the game or the conditions are unknown.
    pub(super) fn new(
        league: &League,
        hybrid: &Hybrid,
        seats: [SeatConfig; 2],
    ) -> AgentResult<HybridFactory> {
        let facts = GameInfo::find(&league.game)
            .ok_or_else(|| AgentError::start(format!("there is no game `{}`", league.game)))?;
        let [base_seat, selected_seat] = seats;
        let [base, selected] = &hybrid.parts;
        Ok(HybridFactory {
            game: table::game(&league.game, &league.options).map_err(AgentError::start)?,
            parts: [
                (selected.name.clone(), selected_seat),
                (base.name.clone(), base_seat),
            ],
            selects: parse_conditions(facts, &hybrid.when)
                .map_err(|error| AgentError::start(format!("`when`: {error}")))?,
        })
    }

    fn seats(&self) -> impl Iterator<Item = &SeatConfig> {
        self.parts.iter().map(|(_, seat)| seat)
    }
}

impl AgentFactory for HybridFactory {
    fn open(&self, _config_json: &str) -> AgentResult<Box<dyn Agent>> {
        let open =
            |(name, seat): &(String, SeatConfig)| seat.open().map(|agent| (name.clone(), agent));
        let [selected, base] = &self.parts;
        let parts = [open(selected)?, open(base)?];
        Ok(self.game.hybrid_seat(parts, self.selects.clone()))
    }

    fn check_start(&self, _config_json: &str) -> AgentResult {
        self.seats()
            .try_for_each(|seat| seat.bot.check_start(&seat.config_json))
    }

    fn first_output(&self) -> Option<&str> {
        self.seats().find_map(|seat| seat.bot.first_output())
    }

    fn has_backstop(&self) -> bool {
        self.seats().any(|seat| seat.bot.has_backstop())
    }

    fn process_report(&self) -> Option<ProcessReport> {
        self.seats().find_map(|seat| seat.bot.process_report())
    }
}
