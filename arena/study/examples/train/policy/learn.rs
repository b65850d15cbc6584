//! Learning of policies by policy gradient (Williams, "Simple Statistical Gradient-Following
//! Algorithms for Connectionist Reinforcement Learning").
//!
//! Some entrants of a league choose randomly according to the policy. After every round of games,
//! each choice becomes more likely if its game gave more points than expected, and less likely
//! otherwise. The expectation comes from a critic that sees all cards and is trained at the same
//! time.
//!
//! Titles persist between deals. The return of a deal is therefore its points plus the value of the
//! resulting title in the next deal. These are differential returns, as in Tsitsiklis and Van Roy,
//! "Average Cost Temporal-Difference Learning".
//!
//! Moves and the card exchange can be learned in the same games, each with the current version of
//! the other.

use super::ascent::Ascent;
use super::learner::{ExpectedResults, Learner, Tally, Titles};
use super::parameters::Parameters;
use anyhow::{Context, ensure};
use hattari_agents::record::JobId;
use hattari_agents::table::{TakenStep, TypedObserver};
use hattari_play::play_blocks::play_blocks;
use hattari_play::prepared::PreparedLeague;
use hattari_plugin::games::daihinmin::{Action, Block, Daihinmin, Deal};
use hattari_search::daihinmin::policy::{Policy, PolicyInput};
use serde_json::Value;
use std::sync::atomic::{AtomicBool, Ordering};

/// Duration of the learning, learning rate and number of threads.
#[derive(Clone, Copy)]
pub(crate) struct LearningOptions {
    /// Number of rounds. The weights are changed after each round.
    pub rounds: u32,
    /// Number of blocks of each line-up in a round.
    pub blocks: u32,
    /// Initial change of the logarithm of a weight per round. It decreases to a tenth in the last
    /// round.
    pub rate: f64,
    /// Number of threads.
    pub threads: usize,
}

/// The entrants that learn.
pub(crate) struct Learners<'a> {
    /// Indices of the entrants.
    pub entrants: &'a [usize],
    /// Settings of these entrants while they learn, in addition to the weights.
    pub settings: &'a [(&'a str, Value)],
}

/// The result of a round.
pub(crate) struct RoundResult {
    /// Number of the round, from 1.
    pub number: u32,
    /// Number of deals that learners played, counted per learner.
    pub deals: u64,
    /// Mean points of the learners per deal.
    pub points: f64,
}

/// A policy that learns, whatever its features.
pub(crate) trait LearningPolicy: Sync {
    /// Returns the current weights.
    fn weights(&self) -> String;
    /// Returns the weights with the mean parameters of the second half of the rounds.
    fn mean_weights(&self) -> String;
    /// Returns the value of each title at the start of a deal, in points relative to the mean. The
    /// last entry is for deals without titles.
    fn titles(&self) -> Titles;
    /// Returns an observer of a block. `learn` is `true` for each line-up position whose bot learns.
    fn observer(&self, learn: Vec<bool>) -> Box<dyn LearningObserver + '_>;
    /// Updates the policy and the critic with the results of a round. In `early` rounds only the
    /// critic is updated. In `late` rounds the parameters are added to the mean.
    fn step(&mut self, tally: &Tally, rate: f64, early: bool, late: bool);
}

/// The learning state of one policy.
pub(crate) struct PolicyState<L: PolicyInput<N>, const N: usize> {
    ascent: Ascent<L, N>,
    /// Sum of the parameter vectors of the second half of the rounds, and the number of these
    /// rounds.
    sum: (Vec<f64>, f64),
    usual: ExpectedResults,
}

impl<L: PolicyInput<N>, const N: usize> PolicyState<L, N> {
    /// Creates the state for a policy. `points` are the mean points of a deal.
    pub(crate) fn new(policy: &Policy<L, N>, points: f64) -> Self {
        let ascent = Ascent::new(policy);
        PolicyState {
            sum: (vec![0.0; ascent.point.len()], 0.0),
            ascent,
            usual: ExpectedResults::new(points),
        }
    }
}

impl<L: PolicyInput<N>, const N: usize> LearningPolicy for PolicyState<L, N> {
    fn weights(&self) -> String {
        self.ascent.policy.to_text()
    }

    fn mean_weights(&self) -> String {
        let (sum, summed) = &self.sum;
        let point = if *summed > 0.0 {
            sum.iter().map(|sum| sum / summed).collect()
        } else {
            self.ascent.point.clone()
        };
        self.ascent.at(point).to_text()
    }

    fn titles(&self) -> Titles {
        self.usual.titles
    }

    fn observer(&self, learn: Vec<bool>) -> Box<dyn LearningObserver + '_> {
        Box::new(Learner::new(&self.ascent, &self.usual, learn))
    }

    fn step(&mut self, tally: &Tally, rate: f64, early: bool, late: bool) {
        if !early {
            self.ascent.step(&tally.gradient, tally.choices, rate);
        }
        self.usual
            .learn(tally, if early { CRITIC_FIRST } else { CRITIC_RATE });
        if late {
            self.sum
                .0
                .iter_mut()
                .zip(&self.ascent.point)
                .for_each(|(sum, weight)| *sum += weight);
            self.sum.1 += 1.0;
        }
    }
}

/// Learning rate of the critic in the early rounds.
const CRITIC_FIRST: f64 = 0.03;
/// Learning rate of the critic in later rounds.
const CRITIC_RATE: f64 = 0.01;
/// Maximum number of early rounds, in which only the critic learns. Also at most a twentieth of all
/// rounds.
const EARLY_MAX: u32 = 12;

