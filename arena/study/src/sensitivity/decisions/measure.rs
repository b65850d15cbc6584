//! Chance-node sensitivity of one decision, and an observer that measures all decisions of a block.

use super::sums::{BlockSums, HAND_CARDS_MAX, PACK_CARDS, Sensitivity};
use bytemuck::Zeroable;
use hattari_agents::seeds::Seeds;
use hattari_agents::table::TypedObserver;
use hattari_plugin::Rng;
use hattari_plugin::games::Game;
use hattari_plugin::games::daihinmin::{
    Action, Block, Daihinmin, Deal, PLAYERS, Position, View, phase,
};
use hattari_search::daihinmin::playout::Scratch;
use hattari_search::daihinmin::{HandSampler, Knowledge, Playout, Trials, try_action};
use serde::{Deserialize, Serialize};

/// The number of deals and playouts per decision, and the policy of the playouts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct MeasureOptions {
    /// Number of sampled deals; at least 2.
    pub deals: u32,
    /// Number of playouts of each action in each deal; at least 2.
    pub playouts: u32,
    /// `true` if playouts use the fitted policy; `false` if they are random.
    pub fitted: bool,
}

/// Computes the sensitivity of a decision from trials, indexed by action and then by deal.
///
/// With D deals and means m of R playouts each, the raw value is the mean of (m − mean m)². Its
/// expectation is (D − 1)/D · (V + N). V is the variance over deals that is to be estimated. N is
/// the mean variance of a mean of R playouts, which is estimated from the playouts.
///
/// # Panics
/// Panics if an action has no deals, or if a deal has fewer than two playouts.
pub(crate) fn sensitivity(actions: &[Vec<Trials>]) -> Sensitivity {
    let mut sum = Sensitivity::default();
    let mut most = f64::NEG_INFINITY;
    for trials in actions {
        let deals = trials.len() as f64;
        let mean = trials.iter().map(Trials::mean).sum::<f64>() / deals;
        let raw = trials
            .iter()
            .map(|trials| (trials.mean() - mean).powi(2))
            .sum::<f64>()
            / deals;
        let noise = |trials: &Trials| trials.variance_of_mean().expect("two playouts or more");
        let noise = trials.iter().map(noise).sum::<f64>() / deals;
        let corrected = raw * deals / (deals - 1.0) - noise;
        sum.raw += raw;
        sum.corrected += corrected;
        if mean > most {
            most = mean;
            (sum.best_raw, sum.best_corrected) = (raw, corrected);
        }
    }
    let count = actions.len() as f64;
    Sensitivity {
        raw: sum.raw / count,
        corrected: sum.corrected / count,
        ..sum
    }
}

/// An observer that measures every decision between plays and passes in a block.
pub(crate) struct Observer {
    effort: MeasureOptions,
    seeds: Seeds,
    decisions: u64,
    view: View,
    scratch: Scratch,
    /// Sums of the measurements so far.
    pub sums: BlockSums,
}

impl Observer {
    /// Creates an observer. Its random numbers come from `seeds`, which must be specific to the
    /// block.
    pub(crate) fn new(effort: MeasureOptions, seeds: Seeds) -> Observer {
        Observer {
            effort,
            seeds,
            decisions: 0,
            view: View::zeroed(),
            scratch: Scratch::default(),
            sums: BlockSums::default(),
        }
    }

    fn measure(
        &mut self,
        game: &Daihinmin,
        deal: &Deal,
        actions: &[Action],
    ) -> Option<Sensitivity> {
        let options = game.options();
        let knowledge = Knowledge::new(&self.view, deal.history(), options.exchange).ok()?;
        let mut chance = Rng::new(self.seeds.number(self.decisions));
        let mut deals = HandSampler::new(&knowledge, &mut chance);
        let hands: Vec<_> = (0..self.effort.deals)
            .map(|_| deals.draw(&mut chance))
            .collect();
        let root = Position::from_view(
            &self.view,
            deal.history(),
            *hands.first()?,
            options.deadlock_after(),
        );
        let points: [f64; PLAYERS] = options.points.map(f64::from);
        let policy = if self.effort.fitted {
            Playout::Fitted
        } else {
            Playout::Uniform
        };
        let mut try_it = |action: &Action, hands| {
            try_action(
                &root,
                hands,
                action,
                self.effort.playouts,
                policy,
                &points,
                &mut self.scratch,
                &mut chance,
            )
        };
        let trials: Vec<Vec<Trials>> = actions
            .iter()
            .map(|action| hands.iter().map(|hands| try_it(action, hands)).collect())
            .collect();
        Some(sensitivity(&trials))
    }
}

