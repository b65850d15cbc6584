//! Compares `hattari review` with exact values from the game tree.

use crate::command::strategy;
use crate::solve::{kuhn, trained};
use crate::support::{JsonPart, folder};
use hattari_outside::cfr::Strategy;
use hattari_outside::kuhn::{situation, stage};
use serde_json::Value;
use std::collections::BTreeMap;

/// Probabilities of the two actions at a stage with a card.
fn chances(strategy: &Strategy, card: u8, stage: u8) -> [f64; 2] {
    let chances = &strategy.0[&situation(card, stage)];
    [chances[0], chances[1]]
}

/// The names that the features of Kuhn poker give to a stage and its two actions.
fn words(stage: u8) -> (&'static str, [&'static str; 2]) {
    match stage {
        stage::OPEN => ("first", ["check", "bet"]),
        stage::CHECKED => ("after a check", ["check", "bet"]),
        stage::BET => ("after a bet", ["fold", "call"]),
        _ => ("after check and bet", ["fold", "call"]),
    }
}

/// The stage after an action, or the chips that seat 0 wins.
fn next(cards: [u8; 2], stage: u8, action: usize) -> Result<u8, f64> {
    let higher = if cards[0] > cards[1] { 1.0 } else { -1.0 };
    match (stage, action) {
        (stage::OPEN, 0) => Ok(stage::CHECKED),
        (stage::OPEN, _) => Ok(stage::BET),
        (stage::CHECKED, 0) => Err(higher),
        (stage::CHECKED, _) => Ok(stage::CHECK_BET),
        (stage::BET, 0) => Err(1.0),
        (stage::CHECK_BET, 0) => Err(-1.0),
        _ => Err(2.0 * higher),
    }
}

fn actor(stage: u8) -> usize {
    usize::from(stage == stage::CHECKED || stage == stage::BET)
}

/// The expected chips of seat 0 from a stage on, where `players` has a strategy for each seat.
fn value(cards: [u8; 2], stage: u8, players: [&Strategy; 2]) -> f64 {
    let seat = actor(stage);
    let [first, second] = chances(players[seat], cards[seat], stage);
    let after = |action| value_after(cards, stage, action, players);
    first * after(0) + second * after(1)
}

/// The expected chips of seat 0 after an action at a stage.
fn value_after(cards: [u8; 2], stage: u8, action: usize, players: [&Strategy; 2]) -> f64 {
    match next(cards, stage, action) {
        Ok(stage) => value(cards, stage, players),
        Err(chips) => chips,
    }
}

/// A fork: card, turn, and the actions of the reviewed bot and of the other.
type Key = (&'static str, &'static str, &'static str, &'static str);

/// Sums the exact values of forks by key, in chips per game.
struct Exact<'s> {
    of: &'s Strategy,
    by: &'s Strategy,
    field: &'s Strategy,
    sums: BTreeMap<Key, f64>,
}

impl Exact<'_> {
    /// Adds the forks from a stage on. `first` has decided before and `last` decides afterwards.
    fn add(&mut self, cards: [u8; 2], seat: usize, stage: u8, weight: f64, order: usize) {
        let acts = actor(stage);
        if acts != seat {
            for (action, chance) in chances(self.field, cards[acts], stage)
                .into_iter()
                .enumerate()
            {
                if let Ok(stage) = next(cards, stage, action) {
                    self.add(cards, seat, stage, weight * chance, order);
                }
            }
            return;
        }
        let card = cards[seat];
        let (of, by) = (chances(self.of, card, stage), chances(self.by, card, stage));
        let (before, after) = if order == 0 {
            (of, self.by)
        } else {
            (by, self.of)
        };
        let mut players = [self.field; 2];
        players[seat] = after;
        let sign = if seat == 0 { 1.0 } else { -1.0 };
        let worth = [0, 1].map(|action| sign * value_after(cards, stage, action, players));
        let (turn, actions) = words(stage);
        let card = ["J", "Q", "K"][usize::from(card)];
        for (own, other) in [(0, 1), (1, 0)] {
            let gain = of[own] * by[other] * (worth[other] - worth[own]);
            let key = (card, turn, actions[own], actions[other]);
            *self.sums.entry(key).or_default() += weight * gain / 2.0;
        }
        for (action, chance) in before.into_iter().enumerate() {
            if let Ok(stage) = next(cards, stage, action) {
                self.add(cards, seat, stage, weight * chance, order);
            }
        }
    }

    /// The mean gain from an action in place of another over the cards that the other player may
    /// hold, with `by` after the fork.
    fn gain(&self, (card, stage): (u8, u8), [by, of]: [usize; 2]) -> f64 {
        let seat = actor(stage);
        let mut players = [self.field; 2];
        players[seat] = self.by;
        let sign = if seat == 0 { 1.0 } else { -1.0 };
        let mut sum = 0.0;
        for other in (0..3).filter(|&other| other != card) {
            let cards = if seat == 0 {
                [card, other]
            } else {
                [other, card]
            };
            let worth = [by, of].map(|action| value_after(cards, stage, action, players));
            sum += sign * (worth[0] - worth[1]) / 2.0;
        }
        sum
    }

    /// The value of the forks that meet the conditions of a class.
    fn of_class(&self, conditions: &[Value]) -> f64 {
        let meets = |key: &Key| {
            conditions.iter().all(|condition| {
                let (name, wanted) = condition.text().split_once(": ").unwrap();
                let other = wanted.strip_prefix("other than ");
                let pattern = other.unwrap_or(wanted);
                let fits = match (name, pattern.split_once(" → ")) {
                    ("card", _) => key.0 == pattern,
                    ("turn", _) => key.1 == pattern,
                    (_, Some((of, by))) => {
                        (of == "any" || of == key.2) && (by == "any" || by == key.3)
                    }
                    _ => panic!("{condition}"),
                };
                fits == other.is_none()
            })
        };
        let sums = self.sums.iter().filter(|(key, _)| meets(key));
        sums.map(|(_, sum)| sum).sum()
    }
}

