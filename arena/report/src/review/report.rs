//! The report of a review: everything that text, page and JSON show.

use super::estimate::{CONFIDENCE, Estimate, estimate, halves};
use super::league::LeagueDifference;
use super::tree::{self, ForkClass, ForkItem};
use crate::numbers::{decimals, interval, signed};
use crate::replay::pick::PickedGame;
use hattari_agents::record::JobId;
use hattari_agents::table::ALL_DECISIONS;
use hattari_play::prepared::PreparedLeague;
use hattari_play::review::{Review, ReviewBatch, ReviewPlan};
use hattari_plugin::games::features::FeatureValue;
use serde::Serialize;

/// The gain of a hybrid against the reviewed bot.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Proof {
    /// Index of the class in which the hybrid plays the other bot's choices; `None` if the
    /// decisions are not those of a class.
    pub class: Option<usize>,
    /// The condition of the decisions in which the hybrid plays the other bot's choices.
    pub when: String,
    /// Gain of the hybrid on the half of the blocks that was not used to choose the classes. In
    /// these games, the reviewed bot continues after each replaced choice. The value of the class
    /// is a mean over games in which the reviewed bot continues and games in which the other bot
    /// does.
    pub hybrid: Estimate,
}

/// A fork that the report shows (a decision in which the two bots choose differently), with the
/// game after each choice.
#[derive(Clone, Debug, Serialize)]
pub struct ShownFork {
    /// The reason for showing the fork: `costly` or `typical`.
    pub why: &'static str,
    /// Number of the line-up.
    pub line_up: u32,
    /// Number of the block.
    pub block: u32,
    /// Number of the game in the block.
    pub game: u32,
    /// Number of the unforced decision within the game, counted for the reviewed bot's seats.
    pub decision: u32,
    /// Name of the bot that decided before the fork.
    pub before: String,
    /// Gain from the other bot's choice, in points.
    pub value: i64,
    /// The gain with other hidden cards that fit what the seat knew; `None` if it was not measured.
    pub sampled: Option<SampledGain>,
    /// The features of the position.
    pub position: Vec<(&'static str, FeatureValue)>,
    /// All hands at the start of the game.
    pub dealt: String,
    /// The choices before the fork, with the names of the players.
    pub common: Vec<String>,
    /// The rest of the game after the other bot's choice and after the reviewed bot's choice.
    pub continuations: [Vec<String>; 2],
    /// The games after both choices, for a page.
    #[serde(skip)]
    pub games: Vec<PickedGame>,
}

/// The gain from the other bot's choice in other deals that fit what the seat knew.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SampledGain {
    /// Number of deals.
    pub deals: usize,
    /// Mean gain per deal, in points.
    pub gain: Estimate,
}

/// A class of decisions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DecisionClass {
    /// Conditions on the path from the root, such as `turn: lead`; empty for the root. Words that
    /// describe all forks of a class are conditions, too.
    pub conditions: Vec<String>,
    /// Index of the parent class.
    pub parent: Option<usize>,
    /// Gain from the other bot's choices, averaged over both orders. The intervals of all classes
    /// hold simultaneously with the confidence of the report.
    #[serde(flatten)]
    pub estimate: Estimate,
    /// The gain for each order of the bots: first with the reviewed bot before the fork and the
    /// other bot after it, then the reverse.
    pub orders: [f64; 2],
    /// `true` if the gains of the two orders differ in sign and neither interval contains zero.
    pub depends_on_order: bool,
    /// Number of forks.
    pub n: u64,
    /// Number of unforced decisions of the reviewed bot in this class. If a condition is on the
    /// choices, only decisions on which the bots differ count.
    pub decisions: u64,
    /// Gain in thousandths of a point per unforced decision.
    pub milli_points_a_decision: f64,
    /// `true` if the class has no subclasses.
    pub is_leaf: bool,
}

