//! A tree of classes of forks: the features of decisions that explain the difference of two bots. A
//! fork is a decision in which the two bots choose differently.
//!
//! The tree grows on the *training half* of the blocks; results come from the other half. A split
//! is rated by its between-group sum of squares minus the part expected by chance:
//!
//! Σ Dᵍ²/nᵍ − Σ Var(Dᵍ)/nᵍ
//!
//! Group g has nᵍ unforced decisions; Dᵍ is the sum of their deviations from the mean value of all
//! decisions. Variances are over blocks. Decisions on which the bots agree have the value 0, so a
//! class that contains all forks in few decisions is found even if the forks are all alike. If a
//! split is by the choices, the decisions are divided among the groups in proportion to their
//! forks. The split with the largest gain of all classes is made first.

use hattari_agents::table::{FeatureAtFork, FeatureValues};
use hattari_play::review::{ForkSum, Review};
use hattari_plugin::games::features::FeatureValue;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// Maximum number of splits of a tree.
const SPLITS_MAX: usize = 4;
/// Maximum number of conditions of a class.
const DEPTH_MAX: usize = 3;
/// Maximum number of groups of a split; smaller groups are merged.
const GROUPS_MAX: usize = 6;
/// Minimum number of forks of a group in the training half.
const FORKS_MIN: u64 = 20;
/// Minimum ratio of a split's sum of squares to its expectation by chance.
const RATIO_MIN: f64 = 3.0;

/// The name of a feature; `true` if it describes the two choices, `false` if it describes the
/// position.
type Feature = (&'static str, bool);

/// A partition of forks by a feature.
#[derive(Debug)]
struct Split {
    feature: Feature,
    groups: Groups,
}

#[derive(Debug)]
enum Groups {
    /// Two groups: values of at least this number, and smaller values.
    Threshold(u8),
    /// Two groups by the choice of one bot, the reviewed bot (`false`) or the other bot (`true`):
    /// choices that this word describes, and other choices.
    Choice(FeatureValue, bool),
    /// One group per value, and one for all other values.
    Values(Vec<FeatureAtFork>),
}

impl Groups {
    fn count(&self) -> usize {
        match self {
            Groups::Threshold(_) | Groups::Choice(..) => 2,
            Groups::Values(values) => values.len() + 1,
        }
    }

    fn of(&self, value: FeatureAtFork) -> usize {
        match self {
            Groups::Threshold(from) => match value {
                FeatureAtFork::Position(FeatureValue::Count(number)) => usize::from(number < *from),
                _ => 1,
            },
            Groups::Choice(word, is_by) => match value {
                FeatureAtFork::Choices(of, by) => {
                    usize::from(*word != if *is_by { by } else { of })
                }
                _ => 1,
            },
            Groups::Values(values) => values
                .iter()
                .position(|known| *known == value)
                .unwrap_or(values.len()),
        }
    }

    fn label(&self, group: usize) -> String {
        match self {
            Groups::Threshold(from) if group == 0 => format!("{from} or more"),
            Groups::Threshold(from) => format!("{} or fewer", from.saturating_sub(1)),
            Groups::Choice(word, is_by) => {
                let word = FeatureAtFork::Position(*word);
                let pair = match is_by {
                    true => format!("any → {word}"),
                    false => format!("{word} → any"),
                };
                match group {
                    0 => pair,
                    _ => format!("other than {pair}"),
                }
            }
            Groups::Values(values) => match values.get(group) {
                Some(value) => value.to_string(),
                None => {
                    let others: Vec<String> = values.iter().map(ToString::to_string).collect();
                    format!("other than {}", others.join(" / "))
                }
            },
        }
    }
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
    /// The conditions that define the class within its parent: a split of the parent, and choices
    /// that all forks share.
    pub conditions: Vec<String>,
    /// Number of conditions from the root.
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
    /// Adds the conditions of a subclass that contains all forks of this class.
    fn narrow(&mut self, part: Self) {
        self.conditions.extend(part.conditions);
        self.depth = part.depth;
        self.decisions = part.decisions;
        self.choices = part.choices;
        self.positions = part.positions;
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
    fn of_item(&self, feature: Feature, item: &ForkItem<'_>) -> FeatureAtFork {
        let choices = item.sum.choices.map(|index| &self.values[index as usize]);
        FeatureAtFork::new(
            feature,
            &self.values[item.sum.position as usize],
            Some(choices),
        )
    }
}

/// Grows the tree of a review. `is_reported` has an item for each block. The first class is the
/// root, and parents come before their children.
pub(super) fn grow<'r>(review: &'r Review, is_reported: &[bool]) -> Vec<ForkClass<'r>> {
    let (table, items) = table(review);
    let half = |wanted: bool| -> Vec<ForkItem<'r>> {
        let belongs = |item: &&ForkItem<'_>| is_reported[item.block] == wanted;
        items.iter().filter(belongs).copied().collect()
    };
    let positions = positions(review, is_reported);
    let mut nodes = vec![ForkClass {
        items: half(true),
        training: half(false),
        decisions: positions.iter().map(|count| count.reported).sum(),
        positions,
        ..ForkClass::default()
    }];
    let mut splits: Vec<Option<(f64, Split)>> = vec![best(&table, &nodes[0])];
    for _ in 0..SPLITS_MAX {
        let gain = |split: &Option<(f64, Split)>| split.as_ref().map_or(0.0, |(gain, _)| *gain);
        let best_node = (0..nodes.len())
            .max_by(|&a, &b| gain(&splits[a]).total_cmp(&gain(&splits[b])))
            .filter(|&node| splits[node].is_some());
        let Some(parent) = best_node else { break };
        let Some((_, split)) = splits[parent].take() else {
            break;
        };
        let mut subclasses = parts(&table, &nodes[parent], parent, split);
        if subclasses.len() == 1 && nodes[parent].parent.is_some() {
            // All forks meet the condition, so it describes the class itself.
            nodes[parent].narrow(subclasses.remove(0));
            splits[parent] = best(&table, &nodes[parent]);
            continue;
        }
        for part in subclasses {
            splits.push(best(&table, &part));
            nodes.push(part);
        }
        nodes[parent].is_divided = true;
    }
    nodes
}

