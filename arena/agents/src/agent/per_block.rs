//! Agents that create a new instance of the bot for each block.

use super::status::{no_instance, not_started};
use super::{Agent, AgentResult, DealNotices, FaultScope, Notice, Turn};
use hattari_plugin::Choice;

/// An agent that creates an instance `A` with `F` for each block. An instance that cannot be called
/// again is dropped.
pub(super) struct PerBlockAgent<A, F> {
    create_instance: F,
    instance: Option<A>,
    /// `true` until the first block starts.
    is_unused: bool,
}

impl<A: Agent, F: FnMut() -> AgentResult<A>> PerBlockAgent<A, F> {
    /// Creates the first instance now, so that an invalid config is reported before any game is
    /// played.
    ///
    /// # Errors
    /// Returns an error if the instance cannot be created.
    pub(super) fn new(mut create_instance: F) -> AgentResult<PerBlockAgent<A, F>> {
        Ok(PerBlockAgent {
            instance: Some(create_instance()?),
            create_instance,
            is_unused: true,
        })
    }

    #[inline]
    fn call<T>(&mut self, call: impl FnOnce(&mut A) -> AgentResult<T>) -> AgentResult<T> {
        let outcome = call(self.instance.as_mut().ok_or_else(no_instance)?);
        if let Err(agent_error) = &outcome
            && agent_error.scope != FaultScope::Decision
        {
            self.instance = None;
        }
        outcome
    }
}

impl<A: Agent, F: FnMut() -> AgentResult<A>> Agent for PerBlockAgent<A, F> {
    fn notify(&mut self, notice: &Notice<'_>) -> AgentResult {
        if let Notice::BlockStart(_) = notice {
            if !std::mem::take(&mut self.is_unused) {
                self.instance = None;
                self.instance = Some((self.create_instance)()?);
            }
            // The instance must not be called again, whatever error prevented the start.
            return self.call(|instance| instance.notify(notice).map_err(not_started));
        }
        let outcome = self.call(|instance| instance.notify(notice));
        if let Notice::BlockEnd = notice {
            self.instance = None;
        }
        outcome
    }

    fn act(&mut self, turn: &Turn<'_>) -> AgentResult<Choice> {
        self.call(|instance| instance.act(turn))
    }

    fn uses(&self) -> DealNotices {
        self.instance.as_ref().map_or(DealNotices::NONE, A::uses)
    }
}
