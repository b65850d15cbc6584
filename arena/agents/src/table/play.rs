//! A table that plays a block.

pub(super) mod dealt;
#[cfg(test)]
mod tests;

use super::legal::{accept, fallback};
use super::watch::{Decider, TakenStep, TypedObserver};
use crate::agent::process::{begin_call, nanos_in_call, notice_pauses};
use crate::agent::{
    Agent, AgentError, AgentResult, Agents, BlockStart, Call, FaultScope, Notice, Observation,
    TimeLimits, Turn, numbers,
};
use crate::record::{DecisionTime, Fault, FaultKind, JobId, Record, Timing};
use crate::seeds::{LineUpSeeds, Purpose, Seeds};
use hattari_plugin::games::{BlockState, Game, Move, Seating};
use serde::{Deserialize, Serialize};
use std::time::Instant;

/// The consequence of a fault.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaultPolicy {
    /// The bot forfeits the block. The fallback action of the rules is played for it to the end,
    /// and every deal of the block gets the worst possible result.
    Forfeit,
    /// The fallback action of the rules replaces the decision. An instance that cannot be called
    /// again is replaced at the next deal, up to [`BlockPlan::restarts`] times.
    #[default]
    Substitute,
    /// The league stops after the block, which is completed as with [`FaultPolicy::Substitute`].
    /// The block counts, so that results are not biased by leaving out blocks with faults.
    Stop,
}

/// The settings of a block.
#[derive(Clone, Copy, Debug)]
pub struct BlockPlan {
    /// Number of deals; with duplicate deals, the number in each rotation.
    pub deals: u32,
    /// `true` for duplicate deals: every deal is played once in each rotation of the entrants
    /// ([`Game::rotations`]).
    pub duplicate: bool,
    /// Consequence of a fault.
    pub faults: FaultPolicy,
    /// Maximum number of restarts of a bot within the block. A bot that fails once more gets no
    /// more calls.
    pub restarts: u32,
    /// Time limit of a decision in microseconds; 0 for no limit. Agents may have their own limits
    /// ([`Agent::time_limits`]).
    pub budget_us: i64,
    /// Limit of the total time of an entrant's calls in the deals of a block, in microseconds; 0
    /// for no limit. Agents may have their own limits. The start of a bot does not count, because
    /// the host uses a part of that time.
    pub block_us: i64,
    /// `true` to abandon the block if another process kills a bot's process
    /// ([`Unfinished::Disturbed`]), so that it can be played again. Otherwise, the kill counts as a
    /// crash of the bot.
    pub abandons_disturbed: bool,
    /// `true` to measure luck, if the game supports it.
    pub luck: bool,
}

impl Default for BlockPlan {
    /// Returns a plan without deals and time limits, with [`RESTARTS`] restarts.
    fn default() -> Self {
        BlockPlan {
            deals: 0,
            duplicate: false,
            faults: FaultPolicy::default(),
            restarts: RESTARTS,
            budget_us: 0,
            block_us: 0,
            abandons_disturbed: false,
            luck: true,
        }
    }
}

/// Default number of restarts within a block. The number is small, because a bot that hangs delays
/// the league by its time limit at every restart.
pub const RESTARTS: u32 = 8;

/// The reason a block was not completed.
#[derive(Debug)]
pub enum Unfinished {
    /// Another process killed a bot's process, and the plan is to abandon the block. Contains the
    /// fault that would have been recorded.
    Disturbed(Fault),
    /// The host cannot continue with a bot ([`FaultScope::Run`]). Contains the fault that would
    /// have been recorded.
    Failed(Fault),
}

impl Unfinished {
    /// Returns the fault that ended the block.
    pub fn fault(&self) -> &Fault {
        match self {
            Unfinished::Disturbed(fault) | Unfinished::Failed(fault) => fault,
        }
    }
}

/// The state of a seat's bot within a block.
#[derive(Clone, Copy, PartialEq)]
enum SeatCondition {
    Plays,
    /// The instance cannot be called again; another is started at the next deal.
    NeedsRestart,
    /// The bot is not started again in this block.
    OutOfBlock,
    /// The bot has forfeited the block.
    Forfeited,
}

