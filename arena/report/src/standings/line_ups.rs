//! Results of single line-ups: comparisons by block and tests by deal.

use super::cut::KeptParts;
use super::estimate::{TestResult, estimate_of};
use super::symbols::SymbolCell;
use super::types::{
    BotAtLineUp, CellResult, Congeniality, CongenialityCell, LineUpStanding, Method, PairAtLineUp,
    Test,
};
use super::verdict::REQUIRED_BLOCKS_LIMIT;
use hattari_play::samples::{LineUpSample, PairSample, Samples};
use hattari_stats::compare::{PairSummary, Verdict};
use hattari_stats::{
    BotSample, CompareOptions, Comparison, Correction, LineUpScores, Required, TTest, TestKind,
    Untestable, compare, required_whole_blocks,
};

/// A line-up with at least one finished block.
pub(super) struct ComparedLineUp<'s> {
    /// Number of the line-up.
    pub number: u32,
    /// Blocks and scores of the line-up.
    pub sample: &'s LineUpSample,
}

impl<'s> ComparedLineUp<'s> {
    /// Returns all line-ups with a finished block.
    pub(super) fn all(samples: &'s Samples) -> Vec<ComparedLineUp<'s>> {
        let played = (0..)
            .zip(&samples.line_ups)
            .filter(|(_, sample)| !sample.blocks.is_empty());
        played
            .map(|(number, sample)| ComparedLineUp { number, sample })
            .collect()
    }

    /// Returns the entrant index for each item of [`ComparedLineUp::scores`].
    pub(super) fn roster(&self) -> impl Iterator<Item = usize> {
        self.sample.bots.iter().map(|bot| bot.entrant)
    }

    /// Returns the scores to compare, one item per distinct entrant.
    pub(super) fn scores(&self) -> impl Iterator<Item = BotSample<'s>> {
        self.sample.bots.iter().map(|bot| BotSample {
            scores: &bot.means,
            forfeited: &bot.forfeited,
        })
    }

    /// Returns the cluster of each block; blocks of a cluster have the same cards.
    pub(super) fn clusters(&self) -> impl Iterator<Item = usize> {
        self.sample.blocks.iter().map(|block| block.cluster)
    }

    /// Compares the bots of the line-up by blocks.
    fn by_block(&self, options: &CompareOptions) -> Result<Comparison, Untestable> {
        let scores: Vec<BotSample<'s>> = self.scores().collect();
        let places: Vec<usize> = (0..scores.len()).collect();
        let clusters: Vec<usize> = self.clusters().collect();
        let here = LineUpScores {
            roster: &places,
            samples: &scores,
            opposition: &places,
            clusters: &clusters,
        };
        compare(scores.len(), &[here], options)
    }

    /// Tests the pairs by deal, in the order of [`LineUpSample::pairs`]. Returns each test with its
    /// adjusted p.
    fn by_deal(&self, options: &CompareOptions) -> Vec<Result<(TTest, f64), Untestable>> {
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
            .map(|test| test.map(|test| (test, adjusted.next().unwrap_or(test.p))))
            .collect()
    }
}

/// The results of all line-ups, each evaluated separately.
pub(super) struct LineUpResults {
    /// Standings of the line-ups.
    pub line_ups: Vec<LineUpStanding>,
    /// Ranks of the two bots of a pair, with their tests at a line-up; sorted by ranks, then by
    /// line-up.
    pub pairs: Vec<([usize; 2], PairAtLineUp)>,
    /// Symbols of all pairs that met; `None` if no pair met or there are more than
    /// [`CONGENIALITY_MAX`] bots.
    pub congeniality: Option<Congeniality>,
}

/// Maximum number of bots for a table of symbols. For more bots, the table is too large to read;
/// the tests on which the symbols are based are in `pairs`.
const CONGENIALITY_MAX: usize = 200;

