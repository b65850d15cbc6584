//! Results of single line-ups: comparisons by block and tests by deal.

use super::checks::error_ratio;
use super::compared::ComparedLineUp;
use super::congeniality::{CongenialityTests, LineUpDifference};
use super::estimate::estimate_of;
use super::pool::opposition;
use super::ranked::RankedComparison;
use super::reported_test::{reported, test_of};
use super::{BotAtLineUp, Congeniality, LineUpStanding, PairAtLineUp, Test};
use hattari_play::samples::{LineUpSample, PairSample};
use hattari_stats::compare::{PairSummary, Verdict};
use hattari_stats::{
    BotSample, CompareOptions, Comparison, LineUpScores, Method, Required, TTest, Untestable,
    compare, required_whole_blocks,
};
use std::collections::HashMap;

impl<'s> ComparedLineUp<'s> {
    /// Compares the bots of the line-up by blocks.
    fn by_block(&self, options: &CompareOptions) -> Result<Comparison, Untestable> {
        let scores: Vec<BotSample<'s>> = self.scores().collect();
        let positions: Vec<usize> = (0..scores.len()).collect();
        let clusters: Vec<usize> = self.clusters().collect();
        let together = self.compared_together();
        let mut known = HashMap::new();
        let oppositions: Vec<usize> = self
            .roster()
            .map(|bot| opposition(self.sample, bot, &mut known))
            .collect();
        let parts = positions
            .chunks(together)
            .zip(scores.chunks(together))
            .zip(oppositions.chunks(together))
            .map(|((roster, samples), opposition)| LineUpScores {
                roster,
                samples,
                opposition,
                clusters: &clusters,
            });
        compare(scores.len(), &parts.collect::<Vec<_>>(), options)
    }

    /// Tests the pairs by deal, in the order of [`LineUpSample::pairs`].
    fn by_deal(&self, options: &CompareOptions) -> Vec<Result<DealTest, Untestable>> {
        let tests: Vec<_> = self
            .sample
            .pairs
            .iter()
            .map(|pair| pair.deals.test(options.confidence))
            .collect();
        let p: Vec<f64> = tests.iter().flatten().map(|test| test.p).collect();
        let mut adjusted = options.correction.adjust(&p).into_iter();
        tests
            .into_iter()
            .map(|test| {
                test.map(|test| DealTest {
                    test,
                    p_adjusted: adjusted.next().unwrap_or(test.p),
                })
            })
            .collect()
    }

    /// Returns the comparison of two entrants in `by_block`, the comparison of the line-up.
    fn pair(&self, by_block: &Comparison, pair: &PairSample) -> Option<PairSummary> {
        let position = |entrant: usize| self.roster().position(|other| other == entrant);
        by_block.pair(position(pair.a)?, position(pair.b)?)
    }

    /// Returns the results of the line-up for the report.
    fn standing(&self, names: &[String], by_block: &Comparison) -> LineUpStanding {
        let bots = by_block
            .bots
            .iter()
            .zip(self.roster())
            .map(|(bot, entrant)| BotAtLineUp {
                name: names[entrant].clone(),
                mean: bot.mean,
                estimate: estimate_of(bot),
            });
        LineUpStanding {
            line_up: self.number,
            entrants: self
                .sample
                .entrants
                .iter()
                .map(|&entrant| names[entrant].clone())
                .collect(),
            blocks: self.sample.blocks.len() as u64,
            deals: self.sample.deals(),
            family: by_block.family as u64,
            bots: bots.collect(),
        }
    }
}

/// The single-deal test of a pair at one line-up.
#[derive(Clone, Copy)]
struct DealTest {
    test: TTest,
    /// p adjusted over the pairs of the line-up.
    p_adjusted: f64,
}

impl DealTest {
    /// Returns the test with the two bots exchanged.
    fn mirrored(self) -> DealTest {
        DealTest {
            test: self.test.mirrored(),
            ..self
        }
    }
}

/// The tests of a pair at one line-up, with the ranks of its bots.
pub(super) struct RankedPair {
    /// The ranks of the two bots, the better one first.
    pub ranks: [usize; 2],
    /// The tests, with the bot of the better rank first.
    pub tests: PairAtLineUp,
}

/// The results of all line-ups, each evaluated separately.
#[derive(Default)]
pub(super) struct LineUpResults {
    /// Standings of the line-ups.
    pub line_ups: Vec<LineUpStanding>,
    /// The tests of pairs, sorted by ranks, then by line-up.
    pub pairs: Vec<RankedPair>,
    /// Symbols of all pairs that met; `None` if no pair met or there are more than
    /// [`CONGENIALITY_MAX`] bots.
    pub congeniality: Option<Congeniality>,
}

/// Maximum number of bots for a table of symbols. For more bots, the table is too large to read;
/// the tests on which the symbols are based are in `pairs`.
const CONGENIALITY_MAX: usize = 200;