impl TypedObserver<Daihinmin> for Observer {
    fn asked(
        &mut self,
        game: &Daihinmin,
        block: &Block,
        deal: &Deal,
        seat: u8,
        _: usize,
        actions: &[Action],
    ) {
        game.view(block, deal, seat, &mut self.view);
        if self.view.phase != phase::PLAY {
            return;
        }
        if let Some(measured) = self.measure(game, deal, actions) {
            let all: usize = self
                .view
                .cards_left
                .iter()
                .map(|&cards| usize::from(cards))
                .sum();
            let own = self.view.hand.count_ones() as usize;
            self.sums.own[own.min(HAND_CARDS_MAX)].add(&measured);
            self.sums.all[all.min(PACK_CARDS)].add(&measured);
        }
        self.decisions += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Simulates playouts with result 0 or 1, with the given probability of 1 in each deal.
    fn trials(chances: &[f64], playouts: u32, chance: &mut Rng) -> Vec<Trials> {
        chances
            .iter()
            .map(|&share| {
                let mut trials = Trials::default();
                (0..playouts)
                    .for_each(|_| trials.add(if chance.unit() < share { 1.0 } else { 0.0 }));
                trials
            })
            .collect()
    }

    /// If deals do not matter, the raw value is on average the noise of the playouts: p (1 − p) / R
    /// · (D − 1) / D. The corrected value is 0 on average. If deals matter, both values show it.
    #[test]
    fn the_correction_removes_the_noise_of_playouts() {
        let mut chance = Rng::new(3);
        let mut mean = |chances: &[f64]| {
            let (mut raw, mut corrected) = (0.0, 0.0);
            for _ in 0..2000 {
                let measured = sensitivity(&[trials(chances, 10, &mut chance)]);
                assert_eq!(
                    (measured.raw, measured.corrected),
                    (measured.best_raw, measured.best_corrected)
                );
                (raw, corrected) = (
                    raw + measured.raw / 2000.0,
                    corrected + measured.corrected / 2000.0,
                );
            }
            (raw, corrected)
        };
        let (raw, corrected) = mean(&[0.5; 20]);
        assert!(
            (raw - 0.025 * 19.0 / 20.0).abs() < 0.0007 && corrected.abs() < 0.0007,
            "{raw} {corrected}"
        );
        // Half of the deals have probability 0.2, half 0.8. The sample variance is 0.09 · 20 / 19.
        let chances: Vec<f64> = (0..20)
            .map(|deal| if deal % 2 == 0 { 0.2 } else { 0.8 })
            .collect();
        let (raw, corrected) = mean(&chances);
        let expected = 0.09 * 20.0 / 19.0;
        assert!((corrected - expected).abs() < 0.002, "{corrected}");
        assert!(
            (raw - (expected + 0.016) * 19.0 / 20.0).abs() < 0.002,
            "{raw}"
        );
    }

    #[test]
    fn the_best_action_is_the_action_with_the_highest_mean_score() {
        let fixed = |means: &[f64]| {
            means
                .iter()
                .map(|&mean| {
                    let mut trials = Trials::default();
                    (0..2).for_each(|_| trials.add(mean));
                    trials
                })
                .collect::<Vec<_>>()
        };
        // Variances 1 and 4; the unbiased estimates for two deals are 2 and 8.
        let measured = sensitivity(&[fixed(&[1.0, 3.0]), fixed(&[1.0, 5.0])]);
        let expected = Sensitivity {
            raw: 2.5,
            corrected: 5.0,
            best_raw: 4.0,
            best_corrected: 8.0,
        };
        assert_eq!(measured, expected);
    }
}