/// The components of the difference, in points per deal.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DifferenceParts {
    /// Difference in single games in which both bots start from the same state.
    pub decisions: Estimate,
    /// Gain of the other bot if its games start from the state that its own earlier games led to.
    pub carried_over: Estimate,
    /// Gain of the other bot from the bots' memory between games, which single games lack.
    pub memory: Estimate,
    /// The sum of the components: the difference in league play.
    pub difference: Estimate,
    /// The difference in the games of the league; `None` if it has no comparable games of both
    /// bots.
    pub league: Option<LeagueDifference>,
    /// Luck from different deals: the league's difference minus the sum; `None` if the bots did not
    /// play in the same seats.
    pub luck: Option<f64>,
    /// A warning if the league's difference and the sum differ by more than chance explains.
    pub warning: Option<String>,
}

/// The contents of a printed review.
#[derive(Clone, Debug, Serialize)]
pub struct ReviewReport {
    /// Name and revision of the game.
    pub game: String,
    /// Name of the reviewed bot.
    pub of: String,
    /// Name of the bot that is compared with the reviewed bot.
    pub by: String,
    /// Unit of scores.
    pub unit: &'static str,
    /// Confidence level of the intervals.
    #[serde(skip)]
    pub confidence: f64,
    /// Number of games, counted once for each seat of the reviewed bot.
    pub games: u64,
    /// Number of blocks.
    pub blocks: usize,
    /// Number of forks, summed over both orders of the bots.
    pub forks_played: u64,
    /// Share of the reviewed bot's unforced decisions on which the bots differ.
    pub fork_share: f64,
    /// Digest of all forks and scores.
    pub digest: String,
    /// Gain from the other bot's decisions, over all blocks.
    pub total: Estimate,
    /// The components of the difference.
    #[serde(rename = "identity")]
    pub components: DifferenceParts,
    /// Classes of decisions, evaluated on the half of the blocks that was not used to grow the
    /// tree. The root is first, and parents come before their children.
    pub classes: Vec<DecisionClass>,
    /// The gain of a hybrid, if requested.
    pub proof: Option<Proof>,
    /// Example forks.
    pub forks: Vec<ShownFork>,
    /// Faults in the games.
    pub faults: Vec<String>,
    /// Notes on the seats of the bots.
    pub notes: Vec<String>,
}

impl ReviewReport {
    /// Creates the report of a review, without example forks.
    ///
    /// # Panics
    /// Panics if the review belongs to another league.
    #[must_use]
    pub fn new(
        prepared: &PreparedLeague,
        plan: &ReviewPlan,
        review: &Review,
        league: Option<LeagueDifference>,
    ) -> ReviewReport {
        ReviewReport::with_confidence(prepared, plan, review, league, CONFIDENCE)
    }

