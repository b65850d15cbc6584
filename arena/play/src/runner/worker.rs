//! A worker thread of a run, with its table, its agents and its events.

use super::SeatConfig;
use super::source::JobSource;
use crate::league::League;
use crate::schedule::Schedule;
use hattari_agents::agent::Call;
use hattari_agents::agent::recorded::Answers;
use hattari_agents::agent::{Agent, AgentError, DealNotices, Notice, TimeLimits, Turn};
use hattari_agents::record::{BlockResult, Fault, FaultKind, JobId};
use hattari_agents::table::{
    AnyGame, AnyTable, BlockObserver, BlockPlan, ObserverDetail, OnDisturbance, Unfinished,
};
use hattari_plugin::Choice;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::SyncSender;
use std::thread;
use std::time::{Duration, Instant};

/// Number of panics after which a run gives up.
pub(super) const PANICS_MAX: usize = 8;
/// A block is restarted after external kills until both this number of restarts and this time are
/// reached. Then a kill counts as a crash of the bot; if a process could not be started, the run
/// ends. Without this limit, a bot that the system kills for lack of memory would be retried
/// forever.
const RETRY_LIMITS: (u32, Duration) = (10, Duration::from_secs(20));
/// Number of external kills of a bot per block that are not charged to it. The next kill counts as
/// a crash. So a bot that provokes kills causes at most two replays of a block.
const KILLS_NOT_CHARGED: u32 = 2;
/// Pause before the first restart of a block; it increases by the same amount each time, because
/// the disturbance may last.
const PAUSE: Duration = Duration::from_millis(20);
/// Maximum number of agents that a thread keeps for later blocks. Without this limit, leagues with
/// very many entrants would keep a process for each of them.
const SPARE_MAX: usize = 128;
/// Number of deals between two updates of the progress.
const DEALS_NOTED: u64 = 16;

/// An event reported by a worker.
pub(super) enum WorkerEvent {
    Played(Box<BlockResult>),
    /// The host cannot continue with a bot.
    Failed(JobId, Fault),
    Panicked(JobId, String),
}

/// Data shared by all workers.
pub(super) struct WorkerShared<'a> {
    pub game: &'a dyn AnyGame,
    pub plan: BlockPlan,
    pub league: &'a League,
    pub schedule: &'a Schedule,
    pub seats: &'a [SeatConfig],
    pub jobs: JobSource<'a>,
    /// Set by the user, so that no further jobs are started.
    pub stop: &'a AtomicBool,
    /// Set by a fault or failure, so that no further jobs are started.
    pub halt: &'a AtomicBool,
    pub deals: AtomicU64,
    pub panics: AtomicUsize,
}

impl WorkerShared<'_> {
    /// Returns the next job; `None` if there is none or the run is stopping.
    fn next_job(&self) -> Option<JobId> {
        self.jobs
            .next(|| self.halt.load(Ordering::Relaxed) || self.stop.load(Ordering::Relaxed))
    }
}