/// Minimum duration of a call in nanoseconds for which the host subtracts the processor time that
/// other bots used meanwhile.
const NOTICED_NANOS: u64 = 1_000_000;

/// One in this number of deals is timed. If a bot answers at once, reading the clock takes a
/// quarter of the time of a decision.
const TIMED_EVERY: u32 = 64;
/// Offset by which the timed deals shift from block to block. If blocks have a single deal, one
/// block in eight is timed.
const TIMED_SHIFT: u32 = 8;

/// A table that plays one block after another. It reuses its memory, so no memory is allocated
/// during a deal.
pub struct Table<'g, G: Game> {
    pub(super) game: &'g G,
    options_json: String,
    deal: G::Deal,
    view: G::View,
    actions: Vec<G::Action>,
}

/// The state of a block in progress.
struct BlockRun<'a> {
    agents: &'a mut Agents,
    plan: BlockPlan,
    record: Record,
    timing: Timing,
    conditions: Vec<SeatCondition>,
    /// Number of failed instances of each entrant.
    failures: Vec<u32>,
    /// Time limits of each entrant.
    limits: Vec<TimeLimits>,
    /// Nanoseconds used by each entrant. They are measured only if the entrant's time in the block
    /// is limited.
    spent: Vec<u64>,
    /// For each player, the index of the entrant in the line-up.
    entrants: Vec<usize>,
    /// Index of the current deal in the block; rotations of duplicate deals are numbered
    /// consecutively.
    number: u32,
    /// Payoffs of the deals so far, by deal and entrant, if rotations are scored together.
    unscored_payoffs: Vec<Vec<i64>>,
    /// Number of decisions in the current deal so far.
    decisions: u32,
    /// `true` if the decisions of the current deal are timed.
    timed: bool,
}

