//! The report of a review: everything that text, page and JSON show.

use super::condition::{self, ClassCondition};
use super::estimate::{Estimate, estimate};
use super::fork::ShownFork;
use super::league::LeagueDifference;
use super::main_class::main_class;
use super::tree::{self, ForkClass};
use crate::numbers::{decimals, signed};
use hattari_agents::table::ALL_DECISIONS;
use hattari_agents::text::escape_for_sentence;
use hattari_play::prepared::PreparedLeague;
use hattari_play::review::{
    DifferenceParts, OTHER, PerBot, REPORTED, REVIEWED, Review, ReviewPlan, TRAINING,
};
use serde::Serialize;

/// The gain of a hybrid against the reviewed bot.
#[derive(Debug, Serialize)]
pub struct HybridGain {
    /// Index of the class in which the hybrid plays the other bot's choices; `None` if the
    /// decisions are not those of a class.
    pub class: Option<usize>,
    /// The condition of the decisions in which the hybrid plays the other bot's choices.
    #[serde(rename = "when")]
    pub condition: String,
    /// Gain of the hybrid on the half of the blocks that was not used to choose the classes. In
    /// these games, the reviewed bot continues after each replaced choice. The value of the class
    /// is a mean over games in which the reviewed bot continues and games in which the other bot
    /// does.
    #[serde(rename = "hybrid")]
    pub gain: Estimate,
}

/// A class of decisions.
#[derive(Debug, Serialize)]
pub struct DecisionClass {
    /// Conditions on the path from the root, such as `turn: lead`; empty for the root. Words that
    /// describe all forks of a class are conditions, too.
    pub conditions: Vec<ClassCondition>,
    /// Index of the parent class.
    pub parent: Option<usize>,
    /// Gain from the other bot's choices, averaged over both orders. The intervals of all classes
    /// below the root hold simultaneously with the confidence of the report.
    #[serde(flatten)]
    pub estimate: Estimate,
    /// The gain if the reviewed bot plays before the fork and the other bot plays after it, and the
    /// gain in the opposite order.
    pub orders: [f64; 2],
    /// `true` if the gains of the two orders differ in sign and neither interval contains zero.
    pub depends_on_order: bool,
    /// Number of forks.
    pub n: u64,
    /// Number of unforced decisions of the reviewed bot in this class. If a condition is on the
    /// choices, only decisions on which the bots differ count.
    pub decisions: u64,
    /// Gain in thousandths of a point per unforced decision.
    #[serde(rename = "milli_points_a_decision")]
    pub gain_per_decision_milli: f64,
    /// `true` if the class has no subclasses.
    pub is_leaf: bool,
}

impl DecisionClass {
    /// Returns the conditions of the class, in the syntax that
    /// [`parse_conditions`](hattari_agents::table::parse_conditions) parses.
    pub fn condition(&self) -> String {
        match &self.conditions[..] {
            [] => ALL_DECISIONS.to_owned(),
            conditions => condition::join(conditions),
        }
    }

    /// Returns the conditions as text, with one range for each feature.
    pub(super) fn description(&self) -> String {
        condition::describe(&self.conditions)
    }
}

