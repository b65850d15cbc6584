//! Reviews one block: both bots play its deals, and every fork is played once more.

pub(super) mod samples;

use super::plan::{ReviewError, ReviewPlan};
use super::summary::{BY, BlockSummary, DifferenceParts, Fork, OF, ReviewFault, SummaryBuilder};
use crate::prepared::{PrepareError, PreparedLeague};
use hattari_agents::agent::{Agent, FaultScope};
use hattari_agents::record::{Fault, JobId};
use hattari_agents::seeds::{Chance, Purpose, Seeds};
use hattari_agents::table::{
    AnyDeals, AnyGame, BlockObserver, BlockPlan, ComparedDecision, FaultPolicy, ForkScript,
    Selects, Unfinished,
};
use hattari_plugin::Choice;
use std::cell::RefCell;
use std::rc::Rc;

/// A block to review.
pub(super) struct BlockReview<'a> {
    prepared: &'a PreparedLeague,
    plan: &'a ReviewPlan,
    job: JobId,
    game: Box<dyn AnyGame>,
    block_plan: BlockPlan,
    /// Places of the reviewed bot.
    places: Vec<usize>,
    seeds: Seeds,
    script: Rc<RefCell<ForkScript>>,
    /// One agent per place. In the reviewed seats, it is an agent that holds both compared bots.
    agents: Vec<Box<dyn Agent>>,
    faults: Vec<ReviewFault>,
}

