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
use hattari_plugin::games::Game;
use hattari_plugin::games::daihinmin::{Action, Block, Daihinmin, Deal};
use hattari_search::daihinmin::policy::{GiftFeatures, GiftPolicy, Policy, PolicyInput};
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

/// The policies that are learned: for moves, for the card exchange, or for both.
pub(crate) struct Policies<L: PolicyInput<N>, const N: usize> {
    /// Policy of moves, if it is learned.
    pub moves: Option<Policy<L, N>>,
    /// Policy of the card exchange, if it is learned.
    pub gifts: Option<GiftPolicy>,
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

/// The learning state of one policy.
struct PolicyState<L: PolicyInput<N>, const N: usize> {
    ascent: Ascent<L, N>,
    /// Sum of the parameter vectors of the second half of the rounds, and the number of these
    /// rounds.
    sum: (Vec<f64>, f64),
    usual: ExpectedResults,
}

impl<L: PolicyInput<N>, const N: usize> PolicyState<L, N> {
    fn new(policy: &Policy<L, N>, points: f64) -> Self {
        let ascent = Ascent::new(policy);
        PolicyState {
            sum: (vec![0.0; ascent.point.len()], 0.0),
            ascent,
            usual: ExpectedResults::new(points),
        }
    }

    /// Updates the policy and the critic with the results of a round. In `early` rounds only the
    /// critic is updated. In `late` rounds the parameters are added to the mean.
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

    /// Returns the policy with the mean parameters.
    fn mean(self) -> Policy<L, N> {
        let (sum, summed) = self.sum;
        let point = if summed > 0.0 {
            sum.iter().map(|sum| sum / summed).collect()
        } else {
            self.ascent.point.clone()
        };
        self.ascent.at(point)
    }
}

/// Learning rate of the critic in the early rounds.
const CRITIC_FIRST: f64 = 0.03;
/// Learning rate of the critic in later rounds.
const CRITIC_RATE: f64 = 0.01;
/// Maximum number of early rounds, in which only the critic learns. Also at most a twentieth of all
/// rounds.
const EARLY_MAX: u32 = 12;

/// The learning states of both policies.
struct PolicyStates<L: PolicyInput<N>, const N: usize> {
    moves: Option<PolicyState<L, N>>,
    gifts: Option<PolicyState<GiftFeatures, 7>>,
}

/// Learns policies from games of the entrants that use these policies, starting with `initial`.
/// `progress` receives the result of every round.
///
/// Returns the learned policies, whose parameters are the mean over the second half of the rounds.
/// Also returns the value of each title at the start of a deal, in points relative to the mean. The
/// last entry is for deals without titles.
///
/// # Errors
/// Returns the errors of [`play_blocks`], and an error if there is nothing to learn from.
pub(crate) fn learn<L: PolicyInput<N>, const N: usize>(
    prepared: &mut PreparedLeague,
    learners: Learners<'_>,
    initial: Policies<L, N>,
    options: LearningOptions,
    stop: &AtomicBool,
    mut progress: impl FnMut(RoundResult),
) -> anyhow::Result<(Policies<L, N>, Titles)> {
    let game: Daihinmin = prepared.game_as()?;
    let points = game
        .options()
        .points
        .iter()
        .map(|&points| f64::from(points))
        .sum::<f64>()
        / 5.0;
    let mut states = PolicyStates {
        moves: initial
            .moves
            .map(|policy| PolicyState::new(&policy, points)),
        gifts: initial
            .gifts
            .map(|policy| PolicyState::new(&policy, points)),
    };
    for number in 1..=options.rounds {
        let moves = states
            .moves
            .iter()
            .map(|way| ("weights", way.ascent.policy.to_text()));
        let gifts = states
            .gifts
            .iter()
            .map(|way| ("gift_weights", way.ascent.policy.to_text()));
        let weights = moves.chain(gifts).map(|(key, text)| (key, text.into()));
        let settings: Vec<(&str, Value)> =
            weights.chain(learners.settings.iter().cloned()).collect();
        for &entrant in learners.entrants {
            let mut config = prepared.league.entrants[entrant].config.clone();
            let fields = config
                .as_object_mut()
                .context("an entrant's settings are not a mapping")?;
            fields.extend(
                settings
                    .iter()
                    .map(|(key, value)| ((*key).to_owned(), value.clone())),
            );
            prepared.seats[entrant].config_json = config.to_string();
        }
        let [moves, gifts] = play(
            &game,
            prepared,
            learners.entrants,
            &states,
            number,
            options,
            stop,
        )?;
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let mut tallies = moves.iter().chain(&gifts);
        ensure!(
            tallies.any(|tally| tally.choices > 0),
            "these entrants make no choices in the league's games"
        );
        let rate = options.rate * 0.1_f64.powf(f64::from(number) / f64::from(options.rounds));
        let (early, late) = (
            number <= EARLY_MAX.min(options.rounds / 20),
            number * 2 > options.rounds,
        );
        for (way, tally) in states.moves.iter_mut().zip(&moves) {
            way.step(tally, rate, early, late);
        }
        for (way, tally) in states.gifts.iter_mut().zip(&gifts) {
            way.step(tally, rate, early, late);
        }
        if let Some(tally) = moves.or(gifts) {
            progress(RoundResult {
                number,
                deals: tally.deals,
                points: tally.points / (tally.deals as f64).max(1.0),
            });
        }
    }
    let titles = states
        .moves
        .as_ref()
        .map(|way| way.usual.titles)
        .or(states.gifts.as_ref().map(|way| way.usual.titles));
    let learned = Policies {
        moves: states.moves.map(PolicyState::mean),
        gifts: states.gifts.map(PolicyState::mean),
    };
    Ok((learned, titles.unwrap_or_default()))
}

/// An observer that forwards to the observers of both policies.
struct CombinedObserver<'a, L: PolicyInput<N>, const N: usize> {
    moves: Option<Learner<'a, L, N>>,
    gifts: Option<Learner<'a, GiftFeatures, 7>>,
}