impl RankedComparison<'_> {
    /// Evaluates the line-ups one at a time, because the comparisons of very many line-ups do not
    /// fit into memory.
    ///
    /// # Errors
    /// Returns an error if a setting is out of range.
    pub(super) fn evaluate_line_ups(&self) -> Result<LineUpResults, Untestable> {
        let mut results = LineUpResults::default();
        let mut symbol_tests = CongenialityTests::default();
        for (index, line_up) in self.line_ups.iter().enumerate() {
            self.add_line_up(index, line_up, &mut results, &mut symbol_tests)?;
        }
        // The sort is stable: the line-ups of a pair stay in order.
        results.pairs.sort_by_key(|pair| pair.ranks);
        results.congeniality = symbol_tests.congeniality(self.names, self.settings.alpha());
        Ok(results)
    }

    /// Adds the results of one line-up, unless none of them is needed. `index` is its place among
    /// the line-ups with a finished block.
    fn add_line_up(
        &self,
        index: usize,
        line_up: &ComparedLineUp<'_>,
        results: &mut LineUpResults,
        symbol_tests: &mut CongenialityTests,
    ) -> Result<(), Untestable> {
        let is_kept = index < self.kept.line_ups;
        let has_symbols = self.names.len() <= CONGENIALITY_MAX;
        let pairs = &line_up.sample.pairs;
        if !(is_kept || has_symbols || pairs.iter().any(|pair| self.is_kept(pair))) {
            return Ok(());
        }
        let by_block = line_up.by_block(&self.line_up_options)?;
        let by_deal = line_up.by_deal(&self.line_up_options);
        if is_kept {
            results
                .line_ups
                .push(line_up.standing(self.names, &by_block));
        }
        for (pair, by_deal) in pairs.iter().zip(&by_deal) {
            let Some(summary) = line_up.pair(&by_block, pair) else {
                continue;
            };
            if has_symbols {
                let by_deal = by_deal.as_ref().ok();
                add_symbol_test(symbol_tests, line_up.sample, pair, &summary, by_deal);
            }
            if self.is_kept(pair) {
                let tests = self.ranked_pair(line_up.number, pair, summary, by_deal.as_ref());
                results.pairs.push(tests);
            }
        }
        Ok(())
    }

    /// Returns `true` if the results of the pair are kept.
    fn is_kept(&self, pair: &PairSample) -> bool {
        self.kept.has_pair(self.ranks(pair))
    }

    /// Returns the ranks of the bots of a pair.
    fn ranks(&self, pair: &PairSample) -> [usize; 2] {
        [pair.a, pair.b].map(|bot| self.ranking.rank[bot])
    }

    /// Returns the tests of a pair at a line-up, with the bot of the better rank first.
    fn ranked_pair(
        &self,
        line_up: u32,
        pair: &PairSample,
        by_block: PairSummary,
        by_deal: Result<&DealTest, &Untestable>,
    ) -> RankedPair {
        let ranks = self.ranks(pair);
        let by_deal = by_deal.copied();
        let (ranks, by_block, by_deal) = if ranks[1] < ranks[0] {
            (
                [ranks[1], ranks[0]],
                by_block.mirrored(),
                by_deal.map(DealTest::mirrored),
            )
        } else {
            (ranks, by_block, by_deal)
        };
        let required = by_block
            .test
            .zip(by_block.level)
            .and_then(|(test, level)| self.required(&test, level));
        RankedPair {
            ranks,
            tests: PairAtLineUp {
                line_up,
                by_block: test_of(&by_block, required),
                by_deal: by_deal.map(|deals| self.reported_deals(deals)).into(),
            },
        }
    }

    /// Returns the single-deal test as reports show it.
    fn reported_deals(&self, deals: DealTest) -> Test {
        let adjusted = (deals.p_adjusted, self.line_up_options.correction);
        let required = self.required(&deals.test, self.settings.alpha());
        reported(&deals.test, adjusted, required)
    }

    /// Returns the number of required blocks of a test at one line-up; `None` for Welch's test and
    /// in a large league. The interval is not computed, because reports do not show it for single
    /// line-ups.
    fn required(&self, test: &TTest, level: f64) -> Option<Required> {
        if self.is_large() || test.kind == Method::WelchBlocks {
            return None;
        }
        let power = self.settings.power;
        let blocks = required_whole_blocks(test.unbiased_effect(), level, power);
        Some(Required {
            blocks: blocks.ok()?,
            low: u64::MAX,
            high: None,
        })
    }
}

/// Adds the results of a pair at a line-up to the tests for the table of symbols.
fn add_symbol_test(
    symbol_tests: &mut CongenialityTests,
    line_up: &LineUpSample,
    pair: &PairSample,
    summary: &PairSummary,
    by_deal: Option<&DealTest>,
) {
    // Verdicts on single line-ups use unadjusted p values.
    let by_block = match summary.verdict {
        Verdict::CannotTell { .. } => None,
        _ => summary.mean_difference.zip(summary.test.map(|test| test.p)),
    };
    let difference = LineUpDifference {
        bots: [pair.a, pair.b],
        difference: summary.mean_difference,
        by_block,
        by_deal: by_deal.map(|deals| (deals.test.mean_difference, deals.test.p)),
    };
    let error_ratio = summary
        .test
        .zip(by_deal)
        .and_then(|(_, deals)| error_ratio(pair.a, pair.b, line_up, deals.test.se));
    symbol_tests.add(difference, error_ratio);
}
