//! A tree of classes of forks: the features of decisions that explain the difference of two bots.
//!
//! The tree grows on the *training half* of the blocks; results come from the other half. A split
//! is rated by its between-group sum of squares minus the part expected by chance:
//!
//! Σ Dᵍ²/nᵍ − Σ Var(Dᵍ)/nᵍ
//!
//! Group g has nᵍ forks, whose deviations from the mean fork have the sum Dᵍ; variances are over
//! blocks. The best split of any class is made first.

use hattari_agents::table::{ComparedDecision, FeatureValues, Selects};
use hattari_play::review::{ForkSum, Review};
use hattari_plugin::games::features::FeatureValue;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;

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

/// The value of a feature at a fork.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum FeatureAtFork {
    /// The feature has no value there.
    None,
    /// Value for the position.
    Position(FeatureValue),
    /// Values for the choices of the reviewed bot and the other bot.
    Choices(FeatureValue, FeatureValue),
    /// The other bot's number compared with the reviewed bot's.
    Compared(Ordering),
}

/// The name of a feature, and `true` if it belongs to the pair of choices.
type Feature = (&'static str, bool);

/// A partition of forks by a feature.
#[derive(Debug)]
struct Split {
    feature: Feature,
    groups: Groups,
}

#[derive(Debug)]
enum Groups {
    /// Two groups: values from this number on, and smaller ones.
    Threshold(u8),
    /// One group per value, and one for all other values.
    Values(Vec<FeatureAtFork>),
}

impl Groups {
    fn count(&self) -> usize {
        match self {
            Groups::Threshold(_) => 2,
            Groups::Values(values) => values.len() + 1,
        }
    }

    fn of(&self, value: FeatureAtFork) -> usize {
        match self {
            Groups::Threshold(from) => match value {
                FeatureAtFork::Position(FeatureValue::Count(number)) => usize::from(number < *from),
                _ => 1,
            },
            Groups::Values(values) => values
                .iter()
                .position(|known| *known == value)
                .unwrap_or(values.len()),
        }
    }

    fn label(&self, group: usize) -> String {
        let word = |mark: FeatureValue| match mark {
            FeatureValue::Count(number) => number.to_string(),
            FeatureValue::Word(word) => word.to_owned(),
        };
        match self {
            Groups::Threshold(from) if group == 0 => format!("{from} or more"),
            Groups::Threshold(from) => format!("{} or fewer", from.saturating_sub(1)),
            Groups::Values(values) => match values.get(group) {
                None => "other".to_owned(),
                Some(FeatureAtFork::None) => "none".to_owned(),
                Some(FeatureAtFork::Position(mark)) => word(*mark),
                Some(FeatureAtFork::Choices(of, by)) => format!("{} → {}", word(*of), word(*by)),
                Some(FeatureAtFork::Compared(Ordering::Less)) => "lower".to_owned(),
                Some(FeatureAtFork::Compared(Ordering::Equal)) => "equal".to_owned(),
                Some(FeatureAtFork::Compared(Ordering::Greater)) => "higher".to_owned(),
            },
        }
    }
}

/// Forks of a batch with the same features.
#[derive(Clone, Copy, Debug)]
pub(super) struct ForkItem<'r> {
    /// Index of the batch.
    pub block: usize,
    /// The forks.
    pub sum: &'r ForkSum,
}

impl ForkItem<'_> {
    /// Returns the number of forks.
    pub(super) fn count(&self) -> u64 {
        self.sum.counts.map(u64::from).iter().sum()
    }

    /// Returns the gain from the other bot's choices in both orders, in points.
    fn value(&self) -> f64 {
        self.sum.values.iter().sum::<i64>() as f64
    }
}

/// A class of forks.
#[derive(Debug, Default)]
pub(super) struct ForkClass<'r> {
    /// Index of the parent class.
    pub parent: Option<usize>,
    /// The condition that defines the class within its parent.
    pub condition: String,
    /// The split of the parent, and the group of this class; `None` for the root.
    split: Option<(Arc<Split>, usize)>,
    /// Number of conditions from the root.
    pub depth: usize,
    /// `true` if the class has subclasses.
    pub is_divided: bool,
    /// Forks of the reported half.
    pub items: Vec<ForkItem<'r>>,
    /// Number of unforced decisions of the reviewed bot in these positions, in the reported half.
    /// If a condition is on the choices, only decisions on which the bots differ count.
    pub decisions: u64,
    /// `true` if a condition is on the choices.
    has_choice: bool,
    training: Vec<ForkItem<'r>>,
    /// Number of decisions of the reported half by position index.
    positions: Vec<(u32, u64)>,
}

