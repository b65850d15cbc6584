//! The agent of a bot in a worker process. It sends calls as frames, receives answers, and converts
//! the end of a process to an error. If another process has killed the worker
//! ([`FaultScope::Outside`]), the block is played again.

use super::control::{CodeLocation, ProcessExit, WorkerSpec};
use super::process::{Reply, StartError, WorkerProcess};
use crate::agent::process::nanos_in_call;
use crate::agent::process::pin::{self, Pin};
use crate::agent::status::{check_in_time, late_ns, no_instance};
use crate::agent::transport::Message;
use crate::agent::{
    Agent, AgentError, AgentFactory, AgentResult, BlockStart, DealNotices, FaultScope, LoadError,
    Notice, ProcessLimits, ProcessReport, Turn, lock,
};
use crate::record::FaultKind;
use hattari_plugin::Choice;
use std::rc::Rc;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Processor time in nanoseconds that other bots' processes may use during a call before the call
/// counts as disturbed.
const DISTURBED_NANOS: u64 = 1_000_000;

/// A compiled bot that runs in its own process.
#[derive(Clone)]
pub(crate) struct WorkerBot {
    code: CodeLocation,
    hash: u64,
    id: String,
    /// Number of threads that the bot may start.
    threads: u32,
    limits: ProcessLimits,
    /// Sandbox and peak memory of the bot's workers; an empty report before the first worker runs.
    observed: Arc<Mutex<ProcessReport>>,
}

impl WorkerBot {
    /// Creates the bot `id`. `hash` is the hash of its code, `threads` the number of threads that
    /// it may start.
    pub(crate) fn new(
        code: CodeLocation,
        hash: u64,
        id: &str,
        threads: u32,
        limits: ProcessLimits,
    ) -> WorkerBot {
        WorkerBot {
            code,
            hash,
            id: id.to_owned(),
            threads,
            limits,
            observed: Arc::default(),
        }
    }

    fn start(&self, config_json: &str) -> AgentResult<WorkerProcess> {
        let order = WorkerSpec {
            code: self.code.clone(),
            hash: self.hash,
            id: Some(self.id.clone()),
            config_json: config_json.to_owned(),
            limits: self.limits,
            threads: self.threads,
            debug: tracing::enabled!(target: "hattari::bot", tracing::Level::DEBUG),
            parent: std::process::id(),
        };
        let sandbox = lock(&self.observed).sandbox.clone();
        let process = WorkerProcess::start(order, sandbox).map_err(|error| self.explain(error))?;
        let mut observed = lock(&self.observed);
        if observed.sandbox.restrictions.is_empty() {
            observed.sandbox.clone_from(&process.sandbox);
        }
        drop(observed);
        Ok(process)
    }

    fn explain(&self, error: StartError) -> AgentError {
        match error {
            StartError::Failed(agent_error) => agent_error,
            StartError::Refused(error) => {
                let path = self.code.place().to_owned();
                AgentError::start(LoadError { path, ..error }.to_string())
            }
        }
    }
}

impl AgentFactory for WorkerBot {
    /// Starts the worker immediately, so that an invalid config is reported before any game is
    /// played.
    fn open(&self, config_json: &str) -> AgentResult<Box<dyn Agent>> {
        let mut agent = WorkerAgent {
            bot: self.clone(),
            config_json: config_json.to_owned(),
            process: None,
            is_fresh: true,
            pin: None,
            block: None,
            has_failed: false,
            uses: DealNotices::ALL,
        };
        agent.begin()?;
        Ok(Box::new(agent))
    }

    fn process_report(&self) -> Option<ProcessReport> {
        Some(lock(&self.observed).clone())
    }
}

/// The agent of one seat.
struct WorkerAgent {
    bot: WorkerBot,
    config_json: String,
    process: Option<WorkerProcess>,
    /// `true` if the process has an instance that has not played a block yet.
    is_fresh: bool,
    /// Binding to a core; `None` before the first block.
    pin: Option<Rc<Pin>>,
    /// Seed and player number of the last started block.
    block: Option<(u64, u32)>,
    /// `true` if the instance of the current block has failed because of its own error.
    has_failed: bool,
    /// Notifications that the bot needs in this block.
    uses: DealNotices,
}

impl Agent for WorkerAgent {
    fn notify(&mut self, notice: &Notice<'_>) -> AgentResult {
        match notice {
            Notice::BlockStart(start) => self.start_or_restart(start),
            Notice::DealStart(_) => {
                self.process.iter_mut().for_each(|process| process.sent = 0);
                self.uses.start = self.uses.start && self.tell(*notice)?;
                Ok(())
            }
            Notice::DealEnd(..) => {
                self.uses.end = self.uses.end && self.tell(*notice)?;
                Ok(())
            }
            Notice::BlockEnd => {
                self.tell(*notice)?;
                let ended = self.process.as_mut().and_then(WorkerProcess::finish);
                ended.map_or(Ok(()), |ended| self.record_process_exit(&ended))
            }
        }
    }

