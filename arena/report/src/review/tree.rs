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
//! If all forks of the root share a condition, they are a class of their own, which is divided in
//! place of the root: no split can then cut a single cause into parts that are not shown together.
//!
//! The standard error over blocks is subtracted from the rating. The split with the largest rating of
//! all classes is made first. Every class also lists the conditions that all its forks share.

use super::condition::ClassCondition;
use super::estimate::{is_reported, training_batches};
use hattari_agents::table::{Feature, FeatureAtFork, FeatureValues, ValueSet};
use hattari_play::review::{DecisionCount, ForkSum, PerBot, Review};
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
/// Maximum share of the decisions of a class with a value that all its forks share, for this value
/// to become a condition of the class.
const COMMON_MAX: f64 = 0.9;

/// A division of a class by a condition on a feature.
struct Split {
    rating: f64,
    condition: ClassCondition,
}

/// Forks of a batch with the same features.
#[derive(Clone, Copy, Debug)]
pub(super) struct ForkItem<'r> {
    /// Index of the batch.
    pub batch: usize,
    /// Number and gains of the forks.
    pub sum: &'r ForkSum,
}

impl ForkItem<'_> {
    /// Returns the number of forks.
    pub(super) fn count(&self) -> u64 {
        let counts = self.sum.counts.map(u64::from);
        counts.reviewed + counts.other
    }

    /// Returns the gain from the other bot's choices in points, summed over both orders of the
    /// bots.
    fn value(&self) -> f64 {
        (self.sum.values.reviewed + self.sum.values.other) as f64
    }
}

/// A class of forks.
#[derive(Debug, Default)]
pub(super) struct ForkClass<'r> {
    /// Index of the parent class.
    pub parent: Option<usize>,
    /// The conditions that define the class within its parent: splits, and values that all forks
    /// share.
    pub conditions: Vec<ClassCondition>,
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
    /// The same number in the training half.
    training_decisions: u64,
    /// The features of choices for which this class or a class above has a condition.
    choices: Vec<Feature>,
    training: Vec<ForkItem<'r>>,
    positions: Vec<DecisionCount>,
}

impl ForkClass<'_> {
    /// Returns the number of decisions in the training half.
    pub(super) fn size(&self) -> u64 {
        if self.choices.is_empty() {
            self.positions.iter().map(training_decisions).sum()
        } else {
            self.training_forks()
        }
    }

    /// Returns the number of forks in the training half.
    pub(super) fn training_forks(&self) -> u64 {
        self.training.iter().map(ForkItem::count).sum()
    }

    /// Returns the value of the forks in each batch of the training half; batches without forks are
    /// missing.
    pub(super) fn training_values(&self) -> BTreeMap<usize, f64> {
        let mut values = BTreeMap::new();
        for item in &self.training {
            *values.entry(item.batch).or_default() += item.value();
        }
        values
    }

    /// Counts the decisions of the class in both halves.
    fn count_decisions(&mut self) {
        let of_forks = |items: &[ForkItem<'_>]| {
            let counts = items.iter().map(|item| u64::from(item.sum.counts.reviewed));
            counts.sum()
        };
        (self.training_decisions, self.decisions) = if self.choices.is_empty() {
            let reviewed = |of: fn(&DecisionCount) -> PerBot<u32>| {
                let counts = self
                    .positions
                    .iter()
                    .map(|count| u64::from(of(count).reviewed));
                counts.sum()
            };
            (
                reviewed(|count| count.in_even_batches),
                reviewed(|count| count.in_odd_batches),
            )
        } else {
            (of_forks(&self.training), of_forks(&self.items))
        };
    }

    /// Returns `true` if the class has at most half of the decisions of the reviewed bot. A larger
    /// class says little about where the bots differ.
    pub(super) fn is_small(&self, root: &ForkClass<'_>) -> bool {
        2 * self.training_decisions <= root.training_decisions
    }
}

/// Returns the number of decisions of both bots in the training half.
fn training_decisions(count: &DecisionCount) -> u64 {
    let PerBot { other, reviewed } = count.in_even_batches.map(u64::from);
    other + reviewed
}

/// Returns the number of decisions of the reviewed bot in the reported half.
fn reported_decisions(count: &DecisionCount) -> u64 {
    count.in_odd_batches.reviewed.into()
}

/// The features of all forks of a review.
struct FeatureTable<'r> {
    features: Vec<Feature>,
    values: &'r [FeatureValues],
    /// Number of batches of the training half.
    batches: usize,
}

