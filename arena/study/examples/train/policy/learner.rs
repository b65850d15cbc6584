//! An observer that computes the gradient of a policy from games.

use super::ascent::Ascent;
use super::open::{self, Open};
use super::parameters::Parameters;
use bytemuck::Zeroable;
use hattari_agents::table::{Decider, TakenStep, TypedObserver};
use hattari_plugin::games::Game;
use hattari_plugin::games::daihinmin::{Action, Block, Daihinmin, Deal, NONE, PLAYERS, View};
use hattari_search::daihinmin::policy::{Policy, PolicyInput, PolicyView};

/// Number of titles, including "no title".
const TITLES: usize = PLAYERS + 1;
/// A number for each title; the last is for "no title".
pub(crate) type Titles = [f64; TITLES];

/// A choice: the features of all actions, the index of the chosen one, and the features of the
/// position with all cards visible.
struct Choice<const N: usize> {
    options: Vec<[u16; N]>,
    taken: usize,
    open: [u16; open::GROUPS],
}

/// Expected results, estimated from games. Used to separate good play from luck.
pub(crate) struct ExpectedResults {
    /// Mean points of a deal.
    points: f64,
    /// Value of each title at the start of a deal, relative to the mean of all five.
    pub titles: Titles,
    /// Expected return of a deal, relative to the mean, given all cards when a seat has to act (a
    /// baseline as in Williams). The cards affect the return much more than the choice. The
    /// features do not depend on the choice, so the baseline reduces the variance of the gradient
    /// without bias.
    critic: Ascent<Open, { open::GROUPS }>,
}

/// An observer of a block that sums up the gradient.
pub(crate) struct Learner<'a, L: PolicyInput<N>, const N: usize> {
    policy: &'a Policy<L, N>,
    usual: &'a ExpectedResults,
    /// For each line-up position, `true` if the bot there learns.
    learn: Vec<bool>,
    view: View,
    /// Titles in the current deal, by seat.
    titles: [u8; PLAYERS],
    pending: Option<Choice<N>>,
    /// Legal actions of the pending choice.
    actions: Vec<Action>,
    /// Choices in the current deal, by line-up position.
    choices: Vec<Vec<Choice<N>>>,
    pub tally: Tally,
}

/// Sums over the blocks of a round, from which the policy and the critic are updated.
pub(crate) struct Tally {
    pub gradient: Vec<f64>,
    pub choices: u64,
    pub deals: u64,
    pub points: f64,
    /// Sum and number of the returns relative to the expectation, by title.
    titles: [(f64, f64); TITLES],
    /// Gradient of the critic.
    critic: Vec<f64>,
}

impl Tally {
    fn new(dimensions: usize, critic: usize) -> Tally {
        Tally {
            gradient: vec![0.0; dimensions],
            choices: 0,
            deals: 0,
            points: 0.0,
            titles: [(0.0, 0.0); TITLES],
            critic: vec![0.0; critic],
        }
    }

    pub(crate) fn add(&mut self, other: &Tally) {
        let sum = |to: &mut (f64, f64), from: &(f64, f64)| *to = (to.0 + from.0, to.1 + from.1);
        self.gradient
            .iter_mut()
            .zip(&other.gradient)
            .for_each(|(to, from)| *to += from);
        self.choices += other.choices;
        self.deals += other.deals;
        self.points += other.points;
        self.titles
            .iter_mut()
            .zip(&other.titles)
            .for_each(|(to, from)| sum(to, from));
        self.critic
            .iter_mut()
            .zip(&other.critic)
            .for_each(|(to, from)| *to += from);
    }
}

impl<'a, L: PolicyInput<N>, const N: usize> Learner<'a, L, N> {
    /// Creates an observer. `learn` is `true` for each line-up position whose bot learns.
    pub(crate) fn new(
        ascent: &'a Ascent<L, N>,
        usual: &'a ExpectedResults,
        learn: Vec<bool>,
    ) -> Self {
        let (policy, dimensions) = (&ascent.policy, ascent.point.len());
        Learner {
            policy,
            usual,
            view: View::zeroed(),
            titles: [NONE; PLAYERS],
            pending: None,
            actions: Vec::new(),
            choices: learn.iter().map(|_| Vec::new()).collect(),
            tally: Tally::new(dimensions, usual.critic.point.len()),
            learn,
        }
    }
}

