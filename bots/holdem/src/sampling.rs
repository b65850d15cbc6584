//! Computation of win rates, and decisions based on them.

use crate::preflop;
use hattari_plugin::Rng;
use hattari_plugin::holdem::equity::{self, Outcomes};
use hattari_plugin::holdem::{Block, View, WinRate};
use serde::{Deserialize, Serialize};

hattari_plugin::games::defaults! {
    /// Settings for computing win rates.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct Sampling {
        /// Number of showdowns sampled for a win rate; at least 1. Sampling stops earlier if the
        /// decision is already clear.
        pub samples: u64 = 1000,
        /// True to sample without an early stop, also before the flop, like the players of the
        /// article series. False to stop when the decision is clear, and to use the table before
        /// the flop.
        pub all_samples: bool = false,
        /// Maximum number of showdowns for which a win rate is computed exactly. Against one
        /// opponent there are 990 showdowns on the river, 45,540 on the turn and 1,070,190 on the
        /// flop.
        pub exact_max: u64 = 1000,
        /// Number that is combined with the seed of the block, to draw different samples for the
        /// same cards.
        pub seed: u64 = 0,
    }
}

/// Number of showdowns before the first check whether sampling can stop. The number doubles for
/// each further check.
const FIRST_CHECK: u64 = 64;
/// Logarithm of the required odds, 10⁷, that a check predicts the decision of all samples
/// correctly.
const LOG_SURE: f64 = 16.118_095_650_958_32;

impl Sampling {
    /// Checks the settings.
    ///
    /// # Errors
    /// Returns an error text if the number of samples is 0.
    pub(crate) fn check(&self) -> Result<(), String> {
        if self.samples == 0 {
            Err("`samples` must be at least 1".into())
        } else {
            Ok(())
        }
    }

    /// Returns the random number generator for a block.
    pub(crate) fn rng(&self, block: &Block) -> Rng {
        Rng::new(block.seed ^ self.seed)
    }

    /// Returns the result of `decide` for the expected share of the pot against random hands of all
    /// other players who have not folded.
    ///
    /// The share is the mean of the configured number of sampled showdowns. Sampling stops early if
    /// every possible final mean gives the same decision. For this, `decide` is assumed to return
    /// the same decision for all shares between two shares with equal decisions.
    pub(crate) fn decide<T: PartialEq>(
        &self,
        view: &View,
        rng: &mut Rng,
        decide: impl Fn(f64) -> T,
    ) -> T {
        let opponents = view.in_play_count().saturating_sub(1).max(1);
        if view.community == 0 && !self.all_samples {
            return decide(preflop::share(view.hand, opponents));
        }
        if equity::showdowns(view.community, opponents)
            .is_some_and(|showdowns| showdowns <= self.exact_max)
        {
            return decide(
                WinRate::counted(&equity::exact(view.hand, view.community, opponents)).share,
            );
        }
        let mut drawn = Outcomes::default();
        let mut look = if self.all_samples {
            self.samples
        } else {
            FIRST_CHECK
        };
        loop {
            let more = look.min(self.samples) - drawn.deals;
            drawn.add(&equity::sampled(
                view.hand,
                view.community,
                opponents,
                more,
                rng,
            ));
            let share = WinRate::sampled(&drawn).share;
            if drawn.deals == self.samples {
                return decide(share);
            }
            let margin = margin(drawn.deals, self.samples);
            let decision = decide((share - margin).max(0.0));
            if decision == decide((share + margin).min(1.0)) {
                return decision;
            }
            look *= 2;
        }
    }
}