/// Counts the unforced decisions by the features of their positions.
fn positions(review: &Review, is_reported: &[bool]) -> Vec<PositionCount> {
    let mut positions: BTreeMap<u32, PositionCount> = BTreeMap::new();
    for (block, is_reported) in review.batches.iter().zip(is_reported) {
        for &(position, counts) in &block.decisions {
            let count = positions.entry(position).or_default();
            count.position = position;
            if *is_reported {
                count.reported += u64::from(counts[0]);
            } else {
                count.training += u64::from(counts[0]) + u64::from(counts[1]);
            }
        }
    }
    positions.into_values().collect()
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

/// Returns the subclasses of a split, except subclasses without forks.
fn parts<'r>(
    table: &FeatureTable<'_>,
    node: &ForkClass<'r>,
    parent: usize,
    split: Split,
) -> Vec<ForkClass<'r>> {
    let (name, is_choice) = split.feature;
    let mut parts: Vec<ForkClass<'r>> = (0..split.groups.count())
        .map(|group| ForkClass {
            parent: Some(parent),
            conditions: vec![format!("{name}: {}", split.groups.label(group))],
            depth: node.depth + 1,
            choices: node
                .choices
                .iter()
                .copied()
                .chain(is_choice.then_some(split.feature))
                .collect(),
            ..ForkClass::default()
        })
        .collect();
    let group = |item: &ForkItem<'_>| split.groups.of(table.of_item(split.feature, item));
    for item in &node.items {
        parts[group(item)].items.push(*item);
    }
    for item in &node.training {
        parts[group(item)].training.push(*item);
    }
    for &count in &node.positions {
        if is_choice {
            // Conditions on choices do not divide the positions, so each part keeps all decisions.
            parts.iter_mut().for_each(|part| part.positions.push(count));
            continue;
        }
        let position = &table.values[count.position as usize];
        let value = FeatureAtFork::new(split.feature, position, None);
        let part = &mut parts[split.groups.of(value)];
        part.positions.push(count);
        part.decisions += count.reported;
    }
    for part in &mut parts {
        for (feature, condition) in common_choices(table, part) {
            part.conditions.push(condition);
            part.choices.push(feature);
        }
    }
    for part in parts.iter_mut().filter(|part| !part.choices.is_empty()) {
        let forks = part.items.iter().map(|item| u64::from(item.sum.counts[0]));
        part.decisions = forks.sum();
    }
    parts.retain(|part| !part.items.is_empty() || !part.training.is_empty());
    parts
}