impl FeatureTable<'_> {
    fn of_position(&self, feature: Feature, count: &DecisionCount) -> FeatureAtFork {
        feature.value(&self.values[count.position as usize], None)
    }

    fn of_item(&self, feature: Feature, item: &ForkItem<'_>) -> FeatureAtFork {
        let choices = item.sum.choices.map(|index| &self.values[index as usize]);
        feature.value(
            &self.values[item.sum.position as usize],
            Some(choices.other_first()),
        )
    }
}

/// Grows the tree of a review. The first class is the root, and parents come before their children.
pub(super) fn grow(review: &Review) -> Vec<ForkClass<'_>> {
    let (table, items) = feature_table(review);
    let mut classes = vec![root(review, items)];
    let all_forks = class_of_all_forks(&table, &classes[0]);
    classes[0].is_divided = all_forks.is_some();
    classes.extend(all_forks);
    let mut splits: Vec<Option<Split>> = classes
        .iter()
        .map(|class| best_split(&table, class).filter(|_| !class.is_divided))
        .collect();
    for _ in 0..SPLITS_MAX {
        let rating_of = |split: &Option<Split>| split.as_ref().map_or(0.0, |split| split.rating);
        let best = (0..classes.len())
            .max_by(|&a, &b| rating_of(&splits[a]).total_cmp(&rating_of(&splits[b])));
        let Some((parent, split)) = best.and_then(|class| Some((class, splits[class].take()?)))
        else {
            break;
        };
        let mut subclasses = divide(&table, &classes[parent], parent, &split.condition);
        let is_large = !classes[parent].is_small(&classes[0]);
        if let Some(above) = classes[parent].parent
            && (is_large || subclasses.len() == 1)
        {
            // A class with most of the decisions says little, and a single subclass has the same
            // forks as its parent. So the subclasses take the place of the parent.
            let conditions = &classes[parent].conditions;
            for subclass in &mut subclasses {
                subclass.conditions.splice(0..0, conditions.iter().copied());
                subclass.parent = Some(above);
            }
            classes[parent] = subclasses.remove(0);
            splits[parent] = best_split(&table, &classes[parent]);
        } else {
            classes[parent].is_divided = true;
        }
        for subclass in subclasses {
            splits.push(best_split(&table, &subclass));
            classes.push(subclass);
        }
    }
    classes
}

/// Returns the class of all decisions. `items` are all forks.
fn root<'r>(review: &Review, items: Vec<ForkItem<'r>>) -> ForkClass<'r> {
    let (items, training) = items.into_iter().partition(|item| is_reported(item.batch));
    let mut root = ForkClass {
        items,
        training,
        positions: review.decisions.clone(),
        ..ForkClass::default()
    };
    root.count_decisions();
    root
}

/// Returns the class of all forks, with the conditions that all of them meet; `None` if they share
/// no condition, or if they are most of the decisions.
fn class_of_all_forks<'r>(table: &FeatureTable<'_>, root: &ForkClass<'r>) -> Option<ForkClass<'r>> {
    let mut class = ForkClass {
        parent: Some(0),
        items: root.items.clone(),
        training: root.training.clone(),
        positions: root.positions.clone(),
        ..ForkClass::default()
    };
    add_common_values(table, &mut class);
    class.count_decisions();
    (class.is_small(root) && !class.conditions.is_empty()).then_some(class)
}

/// Returns the features and the forks of a review.
fn feature_table(review: &Review) -> (FeatureTable<'_>, Vec<ForkItem<'_>>) {
    let mut features = Vec::new();
    let mut add_features = |index: u32, is_choice: bool| {
        for &(name, _) in &review.features[index as usize] {
            let feature = Feature { name, is_choice };
            if !features.contains(&feature) {
                features.push(feature);
            }
        }
    };
    let mut items = Vec::new();
    for (batch, forks) in review.batches.iter().map(|batch| &batch.forks).enumerate() {
        for sum in forks {
            for index in sum.choices.other_first() {
                add_features(index, true);
            }
            add_features(sum.position, false);
            items.push(ForkItem { batch, sum });
        }
    }
    let table = FeatureTable {
        features,
        values: &review.features,
        batches: training_batches(review),
    };
    (table, items)
}

/// Returns the subclasses of a class by a condition, except subclasses without forks: first the
/// decisions that meet the condition.
fn divide<'r>(
    table: &FeatureTable<'_>,
    class: &ForkClass<'r>,
    parent: usize,
    condition: &ClassCondition,
) -> Vec<ForkClass<'r>> {
    let subclasses = [true, false].map(|holds| {
        let mut subclass = subclass(table, class, condition, holds);
        subclass.parent = Some(parent);
        subclass
    });
    let has_forks =
        |subclass: &ForkClass<'_>| !subclass.items.is_empty() || !subclass.training.is_empty();
    subclasses.into_iter().filter(has_forks).collect()
}

