//! Policies learned from what games bring: policy gradient (Williams, "Simple Statistical Gradient-Following Algorithms
//! for Connectionist Reinforcement Learning").
//!
//! Some entrants of a league play by the policy, choosing by chance. After every round of games each choice is made more
//! likely where its game brought more than usual, and less likely where it brought less. Usual is what seats that stood
//! alike have got; and since titles last, what a deal brings is its points and what its place is worth in the next one
//! (differences of average reward, as in Tsitsiklis and Van Roy, "Average Cost Temporal-Difference Learning").

use bytemuck::Zeroable;
use hattari_hosts::record::JobId;
use hattari_hosts::table::{Decider, Step, Watch};
use hattari_play::cast::{Cast, CastError};
use hattari_play::gather::gather;
use hattari_plugin::games::Game;
use hattari_plugin::games::daihinmin::{Action, Block, Daihinmin, Deal, NONE, PLAYERS, View};
use hattari_search::daihinmin::policy::{Look, Policy, STANDINGS, Sight};
use serde_json::Value;
use std::sync::atomic::{AtomicBool, Ordering};

/// Titles, and none.
const TITLES: usize = PLAYERS + 1;

/// What a choice looked like: the features of every action, which was taken, and how the seat stood.
struct Choice<const N: usize> {
    actions: Vec<[u16; N]>,
    taken: usize,
    standing: u16,
}

/// What is usual: taken from games to tell good from bad luck.
#[derive(Clone, Debug)]
struct Usual {
    /// Points of a deal.
    points: f64,
    /// What each title is worth at the start of a deal, against the mean of all five.
    titles: [f64; TITLES],
    /// What a deal brings seats that stand so, against the average.
    standings: Vec<f64>,
    /// How often each standing was met.
    met: Vec<f64>,
}

/// Looks on while a block is played, and adds up which way the weights should go.
struct Learner<'a, L: Look<N>, const N: usize> {
    policy: &'a Policy<L, N>,
    usual: &'a Usual,
    /// Whether each place of the line-up learns.
    learn: Vec<bool>,
    view: View,
    /// Titles of the deal under way, by seat.
    titles: [u8; PLAYERS],
    pending: Option<Choice<N>>,
    /// Choices of the deal under way, by place of the line-up.
    choices: Vec<Vec<Choice<N>>>,
    tally: Tally,
}

/// What blocks have come to.
#[derive(Clone, Debug)]
struct Tally {
    gradient: Vec<f64>,
    choices: u64,
    deals: u64,
    points: f64,
    /// Sum and number of what deals brought against what was usual, by title.
    titles: [(f64, f64); TITLES],
    /// The same by standing, with what the title was worth left in.
    standings: Vec<(f64, f64)>,
}

impl Tally {
    fn new(features: usize) -> Tally {
        Tally {
            gradient: vec![0.0; features],
            choices: 0,
            deals: 0,
            points: 0.0,
            titles: [(0.0, 0.0); TITLES],
            standings: vec![(0.0, 0.0); STANDINGS],
        }
    }

    fn add(&mut self, other: &Tally) {
        let sum = |to: &mut (f64, f64), from: &(f64, f64)| *to = (to.0 + from.0, to.1 + from.1);
        self.gradient.iter_mut().zip(&other.gradient).for_each(|(to, from)| *to += from);
        self.choices += other.choices;
        self.deals += other.deals;
        self.points += other.points;
        self.titles.iter_mut().zip(&other.titles).for_each(|(to, from)| sum(to, from));
        self.standings.iter_mut().zip(&other.standings).for_each(|(to, from)| sum(to, from));
    }
}

