//! A tree of classes of forks: the features of decisions that explain the difference of two bots. A
//! fork is a decision in which the two bots choose differently.
//!
//! The tree grows on the *training half* of the blocks; results come from the other half. Every
//! split divides a class by one condition. Its rating is the value of the decisions that meet the
//! condition, minus what it would be if all decisions of the class had the same value:
//!
//! | D₁ − D n₁/n |
//!
//! D is the sum of values of the class and n its number of unforced decisions; D₁ and n₁ belong to
//! the decisions that meet the condition. Decisions on which the bots agree have the value 0. In
//! classes with a condition on the choices, only forks count. This is the weighted relative accuracy
//! of subgroup discovery, or the gap between a Lorenz curve and its diagonal. A large group with most
//! of the value is therefore better than a small group with extreme values.
//!
//! The standard error over blocks is subtracted from the rating. The split with the largest rating of
//! all classes is made first. Every class also lists the conditions that all its forks share.

use hattari_agents::table::{FeatureAtFork, FeatureValues};
use hattari_play::review::{DecisionCount, ForkSum, Review};
use hattari_plugin::games::features::FeatureValue;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of splits of a tree.
const SPLITS_MAX: usize = 4;
/// Maximum number of splits from the root to a class.
const DEPTH_MAX: usize = 3;
/// Minimum number of decisions of a group in the training half.
const DECISIONS_MIN: u64 = 20;
/// Minimum ratio of a split's difference to its standard error.
const RATIO_MIN: f64 = 2.0;
/// Maximum share of the decisions of a class that have a value which all its forks share, if this
/// is a condition of the class.
const COMMON_MAX: f64 = 0.9;

/// The name of a feature; `true` if it describes the two choices, `false` if it describes the
/// position.
type Feature = (&'static str, bool);

/// A condition on the value of a feature.
#[derive(Clone, Copy, Debug)]
enum Condition {
    /// A number of at least this size.
    AtLeast(u8),
    /// This word for the choice of one bot, the reviewed bot (`false`) or the other bot (`true`).
    Choice(FeatureValue, bool),
    /// This value.
    Is(FeatureAtFork),
}

impl Condition {
    fn holds(self, value: FeatureAtFork) -> bool {
        match (self, value) {
            (Condition::AtLeast(from), FeatureAtFork::Position(FeatureValue::Count(number))) => {
                from <= number
            }
            (Condition::Choice(word, is_by), FeatureAtFork::Choices(of, by)) => {
                word == if is_by { by } else { of }
            }
            (Condition::Is(known), value) => known == value,
            _ => false,
        }
    }

    /// Returns the text of the condition, or of its opposite.
    fn label(self, holds: bool) -> String {
        let label = match self {
            Condition::AtLeast(from) if holds => return format!("{from} or more"),
            Condition::AtLeast(from) => return format!("{} or fewer", from.saturating_sub(1)),
            Condition::Choice(word, is_by) => {
                let word = FeatureAtFork::Position(word);
                if is_by {
                    format!("any → {word}")
                } else {
                    format!("{word} → any")
                }
            }
            Condition::Is(value) => value.to_string(),
        };
        if holds {
            label
        } else {
            format!("other than {label}")
        }
    }
}

/// A division of a class by a condition on a feature.
#[derive(Debug)]
struct Split {
    feature: Feature,
    condition: Condition,
}

/// Forks of a batch with the same features.
#[derive(Clone, Copy, Debug)]
pub(super) struct ForkItem<'r> {
    /// Index of the batch.
    pub block: usize,
    /// Number and gains of the forks.
    pub sum: &'r ForkSum,
}

impl ForkItem<'_> {
    /// Returns the number of forks.
    pub(super) fn count(&self) -> u64 {
        self.sum.counts.map(u64::from).iter().sum()
    }

    /// Returns the gain from the other bot's choices in points, summed over both orders of the
    /// bots.
    fn value(&self) -> f64 {
        self.sum.values.iter().sum::<i64>() as f64
    }
}

/// A class of forks.
#[derive(Debug, Default)]
pub(super) struct ForkClass<'r> {
    /// Index of the parent class.
    pub parent: Option<usize>,
    /// The conditions that define the class within its parent: splits, and values that all forks
    /// share.
    pub conditions: Vec<String>,
    /// Number of splits from the root.
    pub depth: usize,
    /// `true` if the class has subclasses.
    pub is_divided: bool,
    /// Forks in the reported half of the blocks.
    pub items: Vec<ForkItem<'r>>,
    /// Number of unforced decisions of the reviewed bot in the positions of the class, in the
    /// reported half. If a condition is on the choices, only decisions on which the bots differ
    /// count.
    pub decisions: u64,
    /// The features of choices for which this class or a class above has a condition.
    choices: Vec<Feature>,
    training: Vec<ForkItem<'r>>,
    positions: Vec<PositionCount>,
}