impl LineUpResults {
    /// Evaluates the line-ups one at a time, because the comparisons of very many line-ups do not
    /// fit into memory. If `is_large`, required blocks are not computed.
    ///
    /// # Errors
    /// Returns an error if a setting is out of range.
    pub(super) fn of(
        names: &[String],
        line_ups: &[ComparedLineUp<'_>],
        rank: &[usize],
        options: &CompareOptions,
        is_large: bool,
        kept: KeptParts,
    ) -> Result<LineUpResults, Untestable> {
        let mut alone = LineUpResults {
            line_ups: Vec::new(),
            pairs: Vec::new(),
            congeniality: None,
        };
        let mut met = Vec::new();
        let mut ratios = Vec::new();
        let has_symbols = names.len() <= CONGENIALITY_MAX;
        for (at, line_up) in line_ups.iter().enumerate() {
            let is_kept = |pair: &PairSample| kept.has_pair([rank[pair.a], rank[pair.b]]);
            if !(kept.has_line_up(at) || has_symbols || line_up.sample.pairs.iter().any(is_kept)) {
                continue;
            }
            let (by_block, by_deal) = (line_up.by_block(options)?, line_up.by_deal(options));
            if kept.has_line_up(at) {
                alone.line_ups.push(line_up.standing(names, &by_block));
            }
            let place = |entrant| line_up.roster().position(|other| other == entrant);
            for (pair, by_deal) in line_up.sample.pairs.iter().zip(&by_deal) {
                let places = place(pair.a).zip(place(pair.b));
                let Some(found) = places.and_then(|(a, b)| by_block.pair(a, b)) else {
                    continue;
                };
                if has_symbols {
                    let deals = by_deal
                        .as_ref()
                        .ok()
                        .map(|(test, _)| (test.mean_difference, test.p));
                    met.push(PairComparison {
                        a: pair.a,
                        b: pair.b,
                        difference: found.mean_difference,
                        by_block: found.judged_alone(),
                        by_deal: deals,
                    });
                    ratios.extend(
                        found
                            .test
                            .zip(by_deal.as_ref().ok())
                            .map(|(by_block, (by_deal, _))| by_block.se / by_deal.se),
                    );
                }
                if !is_kept(pair) {
                    continue;
                }
                let is_turned = rank[pair.b] < rank[pair.a];
                let (found, a, b) = if is_turned {
                    (found.mirrored(), pair.b, pair.a)
                } else {
                    (found, pair.a, pair.b)
                };
                let (correction, options) = (options.correction, (!is_large).then_some(options));
                let at = pair_at_line_up(
                    line_up.number,
                    &found,
                    (by_deal, is_turned),
                    correction,
                    options,
                );
                alone.pairs.push(([rank[a], rank[b]], at));
            }
        }
        // The sort is stable: the line-ups of a pair stay in order.
        alone.pairs.sort_by_key(|(ranks, _)| *ranks);
        if has_symbols {
            alone.congeniality = congeniality(names, &met, ratios, 1.0 - options.confidence);
        }
        Ok(alone)
    }
}

/// Returns the results of a pair at one line-up. If `is_turned`, the test by deals was computed
/// with the bots in the reverse order, and is mirrored here. Required blocks are computed only if
/// `options` is given.
fn pair_at_line_up(
    line_up: u32,
    found: &PairSummary,
    (by_deal, is_turned): (&Result<(TTest, f64), Untestable>, bool),
    correction: Correction,
    options: Option<&CompareOptions>,
) -> PairAtLineUp {
    let by_block = test_of(
        found,
        found
            .test
            .and_then(|test| alone(&test, found.level?, options?)),
    );
    let by_deal = by_deal.as_ref().map(|(test, p_adjusted)| {
        let test = if is_turned { test.mirrored() } else { *test };
        let required = options.and_then(|options| alone(&test, 1.0 - options.confidence, options));
        of_t_test(
            &test,
            Method::PairedDeals,
            (*p_adjusted, correction),
            required,
        )
    });
    PairAtLineUp {
        line_up,
        by_block,
        by_deal: by_deal.into(),
    }
}

impl ComparedLineUp<'_> {
    /// Returns the standing of the line-up.
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

/// Returns the test by blocks, or the reason why there is none.
pub(super) fn test_of(pair: &PairSummary, required: Option<Required>) -> TestResult<Test> {
    let Some(test) = &pair.test else {
        let why = match &pair.verdict {
            Verdict::CannotTell { reason } => reason.to_string(),
            _ => Untestable::MissingScores.to_string(),
        };
        return TestResult::NotTestable(why);
    };
    let method = match test.kind {
        TestKind::Paired => Method::PairedBlocks,
        TestKind::Stratified => Method::StratifiedBlocks,
        TestKind::Welch => Method::WelchBlocks,
        TestKind::Clustered => Method::ClusteredBlocks,
    };
    let adjusted = (
        pair.p_adjusted.unwrap_or(test.p),
        pair.adjusted_by.unwrap_or(Correction::None),
    );
    TestResult::Tested(of_t_test(test, method, adjusted, required))
}

/// Returns the number of required blocks of a test at one line-up; `None` for Welch's test. The
/// interval is not computed, because reports do not show it for single line-ups.
fn alone(test: &TTest, level: f64, options: &CompareOptions) -> Option<Required> {
    let blocks = required_whole_blocks(test.unbiased_effect(), level, options.power).ok();
    blocks
        .filter(|_| test.kind != TestKind::Welch)
        .map(|blocks| Required {
            blocks,
            low: u64::MAX,
            high: None,
        })
}

fn of_t_test(
    test: &TTest,
    method: Method,
    (p_adjusted, adjusted_by): (f64, Correction),
    required: Option<Required>,
) -> Test {
    let worth = |blocks: u64| (blocks < REQUIRED_BLOCKS_LIMIT).then_some(blocks);
    let n = if test.kind == TestKind::Welch {
        test.n_a + test.n_b
    } else {
        test.n_a
    };
    Test {
        method,
        n: n as u64,
        difference: test.mean_difference,
        se: test.se,
        low: test.interval.low,
        high: test.interval.high,
        t: test.t,
        df: test.df,
        p: test.p,
        p_adjusted,
        adjusted_by,
        effect_size: test.effect_size,
        required: required.and_then(|required| worth(required.blocks)),
        required_low: required.and_then(|required| worth(required.low)),
        required_high: required.and_then(|required| worth(required.high?)),
    }
}

/// The difference of two bots at one line-up. `by_block` and `by_deal` are the difference and its
/// p; `None` if it could not be tested.
struct PairComparison {
    a: usize,
    b: usize,
    difference: Option<f64>,
    by_block: Option<(f64, f64)>,
    by_deal: Option<(f64, f64)>,
}

/// Returns the symbols of all pairs that met, from the unadjusted p of each line-up as in the
/// paper. Returns `None` if no pair met. `ratios` are the standard errors by blocks divided by
/// those by deals, for every pair with both tests.
fn congeniality(
    names: &[String],
    met: &[PairComparison],
    mut ratios: Vec<f64>,
    alpha: f64,
) -> Option<Congeniality> {
    // Every pair in both orders, with the sign of its differences.
    let ordered = met.iter().flat_map(|met| {
        let orders = [([met.a, met.b], 1.0), ([met.b, met.a], -1.0)];
        orders.map(|(bots, sign)| (bots, sign, met))
    });
    let mut ordered: Vec<([usize; 2], f64, &PairComparison)> = ordered.collect();
    ordered.sort_by_key(|(bots, ..)| *bots);
    let (mut blocks, mut deals) = (Vec::new(), Vec::new());
    for here in ordered.chunk_by(|x, y| x.0 == y.0) {
        let times = |side: f64| {
            let is_on_side = |(_, sign, met): &&(_, f64, &PairComparison)| {
                met.difference.is_some_and(|d| 0.0 < side * sign * d)
            };
            u32::try_from(here.iter().filter(is_on_side).count()).unwrap_or(u32::MAX)
        };
        let cell = |judged: fn(&PairComparison) -> Option<(f64, f64)>| {
            let tests = here.iter().map(|(_, sign, met)| {
                let (difference, p) = judged(met)?;
                Some((sign * difference, p))
            });
            let [row, column] = here[0].0.map(|bot| names[bot].clone());
            let ours = CellResult {
                cell: SymbolCell::of(&tests.collect::<Vec<_>>(), alpha),
                leading: times(1.0),
                trailing: times(-1.0),
            };
            CongenialityCell { row, column, ours }
        };
        blocks.push(cell(|met| met.by_block));
        deals.push(cell(|met| met.by_deal));
    }
    ratios.sort_by(f64::total_cmp);
    let error_ratio = ratios.get(ratios.len() / 2).copied();
    let names = names.to_vec();
    (!blocks.is_empty()).then_some(Congeniality {
        names,
        by_block: blocks,
        by_deal: deals,
        error_ratio,
    })
}