impl<'g, G: Game> Table<'g, G> {
    /// Creates a table for `game`.
    ///
    /// # Panics
    /// Panics if the options of the game cannot be written as JSON. Every game must support this.
    pub fn new(game: &'g G) -> Table<'g, G> {
        Table {
            game,
            options_json: serde_json::to_string(&game.visible_options())
                .expect("options are plain data"),
            deal: game.new_deal(),
            view: bytemuck::Zeroable::zeroed(),
            actions: Vec::new(),
        }
    }

    /// Plays the block `job`. `agents` are in the order of the line-up; `chance` contains the
    /// line-up's seeds.
    ///
    /// # Errors
    /// Returns an error if the host cannot continue with a bot. Also returns one if another process
    /// has killed a bot's process and the plan is to abandon the block.
    pub fn play_block(
        &mut self,
        job: JobId,
        plan: BlockPlan,
        chance: &LineUpSeeds,
        agents: &mut Agents,
        observer: &mut impl TypedObserver<G>,
    ) -> Result<(Record, Timing), Unfinished> {
        let n = agents.len();
        let seeds = [
            (&chance.bots, Purpose::Bots),
            (&chance.deals, Purpose::Deals),
            (&chance.deals, Purpose::Luck),
        ]
        .map(|(node, purpose)| node.block(job.block).purpose(purpose));
        notice_pauses();
        let mut run = BlockRun::new(job, plan, agents);
        let rotations = if plan.duplicate { G::rotations(n) } else { 1 };
        if plan.luck {
            run.record.luck = vec![0; self.game.chances().len() * n];
        }
        let seating = self.game.seating();
        let order = chance.order(job.block, n, seating);
        let mut block = self.game.new_block(n, plan.deals);
        block.number = job.block.into();
        if seating == Seating::Drawn {
            // The game then draws the same seats for each entrant as without new numbers.
            for (player, &place) in (0..).zip(&order) {
                block.numbers[place] = player;
            }
        }
        for rotation in 0..rotations {
            run.entrants = (0..n)
                .map(|player| match seating {
                    Seating::Drawn => (order[player] + rotation) % n,
                    _ => order[(player + rotation) % n],
                })
                .collect();
            self.play_rotation(block.clone(), &seeds, &mut run, observer)?;
            if observer.has_seen_enough() {
                break;
            }
        }
        self.add_joint_scores(rotations, &mut run);
        // Faults from here on belong to the last deal.
        run.number = run.number.saturating_sub(1);
        let worst = self.game.worst_payoff();
        let worst = self
            .joint_score(&vec![worst; rotations], plan)
            .unwrap_or(worst);
        run.end_block(observer)?;
        for entrant in 0..n {
            if run.conditions[entrant] == SeatCondition::Forfeited {
                run.record.forfeit(entrant, worst);
            }
        }
        observer.finished(&run.record);
        Ok((run.record, run.timing))
    }

    /// Returns an entrant's score of a deal from its payoffs in all rotations; `None` if each
    /// rotation is scored separately.
    fn joint_score(&self, payoffs: &[i64], plan: BlockPlan) -> Option<i64> {
        plan.duplicate
            .then(|| self.game.joint_payoff(payoffs))
            .flatten()
    }

    /// Adds the deals to the record if their rotations are scored together.
    fn add_joint_scores(&self, rotations: usize, run: &mut BlockRun<'_>) {
        let deals = run.unscored_payoffs.len() / rotations;
        let (mut before, mut scores) = (Vec::new(), vec![0; run.entrants.len()]);
        for deal in 0..deals {
            for (entrant, score) in scores.iter_mut().enumerate() {
                let payoffs: Vec<i64> = (0..rotations)
                    .map(|r| run.unscored_payoffs[r * deals + deal][entrant])
                    .collect();
                *score = self.joint_score(&payoffs, run.plan).unwrap_or_default();
            }
            run.record.add_deal(&scores, (deal > 0).then_some(&before));
            before.clone_from(&scores);
        }
    }

    /// Plays all deals of one rotation, from the state before the first. The seeds are those of the
    /// bots, of the deals, and of the alternative draws that measure luck.
    fn play_rotation(
        &mut self,
        mut block: BlockState<G>,
        [bots, deals, luck]: &[Seeds; 3],
        run: &mut BlockRun<'_>,
        observer: &mut impl TypedObserver<G>,
    ) -> Result<(), Unfinished> {
        let n = run.entrants.len();
        let (mut payoffs, mut by_entrant, mut before) = (vec![0; n], vec![0; n], vec![0; n]);
        for condition in &mut run.conditions {
            // `start_bots` starts a new instance for every bot in this state.
            if *condition == SeatCondition::Plays {
                *condition = SeatCondition::NeedsRestart;
            }
        }
        let mut could_come = luck.stream(u64::MAX);
        for number in 0..run.plan.deals {
            self.start_bots(&block, bots, run, observer)?;
            run.decisions = 0;
            run.timed = run
                .record
                .job
                .block
                .wrapping_mul(TIMED_SHIFT)
                .wrapping_add(number)
                % TIMED_EVERY
                == 0;
            self.game.deal(
                &mut block,
                &mut deals.stream(u64::from(number)),
                &mut self.deal,
            );
            self.play_deal(&block, &[], run, observer)?;
            self.game.finish(&mut block, &self.deal, &mut payoffs);
            if !run.record.luck.is_empty() {
                // All rotations of a deal are compared with the same alternative draws. Their
                // sampling error then cancels as the luck of the cards does.
                if run.plan.duplicate {
                    could_come = luck.stream(u64::from(number));
                }
                self.game.luck(&self.deal, &mut could_come, |event| {
                    observer.chanced(event);
                    let sums = &mut run.record.luck[event.kind * n..][..n];
                    for (worth, &entrant) in event.worth.iter().zip(&run.entrants) {
                        sums[entrant] = sums[entrant].saturating_add(*worth);
                    }
                });
            }
            observer.ended(self.game, &self.deal, &payoffs, &run.entrants);
            self.tell(&block, run, observer, Some(&payoffs))?;
            for (&entrant, &payoff) in run.entrants.iter().zip(&payoffs) {
                by_entrant[entrant] = payoff;
            }
            let history = bytemuck::cast_slice(self.game.history(&self.deal));
            let digest = xxhash_rust::xxh3::xxh3_64_with_seed(history, run.record.digest);
            run.record.digest =
                xxhash_rust::xxh3::xxh3_64_with_seed(bytemuck::cast_slice(&by_entrant), digest);
            run.number += 1;
            if self.joint_score(&[], run.plan).is_some() {
                run.unscored_payoffs.push(by_entrant.clone());
            } else {
                run.record
                    .add_deal(&by_entrant, (number > 0).then_some(&before));
                std::mem::swap(&mut by_entrant, &mut before);
            }
            if self.game.block_over(&block) || observer.has_seen_enough() {
                break;
            }
        }
        Ok(())
    }

    /// Starts an instance for every bot that needs one.
    fn start_bots(
        &self,
        block: &BlockState<G>,
        bot_seeds: &Seeds,
        run: &mut BlockRun<'_>,
        observer: &mut impl TypedObserver<G>,
    ) -> Result<(), Unfinished> {
        // The order of calls does not depend on the numbers of the players.
        for &player in &block.numbers[..run.entrants.len()] {
            let player = usize::from(player);
            let entrant = run.entrants[player];
            if run.conditions[entrant] != SeatCondition::NeedsRestart {
                continue;
            }
            #[expect(clippy::cast_possible_truncation, reason = "tables have few players")]
            let start = BlockStart {
                game: G::ID,
                options_json: &self.options_json,
                players: run.entrants.len() as u32,
                player: player as u32,
                deals: run.plan.deals,
                seed: bot_seeds.number(entrant as u64),
            };
            run.conditions[entrant] = SeatCondition::Plays;
            run.decisions = 0;
            begin_call();
            let outcome = run.agents[entrant].notify(&Notice::BlockStart(start));
            run.record_outcome(observer, entrant, outcome)?;
        }
        Ok(())
    }

    /// Notifies every active bot of the end of a deal or, without `payoffs`, of its start. Bots that
    /// do not use the notification get an empty observation.
    fn tell(
        &mut self,
        block: &BlockState<G>,
        run: &mut BlockRun<'_>,
        observer: &mut impl TypedObserver<G>,
        payoffs: Option<&[i64]>,
    ) -> Result<(), Unfinished> {
        for &player in &block.numbers[..run.entrants.len()] {
            let player = usize::from(player);
            let entrant = run.entrants[player];
            if run.conditions[entrant] == SeatCondition::Plays {
                let used = run.agents[entrant].uses();
                let is_used = if payoffs.is_some() {
                    used.end
                } else {
                    used.start
                };
                let seen = if is_used {
                    let seat = self.game.seat_of(&self.deal, player);
                    self.game.view(block, &self.deal, seat, &mut self.view);
                    Observation::of::<G>(&self.view, self.game.history(&self.deal))
                } else {
                    Observation::default()
                };
                let notice = match payoffs {
                    None => Notice::DealStart(seen),
                    Some(payoffs) => Notice::DealEnd(seen, payoffs),
                };
                let outcome = run.call(entrant, |agent| agent.notify(&notice));
                run.record_outcome(observer, entrant, outcome)?;
            }
        }
        Ok(())
    }

    /// Reports a deal to all bots and plays it to its end. All bots are called, but `given`
    /// replaces the first choices.
    fn play_deal(
        &mut self,
        block: &BlockState<G>,
        given: &[Move<G::Action>],
        run: &mut BlockRun<'_>,
        observer: &mut impl TypedObserver<G>,
    ) -> Result<(), Unfinished> {
        observer.dealt(self.game, block, &self.deal, &run.entrants);
        self.tell(block, run, observer, None)?;
        let mut seen = self.game.history(&self.deal).len();
        let mut given = given.iter();
        while let Some(seat) = self.game.to_act(&self.deal) {
            self.game.legal(&self.deal, &mut self.actions);
            let entrant = run.entrants[self.game.player_at(&self.deal, seat)];
            let plays = run.conditions[entrant] == SeatCondition::Plays;
            let is_forced = self.actions.len() == 1 && G::amounts(&self.actions[0]).is_none();
            let call = if plays && is_forced {
                // The answer has no effect, but an invalid answer is a fault.
                run.agents[entrant]
                    .is_asked_when_forced()
                    .then_some(Call::ForcedDecision)
            } else {
                plays.then_some(Call::Decision)
            };
            let mut decision = None;
            if call == Some(Call::Decision) {
                decision = Some(run.decisions);
                observer.asked(self.game, block, &self.deal, seat, entrant, &self.actions);
            }
            let answer = match call {
                Some(call) => self.ask(block, (seat, entrant, call), run, observer)?,
                None => None,
            };
            let (choice, decider) = match answer {
                Some(choice) if !is_forced => (choice, Decider::Bot),
                _ if is_forced => (fallback::<G>(&self.actions), Decider::Forced),
                _ => (fallback::<G>(&self.actions), Decider::Rule),
            };
            let choice = given.next().copied().unwrap_or(choice);
            self.game.apply(&mut self.deal, choice);
            let history = self.game.history(&self.deal);
            let step = TakenStep {
                seat,
                entrant,
                choice,
                decider,
                decision,
                events: &history[seen..],
            };
            observer.acted(self.game, &self.deal, &step);
            seen = history.len();
        }
        Ok(())
    }

    /// Calls a bot for its choice. Returns `None` if the bot commits a fault.
    fn ask(
        &mut self,
        block: &BlockState<G>,
        (seat, entrant, call): (u8, usize, Call),
        run: &mut BlockRun<'_>,
        observer: &mut impl TypedObserver<G>,
    ) -> Result<Option<Move<G::Action>>, Unfinished> {
        self.game.view(block, &self.deal, seat, &mut self.view);
        let turn = Turn {
            budget_us: run.budget_us(entrant),
            ..Turn::of::<G>(&self.view, self.game.history(&self.deal), &self.actions)
        };
        let is_counted = call == Call::Decision;
        if is_counted {
            run.decisions += 1;
            run.timing[entrant].decisions += 1;
        }
        let start = (is_counted && run.timed).then(Instant::now);
        let answer = run.call(entrant, |agent| numbers::during(|| agent.act(&turn)));
        if let Some(start) = start {
            let (timing, nanos) = (&mut run.timing[entrant], nanos_since(start));
            timing.timed += 1;
            timing.nanos += nanos;
            timing.worst_nanos = timing.worst_nanos.max(nanos);
        }
        let accepted = answer.and_then(|choice| Ok((accept::<G>(&self.actions, choice)?, choice)));
        observer.answered(
            entrant,
            call,
            accepted.as_ref().map(|(_, choice)| Some(choice)),
        );
        match accepted {
            Ok((choice, _)) => Ok(Some(choice)),
            Err(agent_error) => run.fault(entrant, agent_error).map(|()| None),
        }
    }
}

fn nanos_since(start: Instant) -> u64 {
    u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX)
}

