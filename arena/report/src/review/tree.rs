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
//! classes with a condition on the choices, only forks count. This is the weighted relative
//! accuracy of subgroup discovery, or the gap between a Lorenz curve and its diagonal. A large group
//! with most of the value is therefore better than a small group with extreme values.
//!
//! If all forks of the root share a condition, they are a class of their own, which is divided in
//! place of the root: no split can then cut a single cause into parts that are not shown together.
//!
//! The standard error over blocks is subtracted from the rating. The split with the largest rating
//! of all classes is made first. Every class also lists the conditions that all its forks share.

use super::condition::ClassCondition;
use hattari_agents::table::{Feature, FeatureAtFork, FeatureValues, ValueSet};
use hattari_play::review::{
    DecisionCount, ForkKind, ForkSum, PerBot, REPORTED, REVIEWED, Review, TRAINING,
};
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
#[derive(Clone, Copy)]
struct Split {
    rating: f64,
    condition: ClassCondition,
}

/// Forks of a batch with the same features.
#[derive(Clone)]
pub(super) struct ForkItem<'r> {
    /// The half of the blocks.
    half: usize,
    /// Index of the batch in its half.
    pub batch: usize,
    /// Number and gains of the forks.
    pub sum: &'r ForkSum,
}

impl ForkItem<'_> {
    /// Returns the number of forks.
    pub(super) fn count(&self) -> u64 {
        of_both(self.sum.counts)
    }

    /// Returns the gain from the other bot's choices in points, summed over both orders of the
    /// bots.
    fn value(&self) -> f64 {
        self.sum.values.iter().sum::<i64>() as f64
    }
}

/// A class of forks.
#[derive(Clone, Default)]
pub(super) struct ForkClass<'r> {
    /// Index of the parent class.
    pub parent: Option<usize>,
    /// All conditions of the class: those of its parent class, and then its own. They are splits,
    /// and values that all forks share.
    pub conditions: Vec<ClassCondition>,
    /// Number of splits from the root.
    depth: usize,
    /// `true` if the class has subclasses.
    pub is_divided: bool,
    /// The best split, if the class is not divided.
    split: Option<Split>,
    /// Forks in both halves of the blocks.
    forks: Vec<ForkItem<'r>>,
    /// Numbers of decisions in the positions of the class.
    positions: Vec<DecisionCount>,
}

impl<'r> ForkClass<'r> {
    /// Returns the forks in one half of the blocks.
    pub(super) fn forks(&self, half: usize) -> impl Iterator<Item = &ForkItem<'r>> {
        self.forks.iter().filter(move |item| item.half == half)
    }

    /// Returns the number of forks in one half of the blocks.
    pub(super) fn fork_count(&self, half: usize) -> u64 {
        self.forks(half).map(ForkItem::count).sum()
    }

    /// Returns `true` if the class has a condition on choices. Then only decisions on which the
    /// bots differ count.
    fn is_of_choices(&self) -> bool {
        self.conditions
            .iter()
            .any(|condition| condition.feature.is_choice)
    }

    /// Returns a number of unforced decisions in one half of the blocks; `of` selects the bots.
    fn count(&self, half: usize, of: fn(PerBot<u32>) -> u64) -> u64 {
        if self.is_of_choices() {
            self.forks(half).map(|item| of(item.sum.counts)).sum()
        } else {
            self.positions
                .iter()
                .map(|known| of(known.by_half[half]))
                .sum()
        }
    }

    /// Returns the number of unforced decisions of the reviewed bot in one half of the blocks.
    pub(super) fn decisions(&self, half: usize) -> u64 {
        self.count(half, |counts| counts[REVIEWED].into())
    }

    /// Returns the number of decisions of both bots in the training half.
    pub(super) fn size(&self) -> u64 {
        self.count(TRAINING, of_both)
    }

    /// Returns the value of the forks in each batch of the training half; batches without forks are
    /// missing.
    pub(super) fn training_values(&self) -> BTreeMap<usize, f64> {
        let mut values = BTreeMap::new();
        for item in self.forks(TRAINING) {
            *values.entry(item.batch).or_default() += item.value();
        }
        values
    }

    /// Returns `true` if the class has at most half of the decisions of the reviewed bot. A larger
    /// class says little about where the bots differ.
    pub(super) fn is_small(&self, root: &ForkClass<'_>) -> bool {
        2 * self.decisions(TRAINING) <= root.decisions(TRAINING)
    }
}

