//! Reviews one block: both bots play its deals, and every fork is played once more.

pub(super) mod samples;

use super::plan::{BOTH, OTHER, PerBot, REVIEWED, ReviewError, ReviewPlan, ReviewResult};
use super::summary::{BlockSummary, DifferenceParts, Fork, ReviewFault, SummaryBuilder, add_fault};
use crate::league::PlannedDeals;
use crate::prepared::{PrepareError, PreparedLeague};
use hattari_agents::agent::{Agent, FaultScope};
use hattari_agents::record::JobId;
use hattari_agents::seeds::{LineUpSeeds, Purpose, Seeds};
use hattari_agents::table::{
    AnyGame, AnyTable, BlockObserver, BlockPlan, ComparedDecision, DecisionSelector, FaultPolicy,
    ForkScript,
};
use hattari_plugin::Choice;
use std::cell::RefCell;
use std::mem;
use std::rc::Rc;

/// The review of one block.
pub(super) struct BlockReview<'a> {
    prepared: &'a PreparedLeague,
    plan: &'a ReviewPlan,
    job: JobId,
    game: &'a dyn AnyGame,
    /// The deals of the block that was recorded last.
    deals: Box<dyn AnyTable + 'a>,
    block_plan: BlockPlan,
    /// Places of the reviewed bot.
    places: Vec<usize>,
    seeds: Seeds,
    script: Rc<RefCell<ForkScript>>,
    /// One agent per place. The agent of a reviewed seat calls both compared bots.
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
        game: &'a dyn AnyGame,
        plan: &'a ReviewPlan,
        job: JobId,
    ) -> ReviewResult<BlockReview<'a>> {
        let script = Rc::new(RefCell::new(ForkScript::default()));
        let line_up = prepared.line_up(job);
        let open = |&entrant: &usize| -> Result<Box<dyn Agent>, PrepareError> {
            if entrant != plan.reviewed {
                return prepared.open_one(entrant);
            }
            let other = prepared.open_one(plan.other)?;
            let reviewed = prepared.open_one(plan.reviewed)?;
            Ok(game.shared_seat([other, reviewed], &script))
        };
        let agents = line_up.iter().map(open).collect::<Result<_, _>>()?;
        let places = (0..line_up.len()).filter(|&place| line_up[place] == plan.reviewed);
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
            deals: game.table(),
            script,
            agents,
            faults: Vec::new(),
        })
    }

    /// Plays the block as in the league, on the same deals, but with `entrant` in the reviewed
    /// seats. Records the deals, and returns the payoffs of the reviewed seats in each game.
    fn record_block(&mut self, entrant: usize) -> ReviewResult<Vec<Vec<i64>>> {
        let mut line_up = self.prepared.line_up(self.job).to_vec();
        for &place in &self.places {
            line_up[place] = entrant;
        }
        let mut agents = line_up
            .iter()
            .map(|&bot| self.prepared.open_one(bot))
            .collect::<Result<Vec<_>, _>>()?;
        let chance = LineUpSeeds {
            bots: self.prepared.league.chance(&line_up).bots,
            ..self.prepared.chance(self.job)
        };
        let plan = BlockPlan {
            luck: false,
            ..self.prepared.league.block_plan()
        };
        let kept = self.deals.keep(self.job, plan, &chance, &mut agents);
        Ok(kept
            .map_err(|unfinished| {
                let place = usize::from(unfinished.fault().entrant);
                self.prepared.stopped(self.job, line_up[place], &unfinished)
            })?
            .iter()
            .map(|all| self.reviewed_payoffs(all))
            .collect())
    }

    /// Returns the payoffs of the reviewed seats.
    fn reviewed_payoffs(&self, payoffs: &[i64]) -> Vec<i64> {
        self.places.iter().map(|&place| payoffs[place]).collect()
    }

    /// Replays a recorded deal. `script` instructs the reviewed seats. Returns the payoffs of these
    /// seats, and the compared decisions.
    fn play(
        &mut self,
        number: usize,
        script: ForkScript,
        observer: &mut dyn BlockObserver,
    ) -> ReviewResult<ComparedGame> {
        self.script.replace(script);
        let block = (self.job, self.block_plan);
        let agents = &mut self.agents;
        let played = self
            .deals
            .play(number, block, &self.seeds, agents, observer);
        let script = self.script.take();
        let line_up = self.prepared.line_up(self.job);
        let entrants = [self.plan.other, self.plan.reviewed];
        let (payoffs, faults) = played.map_err(|unfinished| {
            // If a shared seat ended the game, its last fault is the cause.
            match script
                .faults
                .last()
                .filter(|(_, agent_error)| agent_error.scope == FaultScope::Run)
            {
                Some((bot, _)) => self.prepared.stopped(self.job, entrants[*bot], &unfinished),
                None => self.prepared.explain(self.job, &unfinished),
            }
        })?;
        let shared = script
            .faults
            .into_iter()
            .map(|(bot, error)| (entrants[bot], error.kind, error.message));
        let others = faults.into_iter().map(|fault| {
            let entrant = line_up[usize::from(fault.entrant)];
            (entrant, fault.kind, fault.message)
        });
        for (entrant, kind, message) in shared.chain(others) {
            let fault = ReviewFault {
                entrant,
                job: self.job,
                game: number,
                kind: kind.name(),
                message,
                count: 1,
            };
            add_fault(&mut self.faults, fault);
        }
        Ok(ComparedGame {
            payoffs: self.reviewed_payoffs(&payoffs),
            decisions: script.decided.into(),
        })
    }

    /// Returns the score of a deal. `rotations` contains the payoffs of the reviewed seats in each
    /// rotation.
    fn score(&self, rotations: &[Vec<i64>]) -> i64 {
        let seat = |seat: usize| {
            let payoffs: Vec<i64> = rotations.iter().map(|payoffs| payoffs[seat]).collect();
            self.block_plan
                .duplicate
                .then_some(&payoffs)
                .and_then(|payoffs| self.game.joint_payoff(payoffs))
                .unwrap_or_else(|| payoffs.iter().sum())
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
        let rotations = self.rotations();
        let deals = games / rotations;
        (0..deals)
            .map(|deal| (deal..deals * rotations).step_by(deals).collect())
            .collect()
    }

    fn unrepeatable(&self, game: usize) -> ReviewError {
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
    pub(super) fn review(mut self) -> ReviewResult<BlockSummary> {
        let reviewed_payoffs = self.record_block(self.plan.reviewed)?;
        let reviewed_deals = mem::replace(&mut self.deals, self.game.table());
        let other_payoffs = self.record_block(self.plan.other)?;
        let other_deals = mem::replace(&mut self.deals, reviewed_deals);
        let mut summary = SummaryBuilder::new(self.job);
        // Scores of both bots, each in its own block, as the league plays it.
        let mut in_block = [0; 2];
        // Their scores with all bots restarted in every game, from the start states of the
        // reviewed bot's block.
        let mut restarted = [0; 2];
        // Score of the other bot, also restarted, from the start states of its own block.
        let mut own_start = 0;
        for (deal, group) in self.groups(reviewed_payoffs.len()).into_iter().enumerate() {
            let is_checked = self.plan.checks_all || deal == 0;
            let scores = self.review_deal(&group, is_checked, &mut summary)?;
            BOTH.iter().for_each(|&bot| restarted[bot] += scores[bot]);
            in_block[REVIEWED] += self.score_of_group(&group, &reviewed_payoffs);
        }
        self.deals = other_deals;
        for group in self.groups(other_payoffs.len()) {
            own_start += self.play_group(&group, OTHER, None)?;
            in_block[OTHER] += self.score_of_group(&group, &other_payoffs);
        }
        let difference = in_block[OTHER] - in_block[REVIEWED];
        let decisions = restarted[OTHER] - restarted[REVIEWED];
        let carried = own_start - restarted[OTHER];
        let sums = DifferenceParts {
            difference,
            decisions,
            carried,
            memory: difference - decisions - carried,
        };
        // As in samples, deals that are missing after an early end count as zero.
        let planned = PlannedDeals::of(&self.prepared.league, self.agents.len());
        let played = reviewed_payoffs.len().max(other_payoffs.len()) / self.rotations();
        let games = planned.games().max(played as u64);
        Ok(summary.finish(games, self.places.len() as u64, sums, self.faults))
    }

    /// Plays every game of the block twice: with the reviewed bot's choices, and with the other
    /// bot's choices in the selected decisions. Returns the gain in points, summed over the seats
    /// of the bot.
    ///
    /// # Errors
    /// Returns the errors of [`BlockReview::review`].
    pub(super) fn measure_gain(mut self, selects: &DecisionSelector) -> ReviewResult<i64> {
        let games = self.record_block(self.plan.reviewed)?.len();
        let mut gain = 0;
        for group in self.groups(games) {
            gain -= self.play_group(&group, REVIEWED, None)?;
            gain += self.play_group(&group, REVIEWED, Some(selects))?;
        }
        Ok(gain)
    }

    /// Plays a group of games with the choices of `bot`, and returns the score of the reviewed
    /// seats. In the decisions that `selects` matches, they play the choices of the other bot.
    fn play_group(
        &mut self,
        group: &[usize],
        bot: usize,
        selects: Option<&DecisionSelector>,
    ) -> ReviewResult<i64> {
        let mut payoffs = Vec::new();
        for &number in group {
            let mut script = ForkScript::new(bot, Vec::new(), selects.is_some());
            script.selects = selects.cloned();
            payoffs.push(self.play(number, script, &mut ())?.payoffs);
        }
        Ok(self.score(&payoffs))
    }

    fn score_of_group(&self, group: &[usize], payoffs: &[Vec<i64>]) -> i64 {
        let rotations: Vec<Vec<i64>> = group.iter().map(|&game| payoffs[game].clone()).collect();
        self.score(&rotations)
    }

    /// Plays a deal in all its rotations with both bots, and its forks in both orders. Returns the
    /// scores of both bots.
    fn review_deal(
        &mut self,
        group: &[usize],
        is_checked: bool,
        summary: &mut SummaryBuilder,
    ) -> ReviewResult<PerBot<i64>> {
        let mut games = Vec::with_capacity(group.len());
        for &number in group {
            games.push(self.play_both(number, is_checked)?);
        }
        let orders = [REVIEWED, OTHER];
        for first in orders {
            self.play_forks(group, &games, first, is_checked, summary)?;
        }
        for first in orders {
            for decision in games.iter().flat_map(|game| game[first].decisions.iter()) {
                summary.decision(first, decision);
            }
        }
        Ok(BOTH.map(|bot| self.score(&all_payoffs(&games, bot))))
    }

    /// Plays the forks of a deal in all its rotations. The bot `first` decides up to a fork, and
    /// the other bot decides after the fork. `games` are the games of the deal by rotation.
    fn play_forks(
        &mut self,
        group: &[usize],
        games: &[PerBot<ComparedGame>],
        first: usize,
        is_checked: bool,
        summary: &mut SummaryBuilder,
    ) -> ReviewResult {
        let second = 1 - first;
        let mut current = all_payoffs(games, second);
        let mut before = self.score(&current);
        for (rotation, &number) in group.iter().enumerate() {
            let game = &games[rotation];
            let compared = &game[first].decisions;
            let forks: Vec<usize> = (0..compared.len())
                .filter(|&decision| compared[decision].is_fork())
                .collect();
            if is_checked {
                let end = forks.first().copied().unwrap_or(0);
                self.check_scripts(number, game, first, end)?;
            }
            for (index, &decision) in forks.iter().enumerate() {
                // The bots agree until the next fork, so the second bot takes over at that fork.
                current[rotation] = match forks.get(index + 1) {
                    Some(&next) => {
                        let answers = answers_of(&compared[..next], first);
                        let script = ForkScript::new(second, answers, false);
                        self.play(number, script, &mut ())?.payoffs
                    }
                    None => game[first].payoffs.clone(),
                };
                let after = self.score(&current);
                let gain = if first == REVIEWED {
                    before - after
                } else {
                    after - before
                };
                summary.fork(first, number, decision, gain, &compared[decision]);
                before = after;
            }
        }
        Ok(())
    }

    /// Plays a game with each of the two bots, and returns both games.
    fn play_both(&mut self, number: usize, is_checked: bool) -> ReviewResult<PerBot<ComparedGame>> {
        let other = self.play_compared(number, OTHER)?;
        let reviewed = if other.decisions.iter().any(ComparedDecision::is_fork) {
            self.play_compared(number, REVIEWED)?
        } else {
            // Without a fork, the game of the other bot is the same.
            if is_checked {
                let faults = self.faults.clone();
                if self.play_compared(number, REVIEWED)? != other {
                    return Err(self.unrepeatable(number));
                }
                self.faults = faults;
            }
            other.clone()
        };
        // Both games must have the same answers up to the first fork.
        let common = other
            .decisions
            .iter()
            .take_while(|decision| !decision.is_fork())
            .count()
            + 1;
        if other
            .decisions
            .iter()
            .take(common)
            .ne(reviewed.decisions.iter().take(common))
        {
            return Err(self.unrepeatable(number));
        }
        Ok([other, reviewed])
    }

    /// Plays a game with the choices of `bot`, and calls the other bot in the same decisions.
    fn play_compared(&mut self, number: usize, bot: usize) -> ReviewResult<ComparedGame> {
        let script = ForkScript::new(bot, Vec::new(), true);
        self.play(number, script, &mut ())
    }

    /// Plays a game twice as a check: with the answers of the bot `first` up to decision `end`,
    /// where the other bot takes over, and with all answers of the bot `first`.
    ///
    /// # Errors
    /// Returns an error if the payoffs differ from those of the same game played before.
    fn check_scripts(
        &mut self,
        number: usize,
        game: &PerBot<ComparedGame>,
        first: usize,
        end: usize,
    ) -> ReviewResult {
        let second = 1 - first;
        // Faults in these games were counted when the same games were played before.
        let faults = self.faults.clone();
        let whole = game[first].decisions.len();
        for (end, expected) in [(end, second), (whole, first)] {
            let answers = answers_of(&game[first].decisions[..end], first);
            let script = ForkScript::new(second, answers, false);
            let played = self.play(number, script, &mut ())?;
            if played.payoffs != game[expected].payoffs {
                return Err(self.unrepeatable(number));
            }
        }
        self.faults = faults;
        Ok(())
    }
}

/// A game of a deal with one of the two bots.
#[derive(Clone, PartialEq)]
struct ComparedGame {
    /// Payoffs of the reviewed seats.
    payoffs: Vec<i64>,
    /// The decisions of the reviewed seats, with the answers of both bots.
    decisions: Rc<[ComparedDecision]>,
}

/// Returns the answers of `bot` in the given decisions.
fn answers_of(decisions: &[ComparedDecision], bot: usize) -> Vec<Choice> {
    decisions
        .iter()
        .map(|decision| decision.answers[bot])
        .collect()
}

/// Returns the payoffs of the reviewed seats in the games of a bot.
fn all_payoffs(games: &[PerBot<ComparedGame>], bot: usize) -> Vec<Vec<i64>> {
    games.iter().map(|game| game[bot].payoffs.clone()).collect()
}

impl BlockReview<'_> {
    /// Records the block and plays the game of a fork with the reviewed bot. Returns the number of
    /// games of the block, and the decisions of the game.
    fn play_fork(&mut self, fork: &Fork) -> ReviewResult<(usize, Rc<[ComparedDecision]>)> {
        let games = self.record_block(self.plan.reviewed)?.len();
        let game = self.play_compared(fork.game as usize, REVIEWED)?;
        Ok((games, game.decisions))
    }
}

/// Plays the two games of a fork: after the choice of each bot. Each bot's game has its own
/// observer. In both games, the reviewed bot plays until the fork and the other bot plays the rest.
///
/// # Errors
/// Returns the errors of [`ReviewPlan::run`].
pub fn play_continuations(
    prepared: &PreparedLeague,
    plan: &ReviewPlan,
    fork: &Fork,
    observers: PerBot<&mut dyn BlockObserver>,
) -> ReviewResult {
    let rules = prepared.game()?;
    let mut review = BlockReview::new(prepared, &*rules, plan, fork.job)?;
    let (_, decided) = review.play_fork(fork)?;
    let answers = answers_of(&decided, REVIEWED);
    let decision = fork.decision as usize;
    // The reviewed bot answers up to the fork, or including the fork.
    let counts = [decision, decision + 1];
    for (count, observer) in counts.into_iter().zip(observers) {
        let given = answers[..count.min(answers.len())].to_vec();
        let script = ForkScript::new(OTHER, given, false);
        review.play(fork.game as usize, script, observer)?;
    }
    Ok(())
}