    fn act(&mut self, turn: &Turn<'_>) -> AgentResult<Choice> {
        let patience = ProcessLimits::patience_of(turn.budget_us, self.bot.limits.hang);
        let answer = self.ask(&Message::Act(*turn), patience, Reply::choice);
        // A late answer has priority over an error that the bot reports.
        if !matches!(&answer, Err(agent_error) if agent_error.scope != FaultScope::Decision) {
            check_in_time("act", self.late_ns(turn.budget_us), turn.budget_us)?;
        }
        answer
    }

    fn uses(&self) -> DealNotices {
        self.uses
    }
}

impl WorkerAgent {
    /// Starts a process with a fresh instance. Uses the same helper if it is still running.
    fn begin(&mut self) -> AgentResult {
        if let Some(process) = &mut self.process
            && process.can_start_process()
        {
            process.begin().map_err(|error| self.bot.explain(error))?;
        } else {
            // Drop the old process first to free its resources.
            let between_calls = self
                .process
                .take()
                .map_or(Duration::ZERO, |process| process.watched.between_calls());
            let process = self.process.insert(self.bot.start(&self.config_json)?);
            process.watched.set_between_calls(between_calls);
            if let Some(pin) = &self.pin {
                process.bind(pin);
            }
        }
        Ok(())
    }

    /// Starts a block, or starts the bot again after an error in this block.
    fn start_or_restart(&mut self, start: &BlockStart<'_>) -> AgentResult {
        let block = Some((start.seed, start.player));
        // If the same block starts again without an error of the bot, the whole block is played
        // again.
        let is_restart = std::mem::take(&mut self.has_failed) && self.block == block;
        if !is_restart {
            self.block = block;
            self.process
                .iter()
                .for_each(|process| process.watched.set_between_calls(Duration::ZERO));
        }
        self.start_block(start).map_err(|agent_error| {
            let scope = match agent_error.scope {
                // The bot has already failed in this block, whose earlier deals count, so the block
                // is not played again.
                FaultScope::Outside if is_restart => FaultScope::Deal,
                // The instance must not be called again, whatever error prevented the start.
                scope => scope.at_least(FaultScope::Deal),
            };
            self.end_after_error(agent_error.with_scope(scope))
        })
    }

    fn start_block(&mut self, start: &BlockStart<'_>) -> AgentResult {
        if self.pin.is_none() {
            let pin = self.pin.insert(pin::this_thread());
            self.process.iter().for_each(|process| process.bind(pin));
        }
        self.uses = DealNotices::ALL;
        let is_fresh = std::mem::take(&mut self.is_fresh)
            && self
                .process
                .as_ref()
                .is_some_and(WorkerProcess::can_start_process);
        if !is_fresh {
            self.begin()?;
        }
        self.tell(Notice::BlockStart(*start)).map(drop)
    }

    /// Returns the delay of the last call in nanoseconds; 0 or less if it was in time. If other
    /// bots disturbed the call, the bot's processor time counts instead of its duration, because
    /// the bot had to wait for the core.
    fn late_ns(&self, budget_us: i64) -> i64 {
        let Some(process) = &self.process else {
            return 0;
        };
        let by_clock = late_ns(process.took, budget_us);
        if by_clock > 0 && nanos_in_call() > DISTURBED_NANOS {
            late_ns(process.watched.used_in_call(), budget_us)
        } else {
            by_clock
        }
    }

    /// Sends a message and returns the answer.
    fn ask<T>(
        &mut self,
        message: &Message<'_>,
        patience: Duration,
        read: fn(Reply) -> Option<T>,
    ) -> AgentResult<T> {
        self.process
            .as_mut()
            .ok_or_else(no_instance)?
            .ask(message, patience, read)
            .map_err(|agent_error| self.end_after_error(agent_error))
    }

    /// Sends a notification. Returns `false` if the bot does not need it.
    fn tell(&mut self, notice: Notice<'_>) -> AgentResult<bool> {
        self.ask(&Message::Notice(notice), self.bot.limits.hang, Reply::used)
    }

    /// Ends the process after an error of the instance, unless only the decision is affected. The
    /// error may have left the process in a bad state.
    #[cold]
    fn end_after_error(&mut self, agent_error: AgentError) -> AgentError {
        if agent_error.scope != FaultScope::Decision {
            self.has_failed |= agent_error.scope != FaultScope::Outside;
            self.is_fresh = false;
            if let Some(process) = &mut self.process {
                process.finish();
            }
        }
        agent_error
    }

    /// Records the peak memory of an ended process, and returns an error if the bot had left
    /// threads running.
    fn record_process_exit(&mut self, ended: &ProcessExit) -> AgentResult {
        let mut observed = lock(&self.bot.observed);
        observed.peak_kib = observed.peak_kib.max(ended.peak_kib);
        drop(observed);
        if ended.threads > 1 {
            let left = ended.threads - 1;
            return Err(AgentError::new(
                FaultKind::Error,
                format!("destroy: {left} of its threads still run"),
            ));
        }
        Ok(())
    }
}