/// Returns the sum of the counts of both bots.
fn of_both(counts: PerBot<u32>) -> u64 {
    counts.into_iter().map(u64::from).sum()
}

/// Returns the number of decisions of both bots in the training half.
fn training_decisions(count: &DecisionCount) -> u64 {
    of_both(count.by_half[TRAINING])
}

/// Grows the tree of a review. The first class is the root, and parents come before their children.
pub(super) fn grow(review: &Review) -> Vec<ForkClass<'_>> {
    let table = FeatureTable::of(review);
    let forks = review
        .halves
        .iter()
        .enumerate()
        .flat_map(|(half, batches)| {
            batches.iter().enumerate().flat_map(move |(batch, sums)| {
                sums.forks
                    .iter()
                    .map(move |sum| ForkItem { half, batch, sum })
            })
        });
    let root = ForkClass {
        forks: forks.collect(),
        positions: review.decisions.clone(),
        ..ForkClass::default()
    };
    // The class of all forks, with the conditions that all of them meet.
    let mut all_forks = ForkClass {
        parent: Some(0),
        ..root.clone()
    };
    table.add_common_values(&mut all_forks);
    let mut classes = vec![root];
    if all_forks.is_small(&classes[0]) && !all_forks.conditions.is_empty() {
        classes[0].is_divided = true;
        classes.push(all_forks);
    }
    let undivided = classes.len() - 1;
    classes[undivided].split = table.best_split(&classes[undivided]);
    for _ in 0..SPLITS_MAX {
        let rating = |class: usize| classes[class].split.map_or(0.0, |split| split.rating);
        let best = (0..classes.len()).max_by(|&a, &b| rating(a).total_cmp(&rating(b)));
        let Some((parent, split)) = best.and_then(|class| Some((class, classes[class].split?)))
        else {
            break;
        };
        let mut subclasses = table.divide(&classes[parent], parent, split.condition);
        let is_large = !classes[parent].is_small(&classes[0]);
        if let Some(above) = classes[parent].parent
            && (is_large || subclasses.len() == 1)
        {
            // A class with most of the decisions says little, and a single subclass has the same
            // forks as its parent. So the subclasses take the place of the parent.
            for subclass in &mut subclasses {
                subclass.parent = Some(above);
            }
            classes[parent] = subclasses.remove(0);
        } else {
            classes[parent].is_divided = true;
            classes[parent].split = None;
        }
        classes.extend(subclasses);
    }
    classes
}

/// The features of all forks of a review.
struct FeatureTable<'r> {
    features: Vec<Feature>,
    values: &'r [FeatureValues],
    /// Number of batches of the training half.
    batches: usize,
}

