//! The pooled results of every pair.

use super::checks::design_effect;
use super::compared::ComparedLineUp;
use super::cut::count;
use super::line_ups::RankedPair;
use super::ranked::RankedComparison;
use super::reported_test::test_of;
use super::sequential::{self, ordered};
use super::tiers::SignificantLeads;
use super::{
    Estimate, PairAtLineUp, PairStanding, PairVerdict, SequentialPair, Test, TestResult,
    VerdictKind, VerdictTally, verdict,
};
use hattari_stats::Untestable;
use hattari_stats::compare::{BLOCKS_MIN, PairSummary, Verdict};

/// The results of the pairs, and the counts over all listed pairs.
pub(super) struct EvaluatedPairs {
    /// The kept pairs, sorted by the ranks of both bots.
    pub pairs: Vec<PairStanding>,
    /// The verdict counts of each bot, by rank.
    pub tallies: Vec<VerdictTally>,
    /// Number of pairs that have too few blocks for a verdict.
    pub few: usize,
    /// The significant leads among the bots that are ranked in tiers.
    pub leads: SignificantLeads,
}

impl RankedComparison<'_> {
    /// Computes the results of all listed pairs. `tests` are their tests at single line-ups, sorted
    /// by ranks.
    pub(super) fn evaluate_pairs(&self, tests: Vec<RankedPair>) -> EvaluatedPairs {
        let mut tests = tests.into_iter().peekable();
        let mut results = EvaluatedPairs {
            pairs: Vec::new(),
            tallies: vec![VerdictTally::default(); self.names.len()],
            few: 0,
            leads: SignificantLeads::new(self.ranking.tiered),
        };
        let order = &self.ranking.order;
        for (above, &a) in order.iter().enumerate() {
            for (below, &b) in order.iter().enumerate().skip(above + 1) {
                let ranks = [above, below];
                let mut line_ups = Vec::new();
                while let Some(pair) = tests.next_if(|pair| pair.ranks == ranks) {
                    line_ups.push(pair.tests);
                }
                let pair = self.pooled.pair(a, b);
                if let Some(pair) = pair.filter(|pair| self.listed.contains(pair)) {
                    self.add_pair(&mut results, ranks, pair, line_ups);
                }
            }
        }
        results
    }

    /// Adds the result of one pair to `results`.
    fn add_pair(
        &self,
        results: &mut EvaluatedPairs,
        ranks: [usize; 2],
        mut pair: PairSummary,
        line_ups: Vec<PairAtLineUp>,
    ) {
        if self.is_large() {
            pair.level = None;
        }
        let is_kept = self.kept.has_pair(ranks);
        let by_rule = (self.followed.as_ref())
            .and_then(|(_, pairs)| pairs.get(&ordered(pair.a, pair.b)).cloned());
        let verdict = self.pair_verdict(&pair, by_rule.as_ref(), is_kept);
        count(&mut results.tallies, ranks, verdict.kind);
        // The rule of a sequential league does not cover all pairs.
        let is_judged = self.followed.is_none() || by_rule.is_some();
        if is_judged && ranks[1] < self.ranking.tiered && verdict.kind == VerdictKind::Ahead {
            results.leads.add(ranks);
        }
        let is_undecided = verdict.kind == VerdictKind::CannotTell;
        results.few += usize::from(is_undecided && has_few_blocks(&pair));
        if is_kept {
            let test = test_of(&pair, pair.required(&self.pooled.options));
            let standing = self.pair_standing(&pair, test, verdict, by_rule, line_ups);
            results.pairs.push(standing);
        }
    }

    /// Returns the verdict on a pair. The sentence is empty for a pair that is not kept, except in
    /// a sequential league.
    fn pair_verdict(
        &self,
        pair: &PairSummary,
        by_rule: Option<&SequentialPair>,
        is_kept: bool,
    ) -> PairVerdict {
        let name = &self.names[pair.a];
        match (by_rule, &self.followed) {
            (Some(pair), Some((rule, _))) => sequential::verdict(name, pair, rule, self.about),
            _ if !is_kept => PairVerdict {
                kind: verdict::kind(pair),
                text: String::new(),
            },
            _ => verdict::of_pair(
                pair,
                [name, &self.names[pair.b]],
                &self.pooled.options,
                self.pooled.family,
                self.about,
            ),
        }
    }

    fn pair_standing(
        &self,
        pair: &PairSummary,
        test: TestResult<Test>,
        verdict: PairVerdict,
        by_rule: Option<SequentialPair>,
        line_ups: Vec<PairAtLineUp>,
    ) -> PairStanding {
        let (a, b) = (pair.a, pair.b);
        let shared = line_ups
            .iter()
            .filter_map(|tests| Some((self.line_up(tests.line_up)?, tests)));
        let confidence = self.settings.confidence;
        let faults = [a, b].map(|bot| {
            let bot = &self.bots[self.ranking.rank[bot]];
            (bot.name.as_str(), bot.faults)
        });
        PairStanding {
            a: self.names[a].clone(),
            b: self.names[b].clone(),
            winnings: test
                .tested()
                .and_then(|test| Some(self.about.stake()?.per_hundred(test.into()))),
            pooled: test,
            blocks: pair.shared_blocks as u64,
            difference: pair.mean_difference,
            equivalence: pair.equivalence,
            score_ratio: (self.settings.score_ratio)
                .then(|| score_ratio(a, b, shared.clone().map(|(line_up, _)| line_up), confidence)),
            design_effect: (!self.is_large())
                .then(|| design_effect(a, b, shared))
                .flatten(),
            sequential: by_rule.map(Box::new),
            verdict: verdict.with_faults(faults),
            line_ups,
        }
    }

    /// Returns the line-up with the given number; `None` if it has no finished block.
    fn line_up(&self, number: u32) -> Option<&ComparedLineUp<'_>> {
        let index = (self.line_ups).binary_search_by_key(&number, |line_up| line_up.number);
        index.ok().map(|index| &self.line_ups[index])
    }
}