/// Returns the subclass of the decisions that meet a condition, or, unless `holds`, of those that
/// do not.
fn subclass<'r>(
    table: &FeatureTable<'_>,
    class: &ForkClass<'r>,
    condition: &ClassCondition,
    holds: bool,
) -> ForkClass<'r> {
    let feature = condition.feature;
    let belongs = |item: &&ForkItem<'_>| condition.holds(table.of_item(feature, item)) == holds;
    let mut subclass = ForkClass {
        conditions: vec![if holds {
            *condition
        } else {
            condition.opposite()
        }],
        depth: class.depth + 1,
        items: class.items.iter().filter(belongs).copied().collect(),
        training: class.training.iter().filter(belongs).copied().collect(),
        choices: class.choices.clone(),
        positions: class.positions.clone(),
        ..ForkClass::default()
    };
    if feature.is_choice {
        subclass.choices.push(feature);
    } else {
        subclass
            .positions
            .retain(|count| condition.holds(table.of_position(feature, count)) == holds);
    }
    add_common_values(table, &mut subclass);
    subclass.count_decisions();
    subclass
}

/// Adds the conditions that all forks of a class meet, at most one for each feature. A word for the
/// position is not added if almost all decisions of the class have it.
fn add_common_values(table: &FeatureTable<'_>, class: &mut ForkClass<'_>) {
    let forks: Vec<ForkItem<'_>> = class.training.iter().chain(&class.items).copied().collect();
    if forks.iter().map(ForkItem::count).sum::<u64>() < DECISIONS_MIN {
        return;
    }
    for &feature in &table.features {
        if class.choices.contains(&feature) {
            continue;
        }
        let Some(condition) = common_value(table, &forks, feature) else {
            continue;
        };
        if feature.is_choice {
            class.choices.push(feature);
        } else {
            let fits = |count: &DecisionCount| condition.holds(table.of_position(feature, count));
            let number = |count: &DecisionCount| {
                (training_decisions(count) + reported_decisions(count)) as f64
            };
            let of_all: f64 = class.positions.iter().map(number).sum();
            let fitting = class.positions.iter().filter(|count| fits(count));
            if COMMON_MAX * of_all <= fitting.map(number).sum::<f64>() {
                continue;
            }
            class.positions.retain(fits);
        }
        class.conditions.push(condition);
    }
}