impl FeatureTable<'_> {
    fn of(review: &Review) -> FeatureTable<'_> {
        let mut features = Vec::new();
        for sum in review.fork_sums() {
            let ForkKind { position, choices } = sum.kind;
            let [other, reviewed] = choices;
            for (index, is_choice) in [(other, true), (reviewed, true), (position, false)] {
                for &(name, _) in &review.features[index as usize] {
                    let feature = Feature { name, is_choice };
                    if !features.contains(&feature) {
                        features.push(feature);
                    }
                }
            }
        }
        FeatureTable {
            features,
            values: &review.features,
            batches: review.halves[TRAINING].len(),
        }
    }

    fn of_position(&self, feature: Feature, count: &DecisionCount) -> FeatureAtFork {
        feature.value(&self.values[count.position as usize], None)
    }

    fn of_item(&self, feature: Feature, item: &ForkItem<'_>) -> FeatureAtFork {
        let ForkKind { position, choices } = item.sum.kind;
        let choices = choices.map(|index| &self.values[index as usize]);
        feature.value(&self.values[position as usize], Some(choices))
    }

    /// Adds a condition to a class, and removes the decisions that do not meet it.
    fn restrict(&self, class: &mut ForkClass<'_>, condition: ClassCondition) {
        let feature = condition.feature;
        let forks = &mut class.forks;
        forks.retain(|item| condition.holds(self.of_item(feature, item)));
        if !feature.is_choice {
            let positions = &mut class.positions;
            positions.retain(|count| condition.holds(self.of_position(feature, count)));
        }
        class.conditions.push(condition);
    }

    /// Returns the subclasses of a class by a condition, except subclasses without forks: first the
    /// decisions that meet the condition.
    fn divide<'r>(
        &self,
        class: &ForkClass<'r>,
        parent: usize,
        condition: ClassCondition,
    ) -> Vec<ForkClass<'r>> {
        let mut subclasses = Vec::new();
        for condition in [condition, condition.opposite()] {
            let mut subclass = ForkClass {
                parent: Some(parent),
                depth: class.depth + 1,
                ..class.clone()
            };
            self.restrict(&mut subclass, condition);
            self.add_common_values(&mut subclass);
            subclass.split = self.best_split(&subclass);
            if !subclass.forks.is_empty() {
                subclasses.push(subclass);
            }
        }
        subclasses
    }

    /// Adds the conditions that all forks of a class meet, at most one for each feature. A word for
    /// the position is not added if almost all decisions of the class have it.
    fn add_common_values(&self, class: &mut ForkClass<'_>) {
        if class.forks.iter().map(ForkItem::count).sum::<u64>() < DECISIONS_MIN {
            return;
        }
        for &feature in &self.features {
            let mut known = class.conditions.iter();
            if feature.is_choice && known.any(|condition| condition.feature == feature) {
                continue;
            }
            let Some(condition) = self.common_value(&class.forks, feature) else {
                continue;
            };
            let number = |count: &DecisionCount| {
                let reported = u64::from(count.by_half[REPORTED][REVIEWED]);
                (training_decisions(count) + reported) as f64
            };
            let of_all: f64 = class.positions.iter().map(number).sum();
            let fitting: f64 = class
                .positions
                .iter()
                .filter(|count| condition.holds(self.of_position(feature, count)))
                .map(number)
                .sum();
            if feature.is_choice || fitting < COMMON_MAX * of_all {
                self.restrict(class, condition);
            }
        }
    }

    /// Returns the condition on a feature that all given forks meet; `None` if there is none.
    ///
    /// - Choices: the words of both bots, or else of one bot. The words `no` and `none` describe
    ///   only the absence of something, so they count only if the bots differ in them at half of
    ///   the forks or more.
    /// - Positions: a word.
    fn common_value(&self, forks: &[ForkItem<'_>], feature: Feature) -> Option<ClassCondition> {
        let values: Vec<FeatureAtFork> = forks
            .iter()
            .map(|item| self.of_item(feature, item))
            .collect();
        let is_common =
            |condition: &ClassCondition| values.iter().all(|&value| condition.holds(value));
        let condition = |values: ValueSet| ClassCondition::new(feature, values);
        match values[0] {
            FeatureAtFork::None
            | FeatureAtFork::Compared(Ordering::Equal)
            | FeatureAtFork::Position(FeatureValue::Count(_)) => None,
            FeatureAtFork::Choices(reviewed, other) => {
                let all: u64 = forks.iter().map(ForkItem::count).sum();
                let equal = forks.iter().zip(&values).filter(|(_, value)| {
                    matches!(value, FeatureAtFork::Choices(own, other) if own == other)
                });
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
    fn best_split(&self, class: &ForkClass<'_>) -> Option<Split> {
        if class.depth == DEPTH_MAX {
            return None;
        }
        let size = class.size();
        let mut best: Option<Split> = None;
        for &feature in &self.features {
            let items = class.forks(TRAINING);
            let values: Vec<FeatureAtFork> =
                items.map(|item| self.of_item(feature, item)).collect();
            let mut counts: BTreeMap<FeatureAtFork, u64> = BTreeMap::new();
            if feature.is_choice || class.is_of_choices() {
                for (item, &value) in class.forks(TRAINING).zip(&values) {
                    *counts.entry(value).or_default() += item.count();
                }
            } else {
                for count in &class.positions {
                    let value = self.of_position(feature, count);
                    *counts.entry(value).or_default() += training_decisions(count);
                }
            }
            for candidate in candidates(&counts) {
                let condition = ClassCondition::new(feature, candidate);
                let part: u64 = counts
                    .iter()
                    .filter(|(value, _)| condition.holds(**value))
                    .map(|(_, count)| count)
                    .sum();
                let is_fitting: Vec<bool> = values.iter().map(|&v| condition.holds(v)).collect();
                let Some(rating) = self.rating(class, &is_fitting, part, size) else {
                    continue;
                };
                // If splits are equal, the feature that the game names first is used.
                if best.is_none_or(|best| best.rating < rating) {
                    best = Some(Split { rating, condition });
                }
            }
        }
        best
    }

    /// Returns the rating of a split of a class: the difference between the value of one part and
    /// its share of the value of the class, minus one standard error. Returns `None` if the
    /// difference is not clearly above chance or a part has too few decisions. `is_fitting` has an
    /// item for each fork of the training half. `part` and `size` are the numbers of decisions of
    /// the part and of the class.
    fn rating(
        &self,
        class: &ForkClass<'_>,
        is_fitting: &[bool],
        part: u64,
        size: u64,
    ) -> Option<f64> {
        if part < DECISIONS_MIN || part == size || self.batches < 2 {
            return None;
        }
        let share = part as f64 / size as f64;
        let mut sums: BTreeMap<usize, f64> = BTreeMap::new();
        for (item, &is_fitting) in class.forks(TRAINING).zip(is_fitting) {
            let weight = f64::from(u8::from(is_fitting)) - share;
            *sums.entry(item.batch).or_default() += weight * item.value();
        }
        let total: f64 = sums.values().sum();
        let error = standard_error(sums.into_values(), self.batches);
        (RATIO_MIN * error < total.abs()).then_some(total.abs() - error)
    }
}

/// Returns the possible conditions on a feature with these values.
fn candidates(counts: &BTreeMap<FeatureAtFork, u64>) -> Vec<ValueSet> {
    let numbers: Vec<u8> = counts
        .keys()
        .filter_map(|value| match value {
            FeatureAtFork::Position(FeatureValue::Count(number)) => Some(*number),
            _ => None,
        })
        .collect();
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
    let words = words
        .into_iter()
        .filter(|(word, _)| !is_absence(*word))
        .map(|(word, is_other)| {
            if is_other {
                ValueSet::Choices([None, Some(word)])
            } else {
                ValueSet::Choices([Some(word), None])
            }
        });
    // If splits are equal, the first one is used. A condition on both choices says more.
    counts
        .keys()
        .filter(|value| match **value {
            FeatureAtFork::None => false,
            FeatureAtFork::Choices(reviewed, other) => reviewed != other || !is_absence(reviewed),
            _ => true,
        })
        .copied()
        .map(ValueSet::Is)
        .chain(words)
        .collect()
}

/// Returns `true` if a word for a choice says only that the choice lacks something.
fn is_absence(word: FeatureValue) -> bool {
    matches!(word, FeatureValue::Word("no" | "none"))
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