impl<L: PolicyInput<N>, const N: usize> CombinedObserver<'_, L, N> {
    /// Calls `forward` with the observer of each policy.
    fn each(&mut self, forward: impl Fn(&mut dyn TypedObserver<Daihinmin>)) {
        self.moves.iter_mut().for_each(|learner| forward(learner));
        self.gifts.iter_mut().for_each(|learner| forward(learner));
    }
}

impl<L: PolicyInput<N>, const N: usize> TypedObserver<Daihinmin> for CombinedObserver<'_, L, N> {
    fn dealt(&mut self, game: &Daihinmin, block: &Block, deal: &Deal, entrants: &[usize]) {
        self.each(|learner| learner.dealt(game, block, deal, entrants));
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
        self.each(|learner| learner.asked(game, block, deal, seat, entrant, actions));
    }

    fn acted(&mut self, game: &Daihinmin, deal: &Deal, step: &TakenStep<'_, Daihinmin>) {
        self.each(|learner| learner.acted(game, deal, step));
    }

    fn ended(&mut self, game: &Daihinmin, deal: &Deal, payoffs: &[i64], entrants: &[usize]) {
        self.each(|learner| learner.ended(game, deal, payoffs, entrants));
    }
}

/// Plays the blocks of a round. Each round has its own blocks.
fn play<L: PolicyInput<N>, const N: usize>(
    game: &Daihinmin,
    prepared: &PreparedLeague,
    learn: &[usize],
    states: &PolicyStates<L, N>,
    round: u32,
    options: LearningOptions,
    stop: &AtomicBool,
) -> anyhow::Result<[Option<Tally>; 2]> {
    let line_ups = u32::try_from(prepared.schedule.line_ups.len()).context("too many line-ups")?;
    let blocks = (round - 1) * options.blocks..round * options.blocks;
    let jobs: Vec<JobId> = blocks
        .flat_map(|block| (0..line_ups).map(move |line_up| JobId { line_up, block }))
        .collect();
    let observer = |job: JobId| {
        let line_up = prepared.line_up(job).iter();
        let learns: Vec<bool> = line_up.map(|entrant| learn.contains(entrant)).collect();
        CombinedObserver {
            moves: states
                .moves
                .as_ref()
                .map(|way| Learner::new(&way.ascent, &way.usual, learns.clone())),
            gifts: states
                .gifts
                .as_ref()
                .map(|way| Learner::new(&way.ascent, &way.usual, learns)),
        }
    };
    let mut tallies = Vec::with_capacity(jobs.len());
    play_blocks(
        |seated, both| seated.play(game, both),
        prepared,
        &jobs,
        options.threads,
        stop,
        observer,
        |job, both| {
            let pair = [
                both.moves.map(|learner| learner.tally),
                both.gifts.map(|learner| learner.tally),
            ];
            tallies.push(((job.block, job.line_up), pair));
            anyhow::Ok(())
        },
    )?;
    // Sorted, because sums of floating-point numbers depend on the order.
    tallies.sort_by_key(|&(job, _)| job);
    let mut sums = [None, None];
    for (_, pair) in tallies {
        for (sum, tally) in sums.iter_mut().zip(pair) {
            match (sum.as_mut(), tally) {
                (None, tally) => *sum = tally,
                (Some(sum), Some(tally)) => Tally::add(sum, &tally),
                (Some(_), None) => {}
            }
        }
    }
    Ok(sums)
}
