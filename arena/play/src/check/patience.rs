//! How long a check waits for a bot: until the first call that hangs, and within a bound on the whole.

use super::Plan;
use hattari_hosts::agent::{Agent, BlockStart, Misstep, Observation, Turn};
use hattari_hosts::record::FaultKind;
use hattari_plugin::Choice;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// A call that fails after as long is a hang: what else fails does so at once.
const HANG: Duration = Duration::from_secs(2);
/// Time for everything beside the play that was asked for: a deal at every size of table, and the pilot.
const BESIDE: Duration = Duration::from_secs(30);
/// Times that play may take as long as was asked for.
const SLACK: u32 = 4;

/// What is left of the patience with a bot; its agents share it, on all threads.
pub(super) struct Patience {
    until: Instant,
    bound: Duration,
    /// Why the bot is asked nothing more.
    lost: OnceLock<String>,
}

impl Patience {
    /// Patience for one check, which begins now.
    pub(super) fn new(plan: &Plan) -> Patience {
        let bound = plan.time * SLACK + BESIDE;
        Patience { until: Instant::now() + bound, bound, lost: OnceLock::new() }
    }

    /// Why it is lost.
    pub(super) fn lost(&self) -> Option<&str> {
        self.lost.get().map(String::as_str)
    }

    fn ask<T>(&self, call: impl FnOnce() -> Result<T, Misstep>) -> Result<T, Misstep> {
        if self.lost.get().is_some() {
            return Err(Misstep::new(FaultKind::Crash, "it is asked nothing more"));
        }
        let start = Instant::now();
        let answer = call();
        if answer.is_err() && HANG <= start.elapsed() {
            self.lost.get_or_init(|| "each such call would be waited for as long".to_owned());
        } else if self.until <= Instant::now() {
            let seconds = self.bound.as_secs();
            self.lost.get_or_init(|| format!("it is slow: the check took {seconds} s; a larger --time waits longer"));
        }
        answer
    }
}

/// An agent that is asked as long as there is patience with it.
pub(super) struct Awaited {
    pub agent: Box<dyn Agent>,
    pub patience: Arc<Patience>,
}

impl Agent for Awaited {
    fn block_start(&mut self, start: &BlockStart<'_>) -> Result<(), Misstep> {
        self.patience.ask(|| self.agent.block_start(start))
    }

    fn deal_start(&mut self, seen: &Observation<'_>) -> Result<(), Misstep> {
        self.patience.ask(|| self.agent.deal_start(seen))
    }

    fn act(&mut self, turn: &Turn<'_>) -> Result<Choice, Misstep> {
        self.patience.ask(|| self.agent.act(turn))
    }

    fn deal_end(&mut self, seen: &Observation<'_>, payoffs: &[i64]) -> Result<(), Misstep> {
        self.patience.ask(|| self.agent.deal_end(seen, payoffs))
    }

    fn block_end(&mut self) -> Result<(), Misstep> {
        self.patience.ask(|| self.agent.block_end())
    }

    fn is_asked_when_forced(&self) -> bool {
        self.agent.is_asked_when_forced()
    }
}
