//! Settings of the player. Values that the paper does not give have documented defaults.

use crate::fuzzy::sets::Triangle;
use serde::{Deserialize, Serialize};

hattari_plugin::games::defaults! {
    /// All settings of the player. In league files they are keys of an object; unknown keys are
    /// errors.
    ///
    /// A player is *superior* if it estimates its hand as better than the opponent's, otherwise
    /// *inferior*. Equations and figures are those of the paper.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct Config {
        /// True to change tendency values after each game.
        pub learning: bool = true,
        /// True to bluff. An inferior player may then stay in because of its potential, and opens
        /// cards and bets in a way that suggests strength.
        pub bluff: bool = true,
        /// True to choose the card to open by strategy; otherwise the card is random.
        pub opening: bool = true,
        /// Interpolation of the distribution function of the opponent's score between integers.
        pub between_scores: BetweenScores = BetweenScores::Lin,
        /// Effect of the adjustment on the expected strength, equation (4).
        pub adjustment: Adjustment = Adjustment::Scaled,
        /// Initial value of all tendencies, 0 to 100.
        pub tendency: f64 = 50.0,
        /// Number of latest modifications of a tendency whose mean is used.
        pub history: usize = 5,
        /// True to learn also from games that ended by a drop (a fold), if the opponent's cards are
        /// revealed.
        pub learn_from_drops: bool = true,
        /// Probability that a superior player opens the card with the lowest potential. Otherwise
        /// it opens the card with the second lowest potential.
        pub hide: f64 = 0.8,
        /// Minimum difference between potential and actual score for a bluff.
        pub bluff_margin: f64 = 0.5,
        /// Minimum difference between the shown potential and the opponent's expected score with
        /// which an inferior player stays in on turns 6 and 7.
        pub stay_margin: f64 = 0.0,
        /// True if an inferior player stays in on turn 5 when a hole card allows a bluff.
        pub stay_for_bluff: bool = true,
        /// First turn on which the bet of an inferior player depends on its potential and not on
        /// its strength.
        pub bluff_bet_from: u8 = 6,
        /// Interpretation of the intention to drop.
        pub drop: DropRule = DropRule::Probability,
        /// Minimum intention for a drop with [`DropRule::Threshold`].
        pub drop_threshold: f64 = 0.5,
        /// Variance of the noise in equation (7).
        pub noise_variance: f64 = 0.1,
        /// Membership functions of strength, bet, turn and the results of rules.
        pub sets: Sets = Sets::default(),
    }
}

impl Config {
    /// Checks the ranges of all values.
    ///
    /// # Errors
    /// Returns an error text with the key whose value is out of range, and the range.
    pub(crate) fn check(&self) -> Result<(), String> {
        for (key, value, low, high) in [
            ("tendency", self.tendency, 0.0, 100.0),
            ("hide", self.hide, 0.0, 1.0),
            ("bluff_margin", self.bluff_margin, -9.0, 9.0),
            ("stay_margin", self.stay_margin, -9.0, 9.0),
            ("drop_threshold", self.drop_threshold, 0.0, 1.0),
            ("noise_variance", self.noise_variance, 0.0, 100.0),
        ] {
            if !(low..=high).contains(&value) {
                return Err(format!(
                    "{key} is {value}, but must be from {low} to {high}"
                ));
            }
        }
        if !(1..=HISTORY_MAX).contains(&self.history) {
            return Err(format!(
                "history is {}, but must be from 1 to {HISTORY_MAX}",
                self.history
            ));
        }
        // A potential needs four open cards, which a player has from turn 4 on.
        if !(5..=8).contains(&self.bluff_bet_from) {
            return Err(format!(
                "bluff_bet_from is {}, but must be from 5 to 7, or 8 for never",
                self.bluff_bet_from
            ));
        }
        Ok(())
    }
}

/// Maximum value of [`Config::history`].
const HISTORY_MAX: usize = 100;