/// The features of all forks of a review.
struct FeatureTable<'r> {
    features: Vec<Feature>,
    marks: &'r [FeatureValues],
}

impl FeatureTable<'_> {
    fn of_item(&self, feature: Feature, item: &ForkItem<'_>) -> FeatureAtFork {
        let choices = item.sum.choices.map(|marks| &self.marks[marks as usize]);
        value(
            feature,
            &self.marks[item.sum.position as usize],
            Some(choices),
        )
    }
}

/// Returns the value of a feature for a position and, if given, the choices of `by` and `of`.
fn value(
    (name, is_choice): Feature,
    position: &FeatureValues,
    choices: Option<[&FeatureValues; 2]>,
) -> FeatureAtFork {
    let find = |marks: &FeatureValues| marks.iter().find(|mark| mark.0 == name).map(|mark| mark.1);
    if !is_choice {
        return find(position).map_or(FeatureAtFork::None, FeatureAtFork::Position);
    }
    match choices.map(|choices| choices.map(find)) {
        Some([Some(FeatureValue::Count(by)), Some(FeatureValue::Count(of))]) => {
            FeatureAtFork::Compared(by.cmp(&of))
        }
        Some([Some(by), Some(of)]) => FeatureAtFork::Choices(of, by),
        _ => FeatureAtFork::None,
    }
}

/// Returns a function that tells whether a decision belongs to a class.
pub(super) fn selects(nodes: &[ForkClass<'_>], class: usize) -> Selects {
    let mut splits = Vec::new();
    let mut at = Some(&nodes[class]);
    while let Some(node) = at {
        splits.extend(node.split.clone());
        at = node.parent.map(|parent| &nodes[parent]);
    }
    Arc::new(move |decided: &ComparedDecision| {
        let choices = [&decided.choices[0], &decided.choices[1]];
        splits.iter().all(|(split, group)| {
            let value = value(split.feature, &decided.position, Some(choices));
            split.groups.of(value) == *group
        })
    })
}

/// Grows the tree of a review. `is_reported` is by block. The first node is the root, and parents
/// come before their children.
pub(super) fn grow<'r>(review: &'r Review, is_reported: &[bool]) -> Vec<ForkClass<'r>> {
    let (table, items) = table(review);
    let half = |wanted: bool| -> Vec<ForkItem<'r>> {
        let belongs = |item: &&ForkItem<'_>| is_reported[item.block] == wanted;
        items.iter().filter(belongs).copied().collect()
    };
    let mut positions: BTreeMap<u32, u64> = BTreeMap::new();
    let reported = review.blocks.iter().zip(is_reported).filter(|(_, is)| **is);
    for (position, counts) in reported.flat_map(|(block, _)| &block.decisions) {
        *positions.entry(*position).or_default() += u64::from(counts[0]);
    }
    let mut nodes = vec![ForkClass {
        items: half(true),
        training: half(false),
        decisions: positions.values().sum(),
        positions: positions.into_iter().collect(),
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
        for part in parts(&table, &nodes[parent], parent, split) {
            splits.push(best(&table, &part));
            nodes.push(part);
        }
        nodes[parent].is_divided = true;
    }
    nodes
}

fn table(review: &Review) -> (FeatureTable<'_>, Vec<ForkItem<'_>>) {
    let mut features = Vec::new();
    let mut note = |marks: u32, is_choice: bool| {
        for &(name, _) in &review.marks[marks as usize] {
            if !features.contains(&(name, is_choice)) {
                features.push((name, is_choice));
            }
        }
    };
    let mut items = Vec::new();
    for (block, batch) in review.blocks.iter().enumerate() {
        for sum in &batch.forks {
            sum.choices.iter().for_each(|&marks| note(marks, true));
            note(sum.position, false);
            items.push(ForkItem { block, sum });
        }
    }
    let marks = &review.marks;
    (FeatureTable { features, marks }, items)
}