impl ForkClass<'_> {
    /// Returns the number of decisions in the training half.
    fn size(&self) -> u64 {
        if self.choices.is_empty() {
            self.positions.iter().map(|count| count.training).sum()
        } else {
            self.training.iter().map(ForkItem::count).sum()
        }
    }
}

/// Numbers of unforced decisions in positions with the same features.
#[derive(Clone, Copy, Debug, Default)]
struct PositionCount {
    /// Index of the features of the position.
    position: u32,
    /// Number of decisions of both bots in the training half.
    training: u64,
    /// Number of decisions of the reviewed bot in the reported half.
    reported: u64,
}

/// The features of all forks of a review.
struct FeatureTable<'r> {
    features: Vec<Feature>,
    values: &'r [FeatureValues],
}

impl FeatureTable<'_> {
    fn of_position(&self, feature: Feature, count: &PositionCount) -> FeatureAtFork {
        FeatureAtFork::new(feature, &self.values[count.position as usize], None)
    }

    fn of_item(&self, feature: Feature, item: &ForkItem<'_>) -> FeatureAtFork {
        let choices = item.sum.choices.map(|index| &self.values[index as usize]);
        FeatureAtFork::new(
            feature,
            &self.values[item.sum.position as usize],
            Some(choices),
        )
    }
}

/// Grows the tree of a review. `is_reported` is the list of `halves`. The first class is the root,
/// and parents come before their children.
pub(super) fn grow<'r>(review: &'r Review, is_reported: &[bool]) -> Vec<ForkClass<'r>> {
    let (table, items) = table(review);
    let half = |wanted: bool| -> Vec<ForkItem<'r>> {
        let belongs = |item: &&ForkItem<'_>| is_reported[item.block] == wanted;
        items.iter().filter(belongs).copied().collect()
    };
    let positions = positions(review);
    let mut nodes = vec![ForkClass {
        items: half(true),
        training: half(false),
        decisions: positions.iter().map(|count| count.reported).sum(),
        positions,
        ..ForkClass::default()
    }];
    let blocks = is_reported.iter().filter(|is| !**is).count();
    let mut splits: Vec<Option<(f64, Split)>> = vec![best(&table, &nodes[0], blocks)];
    for _ in 0..SPLITS_MAX {
        let rating = |split: &Option<(f64, Split)>| split.as_ref().map_or(0.0, |split| split.0);
        let best_node = (0..nodes.len())
            .max_by(|&a, &b| rating(&splits[a]).total_cmp(&rating(&splits[b])))
            .filter(|&node| splits[node].is_some());
        let Some(parent) = best_node else { break };
        let Some((_, split)) = splits[parent].take() else {
            break;
        };
        let mut subclasses = parts(&table, &nodes[parent], parent, &split);
        let is_large = nodes[0].size() < 2 * nodes[parent].size();
        if let Some(above) = nodes[parent].parent
            && (is_large || subclasses.len() == 1)
        {
            // A class with most of the decisions says little, and a single subclass has the same
            // forks as its parent. So the subclasses take the place of the parent.
            let conditions = &nodes[parent].conditions;
            for part in &mut subclasses {
                part.conditions.splice(0..0, conditions.iter().cloned());
                part.parent = Some(above);
            }
            nodes[parent] = subclasses.remove(0);
            splits[parent] = best(&table, &nodes[parent], blocks);
        } else {
            nodes[parent].is_divided = true;
        }
        for part in subclasses {
            splits.push(best(&table, &part, blocks));
            nodes.push(part);
        }
    }
    nodes
}

/// Returns the numbers of unforced decisions by the features of their positions.
fn positions(review: &Review) -> Vec<PositionCount> {
    let count = |&DecisionCount { position, counts }: &DecisionCount| {
        let [training, reported] = counts.map(|bots| bots.map(u64::from));
        PositionCount {
            position,
            training: training.iter().sum(),
            reported: reported[0],
        }
    };
    review.decisions.iter().map(count).collect()
}