/// Returns `true` if the pair has too few blocks for a verdict.
fn has_few_blocks(pair: &PairSummary) -> bool {
    match (&pair.test, &pair.verdict) {
        (Some(test), _) => test.n_a.min(test.n_b) < BLOCKS_MIN,
        (None, Verdict::CannotTell { reason }) => match reason {
            Untestable::TooFewBlocks { .. } | Untestable::SingleBlock => true,
            Untestable::ZeroVariance | Untestable::ConstantDifference { .. } => {
                (1..BLOCKS_MIN).contains(&pair.shared_blocks)
            }
            _ => false,
        },
        _ => false,
    }
}

/// Returns the results of two bots, whichever is the first of the pair.
pub(super) fn find_pair<'p>(
    pairs: &'p [PairStanding],
    one: &str,
    other: &str,
) -> Option<&'p PairStanding> {
    pairs
        .iter()
        .find(|PairStanding { a, b, .. }| (a == one && b == other) || (a == other && b == one))
}

/// Returns the pooled difference of an ordered pair of bots.
pub(super) fn difference(pairs: &[PairStanding], row: &str, column: &str) -> TestResult<Estimate> {
    let Some(pair) = find_pair(pairs, row, column) else {
        return TestResult::NotTestable("not in this league".to_owned());
    };
    match &pair.pooled {
        TestResult::NotTestable(why) => TestResult::NotTestable(why.clone()),
        TestResult::Tested(test) if pair.a == row => TestResult::Tested(test.into()),
        TestResult::Tested(test) => TestResult::Tested(Estimate {
            value: -test.difference,
            se: test.se,
            low: -test.high,
            high: -test.low,
        }),
    }
}

/// Returns the score of `a` divided by the sum of both scores at the same tables.
fn score_ratio<'a>(
    a: usize,
    b: usize,
    compared: impl Iterator<Item = &'a ComparedLineUp<'a>>,
    confidence: f64,
) -> TestResult<Estimate> {
    let (mut scores_a, mut scores_b, mut clusters) = (Vec::new(), Vec::new(), Vec::new());
    for line_up in compared {
        if let (Some(bot_a), Some(bot_b)) = (line_up.sample.bot(a), line_up.sample.bot(b)) {
            for ((x, y), cluster) in bot_a.means.iter().zip(&bot_b.means).zip(line_up.clusters()) {
                let (Some(x), Some(y)) = (x, y) else { continue };
                scores_a.push(*x);
                scores_b.push(*y);
                clusters.push(cluster);
            }
        }
    }
    hattari_stats::ratio::score_ratio(&scores_a, &scores_b, &clusters, confidence)
        .map(|share| Estimate::new(share.ratio, share.se, share.interval))
        .into()
}

#[cfg(test)]
mod tests {
    use crate::standings::{About, TestSettings, standings};
    use hattari_play::samples::read_scores;

    /// The difference of `a` and `b` is constant, and `d` has a score in one block only.
    #[test]
    fn pairs_without_a_test_count_as_pairs_with_few_blocks() {
        let scores = "block,a,b,c,d\n1,3,2,7,5\n2,4,3,1,\n3,6,5,2,\n";
        let samples = read_scores(scores.as_bytes()).expect("valid scores");
        let settings = TestSettings::default();
        let found = standings(&samples, About::default(), settings, None, None);
        let cautions = found.expect("valid settings").cautions;
        let expected = "All 6 pairs have fewer than 10 blocks";
        assert!(
            cautions.iter().any(|caution| caution.starts_with(expected)),
            "{cautions:?}"
        );
    }
}