impl<'a> BlockRun<'a> {
    /// Creates the state before the first deal, in which all bots are active.
    fn new(job: JobId, plan: BlockPlan, agents: &'a mut Agents) -> BlockRun<'a> {
        let n = agents.len();
        let of_plan = TimeLimits {
            decision_us: plan.budget_us,
            block_us: plan.block_us,
        };
        BlockRun {
            limits: agents
                .iter()
                .map(|agent| agent.time_limits().unwrap_or(of_plan))
                .collect(),
            agents,
            plan,
            record: Record::new(job, n),
            timing: vec![DecisionTime::default(); n],
            conditions: vec![SeatCondition::Plays; n],
            failures: vec![0; n],
            spent: vec![0; n],
            entrants: (0..n).collect(),
            number: 0,
            unscored_payoffs: Vec::new(),
            decisions: 0,
            timed: false,
        }
    }

    /// Passes the outcome of a notification to `observer`. If the outcome is an error, records a
    /// fault.
    fn record_outcome<G: Game>(
        &mut self,
        observer: &mut impl TypedObserver<G>,
        entrant: usize,
        outcome: AgentResult,
    ) -> Result<(), Unfinished> {
        observer.answered(entrant, Call::Notification, outcome.as_ref().map(|()| None));
        outcome.or_else(|agent_error| self.fault(entrant, agent_error))
    }

    /// Ends the block for all active bots.
    fn end_block<G: Game>(&mut self, watch: &mut impl TypedObserver<G>) -> Result<(), Unfinished> {
        for entrant in 0..self.agents.len() {
            if self.conditions[entrant] == SeatCondition::Plays {
                let outcome = self.agents[entrant].notify(&Notice::BlockEnd);
                self.record_outcome(watch, entrant, outcome)?;
            }
        }
        Ok(())
    }

    /// Calls an agent. If the entrant's time in the block is limited, adds the duration of the
    /// call, without the processor time of other bots. Returns an error if the time limit is then
    /// exceeded.
    #[inline]
    fn call<T>(
        &mut self,
        entrant: usize,
        call: impl FnOnce(&mut dyn Agent) -> AgentResult<T>,
    ) -> AgentResult<T> {
        begin_call();
        if self.limits[entrant].block_us <= 0 {
            return call(&mut *self.agents[entrant]);
        }
        self.limited_call(entrant, call)
    }

    /// Implements [`BlockRun::call`] for an entrant whose time in the block is limited.
    #[cold]
    fn limited_call<T>(
        &mut self,
        entrant: usize,
        call: impl FnOnce(&mut dyn Agent) -> AgentResult<T>,
    ) -> AgentResult<T> {
        let start = Instant::now();
        let answer = call(&mut *self.agents[entrant]);
        let mut took = nanos_since(start);
        if NOTICED_NANOS < took {
            took = took.saturating_sub(nanos_in_call());
        }
        self.spent[entrant] += took;
        let left = self.left_us(entrant);
        let disturbed = answer
            .as_ref()
            .is_err_and(|agent_error| agent_error.scope == FaultScope::Outside);
        if left >= 0 || disturbed {
            return answer;
        }
        let allowed = self.limits[entrant].block_us;
        let used = allowed.saturating_sub(left);
        let message = format!("used {used} µs in this block; {allowed} µs are allowed");
        Err(AgentError::new(FaultKind::Time, message).with_scope(FaultScope::Block))
    }

    /// Returns the microseconds that an entrant has left in the block; negative if the limit is
    /// exceeded.
    fn left_us(&self, entrant: usize) -> i64 {
        self.limits[entrant]
            .block_us
            .saturating_sub(i64::try_from(self.spent[entrant].div_ceil(1000)).unwrap_or(i64::MAX))
    }

    /// Returns the time limit of an entrant's next decision in microseconds; 0 for no limit.
    #[inline]
    fn budget_us(&self, entrant: usize) -> i64 {
        let TimeLimits {
            decision_us: budget,
            block_us,
        } = self.limits[entrant];
        if block_us <= 0 {
            return budget;
        }
        // At least 1, because 0 means no limit.
        let left = self.left_us(entrant).max(1);
        if budget <= 0 { left } else { budget.min(left) }
    }

    /// Records a fault in the current deal and applies the fault policy.
    #[cold]
    fn fault(&mut self, entrant: usize, agent_error: AgentError) -> Result<(), Unfinished> {
        #[expect(clippy::cast_possible_truncation, reason = "tables have few players")]
        let mut fault = Fault {
            entrant: entrant as u8,
            kind: agent_error.kind,
            deal: self.number,
            decision: self.decisions.saturating_sub(1),
            message: agent_error.message,
        };
        if agent_error.scope == FaultScope::Outside && self.plan.abandons_disturbed {
            return Err(Unfinished::Disturbed(fault));
        }
        if agent_error.scope == FaultScope::Run {
            return Err(Unfinished::Failed(fault));
        }
        let condition = match agent_error.scope {
            _ if self.plan.faults == FaultPolicy::Forfeit => SeatCondition::Forfeited,
            FaultScope::Decision => SeatCondition::Plays,
            FaultScope::Deal | FaultScope::Outside => {
                self.failures[entrant] += 1;
                if self.failures[entrant] <= self.plan.restarts {
                    SeatCondition::NeedsRestart
                } else {
                    SeatCondition::OutOfBlock
                }
            }
            FaultScope::Block | FaultScope::Run => SeatCondition::OutOfBlock,
        };
        if condition == SeatCondition::OutOfBlock {
            fault.message += " (it gets no more calls in this block)";
        }
        self.conditions[entrant] = condition;
        self.record.add_fault(fault);
        Ok(())
    }
}