/// The components of the difference, in points per deal.
#[derive(Debug, Serialize)]
pub struct DifferenceComponents {
    /// Difference in single games in which both bots start from the same state.
    pub decisions: Estimate,
    /// Gain of the other bot if its games start from the state that its own earlier games led to.
    pub carried_over: Estimate,
    /// Gain of the other bot because bots remember earlier games of a block. Single games lack this
    /// memory.
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
#[derive(Debug, Serialize)]
pub struct ReviewReport {
    /// Name and revision of the game.
    pub game: String,
    /// Name of the reviewed bot.
    #[serde(rename = "of")]
    pub reviewed: String,
    /// Name of the bot that is compared with the reviewed bot.
    #[serde(rename = "by")]
    pub other: String,
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
    pub components: DifferenceComponents,
    /// Classes of decisions, evaluated on the half of the blocks that was not used to grow the
    /// tree. The root is first, and parents come before their children.
    pub classes: Vec<DecisionClass>,
    /// Index of the class that accounts for the difference, chosen on the same half as the tree;
    /// `None` if there is no such class.
    pub main: Option<usize>,
    /// The gain of a hybrid, if requested.
    #[serde(rename = "proof")]
    pub hybrid: Option<HybridGain>,
    /// Example forks.
    pub forks: Vec<ShownFork>,
    /// Faults in the games.
    pub faults: Vec<String>,
    /// Notes on the seats of the bots.
    pub notes: Vec<String>,
}

impl ReviewReport {
    /// Creates the report of a review, without example forks. The intervals of the total and its
    /// components have the given confidence, and so have the intervals of all classes together.
    ///
    /// # Panics
    /// Panics if the review belongs to another league.
    pub fn new(
        prepared: &PreparedLeague,
        plan: &ReviewPlan,
        review: &Review,
        league: Option<LeagueDifference>,
        confidence: f64,
    ) -> ReviewReport {
        let name = |entrant: usize| prepared.league.entrants[entrant].name.clone();
        let components = components(review, league, confidence);
        let is_remembering = components.memory.is_clear();
        let nodes = tree::grow(review);
        let decisions: u64 = review
            .decisions
            .iter()
            .flat_map(|count| count.by_half)
            .map(|counts| u64::from(counts[REVIEWED]))
            .sum();
        let forks = |bot: usize| {
            let counts = review.fork_sums().map(|sum| u64::from(sum.counts[bot]));
            counts.sum::<u64>()
        };
        let (game, is_duplicate) = (prepared.game().ok(), prepared.league.duplicate);
        ReviewReport {
            game: game.as_ref().map_or("", |game| game.id()).to_owned(),
            reviewed: name(plan.reviewed),
            other: name(plan.other),
            unit: game
                .as_ref()
                .map_or("points", |game| game.unit(is_duplicate)),
            confidence,
            games: review.games(),
            blocks: review.jobs().count(),
            forks_played: forks(REVIEWED) + forks(OTHER),
            fork_share: forks(REVIEWED) as f64 / (decisions.max(1)) as f64,
            digest: format!("{:016x}", review.digest),
            total: components.decisions,
            components,
            classes: classes(review, &nodes, confidence),
            main: main_class(&nodes, review.halves[TRAINING].len()),
            hybrid: None,
            forks: Vec::new(),
            faults: faults(prepared, review),
            notes: notes(prepared, plan, review, is_remembering),
        }
    }

    /// Returns the class of all decisions.
    pub fn root(&self) -> &DecisionClass {
        &self.classes[0]
    }

    /// Returns the index of the main class if its interval excludes zero and its value has the sign
    /// of the difference.
    pub(super) fn clear_main_class(&self) -> Option<usize> {
        self.main.filter(|&main| {
            let Estimate { value, .. } = self.root().estimate;
            let main = &self.classes[main].estimate;
            main.is_clear() && 0.0 < main.value * value
        })
    }

    /// Returns the number of decimals for values of this review.
    pub fn decimals(&self) -> usize {
        decimals(self.classes.iter().filter_map(|class| class.estimate.se)).clamp(1, 4)
    }

    /// Returns the subclasses of a class, the largest first.
    pub(super) fn subclasses(&self, class: usize) -> Vec<usize> {
        let classes = 0..self.classes.len();
        let mut subclasses: Vec<usize> = classes
            .filter(|&index| self.classes[index].parent == Some(class))
            .collect();
        let size = |index: usize| self.classes[index].estimate.value.abs();
        subclasses.sort_by(|&a, &b| size(b).total_cmp(&size(a)));
        subclasses
    }

    /// Returns an estimate with its interval as text.
    pub(super) fn number(&self, estimate: &Estimate) -> String {
        let decimals = self.decimals();
        let value = signed(estimate.value, decimals);
        match estimate.range(decimals) {
            Some(range) => format!("{value} ({range})"),
            None => value,
        }
    }

