//! Tests of trees with planted differences.

use super::condition;
use super::estimate::{REPORTED, TRAINING};
use super::main_class::main_class;
use super::tree::{ForkClass, grow};
use hattari_play::review::{DecisionCount, ForkKind, ForkSum, PerBot, Review, ReviewBatch};
use hattari_plugin::games::features::FeatureValue;

/// A kind of position with forks in every batch.
struct Position {
    turn: &'static str,
    street: &'static str,
    /// Number of decisions of each bot in each half of the batches.
    decisions: u32,
    /// Gain from the other bot's choices in a batch, for each order.
    gain: i64,
}

fn position(turn: &'static str, street: &'static str, decisions: u32, gain: i64) -> Position {
    Position {
        turn,
        street,
        decisions,
        gain,
    }
}

/// Returns a review of 40 batches. Gains that are not 0 vary a little from batch to batch.
fn review(positions: &[Position]) -> Review {
    let features = positions.iter().map(|position| {
        let words = [("turn", position.turn), ("street", position.street)];
        words
            .map(|(name, word)| (name, FeatureValue::Word(word)))
            .to_vec()
    });
    // The choices have no features.
    let features = features.chain([Vec::new()]).collect();
    let numbered = || (0_u32..).zip(positions);
    let choice = u32::try_from(positions.len()).unwrap();
    let decisions = numbered().map(|(number, position)| {
        let counts = PerBot {
            other: position.decisions,
            reviewed: position.decisions,
        };
        DecisionCount {
            position: number,
            by_half: [counts; 2],
        }
    });
    let batch = |index: i64| {
        let forks = numbered().map(|(number, position)| {
            let gain = position.gain + position.gain.signum() * (index % 5);
            ForkSum {
                kind: ForkKind {
                    position: number,
                    choices: PerBot {
                        other: choice,
                        reviewed: choice,
                    },
                },
                counts: PerBot {
                    other: 2,
                    reviewed: 2,
                },
                values: PerBot {
                    other: gain,
                    reviewed: gain,
                },
            }
        });
        ReviewBatch {
            games: 100,
            forks: forks.collect(),
            ..ReviewBatch::default()
        }
    };
    Review {
        batches: (0..40).map(batch).collect(),
        features,
        decisions: decisions.collect(),
        ..Review::default()
    }
}

/// Returns the number of the parent (`-` for the root) of each class, and the conditions that
/// define the class within its parent.
fn shape(classes: &[ForkClass<'_>]) -> Vec<String> {
    let text = |class: &ForkClass<'_>| {
        let parent = class
            .parent
            .map_or_else(|| "-".to_owned(), |parent| parent.to_string());
        let known = class
            .parent
            .map_or(0, |parent| classes[parent].conditions.len());
        format!("{parent} {}", condition::join(&class.conditions[known..]))
    };
    classes.iter().map(text).collect()
}

#[test]
fn the_only_decisions_with_a_gain_become_a_class() {
    let review = review(&[
        position("lead", "early", 100, 100),
        position("follow", "early", 200, 0),
        position("gift", "early", 200, 0),
    ]);
    let classes = grow(&review);
    assert_eq!(
        shape(&classes),
        ["- ", "0 turn: lead", "0 turn: other than lead"]
    );
    assert!(classes[0].is_divided && !classes[1].is_divided);
    let decisions: Vec<u64> = classes
        .iter()
        .map(|class| class.decisions(REPORTED))
        .collect();
    assert_eq!(decisions, [500, 100, 400]);
    // The forks of 20 reported batches: 4 of each position.
    assert_eq!(classes[1].fork_count(REPORTED), 20 * 4);
    assert_eq!(main_class(&classes, 20), Some(1));
}

#[test]
fn all_forks_are_the_main_class_if_they_share_a_word_and_contain_the_whole_difference() {
    let mut review = review(&[
        position("lead", "late", 30, 100),
        position("follow", "late", 30, 0),
        position("gift", "late", 30, 0),
        position("lead", "early", 400, 0),
    ]);
    // The bots agree in early decisions.
    for batch in &mut review.batches {
        batch.forks.retain(|fork| fork.kind.position != 3);
    }
    let classes = grow(&review);
    assert_eq!(
        shape(&classes),
        [
            "- ",
            "0 street: late",
            "1 turn: lead",
            "1 turn: other than lead",
        ]
    );
    assert!(classes[0].is_divided && classes[1].is_divided);
    assert_eq!(classes[1].decisions(REPORTED), 90);
    // Class 2 contains the whole difference, too, but fewer forks.
    assert_eq!(main_class(&classes, 20), Some(1));
}

#[test]
fn the_subclasses_of_a_large_class_take_its_place() {
    let review = review(&[
        position("lead", "early", 100, 100),
        position("follow", "early", 100, 0),
        position("follow", "late", 200, -30),
        position("gift", "early", 100, 0),
    ]);
    let classes = grow(&review);
    // The class `turn: other than lead` has 80 % of the decisions.
    assert_eq!(
        shape(&classes),
        [
            "- ",
            "0 turn: lead",
            "0 turn: other than lead, street: early",
            "0 turn: other than lead, street: other than early",
        ]
    );
    assert!(classes[1..].iter().all(|class| !class.is_divided));
}

#[test]
fn a_review_without_gains_has_only_the_class_of_all_decisions() {
    let review = review(&[
        position("lead", "early", 100, 0),
        position("follow", "late", 100, 0),
    ]);
    let classes = grow(&review);
    assert_eq!(shape(&classes), ["- "]);
    assert!(!classes[0].is_divided);
    assert_eq!(main_class(&classes, 20), None);
}

#[test]
fn the_main_class_has_at_most_half_of_the_decisions_of_the_reviewed_bot() {
    let mut review = review(&[
        position("lead", "early", 120, 100),
        position("follow", "early", 100, 0),
    ]);
    // Of the decisions of both bots, leads are less than half.
    review.decisions[0].by_half[TRAINING].other = 20;
    assert_eq!(main_class(&grow(&review), 20), None);
    // With fewer decisions of the reviewed bot, the class of all leads counts.
    review.decisions[0].by_half[TRAINING].reviewed = 80;
    let classes = grow(&review);
    let main = main_class(&classes, 20).expect("leads have the whole difference");
    assert_eq!(classes[main].decisions(REPORTED), 120);
}