/// Returns the subclasses of a split; those without forks are left out.
fn parts<'r>(
    table: &FeatureTable<'_>,
    node: &ForkClass<'r>,
    parent: usize,
    split: Split,
) -> Vec<ForkClass<'r>> {
    let (name, is_choice) = split.feature;
    let split = Arc::new(split);
    let mut parts: Vec<ForkClass<'r>> = (0..split.groups.count())
        .map(|group| ForkClass {
            parent: Some(parent),
            condition: format!("{name}: {}", split.groups.label(group)),
            split: Some((Arc::clone(&split), group)),
            depth: node.depth + 1,
            has_choice: node.has_choice || is_choice,
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
    for &(position, count) in &node.positions {
        let value = value(split.feature, &table.marks[position as usize], None);
        let group = split.groups.of(value);
        parts[group].positions.push((position, count));
        parts[group].decisions += count;
    }
    for part in parts.iter_mut().filter(|part| part.has_choice) {
        let forks = part.items.iter().map(|item| u64::from(item.sum.counts[0]));
        part.decisions = forks.sum();
    }
    parts.retain(|part| !part.items.is_empty() || !part.training.is_empty());
    parts
}

/// Returns the best split of a class and its gain; `None` if no split explains more than chance.
fn best(table: &FeatureTable<'_>, node: &ForkClass<'_>) -> Option<(f64, Split)> {
    if node.depth == DEPTH_MAX {
        return None;
    }
    let splits = table.features.iter().flat_map(|&feature| {
        let values: Vec<FeatureAtFork> = node
            .training
            .iter()
            .map(|item| table.of_item(feature, item))
            .collect();
        candidates(&node.training, &values)
            .into_iter()
            .filter_map(move |groups| {
                let gain = gain(&node.training, &values, &groups)?;
                Some((gain, Split { feature, groups }))
            })
            .collect::<Vec<_>>()
    });
    splits.max_by(|a, b| a.0.total_cmp(&b.0))
}

/// Returns the possible groupings of forks with these values.
fn candidates(items: &[ForkItem<'_>], values: &[FeatureAtFork]) -> Vec<Groups> {
    let mut counts: BTreeMap<FeatureAtFork, u64> = BTreeMap::new();
    for (item, &value) in items.iter().zip(values) {
        *counts.entry(value).or_default() += item.count();
    }
    let number = |value: &FeatureAtFork| match value {
        FeatureAtFork::Position(FeatureValue::Count(number)) => Some(*number),
        _ => None,
    };
    if counts.keys().any(|value| number(value).is_some()) {
        let numbers = counts.keys().filter_map(number);
        return numbers.skip(1).map(Groups::Threshold).collect();
    }
    let mut groups: Vec<(FeatureAtFork, u64)> = counts.into_iter().collect();
    groups.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    groups.retain(|&(_, count)| FORKS_MIN <= count);
    groups.truncate(GROUPS_MAX);
    let groups: Vec<FeatureAtFork> = groups.into_iter().map(|(value, _)| value).collect();
    if groups.is_empty() {
        Vec::new()
    } else {
        vec![Groups::Values(groups)]
    }
}

/// Returns the sum of squares beyond chance; `None` if it is not clearly above chance.
fn gain(items: &[ForkItem<'_>], values: &[FeatureAtFork], groups: &Groups) -> Option<f64> {
    let count = groups.count();
    let mut forks = vec![0; count];
    let mut sums: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
    for (item, &value) in items.iter().zip(values) {
        let group = groups.of(value);
        forks[group] += item.count();
        sums.entry(item.block).or_insert_with(|| vec![0.0; count])[group] += item.value();
    }
    let filled: Vec<usize> = (0..count).filter(|&group| 0 < forks[group]).collect();
    let blocks = sums.len() as f64;
    if filled.len() < 2 || blocks < 2.0 {
        return None;
    }
    if matches!(groups, Groups::Threshold(_)) && filled.iter().any(|&g| forks[g] < FORKS_MIN) {
        return None;
    }
    let (mut explained, mut expected) = (0.0, 0.0);
    for &group in &filled {
        let share = forks[group] as f64 / forks.iter().sum::<u64>() as f64;
        let deviations: Vec<f64> = sums
            .values()
            .map(|sums| sums[group] - share * sums.iter().sum::<f64>())
            .collect();
        let total: f64 = deviations.iter().sum();
        let mean = total / blocks;
        let squares: f64 = deviations.iter().map(|d| (d - mean).powi(2)).sum();
        explained += total * total / forks[group] as f64;
        expected += blocks / (blocks - 1.0) * squares / forks[group] as f64;
    }
    (RATIO_MIN * expected < explained).then_some(explained - expected)
}
