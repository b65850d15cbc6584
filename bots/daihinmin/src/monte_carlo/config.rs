//! What a league may set of the Monte Carlo players.

use crate::by_policy::{Giving, gift, weights};
use hattari_search::daihinmin::policy::{Deep, Full, Look};
use serde::{Deserialize, Serialize};

/// Who plays in the playouts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlayoutPolicy {
    /// Chance: any legal play as likely as any other.
    #[default]
    Uniform,
    /// The policy that was fitted to recorded choices.
    Fitted,
    /// The same policy with what it learned from games.
    Learned,
    /// The learned policy that takes hands apart: several times as slow.
    Full,
    /// The learned policy of moves that are made: slower again.
    Deep,
}

/// What the others are taken to play by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Believed {
    /// The quick policy that was fitted to recorded choices.
    #[default]
    Fitted,
    /// The same policy with what it learned from games.
    Learned,
    /// The learned policy that takes hands apart.
    Full,
}

/// What a league may set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Config {
    /// Playouts a decision; 0 where time alone limits them.
    pub playouts: u32,
    /// Milliseconds a decision; 0 for no limit of time. With one, games differ from run to run.
    pub time_ms: u32,
    /// How much UCB explores; rewards are between 0 and 1.
    pub c: f64,
    /// Who plays in the playouts.
    pub policy: PlayoutPolicy,
    /// Deals that are weighed at each decision by what the others have done; 0 to take every deal
    /// as it is drawn.
    pub weighed: u32,
    /// How far to trust the policy that weighs deals: weights are likelihoods to this power. At 1
    /// few deals may outweigh all others where many choices have been seen, and others may not
    /// play by that policy at all.
    pub trust: f64,
    /// Who the others are taken for when deals are weighed.
    pub others: Believed,
    /// Play a sure way out where there is one, without playouts.
    pub sure_win: bool,
    /// Solve the game with two players left.
    pub endgame: bool,
    /// What is given away in the exchange.
    pub giving: Giving,
    /// Try those actions alone that the learned policy takes for at least so strong, as a share of
    /// the strongest; 0 to try all.
    pub prior: f64,
    /// Count what a place is worth in the next deals beside its points.
    pub coming: bool,
    /// Stop trying when another action than the best so far promises less than so many points
    /// more; 0 to use all playouts.
    pub regret: f64,
    /// Try all actions on the same deals, and drop those that are hardly the best, instead of UCB.
    pub race: bool,
    /// What the natural logarithm of an action's strength by the deep policy is worth in a race,
    /// in points: few tries do not outvote it.
    pub lean: f64,
    /// Weights of the deep policy, by which actions are left aside and [`PlayoutPolicy::Deep`]
    /// plays, instead of those that come with the bot; as text, as the training
    /// tool `learn-policy` (`arena/study/examples/train`) writes them.
    pub weights: String,
    /// Weights of the full policy, by which [`PlayoutPolicy::Full`] plays, likewise.
    pub playout_weights: String,
    /// Weights of the exchange likewise.
    pub gift_weights: String,
    /// Mixed into the seed that the host gives, for other games of the same league.
    pub seed: u64,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            playouts: 2000,
            time_ms: 0,
            c: 0.5,
            policy: PlayoutPolicy::Uniform,
            weighed: 0,
            trust: 1.0,
            others: Believed::Fitted,
            sure_win: false,
            endgame: false,
            giving: Giving::Weakest,
            prior: 0.0,
            coming: false,
            regret: 0.0,
            race: false,
            lean: 0.0,
            weights: String::new(),
            playout_weights: String::new(),
            gift_weights: String::new(),
            seed: 0,
        }
    }
}

impl Config {
    /// Whether all of it makes sense.
    ///
    /// # Errors
    /// What does not.
    pub fn check(&self) -> Result<(), String> {
        if self.playouts == 0 && self.time_ms == 0 {
            return Err(
                "`playouts` and `time_ms` are both 0: one of them has to limit a decision".into(),
            );
        }
        if !self.c.is_finite() || self.c < 0.0 {
            return Err(format!("`c` is {}, must be 0 or more", self.c));
        }
        for (name, share) in [("prior", self.prior), ("trust", self.trust)] {
            if !(0.0..=1.0).contains(&share) {
                return Err(format!("`{name}` is {share}, must lie between 0 and 1"));
            }
        }
        for (name, points) in [("regret", self.regret), ("lean", self.lean)] {
            if !points.is_finite() || points < 0.0 {
                return Err(format!("`{name}` is {points}, must be 0 or more"));
            }
        }
        weights::<Full, 14>("playout_weights", &self.playout_weights, Full::learned())?;
        weights::<Deep, 41>("weights", &self.weights, Deep::learned())?;
        gift(self.giving, &self.gift_weights)?;
        Ok(())
    }
}