/// Returns the condition on a feature that all given forks meet; `None` if there is none.
///
/// - Choices: the words of both bots, or else of one bot. The words `no` and `none` describe only the
///   absence of something, so they count only if the bots differ in them at half of the forks or
///   more.
/// - Positions: a word.
fn common_value(
    table: &FeatureTable<'_>,
    forks: &[ForkItem<'_>],
    feature: Feature,
) -> Option<ClassCondition> {
    let values: Vec<FeatureAtFork> = forks
        .iter()
        .map(|item| table.of_item(feature, item))
        .collect();
    let is_common = |condition: &ClassCondition| values.iter().all(|&value| condition.holds(value));
    let condition = |values: ValueSet| ClassCondition::new(feature, values);
    match values[0] {
        FeatureAtFork::None
        | FeatureAtFork::Compared(Ordering::Equal)
        | FeatureAtFork::Position(FeatureValue::Count(_)) => None,
        FeatureAtFork::Choices(reviewed, other) => {
            let all: u64 = forks.iter().map(ForkItem::count).sum();
            let equal = forks.iter().zip(&values).filter(
                |(_, value)| matches!(value, FeatureAtFork::Choices(own, other) if own == other),
            );
            let differ = 2 * equal.map(|(item, _)| item.count()).sum::<u64>() <= all;
            [
                ([Some(reviewed), Some(other)], reviewed),
                ([Some(reviewed), None], reviewed),
                ([None, Some(other)], other),
            ]
            .into_iter()
            .filter(|(_, word)| differ || !is_absence(*word))
            .map(|(words, _)| condition(ValueSet::Choices(words)))
            .find(is_common)
        }
        value => Some(condition(ValueSet::Is(value))).filter(is_common),
    }
}

/// Returns the best split of a class; `None` if no split explains more than chance.
fn best_split(table: &FeatureTable<'_>, class: &ForkClass<'_>) -> Option<Split> {
    if class.depth == DEPTH_MAX {
        return None;
    }
    let size = class.size();
    let splits = table.features.iter().flat_map(|&feature| {
        let values: Vec<FeatureAtFork> = class
            .training
            .iter()
            .map(|item| table.of_item(feature, item))
            .collect();
        let mut counts: BTreeMap<FeatureAtFork, u64> = BTreeMap::new();
        if feature.is_choice || !class.choices.is_empty() {
            for (item, &value) in class.training.iter().zip(&values) {
                *counts.entry(value).or_default() += item.count();
            }
        } else {
            for count in &class.positions {
                let value = table.of_position(feature, count);
                *counts.entry(value).or_default() += training_decisions(count);
            }
        }
        let candidates = candidates(&counts).into_iter();
        candidates
            .filter_map(|candidate| {
                let condition = ClassCondition::new(feature, candidate);
                let fitting = counts.iter().filter(|(value, _)| condition.holds(**value));
                let part: u64 = fitting.map(|(_, count)| count).sum();
                let is_fitting: Vec<bool> = values.iter().map(|&v| condition.holds(v)).collect();
                let rating = rating(&class.training, &is_fitting, part, size, table.batches)?;
                Some(Split { rating, condition })
            })
            .collect::<Vec<_>>()
    });
    // If splits are equal, the feature that the game names first is used.
    splits.reduce(|best, other| {
        if best.rating < other.rating {
            other
        } else {
            best
        }
    })
}

/// Returns the possible conditions on a feature with these values.
fn candidates(counts: &BTreeMap<FeatureAtFork, u64>) -> Vec<ValueSet> {
    let number = |value: &FeatureAtFork| match value {
        FeatureAtFork::Position(FeatureValue::Count(number)) => Some(*number),
        _ => None,
    };
    let numbers: Vec<u8> = counts.keys().filter_map(number).collect();
    if !numbers.is_empty() {
        let high = u8::MAX;
        return numbers
            .into_iter()
            .skip(1)
            .map(|low| ValueSet::Range { low, high })
            .collect();
    }
    // The flag is `true` for words of the other bot's choices.
    let mut words: BTreeSet<(FeatureValue, bool)> = BTreeSet::new();
    for value in counts.keys() {
        if let FeatureAtFork::Choices(reviewed, other) = *value {
            words.extend([(reviewed, false), (other, true)]);
        }
    }
    let words = words.into_iter().filter(|(word, _)| !is_absence(*word));
    let words = words.map(|(word, is_other)| {
        if is_other {
            ValueSet::Choices([None, Some(word)])
        } else {
            ValueSet::Choices([Some(word), None])
        }
    });
    let is_informative = |value: &&FeatureAtFork| match **value {
        FeatureAtFork::None => false,
        FeatureAtFork::Choices(reviewed, other) => reviewed != other || !is_absence(reviewed),
        _ => true,
    };
    let values = counts.keys().filter(is_informative).copied();
    // If splits are equal, the first one is used. A condition on both choices says more.
    values.map(ValueSet::Is).chain(words).collect()
}

/// Returns `true` if a word for a choice says only that the choice lacks something.
fn is_absence(word: FeatureValue) -> bool {
    matches!(word, FeatureValue::Word("no" | "none"))
}

/// Returns the rating of a split of a class: the difference between the value of one part and its
/// share of the value of the class, minus one standard error. Returns `None` if the difference is not
/// clearly above chance or a part has too few decisions. `part` and `size` are the numbers of
/// decisions of the part and of the class, and `batches` is the number of batches.
fn rating(
    items: &[ForkItem<'_>],
    is_fitting: &[bool],
    part: u64,
    size: u64,
    batches: usize,
) -> Option<f64> {
    if part < DECISIONS_MIN || part == size || batches < 2 {
        return None;
    }
    let share = part as f64 / size as f64;
    let mut sums: BTreeMap<usize, f64> = BTreeMap::new();
    for (item, &is_fitting) in items.iter().zip(is_fitting) {
        let weight = f64::from(u8::from(is_fitting)) - share;
        *sums.entry(item.batch).or_default() += weight * item.value();
    }
    let total: f64 = sums.values().sum();
    let error = standard_error(sums.into_values(), batches);
    (RATIO_MIN * error < total.abs()).then_some(total.abs() - error)
}

/// Returns the standard error of the total of `sums`, which has an item for each batch. Of the
/// `batches` batches, those without an item have the sum 0.
pub(super) fn standard_error(sums: impl Iterator<Item = f64>, batches: usize) -> f64 {
    let batches = batches as f64;
    let (total, squares) = sums.fold((0.0, 0.0), |(total, squares), sum| {
        (total + sum, squares + sum * sum)
    });
    let variance = batches / (batches - 1.0) * (squares - total * total / batches);
    variance.max(0.0).sqrt()
}