/// Plays jobs until there are none or the run is halted.
pub(super) fn work(shared: &WorkerShared<'_>, events: &SyncSender<WorkerEvent>) {
    let mut table = shared.game.table();
    let mut spare_agents = SpareAgents {
        seats: shared.seats,
        spare: Vec::new(),
    };
    while let Some(job) = shared.next_job() {
        let (mut disturbances, mut lacks_room, start) = (0, false, Instant::now());
        let mut kills = Vec::new();
        let event = loop {
            let is_patient = disturbances < RETRY_LIMITS.0 || start.elapsed() < RETRY_LIMITS.1;
            let is_uncharged = kills.iter().all(|times| *times < KILLS_NOT_CHARGED);
            let disturbed = if is_patient && is_uncharged || lacks_room {
                OnDisturbance::Abandon
            } else {
                OnDisturbance::Fault
            };
            let plan = BlockPlan {
                disturbed,
                ..shared.plan
            };
            match play(shared, &mut table, &mut spare_agents, job, plan) {
                Ok(mut event) => {
                    if let WorkerEvent::Played(played) = &mut event {
                        add_counts(&mut played.kills, &kills);
                    }
                    break event;
                }
                // If no process could be started for so long, the cause is the machine, not the
                // bot.
                Err((mut fault, _)) if !is_patient => {
                    fault.message += "; raise this machine's limits (`ulimit -a`), or play with fewer threads (--jobs)";
                    shared.halt.store(true, Ordering::Relaxed);
                    break WorkerEvent::Failed(job, fault);
                }
                Err((fault, counted)) => {
                    lacks_room = fault.kind == FaultKind::Start;
                    disturbances += 1;
                    add_counts(&mut kills, &counted);
                    let JobId { line_up, block } = job;
                    tracing::warn!(
                        "line-up {line_up}, block {block} is restarted: {}",
                        fault.message
                    );
                    // Free the processes of idle agents if the system has no room for another
                    // process.
                    if fault.kind == FaultKind::Start {
                        spare_agents.spare.clear();
                    }
                    thread::sleep(PAUSE * disturbances.min(RETRY_LIMITS.0));
                }
            }
        };
        if events.send(event).is_err() {
            return;
        }
    }
}

/// Adds counts by place; the lists may have different lengths.
fn add_counts(counts: &mut Vec<u32>, more: &[u32]) {
    counts.resize(counts.len().max(more.len()), 0);
    counts
        .iter_mut()
        .zip(more)
        .for_each(|(count, more)| *count = count.saturating_add(*more));
}

/// Plays one block. If the block was disturbed and the plan abandons such blocks, `Err` contains
/// the disturbance and the number of external kills by place.
fn play<'g>(
    shared: &WorkerShared<'g>,
    table: &mut Box<dyn AnyTable + 'g>,
    spare_agents: &mut SpareAgents<'_>,
    job: JobId,
    plan: BlockPlan,
) -> Result<WorkerEvent, (Fault, Vec<u32>)> {
    let line_up = &shared.schedule.line_ups[job.line_up as usize].entrants;
    let mut agents = Vec::with_capacity(line_up.len());
    let storage = AnswerStorage::of(shared, line_up);
    let answers = (storage != AnswerStorage::Never).then(|| Answers::new(line_up.len()));
    let mut counter = ProgressCounter {
        deals: 0,
        noted: 0,
        shared: &shared.deals,
        answers,
    };
    let played = catch_unwind(AssertUnwindSafe(|| {
        agents.extend(line_up.iter().map(|&entrant| spare_agents.take(entrant)));
        table.play_block(
            job,
            plan,
            &shared.league.chance(line_up),
            &mut agents,
            &mut counter,
        )
    }));
    counter.note();
    match played {
        Ok(Ok((record, timing))) => {
            let kills = vec![0; line_up.len()];
            spare_agents.give_back(line_up, agents);
            let was_timed = |fault: &Fault| {
                fault.kind == FaultKind::Clock
                    || plan.budget_us > 0 && fault.kind == FaultKind::Time
            };
            let is_kept = storage == AnswerStorage::Always || record.faults.iter().any(was_timed);
            let answers = counter
                .answers
                .filter(|_| is_kept)
                .map(|answers| answers.pack());
            Ok(WorkerEvent::Played(Box::new(BlockResult {
                record,
                timing,
                answers,
                kills,
            })))
        }
        Ok(Err(Unfinished::Failed(fault))) => {
            shared.halt.store(true, Ordering::Relaxed);
            Ok(WorkerEvent::Failed(job, fault))
        }
        Ok(Err(Unfinished::Disturbed(fault))) => {
            counter.subtract_deals();
            let mut kills = vec![0; line_up.len()];
            // A process that could not be started was not killed.
            if let Some(killed) = kills.get_mut(usize::from(fault.entrant)) {
                *killed = u32::from(fault.kind != FaultKind::Start);
            }
            spare_agents.give_back(line_up, agents);
            Err((fault, kills))
        }
        Err(panic) => {
            // Do not reuse objects that the panic may have left in a broken state.
            *table = shared.game.table();
            _ = catch_unwind(AssertUnwindSafe(|| drop(agents)));
            if PANICS_MAX <= shared.panics.fetch_add(1, Ordering::Relaxed) + 1 {
                shared.halt.store(true, Ordering::Relaxed);
            }
            Ok(WorkerEvent::Panicked(job, describe_panic(panic.as_ref())))
        }
    }
}