fn table(review: &Review) -> (FeatureTable<'_>, Vec<ForkItem<'_>>) {
    let mut features = Vec::new();
    let mut note = |index: u32, is_choice: bool| {
        for &(name, _) in &review.features[index as usize] {
            if !features.contains(&(name, is_choice)) {
                features.push((name, is_choice));
            }
        }
    };
    let mut items = Vec::new();
    for (block, batch) in review.batches.iter().enumerate() {
        for sum in &batch.forks {
            sum.choices.iter().for_each(|&index| note(index, true));
            note(sum.position, false);
            items.push(ForkItem { block, sum });
        }
    }
    let values = &review.features;
    (FeatureTable { features, values }, items)
}

/// Returns the subclasses of a split, except subclasses without forks: first the decisions that
/// meet the condition.
fn parts<'r>(
    table: &FeatureTable<'_>,
    node: &ForkClass<'r>,
    parent: usize,
    split: &Split,
) -> Vec<ForkClass<'r>> {
    let mut parts = Vec::from([true, false].map(|holds| part(table, node, parent, split, holds)));
    parts.retain(|part| !part.items.is_empty() || !part.training.is_empty());
    parts
}

/// Returns the subclass of the decisions that meet the condition of a split, or, unless `holds`, of
/// those that do not.
fn part<'r>(
    table: &FeatureTable<'_>,
    node: &ForkClass<'r>,
    parent: usize,
    split: &Split,
    holds: bool,
) -> ForkClass<'r> {
    let (name, is_choice) = split.feature;
    let meets =
        |item: &&ForkItem<'_>| split.condition.holds(table.of_item(split.feature, item)) == holds;
    let mut part = ForkClass {
        parent: Some(parent),
        conditions: vec![format!("{name}: {}", split.condition.label(holds))],
        depth: node.depth + 1,
        items: node.items.iter().filter(meets).copied().collect(),
        training: node.training.iter().filter(meets).copied().collect(),
        choices: node.choices.clone(),
        positions: node.positions.clone(),
        ..ForkClass::default()
    };
    if is_choice {
        part.choices.push(split.feature);
    } else {
        let value = |count: &PositionCount| table.of_position(split.feature, count);
        part.positions
            .retain(|count| split.condition.holds(value(count)) == holds);
    }
    add_common_values(table, &mut part);
    part.decisions = if part.choices.is_empty() {
        part.positions.iter().map(|count| count.reported).sum()
    } else {
        let forks = part.items.iter();
        forks.map(|item| u64::from(item.sum.counts[0])).sum()
    };
    part
}

/// Adds the conditions that all forks of a class meet, at most one for each feature.
///
/// - Choices: the words of both bots, or else of one bot. The words `no` and `none` describe only the
///   absence of something, so they count only if the bots differ in them at half of the forks or
///   more.
/// - Positions: a word that is not the word of almost all decisions of the class.
fn add_common_values(table: &FeatureTable<'_>, class: &mut ForkClass<'_>) {
    let forks: Vec<ForkItem<'_>> = class.training.iter().chain(&class.items).copied().collect();
    let all: u64 = forks.iter().map(ForkItem::count).sum();
    if all < DECISIONS_MIN {
        return;
    }
    for &feature in &table.features {
        if class.choices.contains(&feature) {
            continue;
        }
        let values: Vec<FeatureAtFork> = forks
            .iter()
            .map(|item| table.of_item(feature, item))
            .collect();
        let is_common = |condition: &Condition| values.iter().all(|&v| condition.holds(v));
        let equal = forks
            .iter()
            .zip(&values)
            .filter(|(_, value)| matches!(value, FeatureAtFork::Choices(of, by) if of == by));
        let differ = 2 * equal.map(|(item, _)| item.count()).sum::<u64>() <= all;
        let condition = match values[0] {
            FeatureAtFork::None
            | FeatureAtFork::Compared(Ordering::Equal)
            | FeatureAtFork::Position(FeatureValue::Count(_)) => None,
            FeatureAtFork::Choices(of, by) => [
                (Condition::Is(values[0]), of),
                (Condition::Choice(of, false), of),
                (Condition::Choice(by, true), by),
            ]
            .into_iter()
            .find(|(condition, word)| is_common(condition) && (differ || !is_absence(*word)))
            .map(|(condition, _)| condition),
            value => Some(Condition::Is(value)).filter(is_common),
        };
        let Some(condition) = condition else { continue };
        if feature.1 {
            class.choices.push(feature);
        } else {
            let fits = |count: &PositionCount| condition.holds(table.of_position(feature, count));
            let number = |count: &PositionCount| (count.training + count.reported) as f64;
            let of_all: f64 = class.positions.iter().map(number).sum();
            let fitting = class.positions.iter().filter(|count| fits(count));
            if COMMON_MAX * of_all <= fitting.map(number).sum::<f64>() {
                continue;
            }
            class.positions.retain(fits);
        }
        let condition = format!("{}: {}", feature.0, condition.label(true));
        class.conditions.push(condition);
    }
}

