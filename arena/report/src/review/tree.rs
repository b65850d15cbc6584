//! A tree of classes of forks: the features of decisions that explain the difference of two bots.
//!
//! The tree grows on the *training half* of the blocks; results come from the other half. A split
//! is rated by its between-group sum of squares minus the part expected by chance:
//!
//! Σ Dᵍ²/nᵍ − Σ Var(Dᵍ)/nᵍ
//!
//! Group g has nᵍ unforced decisions, whose deviations from the mean decision have the sum Dᵍ;
//! variances are over blocks. Decisions on which the bots agree count with the value 0, so a class
//! that contains all forks in few decisions is found even if the forks are all alike. If a split is
//! by the choices, each group gets its share of the forks as its share of the decisions. The best
//! split of any class is made first.

use hattari_agents::table::{ComparedDecision, FeatureValues, Selects};
use hattari_play::review::Review;
use hattari_plugin::games::features::FeatureValue;
use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// Maximum number of splits of a tree.
const SPLITS_MAX: usize = 4;
/// Maximum number of conditions of a class.
const DEPTH_MAX: usize = 3;
/// Maximum number of groups of a split; smaller groups are merged.
const GROUPS_MAX: usize = 6;
/// Minimum number of forks of a group in the training half.
const FORKS_MIN: usize = 20;
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
    /// Two groups: this value for the choice of the reviewed bot and another one for that of the
    /// other bot, and everything else.
    Own(FeatureValue),
}

impl Groups {
    fn count(&self) -> usize {
        match self {
            Groups::Threshold(_) | Groups::Own(_) => 2,
            Groups::Values(values) => values.len() + 1,
        }
    }

