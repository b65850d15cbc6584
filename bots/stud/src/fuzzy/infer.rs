//! The fuzzy rules whose consequents are uncertain: 18 tendency values, inference over all their
//! outcomes, and the superiority that it makes of the expectation.

use crate::fuzzy::config::{Adjustment, Config, Sets};
use crate::fuzzy::sets::centroid;
use serde::{Deserialize, Serialize};

/// Number of turns of a game.
pub const TURNS: u8 = 7;
/// Number of rules.
pub const RULES: usize = 18;

/// Tendency values, 0 to 100, by strength (weak, strong), bet (few, middle, much) and turn (early,
/// middle, end), the last fastest: a rule says "positive" with this probability in per cent, else
/// "negative".
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tendencies(pub [f64; RULES]);

/// The state that the rules look at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Premise {
    /// Expected strength, -1 to 1.
    pub exp: f64,
    /// The opponent's bet as a share of the pot, 0 to 1.
    pub bet: f64,
    /// Turn, 1 to 7.
    pub turn: u8,
}

impl Premise {
    /// How far each rule fires: the least of its three degrees.
    #[must_use]
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

/// The rule that fires most, the first of equals.
#[must_use]
pub fn strongest(firing: &[f64; RULES]) -> usize {
    let mut best = 0;
    for rule in 1..RULES {
        if firing[best] < firing[rule] {
            best = rule;
        }
    }
    best
}

/// Equation (3): the degree of adjustment, -1 to 1 with the default sets. Every combination of
/// consequents of the k rules that fire is inferred by Mamdani's method, and the 2^k results are
/// weighted by their probabilities.
///
/// 0 where no rule fires, which sets with gaps allow.
#[must_use]
pub fn infer(firing: &[f64; RULES], tendencies: &Tendencies, sets: &Sets) -> f64 {
    let mut rules: Vec<(f64, f64)> = firing
        .iter()
        .zip(tendencies.0)
        .filter(|(degree, _)| 0.0 < **degree)
        .map(|(f, t)| (*f, t / 100.0))
        .collect();
    // Strongest first, so that the height of a set is that of the first rule with this consequent.
    rules.sort_by(|a, b| b.0.total_cmp(&a.0));
    if rules.is_empty() {
        return 0.0;
    }
    let mut results = Results::new(&rules, sets);
    let mut sum = 0.0;
    // Bit i is set where rule i has the consequent "positive".
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

/// Results of Mamdani's method for one set of firing rules. Only the strongest rule of either
/// consequent matters, and the strongest of all is one of the two: 2 k results serve all 2^k
/// combinations.
struct Results<'a> {
    rules: &'a [(f64, f64)],
    sets: &'a Sets,
    /// By the consequent of the strongest rule, and the first rule that has the other one (k:
    /// none).
    known: [Vec<Option<f64>>; 2],
}

impl Results<'_> {
    fn new<'a>(rules: &'a [(f64, f64)], sets: &'a Sets) -> Results<'a> {
        let unknown = vec![None; rules.len() + 1];
        Results {
            rules,
            sets,
            known: [unknown.clone(), unknown],
        }
    }

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

/// Equation (4): moves `exp` within `[p - 1, p]`, where `p` is the probability that the opponent is
/// not stronger.
#[must_use]
pub fn adjust(exp: f64, infer: f64, p: f64, form: Adjustment) -> f64 {
    let result = match form {
        Adjustment::Scaled if 0.0 <= infer => exp + infer * (p - exp),
        Adjustment::Scaled => exp + infer * (exp - (p - 1.0)),
        Adjustment::Added => exp + infer,
    };
    result.clamp(p - 1.0, p)
}

/// The superiority, -1 to 1, with what it was made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Superiority {
    /// The adjusted strength; superior from 0 on.
    pub result: f64,
    /// The degree of adjustment.
    pub infer: f64,
    /// The rule that fired most: its tendency is the one to learn.
    pub rule: usize,
}

/// Infers the superiority in a state, `p` as in [`adjust`].
#[must_use]
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