    /// Returns the conditions of a class, without those of its parent class.
    pub(super) fn own_conditions(&self, class: &DecisionClass) -> String {
        let parent = class.parent.map(|parent| &self.classes[parent]);
        let known = parent.map_or(0, |parent| parent.conditions.len());
        match &class.conditions[known..] {
            [] => ALL_DECISIONS.to_owned(),
            own => condition::describe(own),
        }
    }
}

/// Estimates the components of the difference. `league` is the difference in the league's games.
fn components(
    review: &Review,
    league: Option<LeagueDifference>,
    confidence: f64,
) -> DifferenceComponents {
    let component = |sum: fn(&DifferenceParts) -> i64| {
        let batches = review.batches();
        estimate(
            batches.map(|batch| (batch.games, sum(&batch.sums) as f64)),
            confidence,
        )
    };
    let difference = component(|sums| sums.difference);
    let warning = league
        .as_ref()
        .and_then(|league| league.warning(&difference));
    DifferenceComponents {
        decisions: component(|sums| sums.decisions),
        carried_over: component(|sums| sums.carried),
        memory: component(|sums| sums.memory),
        difference,
        luck: league
            .as_ref()
            .filter(|league| league.is_same_seats)
            .map(|league| league.estimate.value - difference.value),
        league,
        warning,
    }
}

/// Estimates the gain of each class in the reported half.
fn classes(review: &Review, nodes: &[ForkClass<'_>], confidence: f64) -> Vec<DecisionClass> {
    let subclasses = nodes.len().saturating_sub(1).max(1);
    nodes
        .iter()
        .map(|node| {
            let level = match node.parent {
                None => confidence,
                // Bonferroni: the intervals of all parts hold simultaneously.
                Some(_) => 1.0 - (1.0 - confidence) / subclasses as f64,
            };
            decision_class(review, node, level)
        })
        .collect()
}

/// Estimates the gain of a class with the given confidence level.
fn decision_class(review: &Review, node: &ForkClass<'_>, confidence: f64) -> DecisionClass {
    let batches = &review.halves[REPORTED];
    let mut sums = vec![[0.0; 2]; batches.len()];
    for item in node.forks(REPORTED) {
        for bot in [OTHER, REVIEWED] {
            sums[item.batch][bot] += item.sum.values[bot] as f64;
        }
    }
    let reported: Vec<(u64, PerBot<f64>)> =
        batches.iter().map(|batch| batch.games).zip(sums).collect();
    let gain = |value: fn(PerBot<f64>) -> f64| {
        let sums = reported.iter();
        estimate(sums.map(|&(games, sums)| (games, value(sums))), confidence)
    };
    let mean = gain(|sums| 0.5 * sums[REVIEWED] + 0.5 * sums[OTHER]);
    let orders = [gain(|sums| sums[REVIEWED]), gain(|sums| sums[OTHER])];
    let games: u64 = reported.iter().map(|(games, _)| games).sum();
    let decisions = node.decisions(REPORTED);
    DecisionClass {
        conditions: node.conditions.clone(),
        parent: node.parent,
        orders: orders.map(|order| order.value),
        depends_on_order: orders.iter().all(Estimate::is_clear)
            && orders[0].value * orders[1].value < 0.0,
        n: node.fork_count(REPORTED),
        decisions,
        gain_per_decision_milli: match decisions {
            0 => 0.0,
            _ => 1000.0 * mean.value * games as f64 / decisions as f64,
        },
        estimate: mean,
        is_leaf: !node.is_divided,
    }
}

/// Returns a line for each kind of fault of each bot.
fn faults(prepared: &PreparedLeague, review: &Review) -> Vec<String> {
    review
        .faults
        .iter()
        .map(|fault| {
            format!(
                "{}: {} (number in all games of the review: {}), first in {}, game {}: {}",
                prepared.league.entrants[fault.entrant].name,
                fault.kind,
                fault.count,
                fault.job,
                fault.game,
                escape_for_sentence(&fault.message)
            )
        })
        .collect()
}

/// Returns notes on the validity of the result. `is_remembering` is `true` if the difference due to
/// the memory of the bots is not zero.
fn notes(
    prepared: &PreparedLeague,
    plan: &ReviewPlan,
    review: &Review,
    is_remembering: bool,
) -> Vec<String> {
    let name = |entrant: usize| &prepared.league.entrants[entrant].name;
    let (reviewed, other) = (name(plan.reviewed), name(plan.other));
    let mut notes = vec![format!(
        "{other} plays in every seat of {reviewed} in these blocks, with the same deals and \
         against the same opponents."
    )];
    let blocks = review
        .jobs()
        .filter(|job| prepared.line_up(*job).contains(&plan.other))
        .count();
    if 0 < blocks {
        notes.push(format!(
            "In {blocks} of {} blocks {other} is also one of the opponents. There it plays against \
             itself, so the difference is not the difference of the two bots at a common table.",
            review.jobs().count()
        ));
    }
    if is_remembering {
        notes.push(
            "The bots remember earlier games, which changes the difference significantly. All \
             values of decisions are without it; the sum of the components contains it."
                .to_owned(),
        );
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