/// Learns policies from games of the entrants that use these policies, each given by the setting for
/// its weights and its initial state. `progress` receives the result of every round.
///
/// # Errors
/// Returns the errors of [`play_blocks`], and an error if there is nothing to learn from.
pub(crate) fn learn(
    game: &Daihinmin,
    prepared: &mut PreparedLeague,
    learners: Learners<'_>,
    policies: &mut [(&'static str, Box<dyn LearningPolicy>)],
    options: LearningOptions,
    stop: &AtomicBool,
    mut progress: impl FnMut(RoundResult),
) -> anyhow::Result<()> {
    for number in 1..=options.rounds {
        let weights = policies.iter();
        let weights = weights.map(|(key, policy)| (*key, policy.weights().into()));
        let settings: Vec<(&str, Value)> =
            weights.chain(learners.settings.iter().cloned()).collect();
        for &entrant in learners.entrants {
            let mut config = prepared.league.entrants[entrant].config.clone();
            let fields = config
                .as_object_mut()
                .context("an entrant's settings are not a mapping")?;
            let settings = settings.iter();
            fields.extend(settings.map(|(key, value)| ((*key).to_owned(), value.clone())));
            prepared.seats[entrant].config_json = config.to_string();
        }
        let learn = learners.entrants;
        let tallies = play(game, prepared, learn, policies, number, options, stop)?;
        if stop.load(Ordering::Relaxed) {
            break;
        }
        ensure!(
            tallies.iter().any(|tally| tally.choices > 0),
            "these entrants make no choices in the league's games"
        );
        let rate = options.rate * 0.1_f64.powf(f64::from(number) / f64::from(options.rounds));
        let (early, late) = (
            number <= EARLY_MAX.min(options.rounds / 20),
            number * 2 > options.rounds,
        );
        for ((_, policy), tally) in policies.iter_mut().zip(&tallies) {
            policy.step(tally, rate, early, late);
        }
        let Tally { deals, points, .. } = tallies[0];
        progress(RoundResult {
            number,
            deals,
            points: points / (deals as f64).max(1.0),
        });
    }
    Ok(())
}

/// An observer of a block that sums up the gradient of one policy.
pub(crate) trait LearningObserver: TypedObserver<Daihinmin> + Send {
    /// Returns the sums.
    fn tally(self: Box<Self>) -> Tally;
}

impl<L: PolicyInput<N>, const N: usize> LearningObserver for Learner<'_, L, N> {
    fn tally(self: Box<Self>) -> Tally {
        self.tally
    }
}

/// An observer that forwards to the observers of all policies.
struct CombinedObserver<'a>(Vec<Box<dyn LearningObserver + 'a>>);

impl TypedObserver<Daihinmin> for CombinedObserver<'_> {
    fn dealt(&mut self, game: &Daihinmin, block: &Block, deal: &Deal, entrants: &[usize]) {
        for learner in &mut self.0 {
            learner.dealt(game, block, deal, entrants);
        }
    }

    fn asked(
        &mut self,
        game: &Daihinmin,
        block: &Block,
        deal: &Deal,
        seat: u8,
        entrant: usize,
        actions: &[Action],
    ) {
        for learner in &mut self.0 {
            learner.asked(game, block, deal, seat, entrant, actions);
        }
    }

    fn acted(&mut self, game: &Daihinmin, deal: &Deal, step: &TakenStep<'_, Daihinmin>) {
        for learner in &mut self.0 {
            learner.acted(game, deal, step);
        }
    }

    fn ended(&mut self, game: &Daihinmin, deal: &Deal, payoffs: &[i64], entrants: &[usize]) {
        for learner in &mut self.0 {
            learner.ended(game, deal, payoffs, entrants);
        }
    }
}

/// Plays the blocks of a round. Each round has its own blocks. Returns the sums for each policy.
fn play(
    game: &Daihinmin,
    prepared: &PreparedLeague,
    learn: &[usize],
    policies: &[(&'static str, Box<dyn LearningPolicy>)],
    round: u32,
    options: LearningOptions,
    stop: &AtomicBool,
) -> anyhow::Result<Vec<Tally>> {
    let line_ups = u32::try_from(prepared.schedule.line_ups.len()).context("too many line-ups")?;
    let blocks = (round - 1) * options.blocks..round * options.blocks;
    let jobs: Vec<JobId> = blocks
        .flat_map(|block| (0..line_ups).map(move |line_up| JobId { line_up, block }))
        .collect();
    let observer = |job: JobId| {
        let line_up = prepared.line_up(job).iter();
        let learns: Vec<bool> = line_up.map(|entrant| learn.contains(entrant)).collect();
        let policies = policies.iter();
        let learners = policies.map(|(_, policy)| policy.observer(learns.clone()));
        CombinedObserver(learners.collect())
    };
    let mut blocks: Vec<((u32, u32), Vec<Tally>)> = Vec::with_capacity(jobs.len());
    play_blocks(
        |seated, learners| seated.play(game, learners),
        prepared,
        &jobs,
        options.threads,
        stop,
        observer,
        |job, CombinedObserver(learners)| {
            let tallies = learners.into_iter().map(LearningObserver::tally);
            blocks.push(((job.block, job.line_up), tallies.collect()));
            anyhow::Ok(())
        },
    )?;
    // Sorted, because sums of floating-point numbers depend on the order.
    blocks.sort_by_key(|&(job, _)| job);
    let blocks = blocks.into_iter().map(|(_, tallies)| tallies);
    let sums = blocks.reduce(|mut sums, tallies| {
        for (sum, tally) in sums.iter_mut().zip(&tallies) {
            sum.add(tally);
        }
        sums
    });
    Ok(sums.unwrap_or_default())
}