impl<L: Look<N>, const N: usize> Watch<Daihinmin> for Learner<'_, L, N> {
    fn dealt(&mut self, _: &Daihinmin, block: &Block, deal: &Deal, _: &[usize]) {
        self.titles = deal.public(block).titles;
    }

    fn asked(&mut self, game: &Daihinmin, block: &Block, deal: &Deal, seat: u8, entrant: usize, actions: &[Action]) {
        self.pending = None;
        if !self.learn.get(entrant).copied().unwrap_or(false) {
            return;
        }
        game.view(block, deal, seat, &mut self.view);
        if self.view.phase != L::PHASE {
            return;
        }
        let sight = Sight::seen(&self.view);
        let actions = &actions[sight.idle_passes(actions)..];
        if actions.len() > 1 {
            let judge = L::judge(&sight);
            let features = actions.iter().map(|action| Policy::<L, N>::features(&judge, action)).collect();
            self.pending = Some(Choice { actions: features, taken: 0, standing: L::standing(&judge) });
        }
    }

    fn acted(&mut self, _: &Daihinmin, _: &Deal, step: &Step<'_, Daihinmin>) {
        let Some(mut choice) = self.pending.take().filter(|_| step.decider == Decider::Bot) else { return };
        let sight = Sight::seen(&self.view);
        let judge = L::judge(&sight);
        let taken = Policy::<L, N>::features(&judge, &step.choice.action);
        // Actions of equal features are one to the policy.
        if let Some(index) = choice.actions.iter().position(|features| *features == taken) {
            choice.taken = index;
            self.choices[step.entrant].push(choice);
        }
    }

    fn ended(&mut self, game: &Daihinmin, deal: &Deal, payoffs: &[i64], entrants: &[usize]) {
        for (player, &entrant) in entrants.iter().enumerate() {
            if !self.learn[entrant] {
                continue;
            }
            let seat = game.seat_of(deal, player);
            let title = |title: u8| if title == NONE { PLAYERS } else { usize::from(title) % PLAYERS };
            let (before, after) = (title(self.titles[usize::from(seat)]), title(deal.position().place(seat)));
            let points = payoffs[player] as f64;
            let worth = points - self.usual.points + self.usual.titles[after];
            let tally = &mut self.tally;
            tally.deals += 1;
            tally.points += points;
            tally.titles[before].0 += worth - self.usual.titles[before];
            tally.titles[before].1 += 1.0;
            for choice in self.choices[entrant].drain(..) {
                let standing = usize::from(choice.standing) % STANDINGS;
                tally.standings[standing].0 += worth;
                tally.standings[standing].1 += 1.0;
                tally.choices += 1;
                let advantage = worth - self.usual.standings[standing];
                let strengths: Vec<f64> =
                    choice.actions.iter().map(|action| f64::from(self.policy.product(action))).collect();
                let total: f64 = strengths.iter().sum();
                for (index, (action, strength)) in choice.actions.iter().zip(&strengths).enumerate() {
                    let step = advantage * (f64::from(u8::from(index == choice.taken)) - strength / total);
                    action.iter().for_each(|&feature| tally.gradient[usize::from(feature)] += step);
                }
            }
        }
    }
}

/// How fast and how long to learn.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// Rounds; after each the weights are changed.
    pub rounds: u32,
    /// Blocks of a round, of each line-up.
    pub blocks: u32,
    /// How far the logarithm of a weight moves in a round at first; it falls to a tenth of that.
    pub rate: f64,
    /// Threads that play.
    pub threads: usize,
}

/// A way up: steps along gradients, each weight's by how large its gradients have been (Kingma and Ba, "Adam: A Method for
/// Stochastic Optimization").
#[derive(Clone, Debug)]
pub struct Climb {
    mean: Vec<f64>,
    square: Vec<f64>,
    steps: i32,
}

impl Climb {
    /// At the foot, in so many dimensions.
    #[must_use]
    pub fn new(dimensions: usize) -> Climb {
        Climb { mean: vec![0.0; dimensions], square: vec![0.0; dimensions], steps: 0 }
    }

    /// Moves `point` along `gradient`, each coordinate by about `rate`.
    pub fn step(&mut self, point: &mut [f64], gradient: &[f64], rate: f64) {
        const MEAN: f64 = 0.9;
        const SQUARE: f64 = 0.99;
        self.steps += 1;
        let (first, second) = (1.0 - MEAN.powi(self.steps), 1.0 - SQUARE.powi(self.steps));
        let moments = self.mean.iter_mut().zip(&mut self.square);
        for ((coordinate, &gradient), (mean, square)) in point.iter_mut().zip(gradient).zip(moments) {
            *mean = MEAN * *mean + (1.0 - MEAN) * gradient;
            *square = SQUARE * *square + (1.0 - SQUARE) * gradient * gradient;
            *coordinate += rate * (*mean / first) / ((*square / second).sqrt() + 1e-4);
        }
    }
}

