//! Runs a bot in a match on an external server. The code is shared by all games.

use hattari_agents::agent::socket::ConnectionEnd;
use hattari_agents::agent::{
    Agent, AgentError, BlockStart, FaultScope, Notice, Observation, Records, Turn,
};
use hattari_agents::record::FaultKind;
use hattari_agents::table;
use hattari_plugin::games::{Game, Move};
use std::fmt::Display;

/// The number of a bot's faults, and the first fault.
#[derive(Debug, Default)]
pub struct Faults {
    /// Number of faults.
    pub count: u32,
    /// Kind and description of the first fault; `None` if there is none.
    pub first: Option<String>,
}

/// The reason why a match was not completed.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// The connection was lost.
    #[error("{place}: {lost}")]
    Lost {
        /// Position in the match.
        place: String,
        /// Error of the connection.
        lost: ConnectionEnd,
    },
    /// The options are invalid, or the server sent data that the protocol or the rules do not
    /// allow.
    #[error("{0}")]
    Invalid(String),
}

impl MatchError {
    /// Returns `true` if the server has closed the connection.
    pub fn is_disconnected(&self) -> bool {
        matches!(self, MatchError::Lost { lost, .. } if lost.is_gone())
    }

    /// Creates an error for invalid data. `place` is the data, or the position in the match.
    pub(crate) fn invalid(place: impl Display, message: impl Display) -> MatchError {
        MatchError::Invalid(format!("{place}: {message}"))
    }
}

/// A bot in a match on an external server. If the bot commits a fault, the fault is counted and the
/// bot's first legal action is played. A bot that has crashed is restarted for the next deal.
pub(crate) struct Player<'a> {
    agent: &'a mut dyn Agent,
    start: BlockStart<'a>,
    /// True if the bot is running.
    is_running: bool,
    /// Faults so far.
    pub faults: Faults,
}

impl<'a> Player<'a> {
    /// Starts a bot for a match. `start.deals` is 0 if the number of deals is unknown.
    pub(crate) fn start(agent: &'a mut dyn Agent, start: BlockStart<'a>) -> Player<'a> {
        let mut player = Player {
            agent,
            start,
            is_running: false,
            faults: Faults::default(),
        };
        player.restart();
        player
    }

    /// Starts or restarts the bot.
    fn restart(&mut self) {
        let outcome = self.agent.notify(&Notice::BlockStart(self.start));
        self.is_running = outcome.is_ok();
        self.record_fault(outcome.err());
    }

    /// Notifies the bot of a new deal. Restarts it if it has crashed.
    pub(crate) fn deal_start(&mut self, seen: &Observation<'_>) {
        if !self.is_running {
            self.restart();
        }
        self.notify(&Notice::DealStart(*seen));
    }

    /// Notifies the bot, unless it has crashed.
    fn notify(&mut self, notice: &Notice<'_>) {
        if self.is_running {
            let outcome = self.agent.notify(notice);
            self.record_fault(outcome.err());
        }
    }

    /// Returns the bot's choice among the legal actions `actions`, which must not be empty. Returns
    /// the first action if the bot has crashed or commits a fault. If there is only one possible
    /// choice, returns it without calling the bot.
    pub(crate) fn choose<G: Game>(
        &mut self,
        seen: Observation<'_>,
        actions: &[G::Action],
    ) -> Move<G::Action> {
        let fallback = table::fallback::<G>(actions);
        let is_forced = actions.len() == 1 && G::amounts(&actions[0]).is_none();
        if is_forced || !self.is_running {
            return fallback;
        }
        let outcome = self.agent.act(&Turn {
            seen,
            legal: Records::of(actions),
            budget_us: 0,
        });
        outcome
            .and_then(|choice| table::accept::<G>(actions, choice))
            .unwrap_or_else(|agent_error| {
                self.record_fault(Some(agent_error));
                fallback
            })
    }

    /// Notifies the bot of the end of a deal. `payoffs` is indexed by player.
    pub(crate) fn deal_end(&mut self, seen: &Observation<'_>, payoffs: &[i64]) {
        self.notify(&Notice::DealEnd(*seen, payoffs));
    }

    /// Ends the match and returns the faults of the bot.
    pub(crate) fn finish(mut self) -> Faults {
        self.notify(&Notice::BlockEnd);
        self.faults
    }

    /// Records a fault, if there is one.
    fn record_fault(&mut self, agent_error: Option<AgentError>) {
        let Some(agent_error) = agent_error else {
            return;
        };
        let text = format!("{}: {}", agent_error.kind.name(), agent_error.message);
        tracing::warn!("fault of the bot: {text}");
        self.is_running &=
            agent_error.scope == FaultScope::Decision && agent_error.kind != FaultKind::Start;
        self.faults.count += 1;
        self.faults.first.get_or_insert(text);
    }
}