hattari_plugin::games::choices! {
    /// The interpolation of the distribution function of the opponent's score between integers.
    pub enum BetweenScores {
        /// Linear interpolation.
        Lin,
        /// The value at the next lower integer.
        Step,
    }

    /// The effect of the inferred adjustment on the strength `exp`, which stays in `[p - 1, p]`.
    pub enum Adjustment {
        /// The adjustment moves `exp` by this share of the distance to the end of the range: 1
        /// gives `p`, -1 gives `p - 1`.
        Scaled,
        /// The adjustment is added to `exp`, and the result is limited to the range.
        Added,
    }

    /// The interpretation of the intention to drop.
    pub enum DropRule {
        /// The intention is the probability of dropping.
        Probability,
        /// The player drops if the intention reaches a threshold.
        Threshold,
    }
}

/// The membership functions of all fuzzy sets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Sets {
    /// Sets of the strength, -1 to 1: weak and strong (figure 2a).
    pub strength: [Triangle; 2],
    /// Sets of the opponent's bet as a share of the pot, 0 to 1: few, middle and much (figure 2b).
    pub bet: [Triangle; 3],
    /// Sets of the turn divided by 7: early, middle and end (figure 2c).
    pub turn: [Triangle; 3],
    /// Sets of the degree of adjustment: negative and positive (figure 2d).
    pub adjustment: [Triangle; 2],
    /// Sets of the intention to drop, 0 to 1: ZO, PS1, PS2, PB1 and PB2 in figure 4.
    pub intention: [Triangle; 5],
    /// Sets of the modification of a tendency, -10 to 10: negative, zero and positive (figure 5).
    pub modification: [Triangle; 3],
}

impl Default for Sets {
    fn default() -> Sets {
        let set = Triangle::new;
        let thirds = [set(0.0, 0.0, 0.5), set(0.0, 0.5, 1.0), set(0.5, 1.0, 1.0)];
        Sets {
            strength: [set(-1.0, -1.0, 1.0), set(-1.0, 1.0, 1.0)],
            bet: thirds,
            turn: thirds,
            // The centres are -1 and 1, so that the full adjustment results if all rules agree.
            adjustment: [set(-2.0, -1.0, 0.0), set(0.0, 1.0, 2.0)],
            intention: [
                set(0.0, 0.0, 0.25),
                set(0.0, 0.25, 0.5),
                set(0.25, 0.5, 0.75),
                set(0.5, 0.75, 1.0),
                set(0.75, 1.0, 1.0),
            ],
            modification: [
                set(-10.0, -10.0, 0.0),
                set(-10.0, 0.0, 10.0),
                set(0.0, 10.0, 10.0),
            ],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn configs_accept_any_subset_of_keys_and_reject_invalid_values() {
        let config: Config = serde_json::from_str(
            r#"{"learning": false, "between_scores": "step", "adjustment": "added", "sets": {"bet": [[0, 0, 1], [0, 0.2, 1], [0, 1, 1]]}}"#,
        )
        .unwrap();
        assert_eq!(
            (config.learning, config.between_scores),
            (false, BetweenScores::Step)
        );
        assert_eq!((config.sets.turn, config.hide), (Sets::default().turn, 0.8));
        assert_eq!(config.check(), Ok(()));
        let told = |json: &str| match serde_json::from_str::<Config>(json) {
            Ok(config) => config.check().unwrap_err(),
            Err(error) => error.to_string(),
        };
        assert!(told(r#"{"lerning": true}"#).contains("unknown field `lerning`"));
        assert!(told(r#"{"hide": 1.5}"#).contains("hide is 1.5, but must be from 0 to 1"));
        assert!(told(r#"{"history": 0}"#).contains("history is 0"));
        assert!(told(r#"{"bluff_bet_from": 4}"#).contains("from 5 to 7, or 8 for never"));
        assert!(
            told(r#"{"sets": {"turn": [[1, 0, 1], [0, 1, 1], [0, 1, 1]]}}"#)
                .contains("not a triangle")
        );
    }

    #[test]
    fn writing_and_reading_returns_the_same_value() {
        let config = Config {
            adjustment: Adjustment::Added,
            drop: DropRule::Threshold,
            ..Config::default()
        };
        assert_eq!(
            serde_json::from_str::<Config>(&serde_json::to_string(&config).unwrap()).unwrap(),
            config
        );
    }
}
