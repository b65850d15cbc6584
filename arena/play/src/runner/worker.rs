//! A worker thread of a run, with its table, its agents and its events.

use super::retry::RetryState;
use super::source::JobQueue;
use super::{SeatConfig, describe_fault};
use crate::league::League;
use hattari_agents::agent::recorded::Answers;
use hattari_agents::agent::{
    Agent, AgentError, AgentResult, Call, CallResult, DealNotices, Notice, TimeLimits, Turn,
};
use hattari_agents::record::{BlockResult, Fault, FaultKind, JobId};
use hattari_agents::table::{
    AnyGame, AnyTable, BlockObserver, BlockPlan, ObserverDetail, Unfinished,
};
use hattari_plugin::Choice;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::SyncSender;
use std::thread;
use std::time::Instant;

/// Number of panics after which a run gives up.
pub(super) const PANICS_MAX: usize = 8;
/// Maximum number of agents that a thread keeps for later blocks. Without this limit, leagues with
/// very many entrants would keep a process for each of them.
const SPARE_MAX: usize = 128;
/// Number of deals between two updates of the progress.
const DEALS_NOTED: u64 = 16;

pub(super) enum WorkerEvent {
    Played(Box<BlockResult>),
    /// The host cannot continue with a bot.
    Failed(JobId, Fault),
    Panicked(JobId, String),
}

pub(super) struct WorkerShared<'a> {
    pub game: &'a dyn AnyGame,
    pub plan: BlockPlan,
    pub league: &'a League,
    pub seats: &'a [SeatConfig],
    pub jobs: JobQueue<'a>,
    /// Set by the user, so that no further jobs are started.
    pub stop: &'a AtomicBool,
    /// Set by a fault or failure, so that no further jobs are started.
    pub halt: AtomicBool,
    pub deals: AtomicU64,
    pub panics: AtomicUsize,
}

impl WorkerShared<'_> {
    pub(super) fn is_stopping(&self) -> bool {
        self.halt.load(Ordering::Relaxed) || self.stop.load(Ordering::Relaxed)
    }

    /// Returns the entrants of a job's line-up.
    fn line_up(&self, job: JobId) -> &[usize] {
        &self.jobs.schedule.line_ups[job.line_up as usize]
    }

    fn limits(&self, entrant: usize) -> TimeLimits {
        let entrant = &self.league.entrants[entrant];
        self.league.budget_of(entrant).time_limits()
    }

    /// Returns `true` if the bots' answers are stored in all blocks of a line-up, because these
    /// cannot be reproduced. With a time limit per block, all answers depend on a clock.
    fn keeps_answers(&self, line_up: &[usize]) -> bool {
        line_up
            .iter()
            .any(|&entrant| !self.seats[entrant].is_repeatable || self.limits(entrant).block_us > 0)
    }

    /// Returns `true` if answers are stored in blocks with a late decision, or with a call that the
    /// backstop (a limit of processor time) has stopped.
    fn may_time_out(&self, line_up: &[usize]) -> bool {
        line_up.iter().any(|&entrant| {
            self.seats[entrant].bot.has_backstop() || self.limits(entrant).decision_us > 0
        })
    }

    /// Returns the name of the entrant that a fault concerns.
    pub(super) fn entrant(&self, job: JobId, fault: &Fault) -> &str {
        let entrant = self.line_up(job)[usize::from(fault.entrant)];
        &self.league.entrants[entrant].name
    }
}

/// Plays jobs until there are none or the run is halted.
pub(super) fn work(shared: &WorkerShared<'_>, events: &SyncSender<WorkerEvent>) {
    let mut worker = Worker {
        shared,
        table: shared.game.table(),
        spare: Vec::new(),
    };
    while let Some(job) = shared.jobs.next(|| shared.is_stopping()) {
        let Some(event) = worker.play_or_retry(job) else {
            return;
        };
        if events.send(event).is_err() {
            return;
        }
    }
}