/// Reviews `of` by `by` against the equilibrium and compares all classes with exact values.
#[track_caller]
fn agrees(of: &str, by: &str, deals: u32) {
    let folder = folder();
    let league = format!(
        "game: kuhn\nseed: 1950\nentrants: [optimal, {of}, {by}]\n\
         format: {{kind: challenge, challengers: [{of}, {by}], field: [optimal]}}\n\
         blocks: {}\ndeals: 50\nduplicate: true\nsame_deals: true\nisolation: none\n",
        deals / 100
    );
    folder.write("leagues/known.yaml", league);
    // Bots run in this process: a review starts them for every game.
    folder.succeeds("run leagues/known.yaml --blocks 1 --trust --no-report");
    let review = format!(
        "review leagues/known.yaml --of {of} --by {by} --deals {deals} --forks 6 --samples 1500 --format json"
    );
    let report = folder.succeeds(review).json();

    let (_, field) = trained(kuhn(), 500);
    let (of, by) = (strategy(of), strategy(by));
    let mut exact = Exact {
        of: &of,
        by: &by,
        field: &field,
        sums: BTreeMap::new(),
    };
    for cards in [[0, 1], [0, 2], [1, 0], [1, 2], [2, 0], [2, 1]] {
        for (seat, order) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            // Six deals, two seats; the halves of the orders are taken in `add`.
            exact.add(cards, seat, stage::OPEN, 1.0 / 12.0, order);
        }
    }
    let forks = report["forks"].list();
    assert!(forks.len() > 6, "{report}");
    for fork in forks {
        let word = |number: usize| fork["position"][number][1].text();
        let card = (0..3).find(|&card: &u8| ["J", "Q", "K"][usize::from(card)] == word(0));
        let stages = [stage::OPEN, stage::CHECKED, stage::BET, stage::CHECK_BET];
        let stage = stages.into_iter().find(|&stage| words(stage).0 == word(1));
        let place = (card.unwrap(), stage.unwrap());
        let actions = [0, 1].map(|bot| {
            let line = fork["continuations"][bot][0].text();
            usize::from(line.contains("bets") || line.contains("calls"))
        });
        let known = exact.gain(place, actions);
        let sampled = &fork["sampled"];
        let found = sampled["gain"]["value"].float();
        println!("{place:?} {actions:?}: {sampled}, exactly {known:+.4}");
        assert_eq!(sampled["deals"], 1500);
        match sampled["gain"]["se"].as_f64() {
            Some(se) => assert!((found - known).abs() <= 4.0 * se, "{fork}"),
            None => assert!((found - known).abs() < 1e-9, "{fork}"),
        }
    }
    let classes = report["classes"].list();
    // Bots that score alike leave nothing to divide: `cautious` and `honest` do.
    let is_equal = exact.of_class(&[]).abs() < 0.005;
    assert!(is_equal || classes.len() > 2, "no classes: {report}");
    for class in classes {
        let conditions = class["conditions"].list();
        let known = exact.of_class(conditions);
        let (found, se) = (class["value"].float(), class["se"].as_f64());
        println!("{conditions:?}: {found:+.4} ± {se:?}, exactly {known:+.4}");
        match se {
            Some(se) => assert!((found - known).abs() <= 3.0 * se, "{class}"),
            None => assert!((found - known).abs() < 1e-9, "{class}"),
        }
    }
}

#[test]
fn classes_of_a_review_agree_with_the_game_tree() {
    agrees("bold", "honest", 4_000);
}

#[test]
#[ignore = "long: .ci/nightly runs it"]
fn nightly_classes_of_reviews_agree_with_the_game_tree_on_many_deals() {
    agrees("bold", "honest", 100_000);
    agrees("cautious", "honest", 100_000);
    agrees("bold", "cautious", 100_000);
}