impl<'a> BlockReview<'a> {
    /// Opens the bots for a block.
    ///
    /// # Errors
    /// Returns an error if a bot cannot be opened.
    pub(super) fn new(
        prepared: &'a PreparedLeague,
        plan: &'a ReviewPlan,
        job: JobId,
    ) -> Result<BlockReview<'a>, ReviewError> {
        let game = prepared.game()?;
        let script = Rc::new(RefCell::new(ForkScript::default()));
        let line_up = prepared.line_up(job);
        let open = |&entrant: &usize| -> Result<Box<dyn Agent>, PrepareError> {
            if entrant != plan.of {
                return prepared.open_one(entrant);
            }
            let bots = [prepared.open_one(plan.by)?, prepared.open_one(plan.of)?];
            Ok(game.shared_seat(bots, &script))
        };
        let agents = line_up.iter().map(open).collect::<Result<_, _>>()?;
        let places = (0..line_up.len()).filter(|&place| line_up[place] == plan.of);
        let bots = prepared.chance(job).bots.block(job.block);
        Ok(BlockReview {
            places: places.collect(),
            seeds: bots.purpose(Purpose::Review),
            // A time limit per block is meaningless for single games, and the penalty for a fault
            // in later games is not due to the decision.
            block_plan: BlockPlan {
                block_us: 0,
                faults: FaultPolicy::Substitute,
                luck: false,
                ..prepared.league.block_plan()
            },
            prepared,
            plan,
            job,
            game,
            script,
            agents,
            faults: Vec::new(),
        })
    }

    /// Plays the block as in the league, on the same deals, but with `entrant` in the reviewed
    /// seats. Records the deals, and returns the payoffs of the reviewed seats in each game.
    fn record_block(
        &self,
        deals: &mut dyn AnyDeals,
        entrant: usize,
    ) -> Result<Vec<Vec<i64>>, ReviewError> {
        let mut line_up = self.prepared.line_up(self.job).to_vec();
        for &place in &self.places {
            line_up[place] = entrant;
        }
        let opened = line_up
            .iter()
            .map(|&entrant| self.prepared.open_one(entrant));
        let mut agents = opened.collect::<Result<Vec<_>, _>>()?;
        let chance = Chance {
            bots: self.prepared.league.chance(&line_up).bots,
            ..self.prepared.chance(self.job)
        };
        let plan = BlockPlan {
            luck: false,
            ..self.prepared.league.block_plan()
        };
        let payoffs = deals
            .keep(self.job, plan, &chance, &mut agents)
            .map_err(|unfinished| {
                self.stopped(line_up[place_of_fault(&unfinished)], &unfinished)
            })?;
        Ok(payoffs
            .into_iter()
            .map(|all| self.reviewed_payoffs(&all))
            .collect())
    }

    /// Returns the payoffs of the reviewed seats.
    fn reviewed_payoffs(&self, payoffs: &[i64]) -> Vec<i64> {
        self.places.iter().map(|&place| payoffs[place]).collect()
    }

    fn stopped(&self, entrant: usize, unfinished: &Unfinished) -> ReviewError {
        ReviewError::Prepare(PrepareError::Stopped {
            job: self.job,
            entrant: self.prepared.league.entrants[entrant].name.clone(),
            fault: unfinished.fault().clone(),
        })
    }

    /// Replays a recorded deal. `script` instructs the reviewed seats. Returns the payoffs of these
    /// seats, and the compared decisions.
    fn play(
        &mut self,
        deals: &mut dyn AnyDeals,
        number: usize,
        script: ForkScript,
        observer: &mut dyn BlockObserver,
    ) -> Result<(Vec<i64>, Vec<ComparedDecision>), ReviewError> {
        self.script.replace(script);
        let block = (self.job, self.block_plan);
        let played = deals.play(number, block, &self.seeds, &mut self.agents, observer);
        let script = self.script.take();
        let bots = [self.plan.by, self.plan.of];
        let (payoffs, faults) = played.map_err(|unfinished| {
            // If a shared seat ended the game, its last fault is the cause.
            let own = script.faults.last();
            let own = own.filter(|(_, agent_error)| agent_error.scope == FaultScope::Run);
            let entrant = match own {
                Some((number, _)) => bots[*number],
                None => return self.ended(&unfinished),
            };
            self.stopped(entrant, &unfinished)
        })?;
        for (bot, agent_error) in script.faults {
            self.note(
                bots[bot],
                number,
                agent_error.kind.name(),
                agent_error.message,
            );
        }
        for fault in faults {
            let Fault { kind, message, .. } = fault;
            let entrant = self.prepared.line_up(self.job)[usize::from(fault.entrant)];
            self.note(entrant, number, kind.name(), message);
        }
        Ok((self.reviewed_payoffs(&payoffs), script.decided))
    }

    fn note(&mut self, entrant: usize, game: usize, kind: &'static str, message: String) {
        let is_known = |fault: &&mut ReviewFault| (fault.entrant, fault.kind) == (entrant, kind);
        match self.faults.iter_mut().find(is_known) {
            Some(fault) => fault.count += 1,
            None => self.faults.push(ReviewFault {
                entrant,
                job: self.job,
                game,
                kind,
                message,
                count: 1,
            }),
        }
    }

    /// Returns the score of a deal. `rotations` contains the payoffs of the reviewed seats in each
    /// rotation.
    fn score(&self, rotations: &[Vec<i64>]) -> i64 {
        let seat = |seat: usize| {
            let payoffs: Vec<i64> = rotations.iter().map(|payoffs| payoffs[seat]).collect();
            let joint = self.block_plan.duplicate.then_some(&payoffs);
            let joint = joint.and_then(|payoffs| self.game.joint_payoff(payoffs));
            joint.unwrap_or_else(|| payoffs.iter().sum())
        };
        (0..self.places.len()).map(seat).sum()
    }

    /// Returns the number of rotations that count as one game.
    fn rotations(&self) -> usize {
        let seats = self.agents.len();
        if self.block_plan.duplicate {
            self.game.rotations(seats) / self.game.counted_rotations(seats).max(1)
        } else {
            1
        }
    }

    /// Divides `games` games into groups that are scored together: the rotations of a deal if
    /// several of them count as one game, otherwise single games.
    fn groups(&self, games: usize) -> Vec<Vec<usize>> {
        let rotations = self.game.rotations(self.agents.len());
        let is_joint =
            self.block_plan.duplicate && self.game.counted_rotations(self.agents.len()) < rotations;
        let rotations = if is_joint { rotations } else { 1 };
        let deals = games / rotations;
        let group = |deal| (deal..deals * rotations).step_by(deals).collect();
        (0..deals).map(group).collect()
    }

    fn differs(&self, game: usize) -> ReviewError {
        ReviewError::Unrepeatable {
            job: self.job,
            game,
            suspects: self.plan.suspects(self.prepared, self.job),
        }
    }

    /// Reviews the block.
    ///
    /// # Errors
    /// Returns an error if a bot plays differently in a replay, or if a fault ends a game early.
    pub(super) fn review(mut self) -> Result<BlockSummary, ReviewError> {
        let game = self.prepared.game()?;
        let (mut of_deals, mut by_deals) = (game.deals(), game.deals());
        let of_block = self.record_block(&mut *of_deals, self.plan.of)?;
        let by_block = self.record_block(&mut *by_deals, self.plan.by)?;
        let mut summary = SummaryBuilder::new(self.job);
        // `in_block`: scores of `by` and `of`, each in its own block, as the league plays it.
        // `anew`: their scores with all bots restarted in every game, from the start states of
        // `of`'s block. `own_start`: score of `by`, also restarted, from the start states of its
        // own block.
        let (mut in_block, mut anew, mut own_start) = ([0; 2], [0; 2], 0);
        for (deal, group) in self.groups(of_block.len()).into_iter().enumerate() {
            let is_checked = self.plan.checks_all || deal == 0;
            let scores = self.review_deal(&mut *of_deals, &group, is_checked, &mut summary)?;
            anew = [BY, OF].map(|bot| anew[bot] + scores[bot]);
            in_block[OF] += self.scores(&group, &of_block);
        }
        for group in self.groups(by_block.len()) {
            let mut payoffs = Vec::new();
            for &number in &group {
                let script = ForkScript::new(BY, Vec::new(), false);
                payoffs.push(self.play(&mut *by_deals, number, script, &mut ())?.0);
            }
            own_start += self.score(&payoffs);
            in_block[BY] += self.scores(&group, &by_block);
        }
        // As in samples, deals that are missing after an early end count as zero.
        let rotations = if self.block_plan.duplicate {
            self.game.counted_rotations(self.agents.len())
        } else {
            1
        };
        let planned = u64::from(self.block_plan.deals) * rotations as u64;
        let games =
            planned.max(of_block.len().max(by_block.len()) as u64 / self.rotations() as u64);
        let difference = in_block[BY] - in_block[OF];
        let decisions = anew[BY] - anew[OF];
        let carried = own_start - anew[BY];
        let sums = DifferenceParts {
            difference,
            decisions,
            carried,
            memory: difference - decisions - carried,
        };
        Ok(summary.finish([games, self.places.len() as u64], sums, self.faults))
    }

    /// Plays every game of the block twice: with the reviewed bot's choices, and with the other
    /// bot's choices in the selected decisions. Returns the gain in points, summed over the seats
    /// of the bot.
    ///
    /// # Errors
    /// Returns the errors of [`BlockReview::review`].
    pub(super) fn measure_gain(mut self, selects: &Selects) -> Result<i64, ReviewError> {
        let game = self.prepared.game()?;
        let mut deals = game.deals();
        let games = self.record_block(&mut *deals, self.plan.of)?.len();
        let mut gain = 0;
        for group in self.groups(games) {
            for (sign, selects) in [(-1, None), (1, Some(selects))] {
                let mut payoffs = Vec::new();
                for &number in &group {
                    let mut script = ForkScript::new(OF, Vec::new(), selects.is_some());
                    script.selects = selects.cloned();
                    payoffs.push(self.play(&mut *deals, number, script, &mut ())?.0);
                }
                gain += sign * self.score(&payoffs);
            }
        }
        Ok(gain)
    }

    fn scores(&self, group: &[usize], payoffs: &[Vec<i64>]) -> i64 {
        let rotations: Vec<Vec<i64>> = group.iter().map(|&game| payoffs[game].clone()).collect();
        self.score(&rotations)
    }

    /// Plays a deal in all its rotations with both bots, and its forks in both orders. Returns the
    /// scores of both bots.
    fn review_deal(
        &mut self,
        deals: &mut dyn AnyDeals,
        group: &[usize],
        is_checked: bool,
        summary: &mut SummaryBuilder,
    ) -> Result<[i64; 2], ReviewError> {
        let mut games = Vec::with_capacity(group.len());
        for &number in group {
            games.push(self.play_both(deals, number, is_checked)?);
        }
        let payoffs = |bot: usize| -> Vec<Vec<i64>> {
            let games = games.iter().map(|game| &game[bot]);
            games.map(|game| game.payoffs.clone()).collect()
        };
        for (order, [first, second]) in [[OF, BY], [BY, OF]].into_iter().enumerate() {
            let mut current = payoffs(second);
            let mut before = self.score(&current);
            for (rotation, &number) in group.iter().enumerate() {
                let game = &games[rotation];
                let compared = &game[first].decisions;
                let forks: Vec<usize> = (0..compared.len())
                    .filter(|&decision| compared[decision].is_fork())
                    .collect();
                if is_checked {
                    let end = forks.first().copied().unwrap_or(0);
                    self.check_scripts(deals, number, game, [first, second], end)?;
                }
                for (index, &decision) in forks.iter().enumerate() {
                    // The bots agree until the next fork, so the second bot takes over at that
                    // fork.
                    current[rotation] = match forks.get(index + 1) {
                        Some(&next) => {
                            let script =
                                ForkScript::new(second, game[first].until(next, first), false);
                            self.play(deals, number, script, &mut ())?.0
                        }
                        None => game[first].payoffs.clone(),
                    };
                    let after = self.score(&current);
                    let cost = before - after;
                    let value = if order == 0 { cost } else { -cost };
                    summary.fork(order, [number, decision], value, &compared[decision]);
                    before = after;
                }
            }
        }
        for (order, first) in [OF, BY].into_iter().enumerate() {
            for decision in games.iter().flat_map(|game| game[first].decisions.iter()) {
                summary.decision(order, decision);
            }
        }
        Ok([BY, OF].map(|bot| self.score(&payoffs(bot))))
    }

    /// Plays a game with each of the two bots, and returns both games, indexed by [`BY`] and
    /// [`OF`].
    fn play_both(
        &mut self,
        deals: &mut dyn AnyDeals,
        number: usize,
        is_checked: bool,
    ) -> Result<[ComparedGame; 2], ReviewError> {
        let script = |bot| ForkScript::new(bot, Vec::new(), true);
        let by = ComparedGame::of(self.play(deals, number, script(BY), &mut ())?);
        let of = if by.decisions.iter().any(ComparedDecision::is_fork) {
            ComparedGame::of(self.play(deals, number, script(OF), &mut ())?)
        } else {
            // Without a fork, the game of the other bot is the same.
            if is_checked {
                let faults = self.faults.clone();
                if ComparedGame::of(self.play(deals, number, script(OF), &mut ())?) != by {
                    return Err(self.differs(number));
                }
                self.faults = faults;
            }
            by.clone()
        };
        // Both games must have the same answers up to the first fork.
        let is_common = |decision: &&ComparedDecision| !decision.is_fork();
        let common = by.decisions.iter().take_while(is_common).count() + 1;
        let [start_by, start_of] = [&by, &of].map(|game| game.decisions.iter().take(common));
        if start_by.ne(start_of) {
            return Err(self.differs(number));
        }
        Ok([by, of])
    }

    /// Plays a game with the answers of the first bot up to decision `end`, where the second bot
    /// takes over, and then with all answers of the first bot.
    ///
    /// # Errors
    /// Returns an error if a game differs from the one that was played before.
    fn check_scripts(
        &mut self,
        deals: &mut dyn AnyDeals,
        number: usize,
        game: &[ComparedGame; 2],
        [first, second]: [usize; 2],
        end: usize,
    ) -> Result<(), ReviewError> {
        // Faults in these games were counted when the same games were played before.
        let faults = self.faults.clone();
        let ends = [end, game[first].decisions.len()];
        for (end, expected) in ends.into_iter().zip([second, first]) {
            let script = ForkScript::new(second, game[first].until(end, first), false);
            let (payoffs, _) = self.play(deals, number, script, &mut ())?;
            if payoffs != game[expected].payoffs {
                return Err(self.differs(number));
            }
        }
        self.faults = faults;
        Ok(())
    }
}