/// The state of a worker thread.
struct Worker<'g> {
    shared: &'g WorkerShared<'g>,
    table: Box<dyn AnyTable + 'g>,
    /// Idle agents with their entrants, longest waiting first; at most [`SPARE_MAX`].
    spare: Vec<(usize, Box<dyn Agent>)>,
}

impl Worker<'_> {
    /// Plays one block, if necessary several times ([`RetryState`]). Returns `None` if the block
    /// was disturbed while the run was stopping; the block is then open.
    fn play_or_retry(&mut self, job: JobId) -> Option<WorkerEvent> {
        let shared = self.shared;
        let mut retry = RetryState::new(Instant::now(), shared.line_up(job).len());
        loop {
            let now = Instant::now();
            let may_retry = retry.may_retry(now);
            let plan = BlockPlan {
                abandons_disturbed: retry.abandons(now),
                ..shared.plan
            };
            let mut fault = match self.play(job, plan) {
                Ok(mut event) => {
                    if let WorkerEvent::Played(played) = &mut event {
                        played.kills = retry.kills;
                    }
                    return Some(event);
                }
                Err(fault) => fault,
            };
            if !may_retry {
                // If no process could be started for so long, the cause is the machine, not the
                // bot.
                fault.message += "; raise this machine's limits (`ulimit -a`), or play with \
                    fewer threads (--jobs)";
                shared.halt.store(true, Ordering::Relaxed);
                return Some(WorkerEvent::Failed(job, fault));
            }
            // Free the processes of idle agents if the system has no room for another process.
            if fault.kind == FaultKind::Start {
                self.spare.clear();
            }
            thread::sleep(retry.add(&fault));
            if shared.is_stopping() {
                return None;
            }
            let fault = describe_fault(job, shared.entrant(job, &fault), &fault);
            tracing::warn!("the block is restarted: {fault}");
        }
    }

    /// Plays one block.
    ///
    /// # Errors
    /// Returns the fault that would be recorded if the block was disturbed and the plan abandons
    /// such blocks.
    fn play(&mut self, job: JobId, plan: BlockPlan) -> Result<WorkerEvent, Fault> {
        let shared = self.shared;
        let line_up = shared.line_up(job);
        let mut agents = Vec::with_capacity(line_up.len());
        let keeps_answers = shared.keeps_answers(line_up);
        let may_keep = keeps_answers || shared.may_time_out(line_up);
        let answers = may_keep.then(|| Answers::new(line_up.len()));
        let mut counter = ProgressCounter {
            deals: 0,
            noted: 0,
            shared: &shared.deals,
            answers,
        };
        let played = catch_unwind(AssertUnwindSafe(|| {
            agents.extend(line_up.iter().map(|&entrant| self.take(entrant)));
            let chance = shared.league.chance(line_up);
            let table = &mut self.table;
            table.play_block(job, plan, &chance, &mut agents, &mut counter)
        }));
        counter.publish_deals();
        match played {
            Ok(Ok((record, timing))) => {
                self.give_back(line_up, agents);
                let is_kept = keeps_answers
                    || record.faults.iter().any(|fault| {
                        fault.kind == FaultKind::Clock
                            || plan.budget_us > 0 && fault.kind == FaultKind::Time
                    });
                let answers = counter.answers.filter(|_| is_kept);
                Ok(WorkerEvent::Played(Box::new(BlockResult {
                    record,
                    timing,
                    answers: answers.map(|answers| answers.pack()),
                    kills: Vec::new(),
                })))
            }
            Ok(Err(Unfinished::Failed(fault))) => {
                shared.halt.store(true, Ordering::Relaxed);
                Ok(WorkerEvent::Failed(job, fault))
            }
            Ok(Err(Unfinished::Disturbed(fault))) => {
                counter.subtract_deals();
                self.give_back(line_up, agents);
                Err(fault)
            }
            Err(panic) => {
                counter.subtract_deals();
                // Do not reuse objects that the panic may have left in a broken state.
                self.table = shared.game.table();
                _ = catch_unwind(AssertUnwindSafe(|| drop(agents)));
                if shared.panics.fetch_add(1, Ordering::Relaxed) + 1 >= PANICS_MAX {
                    shared.halt.store(true, Ordering::Relaxed);
                }
                Ok(WorkerEvent::Panicked(job, describe_panic(panic.as_ref())))
            }
        }
    }

    fn take(&mut self, entrant: usize) -> Box<dyn Agent> {
        if let Some(index) = self.spare.iter().rposition(|(other, _)| *other == entrant) {
            return self.spare.remove(index).1;
        }
        let seat = &self.shared.seats[entrant];
        seat.open()
            .unwrap_or_else(|_| Box::new(SeatedAgent::new(seat, None)))
    }

    fn give_back(&mut self, line_up: &[usize], agents: Vec<Box<dyn Agent>>) {
        self.spare.extend(line_up.iter().copied().zip(agents));
        let excess = self.spare.len().saturating_sub(SPARE_MAX);
        self.spare.drain(..excess);
    }
}