    fn of(&self, value: FeatureAtFork) -> usize {
        match self {
            Groups::Threshold(from) => match value {
                FeatureAtFork::Position(FeatureValue::Count(number)) => usize::from(number < *from),
                _ => 1,
            },
            Groups::Own(own) => match value {
                FeatureAtFork::Choices(of, by) => usize::from(of != *own || by == *own),
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
            Groups::Own(own) if group == 0 => format!("{} → other", word(*own)),
            Groups::Own(_) => "other".to_owned(),
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

/// A fork with its indices.
#[derive(Clone, Copy, Debug)]
pub(super) struct ForkItem {
    /// Index of the block.
    pub block: usize,
    /// Order, 0 or 1.
    pub order: usize,
    /// Gain from the other bot's choice, in points.
    pub value: f64,
    position: usize,
    choices: usize,
}

/// A class of forks.
#[derive(Debug, Default)]
pub(super) struct ForkClass {
    /// Index of the parent class.
    pub parent: Option<usize>,
    /// The conditions that define the class within its parent: a split of the parent, and choices
    /// that all forks share.
    pub conditions: Vec<String>,
    /// A partition and a group of it by condition.
    splits: Vec<(Arc<Split>, usize)>,
    /// Number of conditions from the root.
    pub depth: usize,
    /// `true` if the class has subclasses.
    pub is_divided: bool,
    /// Forks of the reported half.
    pub items: Vec<ForkItem>,
    /// Number of unforced decisions of the reviewed bot in these positions, in the reported half.
    /// If a condition is on the choices, only decisions on which the bots differ count.
    pub decisions: u64,
    /// `true` if a condition is on the choices.
    has_choice: bool,
    training: Vec<ForkItem>,
    positions: Vec<PositionCount>,
}

impl ForkClass {
    /// Adds the conditions of a subclass that has all forks of the class.
    fn narrow(&mut self, part: ForkClass) {
        self.conditions.extend(part.conditions);
        self.splits.extend(part.splits);
        self.depth = part.depth;
        self.decisions = part.decisions;
        self.has_choice = part.has_choice;
        self.positions = part.positions;
    }
}

/// Numbers of unforced decisions in positions with the same features.
#[derive(Clone, Copy, Debug, Default)]
struct PositionCount {
    /// Index of the features.
    position: u32,
    /// Decisions of both bots in the training half.
    training: u64,
    /// Decisions of the reviewed bot in the reported half.
    reported: u64,
}

/// The features of all forks of a review.
struct FeatureTable<'r> {
    features: Vec<Feature>,
    marks: &'r [FeatureValues],
    /// Pairs of choice indices.
    choices: Vec<[u32; 2]>,
}

impl FeatureTable<'_> {
    fn of_item(&self, feature: Feature, item: &ForkItem) -> FeatureAtFork {
        let choices = self.choices[item.choices].map(|marks| &self.marks[marks as usize]);
        value(feature, &self.marks[item.position], Some(choices))
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
pub(super) fn selects(nodes: &[ForkClass], class: usize) -> Selects {
    let mut splits = Vec::new();
    let mut at = Some(&nodes[class]);
    while let Some(node) = at {
        splits.extend(node.splits.iter().cloned());
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
pub(super) fn grow(review: &Review, is_reported: &[bool]) -> Vec<ForkClass> {
    let (table, items) = table(review);
    let half = |wanted: bool| -> Vec<ForkItem> {
        let belongs = |item: &&ForkItem| is_reported[item.block] == wanted;
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

fn positions(review: &Review, is_reported: &[bool]) -> Vec<PositionCount> {
    let mut positions: BTreeMap<u32, PositionCount> = BTreeMap::new();
    for (block, is_reported) in review.blocks.iter().zip(is_reported) {
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

fn table(review: &Review) -> (FeatureTable<'_>, Vec<ForkItem>) {
    let mut table = FeatureTable {
        features: Vec::new(),
        marks: &review.marks,
        choices: Vec::new(),
    };
    let mut numbers: HashMap<[u32; 2], usize> = HashMap::new();
    let mut items = Vec::new();
    let mut note = |marks: u32, is_choice: bool| {
        for &(name, _) in &review.marks[marks as usize] {
            if !table.features.contains(&(name, is_choice)) {
                table.features.push((name, is_choice));
            }
        }
    };
    for (number, block) in review.blocks.iter().enumerate() {
        for fork in &block.forks {
            let choices = *numbers.entry(fork.choices).or_insert_with(|| {
                table.choices.push(fork.choices);
                fork.choices.iter().for_each(|&marks| note(marks, true));
                table.choices.len() - 1
            });
            note(fork.position, false);
            items.push(ForkItem {
                block: number,
                order: usize::from(fork.order),
                value: fork.value as f64,
                position: fork.position as usize,
                choices,
            });
        }
    }
    (table, items)
}

/// Returns the subclasses of a split; those without forks are left out.
fn parts(
    table: &FeatureTable<'_>,
    node: &ForkClass,
    parent: usize,
    split: Split,
) -> Vec<ForkClass> {
    let (name, is_choice) = split.feature;
    let split = Arc::new(split);
    let mut parts: Vec<ForkClass> = (0..split.groups.count())
        .map(|group| ForkClass {
            parent: Some(parent),
            conditions: vec![format!("{name}: {}", split.groups.label(group))],
            splits: vec![(Arc::clone(&split), group)],
            depth: node.depth + 1,
            has_choice: node.has_choice || is_choice,
            ..ForkClass::default()
        })
        .collect();
    let group = |item: &ForkItem| split.groups.of(table.of_item(split.feature, item));
    for item in &node.items {
        parts[group(item)].items.push(*item);
    }
    for item in &node.training {
        parts[group(item)].training.push(*item);
    }
    for &count in &node.positions {
        if is_choice {
            // All decisions in these positions remain the base for conditions on positions.
            parts.iter_mut().for_each(|part| part.positions.push(count));
            continue;
        }
        let marks = &table.marks[count.position as usize];
        let part = &mut parts[split.groups.of(value(split.feature, marks, None))];
        part.positions.push(count);
        part.decisions += count.reported;
    }
    for part in &mut parts {
        if !part.has_choice
            && let Some(split) = common_choice(table, part)
        {
            let condition = format!("{}: {}", split.feature.0, split.groups.label(0));
            part.conditions.push(condition);
            part.splits.push((Arc::new(split), 0));
            part.has_choice = true;
        }
    }
    for part in parts.iter_mut().filter(|part| part.has_choice) {
        part.decisions = part.items.iter().filter(|item| item.order == 0).count() as u64;
    }
    parts.retain(|part| !part.items.is_empty() || !part.training.is_empty());
    parts
}

/// Returns the first feature of choices in which the bots differ in the same way at all forks of a
/// class. Otherwise, it returns one in which the reviewed bot has the same value everywhere and the
/// other bot never. In this partition, the first group has all forks.
fn common_choice(table: &FeatureTable<'_>, class: &ForkClass) -> Option<Split> {
    let items = || class.training.iter().chain(&class.items);
    if items().count() < FORKS_MIN {
        return None;
    }
    let is_common = |split: &Split| {
        items().all(|item| split.groups.of(table.of_item(split.feature, item)) == 0)
    };
    let choices = || table.features.iter().copied().filter(|feature| feature.1);
    let same = choices().filter_map(|feature| {
        let value = table.of_item(feature, items().next()?);
        let differs = match value {
            FeatureAtFork::Choices(of, by) => of != by,
            FeatureAtFork::Compared(order) => order != Ordering::Equal,
            FeatureAtFork::None | FeatureAtFork::Position(_) => false,
        };
        let groups = Groups::Values(vec![value]);
        differs.then_some(Split { feature, groups })
    });
    let own = choices().filter_map(|feature| match table.of_item(feature, items().next()?) {
        FeatureAtFork::Choices(of, _) => Some(Split {
            feature,
            groups: Groups::Own(of),
        }),
        _ => None,
    });
    same.chain(own).find(is_common)
}

/// Returns the best split of a class and its gain; `None` if no split explains more than chance.
fn best(table: &FeatureTable<'_>, node: &ForkClass) -> Option<(f64, Split)> {
    if node.depth == DEPTH_MAX {
        return None;
    }
    let decisions: u64 = node.positions.iter().map(|count| count.training).sum();
    let splits = table.features.iter().flat_map(|&feature| {
        let values: Vec<FeatureAtFork> = node
            .training
            .iter()
            .map(|item| table.of_item(feature, item))
            .collect();
        let mut counts: BTreeMap<FeatureAtFork, f64> = BTreeMap::new();
        if feature.1 {
            let share = decisions as f64 / values.len().max(1) as f64;
            for &value in &values {
                *counts.entry(value).or_default() += share;
            }
        } else {
            for count in &node.positions {
                let marks = &table.marks[count.position as usize];
                *counts.entry(value(feature, marks, None)).or_default() += count.training as f64;
            }
        }
        candidates(&values, &counts)
            .into_iter()
            .filter_map(move |groups| {
                let gain = gain(&node.training, &values, &groups, &counts)?;
                Some((gain, Split { feature, groups }))
            })
            .collect::<Vec<_>>()
    });
    // Of equal splits, the feature that the game names first.
    splits.reduce(|best, other| if best.0 < other.0 { other } else { best })
}

/// Returns the possible groupings by a feature, from its values at forks and the number of decisions
/// by value.
fn candidates(values: &[FeatureAtFork], decisions: &BTreeMap<FeatureAtFork, f64>) -> Vec<Groups> {
    let mut counts: BTreeMap<FeatureAtFork, usize> = BTreeMap::new();
    for &value in values {
        *counts.entry(value).or_default() += 1;
    }
    let number = |value: &FeatureAtFork| match value {
        FeatureAtFork::Position(FeatureValue::Count(number)) => Some(*number),
        _ => None,
    };
    if counts.keys().any(|value| number(value).is_some()) {
        let numbers = decisions.keys().filter_map(number);
        return numbers.skip(1).map(Groups::Threshold).collect();
    }
    let mut groups: Vec<(FeatureAtFork, usize)> = counts.into_iter().collect();
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

/// Returns the sum of squares beyond chance; `None` if it is not clearly above chance. `counts` has
/// the number of decisions by value of the feature.
fn gain(
    items: &[ForkItem],
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
        sums[groups.of(value)] += item.value;
    }
    let filled: Vec<usize> = (0..groups.count())
        .filter(|&g| 0.0 < decisions[g])
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
