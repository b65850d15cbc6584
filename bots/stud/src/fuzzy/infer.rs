//! Fuzzy rules with uncertain consequents: 18 tendency values, inference over all combinations of
//! consequents, and the resulting superiority.

use crate::fuzzy::config::{Adjustment, Config, Sets};
use crate::fuzzy::sets::centroid;

/// Number of turns (betting intervals) in a game.
pub(crate) const TURNS: u8 = 7;
/// Number of rules.
pub const RULES: usize = 18;

/// Tendency values of the rules, 0 to 100: the probability, in per cent, that the consequent of a
/// rule is "positive" and not "negative". The rules are sorted by strength (weak, strong), then by
/// bet (few, middle, much), then by turn (early, middle, end).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tendencies(pub [f64; RULES]);

/// The inputs of the rules.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Premise {
    /// Expected strength, -1 to 1.
    pub exp: f64,
    /// Opponent's bet as a share of the pot, 0 to 1.
    pub bet: f64,
    /// Turn, 1 to 7.
    pub turn: u8,
}

impl Premise {
    /// Returns the firing degree of each rule: the minimum of the membership degrees of strength,
    /// bet and turn.
    pub fn firing(&self, sets: &Sets) -> [f64; RULES] {
        let turn = f64::from(self.turn) / f64::from(TURNS);
        let mut firing = [0.0; RULES];
        let mut rule = 0;
        for strength in sets.strength {
            for bet in sets.bet {
                for end in sets.turn {
                    firing[rule] = strength
                        .degree(self.exp)
                        .min(bet.degree(self.bet))
                        .min(end.degree(turn));
                    rule += 1;
                }
            }
        }
        firing
    }
}

/// Returns the index of the first rule with the highest degree.
pub fn strongest(firing: &[f64; RULES]) -> usize {
    let mut best = 0;
    for rule in 1..RULES {
        if firing[best] < firing[rule] {
            best = rule;
        }
    }
    best
}

/// Returns the degree of adjustment, equation (3) of the paper. With the default sets it is from -1
/// to 1.
///
/// Every combination of consequents of the k rules with a degree above 0 is inferred by Mamdani's
/// method. The 2^k results are weighted by their probabilities. Returns 0 if there is no such rule,
/// which is possible if the sets have gaps.
pub fn infer(firing: &[f64; RULES], tendencies: &Tendencies, sets: &Sets) -> f64 {
    let mut rules: Vec<(f64, f64)> = firing
        .iter()
        .zip(tendencies.0)
        .filter(|(degree, _)| 0.0 < **degree)
        .map(|(f, t)| (*f, t / 100.0))
        .collect();
    // The strongest rule is first, so that the height of a set is the degree of the first rule with
    // this consequent.
    rules.sort_by(|a, b| b.0.total_cmp(&a.0));
    if rules.is_empty() {
        return 0.0;
    }
    let unknown = vec![None; rules.len() + 1];
    let mut results = Results {
        rules: &rules,
        sets,
        known: [unknown.clone(), unknown],
    };
    let mut sum = 0.0;
    // Bit i is set if rule i has the consequent "positive".
    for consequents in 0u32..1 << rules.len() {
        let probability: f64 = rules
            .iter()
            .enumerate()
            .map(|(index, (_, positive))| {
                if consequents >> index & 1 == 1 {
                    *positive
                } else {
                    1.0 - positive
                }
            })
            .product();
        if 0.0 < probability {
            sum += probability * results.of(consequents);
        }
    }
    sum
}

/// Cache of the results of Mamdani's method for one set of active rules. A result depends only on
/// the strongest rule for each consequent, and one of these two rules is the strongest of all. The
/// 2^k combinations therefore have only 2 k different results.
struct Results<'a> {
    rules: &'a [(f64, f64)],
    sets: &'a Sets,
    /// Results by the consequent of the strongest rule, then by the index of the first rule with
    /// the other consequent (k if there is none).
    known: [Vec<Option<f64>>; 2],
}

impl Results<'_> {
    fn of(&mut self, consequents: u32) -> f64 {
        let positive = consequents & 1 == 1;
        let differing = if positive { !consequents } else { consequents };
        let other = (differing.trailing_zeros() as usize).min(self.rules.len());
        let (rules, sets) = (self.rules, self.sets);
        *self.known[usize::from(positive)][other].get_or_insert_with(|| {
            let heights = (rules[0].0, rules.get(other).map_or(0.0, |rule| rule.0));
            let (negative, positive) = if positive {
                (heights.1, heights.0)
            } else {
                heights
            };
            centroid(&[
                (sets.adjustment[0], negative),
                (sets.adjustment[1], positive),
            ])
            .unwrap_or(0.0)
        })
    }
}

/// Returns the strength `exp` after the adjustment `infer`, within `[p - 1, p]` (equation (4) of
/// the paper). `p` is the probability that the opponent is not stronger.
pub fn adjust(exp: f64, infer: f64, p: f64, form: Adjustment) -> f64 {
    let result = match form {
        Adjustment::Scaled if 0.0 <= infer => exp + infer * (p - exp),
        Adjustment::Scaled => exp + infer * (exp - (p - 1.0)),
        Adjustment::Added => exp + infer,
    };
    result.clamp(p - 1.0, p)
}

/// The superiority of the player, with intermediate results.
#[derive(Clone, Copy, Debug)]
pub struct Superiority {
    /// Adjusted strength, -1 to 1. The player is superior if it is at least 0.
    pub result: f64,
    /// Degree of adjustment, the result of [`infer`].
    pub infer: f64,
    /// Index of the rule with the highest degree, whose tendency is learned.
    pub rule: usize,
}

/// Infers the superiority. `p` is the probability that the opponent is not stronger.
pub fn superiority(
    premise: &Premise,
    p: f64,
    tendencies: &Tendencies,
    config: &Config,
) -> Superiority {
    let firing = premise.firing(&config.sets);
    let infer = infer(&firing, tendencies, &config.sets);
    Superiority {
        result: adjust(premise.exp, infer, p, config.adjustment),
        infer,
        rule: strongest(&firing),
    }
}
