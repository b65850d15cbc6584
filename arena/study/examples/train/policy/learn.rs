//! Policies learned from what games bring: policy gradient (Williams, "Simple Statistical
//! Gradient-Following Algorithms for Connectionist Reinforcement Learning").
//!
//! Some entrants of a league play by the policy, choosing by chance. After every round of games
//! each choice is made more likely where its game brought more than usual, and less likely where it
//! brought less. Usual is what a critic expects who sees all cards and learns along; and since
//! titles last, what a deal brings is its points and what its place is worth in the next one
//! (differences of average reward, as in Tsitsiklis and Van Roy, "Average Cost Temporal-Difference
//! Learning"). Moves and the exchange may be learned in the same games, each against the other as
//! it is by then.

use super::ascent::Ascent;
use super::learner::{Learner, Tally, Titles, Usual};
use hattari_agents::record::JobId;
use hattari_agents::table::{Step, Watch};
use hattari_play::cast::{Cast, CastError};
use hattari_play::gather::gather;
use hattari_plugin::games::Game;
use hattari_plugin::games::daihinmin::{Action, Block, Daihinmin, Deal};
use hattari_search::daihinmin::policy::{Gift, GiftPolicy, Look, Policy};
use serde_json::Value;
use std::sync::atomic::{AtomicBool, Ordering};

/// How fast and how long to learn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    /// Rounds; after each the weights are changed.
    pub(crate) rounds: u32,
    /// Blocks of a round, of each line-up.
    pub(crate) blocks: u32,
    /// How far the logarithm of a weight moves in a round at first; it falls to a tenth of that.
    pub(crate) rate: f64,
    /// Threads that play.
    pub(crate) threads: usize,
}

/// Who learns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Learners<'a> {
    /// Their numbers among the entrants.
    pub(crate) entrants: &'a [usize],
    /// What is set while they learn, besides weights.
    pub(crate) settings: &'a [(&'a str, Value)],
}

/// What is learned, and where it begins: moves, the exchange or both.
pub(crate) struct Lessons<L: Look<N>, const N: usize> {
    /// The policy of moves.
    pub(crate) moves: Option<Policy<L, N>>,
    /// The policy of the exchange.
    pub(crate) gifts: Option<GiftPolicy>,
}

/// What a round has come to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Round {
    /// Its number, from 1.
    pub(crate) number: u32,
    /// Deals that learners have played.
    pub(crate) deals: u64,
    /// Points a deal of the learners.
    pub(crate) points: f64,
}

/// What was learned: policies at the mean of where the second half of the rounds has led.
pub(crate) struct Learned<L: Look<N>, const N: usize> {
    /// The policy of moves, where it learned.
    pub(crate) moves: Option<Policy<L, N>>,
    /// The policy of the exchange, where it learned.
    pub(crate) gifts: Option<GiftPolicy>,
    /// What each title is worth at the start of a deal, in points, against the mean; the last is
    /// that of none.
    pub(crate) titles: Titles,
}

/// Why nothing was learnt.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotLearnt {
    /// A league that cannot be played to its end.
    #[error(transparent)]
    Cast(#[from] CastError),
    /// Weights have no place to go.
    #[error("an entrant's settings are not a mapping")]
    Settings,
    /// There is nothing to learn from.
    #[error("those entrants have nothing to choose in the league's games")]
    NoChoices,
    /// More than can be counted.
    #[error("too many line-ups")]
    LineUps,
}

/// A policy on its way up.
struct Way<L: Look<N>, const N: usize> {
    ascent: Ascent<L, N>,
    /// Points of the second half of the rounds, added up, and how many they are.
    sum: (Vec<f64>, f64),
    usual: Usual,
}

impl<L: Look<N>, const N: usize> Way<L, N> {
    fn new(policy: &Policy<L, N>, points: f64) -> Self {
        let ascent = Ascent::new(policy);
        Way {
            sum: (vec![0.0; ascent.point.len()], 0.0),
            ascent,
            usual: Usual::new(points),
        }
    }

    /// Moves by what a round has brought; in `early` rounds the critic alone does, in `late` ones
    /// the point counts.
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

