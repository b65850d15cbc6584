//! Bots with limits of time of their own.

use super::{Agent, BlockStart, Hosting, Misstep, Observation, Seatable, TimeLimits, Turn};
use hattari_plugin::Choice;
use std::sync::Arc;

/// A bot whose agents have other limits of time than the league's.
pub struct Limited {
    /// The bot.
    pub bot: Arc<dyn Seatable>,
    /// The limits of the entrant.
    pub limits: TimeLimits,
}

impl Seatable for Limited {
    fn open(&self, config_json: &str) -> Result<Box<dyn Agent>, Misstep> {
        let agent = self.bot.open(config_json)?;
        Ok(Box::new(LimitedAgent {
            agent,
            limits: self.limits,
        }))
    }
    fn prove(&self, config_json: &str) -> Result<(), Misstep> {
        self.bot.prove(config_json)
    }
    fn heard(&self) -> Option<&str> {
        self.bot.heard()
    }
    fn has_backstop(&self) -> bool {
        self.bot.has_backstop()
    }
    fn hosting(&self) -> Option<Hosting> {
        self.bot.hosting()
    }
    fn time_limits(&self) -> Option<TimeLimits> {
        Some(self.limits)
    }
}

struct LimitedAgent {
    agent: Box<dyn Agent>,
    limits: TimeLimits,
}

impl Agent for LimitedAgent {
    fn block_start(&mut self, start: &BlockStart<'_>) -> Result<(), Misstep> {
        self.agent.block_start(start)
    }
    fn deal_start(&mut self, seen: &Observation<'_>) -> Result<(), Misstep> {
        self.agent.deal_start(seen)
    }
    fn act(&mut self, turn: &Turn<'_>) -> Result<Choice, Misstep> {
        self.agent.act(turn)
    }
    fn deal_end(&mut self, seen: &Observation<'_>, payoffs: &[i64]) -> Result<(), Misstep> {
        self.agent.deal_end(seen, payoffs)
    }
    fn block_end(&mut self) -> Result<(), Misstep> {
        self.agent.block_end()
    }
    fn is_asked_when_forced(&self) -> bool {
        self.agent.is_asked_when_forced()
    }
    fn time_limits(&self) -> Option<TimeLimits> {
        Some(self.limits)
    }
}
