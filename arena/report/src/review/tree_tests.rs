//! Tests of trees with planted differences.

use super::condition;
use super::main_class::main_class;
use super::tree::{ForkClass, grow};
use hattari_play::review::{
    DecisionCount, ForkKind, ForkSum, OTHER, PerBot, REPORTED, REVIEWED, Review, ReviewBatch,
    TRAINING,
};
use hattari_plugin::games::features::FeatureValue;

/// A kind of position with forks in every batch: turn, street, number of decisions of each bot in
/// each half of the blocks, and gain from the other bot's choices in a batch, for each order.
type Position = (&'static str, &'static str, u32, i64);

/// Returns the same value for both bots.
fn both<T: Copy>(value: T) -> PerBot<T> {
    [value; 2]
}

/// Returns a review of 40 batches. Gains that are not 0 vary a little from batch to batch.
fn review(positions: &[Position]) -> Review {
    let features = positions.iter().map(|&(turn, street, ..)| {
        let words = [("turn", turn), ("street", street)];
        words
            .map(|(name, word)| (name, FeatureValue::Word(word)))
            .to_vec()
    });
    // The choices have no features.
    let features = features.chain([Vec::new()]).collect();
    let numbered = || (0_u32..).zip(positions);
    let choice = u32::try_from(positions.len()).unwrap();
    let decisions = numbered().map(|(position, &(.., decisions, _))| DecisionCount {
        position,
        by_half: [both(decisions); 2],
    });
    let batch = |index: i64| {
        let forks = numbered().map(|(position, &(.., gain))| ForkSum {
            kind: ForkKind {
                position,
                choices: both(choice),
            },
            counts: both(2),
            values: both(gain + gain.signum() * (index % 5)),
        });
        ReviewBatch {
            games: 100,
            forks: forks.collect(),
            ..ReviewBatch::default()
        }
    };
    Review {
        halves: [0, 1].map(|half| (half..40).step_by(2).map(batch).collect()),
        features,
        decisions: decisions.collect(),
        ..Review::default()
    }
}

/// Returns the number of the parent (`-` for the root) of each class, and the conditions that
/// define the class within its parent.
fn shape(classes: &[ForkClass<'_>]) -> Vec<String> {
    let text = |class: &ForkClass<'_>| {
        let (parent, known) = match class.parent {
            Some(parent) => (parent.to_string(), classes[parent].conditions.len()),
            None => ("-".to_owned(), 0),
        };
        format!("{parent} {}", condition::join(&class.conditions[known..]))
    };
    classes.iter().map(text).collect()
}

#[test]
fn the_only_decisions_with_a_gain_become_a_class() {
    let review = review(&[
        ("lead", "early", 100, 100),
        ("follow", "early", 200, 0),
        ("gift", "early", 200, 0),
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
        ("lead", "late", 30, 100),
        ("follow", "late", 30, 0),
        ("gift", "late", 30, 0),
        ("lead", "early", 400, 0),
    ]);
    // The bots agree in early decisions.
    for batch in review.halves.iter_mut().flatten() {
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
        ("lead", "early", 100, 100),
        ("follow", "early", 100, 0),
        ("follow", "late", 200, -30),
        ("gift", "early", 100, 0),
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
    let review = review(&[("lead", "early", 100, 0), ("follow", "late", 100, 0)]);
    let classes = grow(&review);
    assert_eq!(shape(&classes), ["- "]);
    assert!(!classes[0].is_divided);
    assert_eq!(main_class(&classes, 20), None);
}

#[test]
fn the_main_class_has_at_most_half_of_the_decisions_of_the_reviewed_bot() {
    let mut review = review(&[("lead", "early", 120, 100), ("follow", "early", 100, 0)]);
    // Of the decisions of both bots, leads are less than half.
    review.decisions[0].by_half[TRAINING][OTHER] = 20;
    assert_eq!(main_class(&grow(&review), 20), None);
    // With fewer decisions of the reviewed bot, the class of all leads counts.
    review.decisions[0].by_half[TRAINING][REVIEWED] = 80;
    let classes = grow(&review);
    let main = main_class(&classes, 20).expect("leads have the whole difference");
    assert_eq!(classes[main].decisions(REPORTED), 120);
}