/// Returns the maximum distance between the mean of the first `drawn` showdowns and the mean of all
/// `all` showdowns. In each direction, it is exceeded once in ten million cases. The first
/// showdowns are a random subset (R. J. Serfling, "Probability Inequalities for the Sum in Sampling
/// without Replacement", 1974).
fn margin(drawn: u64, all: u64) -> f64 {
    let (drawn, all) = (drawn as f64, all as f64);
    (LOG_SURE * (1.0 - (drawn - 1.0) / all) / (2.0 * drawn)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytemuck::Zeroable;
    use hattari_plugin::holdem::card::parse_set;
    use hattari_plugin::holdem::win_rate;

    fn view(hand: &str, community: &str, in_play: u16) -> View {
        let set = |text| parse_set(text).unwrap();
        View {
            hand: set(hand),
            community: set(community),
            in_play,
            ..View::zeroed()
        }
    }

    /// Compares decisions on the flop with the result of 200,000 showdowns. Differences only occur
    /// near the bound, within the precision of a thousand showdowns.
    #[test]
    fn early_decisions_match_decisions_with_all_samples() {
        let (sampling, mut rng) = (Sampling::default(), Rng::new(1));
        let (mut early, mut other) = (0, 0);
        for hand in ["AsAc", "KsQs", "9s9c", "Jc2c", "6s5s", "3c2h"] {
            for (community, in_play) in [
                ("Jh7d2s", 0b11),
                ("AhKdTs4h", 0b11),
                ("9h8h7h", 0b111),
                ("Jh7d2s", 0b11_1111),
            ] {
                let view = view(hand, community, in_play);
                let truth = win_rate(
                    view.hand,
                    view.community,
                    in_play.count_ones() - 1,
                    200_000,
                    0,
                    &mut Rng::new(2),
                )
                .share;
                for bound in [0.1, 0.25, 0.33, 0.5, 0.66, 0.75, 0.9] {
                    let is_far = (truth - bound).abs() > 5.0 * 0.5 / 1000.0_f64.sqrt();
                    let decision = sampling.decide(&view, &mut rng, |w| bound <= w);
                    assert!(
                        decision == (bound <= truth) || !is_far,
                        "{hand} on {community}: {truth} and {bound}"
                    );
                    (early, other) = if is_far {
                        (early + 1, other)
                    } else {
                        (early, other + 1)
                    };
                }
            }
        }
        assert!(early > 4 * other, "{early} of {}", early + other);
    }

    #[test]
    fn sampling_stops_when_the_decision_is_clear() {
        let sampling = Sampling::default();
        let drawn = |sampling: Sampling, bound: f64, view: &View| {
            let mut rng = Rng::new(1);
            sampling.decide(view, &mut rng, |w| bound <= w);
            let used = |samples: u64| {
                let mut chunks = Rng::new(1);
                let mut sum = 0;
                while sum < samples {
                    let more = if sum == 0 { FIRST_CHECK } else { sum }.min(samples - sum);
                    _ = equity::sampled(view.hand, view.community, 1, more, &mut chunks);
                    sum += more;
                }
                chunks
            };
            [64, 128, 256, 512, 1000]
                .into_iter()
                .find(|&samples| used(samples) == rng)
                .unwrap()
        };
        // Two aces on this flop have a share of 0.86.
        let aces = view("AsAh", "Jd7c2d", 0b11);
        assert_eq!(
            [0.2, 0.5, 0.7, 0.86].map(|bound| drawn(sampling, bound, &aces)),
            [64, 128, 512, 1000]
        );
        let all = Sampling {
            samples: 64,
            all_samples: true,
            ..sampling
        };
        assert_eq!(drawn(all, 0.86, &view("AsAh", "", 0b11)), 64);
    }

    #[test]
    fn decisions_with_exact_shares_draw_no_samples() {
        let sampling = Sampling::default();
        for (hand, community) in [("AsKd", ""), ("AsKd", "Ah7d7cTs2c")] {
            let mut rng = Rng::new(1);
            let share = sampling.decide(&view(hand, community, 0b11), &mut rng, |w| w);
            assert!(
                (0.6..0.95).contains(&share) && rng == Rng::new(1),
                "{hand} on {community}: {share}"
            );
        }
    }

    #[test]
    fn sampling_margins_shrink_towards_zero() {
        assert!(
            (margin(64, 1000) - 0.3434).abs() < 1e-3 && (margin(512, 1000) - 0.0878).abs() < 1e-3
        );
        assert!(margin(1000, 1000) < 0.003);
    }
}
