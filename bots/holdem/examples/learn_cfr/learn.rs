//! Learning by counterfactual regret minimisation (Zinkevich and others, "Regret Minimization in
//! Games with Incomplete Information", 2007).
//!
//! The choices of the other player and all chance events are sampled (external sampling: Lanctot
//! and others, "Monte Carlo Sampling for Regret Minimization in Extensive Games", 2009). A deal has
//! its number as weight (linear weights: Brown and Sandholm, "Solving Imperfect-Information Games
//! via Discounted Regret Minimization", 2019).

use crate::betting::{ACTIONS, Betting, BettingStep, FOLD, RAISE, STAY};
use hattari_bots_holdem::cfr::betting::{START, STREETS};
use hattari_bots_holdem::cfr::classes::{Bounds, CLASSES, NOW, WIN, shares};
use hattari_bots_holdem::cfr::strategy::{PARTS, Strategy};
use hattari_plugin::Rng;
use hattari_plugin::holdem::Strength;
use hattari_plugin::holdem::card::{self, DECK};
use hattari_plugin::holdem::equity::SampleDeck;
use std::cmp::Ordering;
use std::fmt::Write;

/// Number of hands sampled on each street to compute the bounds of its classes.
const HANDS: usize = 60_000;
/// Number of times that each player learns from the same deal. There are several passes because
/// computing the classes of the hands takes longer than a pass.
const PASSES: usize = 4;

/// Minimum probability of an action, in 63rds ([`PARTS`]). Smaller probabilities are noise of the
/// learning and are set to 0.
const PROBABILITY_MIN: u8 = 3;

/// The state of learning.
#[derive(Clone, Debug)]
pub(crate) struct Learner {
    bounds: Bounds,
    rng: Rng,
    regrets: Vec<[f64; ACTIONS]>,
    sums: Vec<[f64; ACTIONS]>,
    deals: u64,
    pack: SampleDeck,
}

/// The facts about the cards of a deal on which learning depends.
struct Cards {
    /// Classes of the hands, first by player, then by street.
    classes: [[usize; STREETS]; 2],
    /// Comparison of the first player's hand with the second player's hand at the showdown.
    first: Ordering,
}

impl Learner {
    /// Creates a learner. Learning depends only on `seed` and the number of deals.
    pub(crate) fn new(seed: u64) -> Learner {
        let mut rng = Rng::new(seed);
        let bounds = sampled_bounds(HANDS, &mut rng);
        let count = START[STREETS];
        let nothing = || vec![[0.0; ACTIONS]; count];
        Learner {
            bounds,
            rng,
            regrets: nothing(),
            sums: nothing(),
            deals: 0,
            pack: SampleDeck::new(DECK),
        }
    }

    /// Learns from one more deal.
    pub(crate) fn deal(&mut self) {
        self.deals += 1;
        let drawn = self.pack.draw(9, &mut self.rng);
        let hands = [card::set_of(&drawn[..2]), card::set_of(&drawn[2..4])];
        let board = |cards: usize| card::set_of(&drawn[4..4 + cards]);
        let boards = [0, board(3), board(4), board(5)];
        let classes =
            hands.map(|hand| boards.map(|board| self.bounds.class(hand, board, &mut self.rng)));
        let [one, other] = hands.map(|hand| Strength::of(hand | boards[3]));
        let cards = Cards {
            classes,
            first: one.cmp(&other),
        };
        for _ in 0..PASSES {
            for learner in 0..2 {
                self.pass(&Betting::new(), &cards, learner);
            }
        }
    }

    /// Updates regrets and sums from this decision to the end of the deal. Returns the value of the
    /// deal for the player who learns, in small bets.
    fn pass(&mut self, betting: &Betting, cards: &Cards, learner: usize) -> f64 {
        let player = betting.player();
        let decision = betting
            .situation()
            .decision(cards.classes[player][betting.street()]);
        let chances = chances(betting, &self.regrets[decision]);
        let weight = self.deals as f64;
        if player != learner {
            let mut left = self.rng.unit();
            let mut chosen = STAY;
            for (action, (sum, chance)) in self.sums[decision].iter_mut().zip(chances).enumerate() {
                *sum += weight * chance;
                if chance > 0.0 && left >= 0.0 {
                    chosen = action;
                }
                left -= chance;
            }
            return self.after(betting, chosen, cards, learner);
        }
        let mut worth = [0.0; ACTIONS];
        let mut mean = 0.0;
        for action in (0..ACTIONS).filter(|&action| betting.allows(action)) {
            worth[action] = self.after(betting, action, cards, learner);
            mean += chances[action] * worth[action];
        }
        for action in (0..ACTIONS).filter(|&action| betting.allows(action)) {
            self.regrets[decision][action] += weight * (worth[action] - mean);
        }
        mean
    }

    fn after(&mut self, betting: &Betting, action: usize, cards: &Cards, learner: usize) -> f64 {
        match betting.after(action) {
            BettingStep::Decide(next) => self.pass(&next, cards, learner),
            BettingStep::Folded(player, lost) => {
                if player == learner {
                    -lost
                } else {
                    lost
                }
            }
            BettingStep::Showdown(stake) => {
                let ordering = if learner == 0 {
                    cards.first
                } else {
                    cards.first.reverse()
                };
                stake * f64::from(ordering as i8)
            }
        }
    }

    /// Returns the average strategy of all deals so far.
    pub(crate) fn strategy(&self) -> Strategy {
        let chances = self.sums.iter().map(|sums| {
            let all: f64 = sums.iter().sum();
            (all > 0.0).then(|| [sums[FOLD] / all, sums[RAISE] / all])
        });
        Strategy {
            bounds: self.bounds.clone(),
            chances: chances.map(rounded).collect(),
        }
    }
}

