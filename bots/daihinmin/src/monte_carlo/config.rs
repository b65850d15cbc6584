//! Settings of the Monte Carlo players.

use crate::by_policy::{Giving, Weights, gift};
use hattari_search::daihinmin::policy::{DeepFeatures, FullFeatures, GiftFeatures, PolicyInput};
use serde::{Deserialize, Serialize};

hattari_plugin::games::choices! {
    /// The policy by which all players act in playouts.
    pub enum PlayoutPolicy {
        /// The uniform policy: all legal plays have the same probability.
        Uniform,
        /// The fast policy with weights fitted to recorded choices.
        Fitted,
        /// The fast policy with weights learned from games.
        Learned,
        /// The learned policy that analyses the hand after each action; several times slower.
        Full,
        /// The learned policy with the most features; slower than `Full`.
        Deep,
    }

    /// The policy that the other players are assumed to use.
    pub enum AssumedPolicy {
        /// The fast policy with weights fitted to recorded choices.
        Fitted,
        /// The fast policy with weights learned from games.
        Learned,
        /// The learned policy that analyses the hand after each action.
        Full,
    }
}

hattari_plugin::games::defaults! {
    /// Settings of a Monte Carlo player.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default)]
    pub struct Config {
        /// Number of playouts per decision; 0 if only the time limit counts.
        pub playouts: u32 = 2000,
        /// Time limit per decision in milliseconds; 0 for none. With a limit, games are not
        /// reproducible.
        pub time_ms: u32 = 0,
        /// Exploration constant of UCB; rewards are between 0 and 1.
        pub c: f64 = 0.5,
        /// The policy by which all players act in playouts.
        pub policy: PlayoutPolicy = PlayoutPolicy::Uniform,
        /// Number of deals that are weighted by the actions of the other players at each decision.
        /// With 0, sampled deals have no weights.
        pub weighed: u32 = 0,
        /// Exponent of the likelihoods that weight deals, from 0 to 1. With 1, a few deals can
        /// dominate all others after many observed choices, even if the other players do not use
        /// the assumed policy.
        pub trust: f64 = 1.0,
        /// The policy that the other players are assumed to use when deals are weighted.
        pub others: AssumedPolicy = AssumedPolicy::Fitted,
        /// True to play a sure win, a series of plays that nobody can stop, without playouts.
        pub sure_win: bool = false,
        /// True to solve the game when two players are left.
        pub endgame: bool = false,
        /// The rule for choosing the cards that are given away in the exchange.
        pub giving: Giving = Giving::Weakest,
        /// Minimum strength of the actions that are tried, as a share of the strength of the
        /// strongest action by the deep policy; 0 to try all actions.
        pub prior: f64 = 0.0,
        /// True to add the value of a place in later deals to its points.
        pub coming: bool = false,
        /// The search stops if no other action is expected to be better by more than this number of
        /// points; 0 to use all playouts.
        pub regret: f64 = 0.0,
        /// True to try all actions on the same deals and eliminate bad ones, instead of UCB.
        pub race: bool = false,
        /// Head start of an action in a race, in points: this number times the natural logarithm of
        /// the action's strength by the deep policy. A few playouts cannot outweigh the head start.
        pub lean: f64 = 0.0,
        /// Weights of the deep policy in the format of the training tool `learn-policy`
        /// (`arena/study/examples/train`); if empty, the included ones. The deep policy selects the
        /// actions that are tried, and acts in playouts with `PlayoutPolicy::Deep`.
        pub weights: String = String::new(),
        /// Weights of the full policy for `PlayoutPolicy::Full`, in the same format as `weights`.
        pub playout_weights: String = String::new(),
        /// Weights of the exchange policy, in the same format as `weights`.
        pub gift_weights: String = String::new(),
        /// Number that is combined with the seed from the host, to get different games in the same
        /// league.
        pub seed: u64 = 0,
    }
}

/// The full policy, the deep policy and the exchange policy of a player.
type Policies = (
    Weights<FullFeatures, 14>,
    Weights<DeepFeatures, 41>,
    Option<Weights<GiftFeatures, 7>>,
);

impl Config {
    /// Returns the policies with the weights of the settings.
    ///
    /// # Errors
    /// Returns an error text if weights are invalid.
    pub(super) fn policies(&self) -> Result<Policies, String> {
        let (full, deep) = (FullFeatures::learned(), DeepFeatures::learned());
        Ok((
            Weights::new("playout_weights", &self.playout_weights, full)?,
            Weights::new("weights", &self.weights, deep)?,
            gift(self.giving, &self.gift_weights)?,
        ))
    }

    /// Checks the settings.
    ///
    /// # Errors
    /// Returns an error text if a value is out of range.
    pub(crate) fn check(&self) -> Result<(), String> {
        if self.playouts == 0 && self.time_ms == 0 {
            return Err(
                "`playouts` and `time_ms` are both 0; at least one must limit a decision".into(),
            );
        }
        if !self.c.is_finite() || self.c < 0.0 {
            return Err(format!("`c` is {}, but must be 0 or more", self.c));
        }
        for (name, share) in [("prior", self.prior), ("trust", self.trust)] {
            if !(0.0..=1.0).contains(&share) {
                return Err(format!("`{name}` is {share}, but must be from 0 to 1"));
            }
        }
        for (name, points) in [("regret", self.regret), ("lean", self.lean)] {
            if !points.is_finite() || points < 0.0 {
                return Err(format!("`{name}` is {points}, but must be 0 or more"));
            }
        }
        self.policies().map(|_| ())
    }
}
