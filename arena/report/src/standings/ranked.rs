//! The comparison of the bots over all line-ups, and the order of the bots.

use super::compared::ComparedLineUp;
use super::cut::KeptParts;
use super::sequential::SequentialPairs;
use super::tiers::{SignificantLeads, tiers};
use super::{About, BotStanding, Ratings, Role, TestResult, TestSettings, Tiers};
use hattari_stats::compare::PairSummary;
use hattari_stats::sequential::StoppingRule;
use hattari_stats::{CompareOptions, Comparison, Correction};

/// Maximum number of pairs for which design effects and required blocks are computed.
const CHECKED_MAX: usize = 5_000;

/// The comparison of the bots over all line-ups, with the order that follows from it.
/// `line_ups.rs` and `pairs.rs` evaluate line-ups and pairs with it.
pub(super) struct RankedComparison<'a> {
    /// Name of each bot.
    pub names: &'a [String],
    /// Metadata of the report.
    pub about: &'a About,
    /// Options of the evaluation, with the adjustment of p that was applied.
    pub settings: TestSettings,
    /// Options of the tests at single line-ups, without max-T: single line-ups have no verdicts,
    /// and there may be many of them.
    pub line_up_options: CompareOptions,
    /// The rule of a sequential league and its results.
    pub followed: Option<(&'a StoppingRule, SequentialPairs)>,
    /// All line-ups with a finished block.
    pub line_ups: Vec<ComparedLineUp<'a>>,
    /// Strengths fitted to finishing orders.
    pub ratings: Option<Ratings>,
    /// The comparison of the bots over all line-ups.
    pub pooled: Comparison,
    /// The order of the bots.
    pub ranking: Ranking,
    /// The results of the bots, sorted by rank.
    pub bots: Vec<BotStanding>,
    /// The pairs that the report lists.
    pub listed: ListedPairs,
    /// Number of pairs that the report lists.
    pub listed_count: usize,
    /// The pairs and line-ups whose results are kept. Other pairs are only counted.
    pub kept: KeptParts,
}

impl RankedComparison<'_> {
    /// Returns `true` if there are so many pairs that design effects and required blocks are not
    /// worth the time.
    pub(super) fn is_large(&self) -> bool {
        self.pooled.family > CHECKED_MAX
    }
}

/// The order of the bots in the standings.
pub(super) struct Ranking {
    /// The bots, sorted by rank.
    pub order: Vec<usize>,
    /// The rank of each bot, from 0.
    pub rank: Vec<usize>,
    /// The role of each bot.
    pub roles: Vec<Option<Role>>,
    /// Number of bots that are ranked in tiers, from the first on: the challengers, or all bots if
    /// there are no challengers.
    pub tiered: usize,
}

impl Ranking {
    /// Sorts the bots by descending mean; bots without a mean come last. Bots of the field
    /// ([`Role::Field`]) come after all other bots.
    pub(super) fn of(pooled: &Comparison, names: &[String], about: &About) -> Ranking {
        let roles: Vec<Option<Role>> = names.iter().map(|name| about.role(name)).collect();
        let mut order: Vec<usize> = (0..pooled.bots.len()).collect();
        let mean = |bot: usize| pooled.bots[bot].mean.unwrap_or(f64::NEG_INFINITY);
        order.sort_by(|&a, &b| mean(b).total_cmp(&mean(a)));
        // Challengers, bots that do not play, field. The sort is stable.
        order.sort_by_key(|&bot| match roles[bot] {
            Some(Role::Challenger) => 0,
            None => 1,
            Some(Role::Field) => 2,
        });
        let mut rank = vec![0; names.len()];
        for (index, &bot) in order.iter().enumerate() {
            rank[bot] = index;
        }
        let tiered = match roles.iter().flatten().count() {
            0 => names.len(),
            _ => roles
                .iter()
                .filter(|role| **role == Some(Role::Challenger))
                .count(),
        };
        Ranking {
            order,
            rank,
            roles,
            tiered,
        }
    }

    /// Returns the names of the first `count` bots, sorted by rank.
    pub(super) fn top<'n>(
        &self,
        names: &'n [String],
        count: usize,
    ) -> impl Iterator<Item = &'n str> {
        self.order
            .iter()
            .take(count)
            .map(move |&bot| names[bot].as_str())
    }

    /// Divides the bots into tiers. In a sequential league, `rule` is its stopping rule.
    pub(super) fn tiers(
        &self,
        names: &[String],
        pooled: &Comparison,
        leads: &SignificantLeads,
        rule: Option<StoppingRule>,
    ) -> TestResult<Tiers> {
        if self.tiered < names.len() && self.tiered < 2 {
            return TestResult::NotTestable("there is only one challenger".to_owned());
        }
        let ranked: Vec<String> = self.top(names, self.tiered).map(str::to_owned).collect();
        let options = &pooled.options;
        let joint = pooled.family <= 1 || options.correction != Correction::None;
        tiers(&ranked, leads, (1.0 - options.confidence, joint), rule).into()
    }
}

/// Maximum number of bots of a report that also lists pairs that never met, without a test.
const NEVER_MET_MAX: usize = 100;

/// The pairs that a report lists. In a large league, pairs that never met are not listed, because
/// the report would be too long.
pub(super) struct ListedPairs {
    bots: usize,
    /// A square matrix, row by row, with `true` for every two bots that have shared a table.
    met: Vec<bool>,
}

impl ListedPairs {
    /// Finds the bots that have shared a table.
    pub(super) fn of(bots: usize, line_ups: &[ComparedLineUp<'_>]) -> ListedPairs {
        let mut met = vec![false; bots * bots];
        for pair in line_ups.iter().flat_map(|line_up| &line_up.sample.pairs) {
            met[pair.a * bots + pair.b] = true;
            met[pair.b * bots + pair.a] = true;
        }
        ListedPairs { bots, met }
    }

    /// Returns `true` if the report lists the pair.
    pub(super) fn contains(&self, pair: &PairSummary) -> bool {
        self.bots <= NEVER_MET_MAX || pair.test.is_some() || self.met[pair.a * self.bots + pair.b]
    }
}