/// Returns the probabilities of the actions, in proportion to positive regrets. If no regret is
/// positive, all allowed actions have the same probability.
fn chances(betting: &Betting, regrets: &[f64; ACTIONS]) -> [f64; ACTIONS] {
    let mut chances = [0.0; ACTIONS];
    let allowed = || (0..ACTIONS).filter(|&action| betting.allows(action));
    let all: f64 = allowed().map(|action| regrets[action].max(0.0)).sum();
    let alike = 1.0 / allowed().map(|_| 1.0).sum::<f64>();
    for action in allowed() {
        chances[action] = if all > 0.0 {
            regrets[action].max(0.0) / all
        } else {
            alike
        };
    }
    chances
}

/// Returns the probabilities of fold and raise at a decision in [`PARTS`]. `None` stands for a
/// decision that is always a check or call.
fn rounded(known: Option<[f64; 2]>) -> [u8; 2] {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a chance"
    )]
    let parts = |chance: f64| (chance * f64::from(PARTS)).round() as u8;
    let [fold, raise] = known.unwrap_or_default().map(parts);
    let stay = PARTS.saturating_sub(fold + raise);
    // Rare actions are added to the most frequent action. An action that is almost certain
    // becomes certain.
    match [fold, stay, raise] {
        [fold, stay, raise] if fold < PROBABILITY_MIN && raise < PROBABILITY_MIN && stay > 0 => {
            [0, 0]
        }
        [fold, stay, raise] if fold < PROBABILITY_MIN => {
            [0, if stay < PROBABILITY_MIN { PARTS } else { raise }]
        }
        [fold, stay, raise] if raise < PROBABILITY_MIN => {
            [if stay < PROBABILITY_MIN { PARTS } else { fold }, 0]
        }
        [fold, stay, _] if stay < PROBABILITY_MIN => [fold, PARTS - fold],
        _ => [fold, raise],
    }
}

/// Samples `hands` random hands per street, and returns bounds that make the classes about
/// equally likely.
fn sampled_bounds(hands: usize, rng: &mut Rng) -> Bounds {
    let mut bounds = Bounds::default();
    let mut pack = SampleDeck::new(DECK);
    for street in 1..STREETS {
        let mut found: Vec<(u16, u16)> = (0..hands)
            .map(|_| {
                let drawn = pack.draw(street + 4, rng);
                let (hand, community) = (card::set_of(&drawn[..2]), card::set_of(&drawn[2..]));
                shares(hand, community, rng)
            })
            .collect();
        found.sort_unstable();
        if street == 3 {
            let all = WIN * NOW;
            (1..all).for_each(|class| bounds.river[class - 1] = found[class * hands / all].0);
            continue;
        }
        let (ends, nows) = &mut bounds.streets[street - 1];
        for class in 0..WIN {
            let of_class = &mut found[class * hands / WIN..(class + 1) * hands / WIN];
            if class > 0 {
                ends[class - 1] = of_class[0].0;
            }
            of_class.sort_unstable_by_key(|(_, now)| *now);
            (1..NOW)
                .for_each(|part| nows[class][part - 1] = of_class[part * of_class.len() / NOW].1);
        }
    }
    bounds
}

/// Returns a strategy as text, which [`Strategy::parse`] reads.
pub(crate) fn text(strategy: &Strategy) -> String {
    let mut text = String::new();
    let mut numbers = |numbers: &[u16]| {
        let numbers: Vec<String> = numbers.iter().map(u16::to_string).collect();
        writeln!(text, "{}", numbers.join(" ")).expect("writing to a string succeeds");
    };
    for (ends, nows) in &strategy.bounds.streets {
        numbers(ends);
        nows.iter().for_each(|now| numbers(now));
    }
    numbers(&strategy.bounds.river);
    for street in 0..STREETS {
        for of_situation in
            strategy.chances[START[street]..START[street + 1]].chunks(CLASSES[street])
        {
            text.extend(
                of_situation
                    .iter()
                    .flatten()
                    .map(|&parts| char::from(b'0' + parts)),
            );
            text.push('\n');
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cfr_training_is_deterministic_and_strategies_survive_a_round_trip() {
        let learnt = || {
            let mut learner = Learner::new(7);
            (0..50).for_each(|_| learner.deal());
            learner.strategy()
        };
        let strategy = learnt();
        assert_eq!(strategy, learnt());
        assert_eq!(Strategy::parse(&text(&strategy)), Ok(strategy));
    }

    #[test]
    fn better_hands_have_higher_classes_of_similar_probability() {
        let mut rng = Rng::new(1);
        let bounds = sampled_bounds(4000, &mut rng);
        let set = |text: &str| card::parse_set(text).unwrap();
        for board in ["2c7d9h", "2c7d9hJs", "2c7d9hJsKd"] {
            let classes = ["3s4c", "AsTc", "9c8s", "9c9d"]
                .map(|hand| bounds.class(set(hand), set(board), &mut rng));
            assert!(
                classes.is_sorted() && classes[0] < classes[3],
                "{board}: {classes:?}"
            );
        }
        // A draw and a made hand with similar win rates have different classes.
        let mut pack = SampleDeck::new(DECK);
        let mut counts = vec![0; WIN * NOW];
        for _ in 0..2400 {
            let drawn = pack.draw(5, &mut rng).to_vec();
            counts[bounds.class(
                card::set_of(&drawn[..2]),
                card::set_of(&drawn[2..]),
                &mut rng,
            )] += 1;
        }
        assert!(
            counts.iter().all(|&count| (15..120).contains(&count)),
            "{counts:?}"
        );
    }
}