    /// The policy at the mean.
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

/// How far the critic's weights move in a round, in the first rounds and later.
const CRITIC_FIRST: f64 = 0.03;
const CRITIC_RATE: f64 = 0.01;
/// So many rounds the critic has to itself at most, and no more than a twentieth of all.
const EARLY_MAX: u32 = 12;

/// Both of a league's ways.
struct Ways<L: Look<N>, const N: usize> {
    moves: Option<Way<L, N>>,
    gifts: Option<Way<Gift, 7>>,
}

/// Lets some entrants play by policies that begin as `lessons` has them, and learns from their
/// games. `progress` gets every round.
///
/// # Errors
/// As [`gather`].
pub(crate) fn learn<L: Look<N>, const N: usize>(
    cast: &mut Cast,
    learners: Learners<'_>,
    lessons: Lessons<L, N>,
    pace: Pace,
    stop: &AtomicBool,
    mut progress: impl FnMut(Round),
) -> Result<Learned<L, N>, NotLearnt> {
    let game: Daihinmin = cast.game_as()?;
    let points = game
        .options()
        .points
        .iter()
        .map(|&points| f64::from(points))
        .sum::<f64>()
        / 5.0;
    let mut ways = Ways {
        moves: lessons.moves.map(|policy| Way::new(&policy, points)),
        gifts: lessons.gifts.map(|policy| Way::new(&policy, points)),
    };
    for number in 1..=pace.rounds {
        let weights = [
            (
                "weights",
                ways.moves.as_ref().map(|way| way.ascent.policy.to_text()),
            ),
            (
                "gift_weights",
                ways.gifts.as_ref().map(|way| way.ascent.policy.to_text()),
            ),
        ];
        for &entrant in learners.entrants {
            let mut config = cast.league.entrants[entrant].config.clone();
            let settings = config.as_object_mut().ok_or(NotLearnt::Settings)?;
            for (key, text) in &weights {
                if let Some(text) = text {
                    settings.insert((*key).to_owned(), Value::from(text.as_str()));
                }
            }
            for (key, value) in learners.settings {
                settings.insert((*key).to_owned(), value.clone());
            }
            cast.seats[entrant].config_json = config.to_string();
        }
        let [moves, gifts] = play(&game, cast, learners.entrants, &ways, number, pace, stop)?;
        if stop.load(Ordering::Relaxed) {
            break;
        }
        if [&moves, &gifts]
            .into_iter()
            .flatten()
            .all(|tally| tally.choices == 0)
        {
            return Err(NotLearnt::NoChoices);
        }
        let rate = pace.rate * 0.1_f64.powf(f64::from(number) / f64::from(pace.rounds));
        let (early, late) = (
            number <= EARLY_MAX.min(pace.rounds / 20),
            number * 2 > pace.rounds,
        );
        if let (Some(way), Some(tally)) = (&mut ways.moves, &moves) {
            way.step(tally, rate, early, late);
        }
        if let (Some(way), Some(tally)) = (&mut ways.gifts, &gifts) {
            way.step(tally, rate, early, late);
        }
        if let Some(tally) = moves.or(gifts) {
            progress(Round {
                number,
                deals: tally.deals,
                points: tally.points / (tally.deals as f64).max(1.0),
            });
        }
    }
    let titles = ways
        .moves
        .as_ref()
        .map(|way| way.usual.titles)
        .or(ways.gifts.as_ref().map(|way| way.usual.titles));
    let (moves, gifts) = (ways.moves.map(Way::mean), ways.gifts.map(Way::mean));
    Ok(Learned {
        moves,
        gifts,
        titles: titles.unwrap_or_default(),
    })
}

/// Looks on for both ways at once.
struct Both<'a, L: Look<N>, const N: usize> {
    moves: Option<Learner<'a, L, N>>,
    gifts: Option<Learner<'a, Gift, 7>>,
}

impl<L: Look<N>, const N: usize> Watch<Daihinmin> for Both<'_, L, N> {
    fn dealt(&mut self, game: &Daihinmin, block: &Block, deal: &Deal, entrants: &[usize]) {
        self.moves
            .iter_mut()
            .for_each(|learner| learner.dealt(game, block, deal, entrants));
        self.gifts
            .iter_mut()
            .for_each(|learner| learner.dealt(game, block, deal, entrants));
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
        self.moves
            .iter_mut()
            .for_each(|learner| learner.asked(game, block, deal, seat, entrant, actions));
        self.gifts
            .iter_mut()
            .for_each(|learner| learner.asked(game, block, deal, seat, entrant, actions));
    }

    fn acted(&mut self, game: &Daihinmin, deal: &Deal, step: &Step<'_, Daihinmin>) {
        self.moves
            .iter_mut()
            .for_each(|learner| learner.acted(game, deal, step));
        self.gifts
            .iter_mut()
            .for_each(|learner| learner.acted(game, deal, step));
    }

    fn ended(&mut self, game: &Daihinmin, deal: &Deal, payoffs: &[i64], entrants: &[usize]) {
        self.moves
            .iter_mut()
            .for_each(|learner| learner.ended(game, deal, payoffs, entrants));
        self.gifts
            .iter_mut()
            .for_each(|learner| learner.ended(game, deal, payoffs, entrants));
    }
}

/// Plays the blocks of a round, which no other round has.
fn play<L: Look<N>, const N: usize>(
    game: &Daihinmin,
    cast: &Cast,
    learn: &[usize],
    ways: &Ways<L, N>,
    round: u32,
    pace: Pace,
    stop: &AtomicBool,
) -> Result<[Option<Tally>; 2], NotLearnt> {
    let line_ups = u32::try_from(cast.schedule.line_ups.len()).map_err(|_| NotLearnt::LineUps)?;
    let blocks = (round - 1) * pace.blocks..round * pace.blocks;
    let jobs: Vec<JobId> = blocks
        .flat_map(|block| (0..line_ups).map(move |line_up| JobId { line_up, block }))
        .collect();
    let onlooker = |job: JobId| {
        let entrants = &cast.schedule.line_ups[job.line_up as usize].entrants;
        let learns: Vec<bool> = entrants
            .iter()
            .map(|entrant| learn.contains(entrant))
            .collect();
        Both {
            moves: ways
                .moves
                .as_ref()
                .map(|way| Learner::new(&way.ascent, &way.usual, learns.clone())),
            gifts: ways
                .gifts
                .as_ref()
                .map(|way| Learner::new(&way.ascent, &way.usual, learns)),
        }
    };
    let mut tallies = Vec::with_capacity(jobs.len());
    gather(
        |seated, both| seated.at(game, both),
        cast,
        &jobs,
        pace.threads,
        stop,
        onlooker,
        |job, both| {
            let pair = [
                both.moves.map(|learner| learner.tally),
                both.gifts.map(|learner| learner.tally),
            ];
            tallies.push(((job.block, job.line_up), pair));
            Ok::<_, CastError>(())
        },
    )?;
    // In the order of play: sums of floats must not depend on which thread was faster.
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