/// Returns conditions on choices that all forks of a class meet, at most one for each feature
/// without a condition. A feature counts only if the bots differ in it at half of the forks or more.
/// A condition names the words for the choices of both bots if they are the same at all forks.
/// Otherwise, it names the word of one bot.
fn common_choices(table: &FeatureTable<'_>, class: &ForkClass<'_>) -> Vec<(Feature, String)> {
    let items = || class.training.iter().chain(&class.items);
    let Some(first) = items().next() else {
        return Vec::new();
    };
    if items().map(ForkItem::count).sum::<u64>() < FORKS_MIN {
        return Vec::new();
    }
    let is_new = |feature: &&Feature| feature.1 && !class.choices.contains(feature);
    let condition = |&feature: &Feature| {
        let differs = |value: &FeatureAtFork| match value {
            FeatureAtFork::Choices(of, by) => of != by,
            FeatureAtFork::Compared(order) => *order != Ordering::Equal,
            FeatureAtFork::None | FeatureAtFork::Position(_) => false,
        };
        let value = table.of_item(feature, first);
        let mut candidates = vec![Groups::Values(vec![value])];
        if let FeatureAtFork::Choices(of, by) = value {
            candidates.extend([Groups::Choice(of, false), Groups::Choice(by, true)]);
        }
        let values: Vec<_> = items()
            .map(|item| (table.of_item(feature, item), item))
            .collect();
        let all: u64 = values.iter().map(|(_, item)| item.count()).sum();
        let different = values.iter().filter(|(value, _)| differs(value));
        if all > 2 * different.map(|(_, item)| item.count()).sum::<u64>() {
            return None;
        }
        let is_common = |groups: &Groups| values.iter().all(|(value, _)| groups.of(*value) == 0);
        let groups = candidates.into_iter().find(is_common)?;
        Some((feature, format!("{}: {}", feature.0, groups.label(0))))
    };
    let features = table.features.iter().filter(is_new);
    features.filter_map(condition).collect()
}

/// Returns the best split of a class and its gain; `None` if no split explains more than chance.
fn best(table: &FeatureTable<'_>, node: &ForkClass<'_>) -> Option<(f64, Split)> {
    if node.depth == DEPTH_MAX {
        return None;
    }
    let decisions: u64 = node.positions.iter().map(|count| count.training).sum();
    let forks: u64 = node.training.iter().map(ForkItem::count).sum();
    let splits = table.features.iter().flat_map(|&feature| {
        let values: Vec<FeatureAtFork> = node
            .training
            .iter()
            .map(|item| table.of_item(feature, item))
            .collect();
        let mut counts: BTreeMap<FeatureAtFork, f64> = BTreeMap::new();
        if feature.1 {
            let share = decisions as f64 / forks.max(1) as f64;
            for (item, &value) in node.training.iter().zip(&values) {
                *counts.entry(value).or_default() += share * item.count() as f64;
            }
        } else {
            for count in &node.positions {
                let position = &table.values[count.position as usize];
                let value = FeatureAtFork::new(feature, position, None);
                *counts.entry(value).or_default() += count.training as f64;
            }
        }
        candidates(&node.training, &values, &counts)
            .into_iter()
            .filter_map(move |groups| {
                let gain = gain(&node.training, &values, &groups, &counts)?;
                Some((gain, Split { feature, groups }))
            })
            .collect::<Vec<_>>()
    });
    // If splits are equal, the feature that the game names first is used.
    splits.reduce(|best, other| if best.0 < other.0 { other } else { best })
}