    /// Creates the report like [`ReviewReport::new`]. The intervals of the total and its components
    /// have the given confidence, and so have the intervals of all classes together.
    ///
    /// # Panics
    /// Panics if the review belongs to another league.
    #[must_use]
    pub fn with_confidence(
        prepared: &PreparedLeague,
        plan: &ReviewPlan,
        review: &Review,
        league: Option<LeagueDifference>,
        confidence: f64,
    ) -> ReviewReport {
        let name = |entrant: usize| prepared.league.entrants[entrant].name.clone();
        let part = |sum: fn(&ReviewBatch) -> i64| {
            estimate(review.batches.iter(), |block| sum(block) as f64, confidence)
        };
        let total = part(|block| block.sums.decisions);
        let difference = part(|block| block.sums.difference);
        let is_reported = halves(review);
        let nodes = tree::grow(review, &is_reported);
        let decisions = review.decisions.iter();
        let decisions = decisions.flat_map(|count| count.counts.map(|[of, _]| u64::from(of)));
        let decisions: u64 = decisions.sum();
        let counts = review.fork_sums().map(|sum| sum.counts.map(u64::from));
        let [own_forks, other_forks] = counts.fold([0; 2], |sums, counts| {
            [sums[0] + counts[0], sums[1] + counts[1]]
        });
        let warning = league
            .as_ref()
            .and_then(|league| league.warning(&difference));
        let game = prepared.game().ok();
        ReviewReport {
            game: game.as_ref().map_or("", |game| game.id()).to_owned(),
            of: name(plan.of),
            by: name(plan.by),
            unit: game.as_ref().map_or("points", |game| game.score_unit()),
            confidence,
            games: review.games(),
            blocks: review.jobs().count(),
            forks_played: own_forks + other_forks,
            fork_share: own_forks as f64 / (decisions.max(1)) as f64,
            digest: format!("{:016x}", review.digest),
            components: DifferenceParts {
                decisions: total,
                carried_over: part(|block| block.sums.carried),
                memory: part(|block| block.sums.memory),
                difference,
                luck: league
                    .as_ref()
                    .filter(|league| league.is_same_seats)
                    .map(|league| league.estimate.value - difference.value),
                league,
                warning,
            },
            total,
            classes: classes(review, &is_reported, &nodes, confidence),
            proof: None,
            forks: Vec::new(),
            faults: faults(prepared, review),
            notes: notes(prepared, plan, review),
        }
    }

    /// Returns the class without subclasses that has the largest gain or loss; `None` if the tree
    /// has only its root.
    #[must_use]
    pub fn largest_leaf_class(&self) -> Option<&DecisionClass> {
        let leaves = self.classes.iter();
        let leaves = leaves.filter(|class| class.is_leaf && class.parent.is_some());
        leaves.max_by(|a, b| a.estimate.value.abs().total_cmp(&b.estimate.value.abs()))
    }

    /// Returns the number of decimals for values of this review.
    #[must_use]
    pub fn decimals(&self) -> usize {
        decimals(self.classes.iter().filter_map(|class| class.estimate.se)).clamp(1, 4)
    }

    /// Returns the decisions of a class, in the language of
    /// [`selects`](hattari_agents::table::selects).
    #[must_use]
    pub fn when(&self, class: usize) -> String {
        match &self.classes[class].conditions[..] {
            [] => ALL_DECISIONS.to_owned(),
            conditions => conditions.join(", "),
        }
    }

    /// Returns the subclasses of a class, the largest first.
    pub(super) fn subclasses(&self, class: usize) -> Vec<usize> {
        let classes = 0..self.classes.len();
        let mut parts: Vec<usize> = classes
            .filter(|&part| self.classes[part].parent == Some(class))
            .collect();
        let size = |part: usize| self.classes[part].estimate.value.abs();
        parts.sort_by(|&a, &b| size(b).total_cmp(&size(a)));
        parts
    }

    /// Returns an estimate with its interval as text.
    pub(super) fn number(&self, estimate: &Estimate) -> String {
        let decimals = self.decimals();
        let range = estimate.ci.map_or_else(String::new, |[low, high]| {
            format!(" ({})", interval((low, high), decimals))
        });
        format!("{}{range}", signed(estimate.value, decimals))
    }

    /// Returns the conditions of a class within its parent.
    pub(super) fn own_conditions(&self, class: &DecisionClass) -> String {
        let parent = class.parent.map(|parent| &self.classes[parent]);
        let known = parent.map_or(0, |parent| parent.conditions.len());
        match &class.conditions[known..] {
            [] => "all decisions".to_owned(),
            own => without_redundancy(own).join(", "),
        }
    }

    /// Returns the class that explains most of the difference: it has no subclasses, its interval
    /// excludes zero, and its value has the sign of the difference. Returns `None` if there is no
    /// such class.
    #[must_use]
    pub fn largest_significant_class(&self) -> Option<&DecisionClass> {
        let root = self.classes.first()?.estimate.value;
        let is_clear = |class: &&DecisionClass| {
            let clear = |[low, high]: [f64; 2]| 0.0 < low * high && 0.0 < low * root;
            class.parent.is_some() && class.is_leaf && class.estimate.ci.is_some_and(clear)
        };
        let size = |class: &&DecisionClass| class.estimate.value.abs();
        let clear = self.classes.iter().filter(is_clear);
        clear.max_by(|a, b| size(a).total_cmp(&size(b)))
    }
}