/// Who learns.
#[derive(Clone, Copy, Debug)]
pub struct Learners<'a> {
    /// Their numbers among the entrants.
    pub entrants: &'a [usize],
    /// Their setting that takes weights.
    pub key: &'a str,
    /// What else is set while they learn.
    pub settings: &'a [(&'a str, Value)],
}

/// What a round has come to.
#[derive(Clone, Copy, Debug)]
pub struct Round {
    /// Its number, from 1.
    pub number: u32,
    /// Deals that learners have played.
    pub deals: u64,
    /// Points a deal of the learners.
    pub points: f64,
}

/// What was learned.
#[derive(Clone, Debug)]
pub struct Learned {
    /// Strengths by feature: the mean, of logarithms, over the second half of the rounds.
    pub strengths: Vec<f64>,
    /// What each title is worth at the start of a deal, in points, against the mean; the last is that of none.
    pub titles: [f64; TITLES],
}

/// Why nothing was learnt.
#[derive(Debug, thiserror::Error)]
pub enum NotLearnt {
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

/// Lets some entrants play by a policy that begins as `policy`, and learns from their games. `progress` gets every round.
///
/// # Errors
/// As [`gather`].
pub fn learn<L: Look<N>, const N: usize>(
    cast: &mut Cast,
    learners: Learners<'_>,
    policy: &Policy<L, N>,
    pace: Pace,
    stop: &AtomicBool,
    mut progress: impl FnMut(Round),
) -> Result<Learned, NotLearnt> {
    let game: Daihinmin = cast.game_as()?;
    let features = Policy::<L, N>::FEATURES;
    let mut point: Vec<f64> = policy.weights().map(|weight| f64::from(weight).ln()).collect();
    let mut climb = Climb::new(features);
    let (mut sum, mut summed) = (vec![0.0; features], 0.0);
    let middle = game.options().points.iter().map(|&points| f64::from(points)).sum::<f64>() / 5.0;
    let mut usual =
        Usual { points: middle, titles: [0.0; TITLES], standings: vec![0.0; STANDINGS], met: vec![0.0; STANDINGS] };
    for number in 1..=pace.rounds {
        let strengths: Vec<f64> = point.iter().map(|weight| weight.exp()).collect();
        let policy = Policy::<L, N>::new(&strengths);
        let text = policy.to_text();
        for &entrant in learners.entrants {
            let mut config = cast.league.entrants[entrant].config.clone();
            let settings = config.as_object_mut().ok_or(NotLearnt::Settings)?;
            settings.insert(learners.key.to_owned(), Value::from(text.as_str()));
            for (key, value) in learners.settings {
                settings.insert((*key).to_owned(), value.clone());
            }
            cast.seats[entrant].config_json = config.to_string();
        }
        let tally = play(&game, cast, learners.entrants, &policy, &usual, number, pace, stop)?;
        if stop.load(Ordering::Relaxed) {
            break;
        }
        if tally.choices == 0 {
            return Err(NotLearnt::NoChoices);
        }
        let gradient: Vec<f64> = tally.gradient.iter().map(|sum| sum / (tally.choices as f64).sqrt()).collect();
        let rate = pace.rate * 0.1_f64.powf(f64::from(number) / f64::from(pace.rounds));
        climb.step(&mut point, &gradient, rate);
        point.iter_mut().for_each(|weight| *weight = weight.clamp(-WEIGHT_MAX, WEIGHT_MAX));
        usual.learn(&tally);
        if number * 2 > pace.rounds {
            sum.iter_mut().zip(&point).for_each(|(sum, weight)| *sum += weight);
            summed += 1.0;
        }
        progress(Round { number, deals: tally.deals, points: tally.points / (tally.deals as f64).max(1.0) });
    }
    let strengths = match summed > 0.0 {
        true => sum.iter().map(|sum| (sum / summed).exp()).collect(),
        false => point.iter().map(|weight| weight.exp()).collect(),
    };
    Ok(Learned { strengths, titles: usual.titles })
}

/// Logarithms of weights stay within this; a policy's table holds no others.
const WEIGHT_MAX: f64 = 6.9;

/// Plays the blocks of a round, which no other round has.
#[expect(clippy::too_many_arguments, reason = "what is played, by whom, against what is usual")]
fn play<L: Look<N>, const N: usize>(
    game: &Daihinmin,
    cast: &Cast,
    learn: &[usize],
    policy: &Policy<L, N>,
    usual: &Usual,
    round: u32,
    pace: Pace,
    stop: &AtomicBool,
) -> Result<Tally, NotLearnt> {
    let line_ups = u32::try_from(cast.schedule.line_ups.len()).map_err(|_| NotLearnt::LineUps)?;
    let blocks = (round - 1) * pace.blocks..round * pace.blocks;
    let jobs: Vec<JobId> =
        blocks.flat_map(|block| (0..line_ups).map(move |line_up| JobId { line_up, block })).collect();
    let onlooker = |job: JobId| {
        let entrants = &cast.schedule.line_ups[job.line_up as usize].entrants;
        Learner {
            policy,
            usual,
            learn: entrants.iter().map(|entrant| learn.contains(entrant)).collect(),
            view: View::zeroed(),
            titles: [NONE; PLAYERS],
            pending: None,
            choices: entrants.iter().map(|_| Vec::new()).collect(),
            tally: Tally::new(Policy::<L, N>::FEATURES),
        }
    };
    let mut tallies = Vec::with_capacity(jobs.len());
    gather(
        |seated, learner| seated.at(game, learner),
        cast,
        &jobs,
        pace.threads,
        stop,
        onlooker,
        |job, learner| {
            tallies.push(((job.block, job.line_up), learner.tally));
            Ok::<_, CastError>(())
        },
    )?;
    // In the order of play: sums of floats must not depend on which thread was faster.
    tallies.sort_by_key(|&(job, _)| job);
    let mut sum = Tally::new(Policy::<L, N>::FEATURES);
    tallies.iter().for_each(|(_, tally)| sum.add(tally));
    Ok(sum)
}

impl Usual {
    /// Moves on by what a round has brought.
    fn learn(&mut self, tally: &Tally) {
        const RATE: f64 = 0.2;
        self.points += RATE * (tally.points / (tally.deals as f64).max(1.0) - self.points);
        for (worth, &(sum, count)) in self.titles.iter_mut().zip(&tally.titles) {
            if count > 0.0 {
                *worth += RATE * sum / count;
            }
        }
        // Titles are worth what they are worth against each other.
        let mean = self.titles[..PLAYERS].iter().sum::<f64>() / PLAYERS as f64;
        self.titles.iter_mut().for_each(|worth| *worth -= mean);
        let met = self.standings.iter_mut().zip(&mut self.met);
        for ((worth, met), &(sum, count)) in met.zip(&tally.standings) {
            // Old games count less and less: the policy has changed since.
            let before = 0.9 * *met;
            if before + count > 0.0 {
                *worth = (before * *worth + sum) / (before + count);
                *met = before + count;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_climb_finds_the_top_whatever_the_scale_of_the_gradient() {
        for scale in [0.01, 1.0, 100.0] {
            let (mut point, mut climb) = (vec![0.0, 5.0], Climb::new(2));
            for step in 0..2000 {
                let gradient: Vec<f64> = point.iter().zip([1.0, 2.0]).map(|(x, top)| scale * (top - x)).collect();
                climb.step(&mut point, &gradient, 0.02 * (1.0 - f64::from(step) / 2000.0));
            }
            assert!((point[0] - 1.0).abs() < 0.05 && (point[1] - 2.0).abs() < 0.05, "{scale}: {point:?}");
        }
    }

    #[test]
    fn usual_follows_what_games_bring() {
        let mut usual =
            Usual { points: 3.0, titles: [0.0; TITLES], standings: vec![0.0; STANDINGS], met: vec![0.0; STANDINGS] };
        let mut tally = Tally::new(1);
        (tally.deals, tally.points) = (10, 40.0);
        tally.titles[0] = (10.0, 10.0);
        tally.standings[7] = (6.0, 4.0);
        for _ in 0..100 {
            usual.learn(&tally);
        }
        assert!((usual.points - 4.0).abs() < 1e-6 && (usual.standings[7] - 1.5).abs() < 1e-6);
        assert!(usual.titles[0] > 1.0 && usual.titles[1] < 0.0 && usual.standings[8] == 0.0);
        assert!(usual.titles[..PLAYERS].iter().sum::<f64>().abs() < 1e-9);
    }
}