/// Returns the possible groupings by a feature, from its values at forks and the number of
/// decisions by value.
fn candidates(
    items: &[ForkItem<'_>],
    values: &[FeatureAtFork],
    decisions: &BTreeMap<FeatureAtFork, f64>,
) -> Vec<Groups> {
    let mut counts: BTreeMap<FeatureAtFork, u64> = BTreeMap::new();
    for (item, &value) in items.iter().zip(values) {
        *counts.entry(value).or_default() += item.count();
    }
    let number = |value: &FeatureAtFork| match value {
        FeatureAtFork::Position(FeatureValue::Count(number)) => Some(*number),
        _ => None,
    };
    if counts.keys().any(|value| number(value).is_some()) {
        let numbers = decisions.keys().filter_map(number);
        return numbers.skip(1).map(Groups::Threshold).collect();
    }
    let mut words: BTreeMap<(FeatureValue, bool), u64> = BTreeMap::new();
    for (value, count) in &counts {
        if let FeatureAtFork::Choices(of, by) = *value {
            *words.entry((of, false)).or_default() += count;
            *words.entry((by, true)).or_default() += count;
        }
    }
    words.retain(|_, count| FORKS_MIN <= *count);
    let by_word = words
        .into_keys()
        .map(|(word, is_by)| Groups::Choice(word, is_by));
    let mut groups: Vec<(FeatureAtFork, u64)> = counts.into_iter().collect();
    groups.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    groups.retain(|&(_, count)| FORKS_MIN <= count);
    groups.truncate(GROUPS_MAX);
    let groups: Vec<FeatureAtFork> = groups.into_iter().map(|(value, _)| value).collect();
    let by_values = (!groups.is_empty()).then_some(Groups::Values(groups));
    by_values.into_iter().chain(by_word).collect()
}

/// Returns the gain of a split: its sum of squares minus the part expected by chance. Returns
/// `None` if the sum is not clearly above chance or a group has too few decisions. `counts` has the
/// number of decisions by value of the feature.
fn gain(
    items: &[ForkItem<'_>],
    values: &[FeatureAtFork],
    groups: &Groups,
    counts: &BTreeMap<FeatureAtFork, f64>,
) -> Option<f64> {
    let mut decisions = vec![0.0; groups.count()];
    for (&value, count) in counts {
        decisions[groups.of(value)] += count;
    }
    let mut sums: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
    for (item, &value) in items.iter().zip(values) {
        let sums = sums
            .entry(item.block)
            .or_insert_with(|| vec![0.0; groups.count()]);
        sums[groups.of(value)] += item.value();
    }
    let filled: Vec<usize> = (0..groups.count())
        .filter(|&group| 0.0 < decisions[group])
        .collect();
    let blocks = sums.len() as f64;
    if filled.len() < 2 || blocks < 2.0 {
        return None;
    }
    if filled
        .iter()
        .any(|&group| decisions[group] < FORKS_MIN as f64)
    {
        return None;
    }
    let all: f64 = decisions.iter().sum();
    let (mut explained, mut expected) = (0.0, 0.0);
    for &group in &filled {
        let share = decisions[group] / all;
        let deviations: Vec<f64> = sums
            .values()
            .map(|sums| sums[group] - share * sums.iter().sum::<f64>())
            .collect();
        let total: f64 = deviations.iter().sum();
        let mean = total / blocks;
        let squares: f64 = deviations.iter().map(|d| (d - mean).powi(2)).sum();
        explained += total * total / decisions[group];
        expected += blocks / (blocks - 1.0) * squares / decisions[group];
    }
    (RATIO_MIN * expected < explained).then_some(explained - expected)
}