impl<L: PolicyInput<N>, const N: usize> TypedObserver<Daihinmin> for Learner<'_, L, N> {
    fn dealt(&mut self, _: &Daihinmin, block: &Block, deal: &Deal, _: &[usize]) {
        self.titles = deal.public(block).titles;
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
        self.pending = None;
        if !self.learn[entrant] {
            return;
        }
        game.view(block, deal, seat, &mut self.view);
        if self.view.phase != L::PHASE {
            return;
        }
        let sight = PolicyView::seen(&self.view);
        let actions = &actions[sight.idle_passes(actions)..];
        if actions.len() > 1 {
            let judge = L::judge(&sight);
            let options = actions
                .iter()
                .map(|action| Policy::<L, N>::features(&judge, action))
                .collect();
            let open =
                Policy::<Open, _>::rows(open::feature_indices(deal.position(), seat, &self.titles));
            self.pending = Some(Choice {
                options,
                taken: 0,
                open,
            });
            self.actions.clear();
            self.actions.extend_from_slice(actions);
        }
    }

    fn acted(&mut self, _: &Daihinmin, _: &Deal, step: &TakenStep<'_, Daihinmin>) {
        let Some(mut choice) = self.pending.take().filter(|_| step.decider == Decider::Bot) else {
            return;
        };
        if let Some(index) = self
            .actions
            .iter()
            .position(|action| *action == step.choice.action)
        {
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
            let title = |title: u8| {
                if title == NONE {
                    PLAYERS
                } else {
                    usize::from(title) % PLAYERS
                }
            };
            let (before, after) = (
                title(self.titles[usize::from(seat)]),
                title(deal.position().place(seat)),
            );
            let points = payoffs[player] as f64;
            let worth = points - self.usual.points + self.usual.titles[after];
            let tally = &mut self.tally;
            tally.deals += 1;
            tally.points += points;
            tally.titles[before].0 += worth - self.usual.titles[before];
            tally.titles[before].1 += 1.0;
            for choice in self.choices[entrant].drain(..) {
                tally.choices += 1;
                let critic = &self.usual.critic.policy;
                let advantage = worth - f64::from(critic.exponent(&choice.open));
                critic.add_slope(&choice.open, advantage, &mut tally.critic);
                let strengths: Vec<f64> = choice
                    .options
                    .iter()
                    .map(|option| f64::from(self.policy.product(option)))
                    .collect();
                let total: f64 = strengths.iter().sum();
                for (index, (option, strength)) in choice.options.iter().zip(&strengths).enumerate()
                {
                    let (taken, share) = (index == choice.taken, strength / total);
                    if !taken && share < SHARE_MIN {
                        continue;
                    }
                    let step = advantage * (f64::from(u8::from(taken)) - share);
                    self.policy.add_slope(option, step, &mut tally.gradient);
                }
            }
        }
    }
}

/// Options with a lower probability contribute almost nothing to the gradient and are skipped. Most
/// options are of this kind.
const SHARE_MIN: f64 = 1e-3;

impl ExpectedResults {
    /// Returns the initial expectation: the same number of points in every deal.
    pub(crate) fn new(points: f64) -> ExpectedResults {
        ExpectedResults {
            points,
            titles: [0.0; TITLES],
            critic: Ascent::new(&Policy::uniform()),
        }
    }

    /// Updates the expectation with the results of a round. Changes the weights of the critic by
    /// about `rate`.
    pub(crate) fn learn(&mut self, tally: &Tally, rate: f64) {
        const RATE: f64 = 0.2;
        self.points += RATE * (tally.points / (tally.deals as f64).max(1.0) - self.points);
        for (worth, &(sum, count)) in self.titles.iter_mut().zip(&tally.titles) {
            if count > 0.0 {
                *worth += RATE * sum / count;
            }
        }
        // Only differences between the values of titles matter.
        let mean = self.titles[..PLAYERS].iter().sum::<f64>() / PLAYERS as f64;
        self.titles.iter_mut().for_each(|worth| *worth -= mean);
        self.critic.step(&tally.critic, tally.choices, rate);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_baseline_estimate_follows_observed_scores() {
        let mut usual = ExpectedResults::new(3.0);
        let position = Policy::<Open, _>::rows([3; open::GROUPS]);
        let mut tally = Tally::new(1, usual.critic.point.len());
        (tally.deals, tally.points, tally.choices) = (10, 40.0, 1);
        tally.titles[0] = (10.0, 10.0);
        for _ in 0..1000 {
            // Positions of this kind give 1.5 points more than the mean.
            tally.critic.fill(0.0);
            let critic = &usual.critic.policy;
            critic.add_slope(
                &position,
                1.5 - f64::from(critic.exponent(&position)),
                &mut tally.critic,
            );
            usual.learn(&tally, 0.001);
        }
        assert!((usual.points - 4.0).abs() < 1e-6);
        let worth = usual.critic.policy.exponent(&position);
        assert!((worth - 1.5).abs() < 0.1, "{worth}");
        assert!(usual.titles[0] > 1.0 && usual.titles[1] < 0.0);
        assert!(usual.titles[..PLAYERS].iter().sum::<f64>().abs() < 1e-9);
    }
}