/// A game of a deal with one of the two bots.
#[derive(Clone, PartialEq)]
struct ComparedGame {
    /// Payoffs by place.
    payoffs: Vec<i64>,
    /// The decisions of the reviewed seats, with the answers of both bots.
    decisions: Rc<Vec<ComparedDecision>>,
}

impl ComparedGame {
    fn of((payoffs, decisions): (Vec<i64>, Vec<ComparedDecision>)) -> ComparedGame {
        ComparedGame {
            payoffs,
            decisions: Rc::new(decisions),
        }
    }

    /// Returns the answers of `bot` before decision `end`.
    fn until(&self, end: usize, bot: usize) -> Vec<Choice> {
        let start = self.decisions[..end].iter();
        start.map(|decision| decision.answers[bot]).collect()
    }
}

/// Returns the place of the entrant whose fault ended a block.
fn place_of_fault(unfinished: &Unfinished) -> usize {
    usize::from(unfinished.fault().entrant)
}

impl BlockReview<'_> {
    /// Returns the error for a bot of the line-up whose fault ended a game.
    fn ended(&self, unfinished: &Unfinished) -> ReviewError {
        let line_up = self.prepared.line_up(self.job);
        self.stopped(line_up[place_of_fault(unfinished)], unfinished)
    }

    /// Records the block and plays the game of a fork with the reviewed bot. Returns its decisions.
    fn play_fork(
        &mut self,
        deals: &mut dyn AnyDeals,
        fork: &Fork,
    ) -> Result<Vec<ComparedDecision>, ReviewError> {
        self.record_block(deals, self.plan.of)?;
        let compared = ForkScript::new(OF, Vec::new(), true);
        Ok(self.play(deals, fork.game as usize, compared, &mut ())?.1)
    }
}

/// Plays the two games of a fork for `observers`, first the game after the choice of `by`. In both
/// games, `of` plays until the fork and `by` plays the rest.
///
/// # Errors
/// Returns the errors of [`ReviewPlan::run`].
pub fn continuations(
    prepared: &PreparedLeague,
    plan: &ReviewPlan,
    fork: &Fork,
    observers: [&mut dyn BlockObserver; 2],
) -> Result<(), ReviewError> {
    let mut review = BlockReview::new(prepared, plan, fork.job)?;
    let rules = prepared.game()?;
    let mut deals = rules.deals();
    let decided = review.play_fork(&mut *deals, fork)?;
    let answers: Vec<Choice> = decided.iter().map(|decided| decided.answers[OF]).collect();
    let decision = fork.decision as usize;
    for (own, observer) in [decision, decision + 1].into_iter().zip(observers) {
        let given = answers[..own.min(answers.len())].to_vec();
        let script = ForkScript::new(BY, given, false);
        review.play(&mut *deals, fork.game as usize, script, observer)?;
    }
    Ok(())
}