/// The blocks whose answers are stored, because they cannot be reproduced.
#[derive(Clone, Copy, PartialEq, Eq)]
enum AnswerStorage {
    Always,
    /// Blocks with a late decision, or with a call that the backstop (a limit of processor time)
    /// has stopped.
    AfterTimeouts,
    Never,
}

impl AnswerStorage {
    /// Returns the storage for blocks of a line-up. With a time limit per block, all answers depend
    /// on a clock.
    fn of(shared: &WorkerShared<'_>, line_up: &[usize]) -> AnswerStorage {
        let seats = || line_up.iter().map(|&entrant| &shared.seats[entrant]);
        let limits = || {
            let entrants = line_up
                .iter()
                .map(|&number| &shared.league.entrants[number]);
            entrants.map(|entrant| shared.league.budget_of(entrant).time())
        };
        if !seats().all(|seat| seat.is_repeatable) || limits().any(|limits| limits.block_us > 0) {
            AnswerStorage::Always
        } else if seats().any(|seat| seat.bot.has_backstop())
            || limits().any(|limits| limits.decision_us > 0)
        {
            AnswerStorage::AfterTimeouts
        } else {
            AnswerStorage::Never
        }
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
    fn note(&mut self) {
        let deals = std::mem::take(&mut self.deals);
        self.noted += deals;
        self.shared.fetch_add(deals, Ordering::Relaxed);
    }

    /// Subtracts the deals of a block that will be played again.
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
        if DEALS_NOTED <= self.deals {
            self.note();
        }
    }

    fn answered(
        &mut self,
        entrant: usize,
        call: Call,
        answer: Result<Option<&Choice>, &AgentError>,
    ) {
        if let Some(answers) = &mut self.answers {
            answers.note(entrant, call, answer);
        }
    }
}

/// Idle agents of a thread, longest waiting first; at most [`SPARE_MAX`].
struct SpareAgents<'a> {
    seats: &'a [SeatConfig],
    spare: Vec<(usize, Box<dyn Agent>)>,
}

impl SpareAgents<'_> {
    fn take(&mut self, entrant: usize) -> Box<dyn Agent> {
        if let Some(at) = self.spare.iter().rposition(|(other, _)| *other == entrant) {
            return self.spare.remove(at).1;
        }
        let seat = &self.seats[entrant];
        seat.open()
            .unwrap_or_else(|_| Box::new(SeatedAgent::new(seat, None)))
    }

    fn give_back(&mut self, line_up: &[usize], agents: Vec<Box<dyn Agent>>) {
        self.spare.extend(line_up.iter().copied().zip(agents));
        let beyond = self.spare.len().saturating_sub(SPARE_MAX);
        self.spare.drain(..beyond);
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

    fn agent(&mut self) -> Result<&mut Box<dyn Agent>, AgentError> {
        self.agent
            .as_mut()
            .ok_or_else(|| AgentError::new(FaultKind::Start, "the bot has not been started"))
    }
}

impl Agent for SeatedAgent {
    fn notify(&mut self, notice: &Notice<'_>) -> Result<(), AgentError> {
        if self.agent.is_none() && matches!(notice, Notice::BlockStart(_)) {
            let opened = self.seat.bot.open(&self.seat.config_json);
            self.agent = Some(opened.map_err(|agent_error| AgentError {
                kind: FaultKind::Start,
                ..agent_error
            })?);
        }
        self.agent()?.notify(notice)
    }
    fn act(&mut self, turn: &Turn<'_>) -> Result<Choice, AgentError> {
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

/// Returns the message of a panic.
pub(super) fn describe_panic(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "panic without a message".to_owned())
}