/// Returns conditions on numbers as one range for each feature. Other conditions are unchanged.
pub(super) fn without_redundancy(conditions: &[String]) -> Vec<String> {
    let bounds = |condition: &str| -> Option<(String, [u8; 2])> {
        let (feature, range) = condition.split_once(": ")?;
        let bounds = match range.split_once(" or ")? {
            (number, "more") => [number.parse().ok()?, u8::MAX],
            (number, "fewer") => [0, number.parse().ok()?],
            _ => return None,
        };
        Some((feature.to_owned(), bounds))
    };
    let mut ranges: Vec<(String, Option<[u8; 2]>)> = Vec::new();
    for condition in conditions {
        let Some((feature, [low, high])) = bounds(condition) else {
            ranges.push((condition.clone(), None));
            continue;
        };
        let mut known = ranges.iter_mut().filter(|range| range.0 == feature);
        match known.find_map(|range| range.1.as_mut()) {
            Some(range) => *range = [range[0].max(low), range[1].min(high)],
            None => ranges.push((feature, Some([low, high]))),
        }
    }
    let text = |(feature, range): (String, Option<[u8; 2]>)| match range {
        None => feature,
        Some([low, u8::MAX]) => format!("{feature}: {low} or more"),
        Some([0, high]) => format!("{feature}: {high} or fewer"),
        Some([low, high]) if low == high => format!("{feature}: {low}"),
        Some([low, high]) => format!("{feature}: {low} to {high}"),
    };
    ranges.into_iter().map(text).collect()
}

/// Returns the conditions of a class, after those of the classes that contain it.
fn all_conditions(class: &ForkClass<'_>, nodes: &[ForkClass<'_>]) -> Vec<String> {
    let mut conditions = match class.parent {
        Some(parent) => all_conditions(&nodes[parent], nodes),
        None => Vec::new(),
    };
    conditions.extend(class.conditions.iter().cloned());
    conditions
}

/// Estimates the gain of each class. `is_reported` selects the blocks that are used.
fn classes(
    review: &Review,
    is_reported: &[bool],
    nodes: &[ForkClass<'_>],
    confidence: f64,
) -> Vec<DecisionClass> {
    let parts = nodes.len().saturating_sub(1).max(1);
    let blocks: Vec<&ReviewBatch> = review.batches.iter().collect();
    let reported = || {
        let pairs = blocks.iter().zip(is_reported);
        pairs.filter(|(_, is)| **is).map(|(block, _)| *block)
    };
    let games: u64 = reported().map(|block| block.games).sum();
    let index: std::collections::HashMap<_, _> = blocks
        .iter()
        .enumerate()
        .map(|(index, block)| (&block.jobs, index))
        .collect();
    let class = |node: &ForkClass<'_>| {
        let mut sums = vec![[0.0; 2]; blocks.len()];
        for item in &node.items {
            for (sum, value) in sums[item.block].iter_mut().zip(item.sum.values) {
                *sum += value as f64;
            }
        }
        let level = match node.parent {
            None => confidence,
            // Bonferroni: the intervals of all classes hold simultaneously.
            Some(_) => 1.0 - (1.0 - confidence) / parts as f64,
        };
        let of = |weights: [f64; 2]| {
            let sum = |block: &ReviewBatch| {
                let [first, second] = sums[index[&block.jobs]];
                weights[0] * first + weights[1] * second
            };
            estimate(reported(), sum, level)
        };
        let (mean, orders) = (of([0.5, 0.5]), [of([1.0, 0.0]), of([0.0, 1.0])]);
        let clear = |estimate: &Estimate| match estimate.ci {
            Some([low, high]) if 0.0 < low * high => low.signum(),
            _ => 0.0,
        };
        DecisionClass {
            conditions: all_conditions(node, nodes),
            parent: node.parent,
            orders: orders.map(|order| order.value),
            depends_on_order: clear(&orders[0]) * clear(&orders[1]) < 0.0,
            n: node.items.iter().map(ForkItem::count).sum(),
            decisions: node.decisions,
            milli_points_a_decision: match node.decisions {
                0 => 0.0,
                decisions => 1000.0 * mean.value * games as f64 / decisions as f64,
            },
            estimate: mean,
            is_leaf: !node.is_divided,
        }
    };
    nodes.iter().map(class).collect()
}