/// Returns the best split of a class and its rating; `None` if no split explains more than chance.
fn best(table: &FeatureTable<'_>, node: &ForkClass<'_>, blocks: usize) -> Option<(f64, Split)> {
    if node.depth == DEPTH_MAX {
        return None;
    }
    let size = node.size();
    let splits = table.features.iter().flat_map(|&feature| {
        let values: Vec<FeatureAtFork> = node
            .training
            .iter()
            .map(|item| table.of_item(feature, item))
            .collect();
        let mut counts: BTreeMap<FeatureAtFork, u64> = BTreeMap::new();
        if feature.1 || !node.choices.is_empty() {
            for (item, &value) in node.training.iter().zip(&values) {
                *counts.entry(value).or_default() += item.count();
            }
        } else {
            for count in &node.positions {
                let value = table.of_position(feature, count);
                *counts.entry(value).or_default() += count.training;
            }
        }
        let candidates = candidates(&counts).into_iter();
        candidates
            .filter_map(|condition| {
                let fitting = counts.iter().filter(|(value, _)| condition.holds(**value));
                let part: u64 = fitting.map(|(_, count)| count).sum();
                let is_fitting: Vec<bool> = values.iter().map(|&v| condition.holds(v)).collect();
                let rating = rating(&node.training, &is_fitting, [part, size], blocks)?;
                Some((rating, Split { feature, condition }))
            })
            .collect::<Vec<_>>()
    });
    // If splits are equal, the feature that the game names first is used.
    splits.reduce(|best, other| if best.0 < other.0 { other } else { best })
}

/// Returns the possible conditions on a feature with these values.
fn candidates(counts: &BTreeMap<FeatureAtFork, u64>) -> Vec<Condition> {
    let number = |value: &FeatureAtFork| match value {
        FeatureAtFork::Position(FeatureValue::Count(number)) => Some(*number),
        _ => None,
    };
    let numbers: Vec<u8> = counts.keys().filter_map(number).collect();
    if !numbers.is_empty() {
        return numbers
            .into_iter()
            .skip(1)
            .map(Condition::AtLeast)
            .collect();
    }
    let mut words: BTreeSet<(FeatureValue, bool)> = BTreeSet::new();
    for value in counts.keys() {
        if let FeatureAtFork::Choices(of, by) = *value {
            words.extend([(of, false), (by, true)]);
        }
    }
    let words = words.into_iter().filter(|(word, _)| !is_absence(*word));
    let words = words.map(|(word, is_by)| Condition::Choice(word, is_by));
    let is_informative = |value: &&FeatureAtFork| match **value {
        FeatureAtFork::None => false,
        FeatureAtFork::Choices(of, by) => of != by || !is_absence(of),
        _ => true,
    };
    let values = counts.keys().filter(is_informative).copied();
    // If splits are equal, the first one is used. A condition on both choices says more.
    values.map(Condition::Is).chain(words).collect()
}

/// Returns `true` if a word for a choice says only that the choice lacks something.
fn is_absence(word: FeatureValue) -> bool {
    matches!(word, FeatureValue::Word("no" | "none"))
}

/// Returns the rating of a split of a class: the difference between the value of one part and its
/// share of the value of the class, minus one standard error. Returns `None` if the difference is not
/// clearly above chance or a part has too few decisions. `part` and `size` are the numbers of
/// decisions of the part and of the class.
fn rating(
    items: &[ForkItem<'_>],
    is_fitting: &[bool],
    [part, size]: [u64; 2],
    blocks: usize,
) -> Option<f64> {
    if part < DECISIONS_MIN || part == size || blocks < 2 {
        return None;
    }
    let share = part as f64 / size as f64;
    let mut sums: BTreeMap<usize, f64> = BTreeMap::new();
    for (item, &is_fitting) in items.iter().zip(is_fitting) {
        let weight = f64::from(u8::from(is_fitting)) - share;
        *sums.entry(item.block).or_default() += weight * item.value();
    }
    // Blocks without forks have the sum 0.
    let blocks = blocks as f64;
    let total: f64 = sums.values().sum();
    let squares: f64 = sums.values().map(|sum| sum * sum).sum();
    let variance = blocks / (blocks - 1.0) * (squares - total * total / blocks);
    let error = variance.max(0.0).sqrt();
    (RATIO_MIN * error < total.abs()).then_some(total.abs() - error)
}