/// An observer that counts deals for the progress, and records the answers that may be stored.
struct ProgressCounter<'a> {
    /// Number of deals that are not in the shared counter yet.
    deals: u64,
    noted: u64,
    shared: &'a AtomicU64,
    answers: Option<Answers>,
}

impl ProgressCounter<'_> {
    /// Adds the deals counted since the last call to the shared counter.
    fn publish_deals(&mut self) {
        let deals = std::mem::take(&mut self.deals);
        self.noted += deals;
        self.shared.fetch_add(deals, Ordering::Relaxed);
    }

    /// Subtracts the deals of a block that is not stored.
    fn subtract_deals(&mut self) {
        self.shared
            .fetch_sub(std::mem::take(&mut self.noted), Ordering::Relaxed);
    }
}

impl BlockObserver for ProgressCounter<'_> {
    fn detail(&self) -> ObserverDetail {
        if self.answers.is_some() {
            ObserverDetail::Answers
        } else {
            ObserverDetail::Ends
        }
    }

    fn ended(&mut self, _payoffs: &[i64], _entrants: &[usize]) {
        self.deals += 1;
        if self.deals >= DEALS_NOTED {
            self.publish_deals();
        }
    }

    fn answered(&mut self, entrant: usize, call: Call, answer: CallResult<'_>) {
        if let Some(answers) = &mut self.answers {
            answers.note(entrant, call, answer);
        }
    }
}

/// An agent with the limits of its seat. If the bot cannot be opened, every block start tries
/// again, and each failure is a fault of the bot. The league continues.
pub(super) struct SeatedAgent {
    seat: SeatConfig,
    agent: Option<Box<dyn Agent>>,
}

impl SeatedAgent {
    pub(super) fn new(seat: &SeatConfig, agent: Option<Box<dyn Agent>>) -> SeatedAgent {
        SeatedAgent {
            seat: seat.clone(),
            agent,
        }
    }

    fn agent(&mut self) -> AgentResult<&mut Box<dyn Agent>> {
        self.agent
            .as_mut()
            .ok_or_else(|| AgentError::start("the bot has not been started"))
    }
}

impl Agent for SeatedAgent {
    fn notify(&mut self, notice: &Notice<'_>) -> AgentResult {
        if self.agent.is_none() && matches!(notice, Notice::BlockStart(_)) {
            let opened = self.seat.bot.open(&self.seat.config_json);
            self.agent = Some(opened.map_err(AgentError::at_start)?);
        }
        self.agent()?.notify(notice)
    }
    fn act(&mut self, turn: &Turn<'_>) -> AgentResult<Choice> {
        self.agent()?.act(turn)
    }
    fn uses(&self) -> DealNotices {
        self.agent
            .as_ref()
            .map_or(DealNotices::ALL, |agent| agent.uses())
    }
    fn is_asked_when_forced(&self) -> bool {
        self.agent
            .as_ref()
            .is_some_and(|agent| agent.is_asked_when_forced())
    }
    fn time_limits(&self) -> Option<TimeLimits> {
        self.seat.limits
    }
}

pub(super) fn describe_panic(panic: &(dyn Any + Send)) -> String {
    panic
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "panic without a message".to_owned())
}