fn faults(prepared: &PreparedLeague, review: &Review) -> Vec<String> {
    let mut lines: Vec<(usize, &str, String, u64)> = Vec::new();
    for fault in &review.faults {
        let known = lines
            .iter_mut()
            .find(|line| (line.0, line.1) == (fault.entrant, fault.kind));
        match known {
            Some(line) => line.3 += fault.count,
            None => {
                let (line_up, block) = (fault.job.line_up, fault.job.block);
                let first = format!(
                    "first in line-up {line_up}, block {block}, game {}: {}",
                    fault.game,
                    hattari_agents::text::escape_for_sentence(&fault.message)
                );
                lines.push((fault.entrant, fault.kind, first, fault.count));
            }
        }
    }
    let line = |(entrant, kind, first, count): (usize, &str, String, u64)| {
        let name = &prepared.league.entrants[entrant].name;
        format!("{name}: {kind} (number in all games of the review: {count}), {first}")
    };
    lines.into_iter().map(line).collect()
}

/// Returns notes on the seats of the bots.
fn notes(prepared: &PreparedLeague, plan: &ReviewPlan, review: &Review) -> Vec<String> {
    let [of, by] = [plan.of, plan.by].map(|entrant| &prepared.league.entrants[entrant].name);
    let mut notes = vec![format!(
        "{by} plays in every seat of {of} in these blocks, with the same deals and against the \
         same opponents."
    )];
    let with = |job: &JobId| prepared.line_up(*job).contains(&plan.by);
    let with = review.jobs().filter(with).count();
    if 0 < with {
        notes.push(format!(
            "In {with} of {} blocks {by} is also one of the opponents. There it plays against \
             itself, so the difference is not the difference of the two bots at a common table.",
            review.jobs().count()
        ));
    }
    if prepared.league.faults == hattari_agents::table::FaultPolicy::Forfeit {
        notes.push(
            "In a review, a fault affects only one decision, even if it forfeits the block in \
             the league."
                .to_owned(),
        );
    }
    if review.features.iter().all(Vec::is_empty) {
        notes.push(
            "The game defines no features of decisions (`Game::features`), so decisions are not \
             divided into classes."
                .to_owned(),
        );
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::without_redundancy;

    #[test]
    fn bounds_of_one_feature_become_one_range() {
        for (conditions, expected) in [
            (
                "turn: lead|own cards: 3 or more",
                "turn: lead|own cards: 3 or more",
            ),
            (
                "cards: 2 or fewer|turn: lead|cards: 2 or more",
                "cards: 2|turn: lead",
            ),
            (
                "cards: 9 or fewer|cards: 7 or fewer|cards: 3 or more",
                "cards: 3 to 7",
            ),
            (
                "cards: 9 or fewer|others: 3 or more",
                "cards: 9 or fewer|others: 3 or more",
            ),
            (
                "type: any → pass|cards: none or more",
                "type: any → pass|cards: none or more",
            ),
        ] {
            let conditions: Vec<String> = conditions.split('|').map(str::to_owned).collect();
            assert_eq!(without_redundancy(&conditions).join("|"), expected);
        }
    }
}
