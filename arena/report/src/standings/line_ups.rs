//! Every line-up on its own: its comparison by blocks and its tests by deals.

use super::types::{
    Answer, BotAtLineUp, Congeniality, CongenialityCell, LineUpStanding, Method, OurCell, PairAtLineUp, Test,
};
use super::verdict::BLOCKS_WORTH_TELLING;
use hattari_play::samples::{LineUpSample, Samples};
use hattari_stats::compare::{PairSummary, Significance, Verdict, congeniality_table};
use hattari_stats::congeniality::Cell;
use hattari_stats::{
    BotSample, CompareOptions, Comparison, Correction, LineUpScores, Required, TTest, TestKind, Untestable, compare,
    required_whole_blocks,
};

/// One line-up with its comparison.
pub(super) struct Compared<'s> {
    /// Its number.
    pub number: u32,
    /// What was played.
    pub sample: &'s LineUpSample,
    /// Index of the entrant by place in `scores`.
    pub roster: Vec<usize>,
    /// What the comparison is made from.
    pub scores: Vec<BotSample<'s>>,
    /// The cluster of each block.
    pub clusters: Vec<usize>,
    /// The comparison by blocks.
    pub by_block: Comparison,
    /// The tests by deals, in the order of [`LineUpSample::pairs`], and their p adjusted.
    pub by_deal: Vec<Result<(TTest, f64), Untestable>>,
}

impl<'s> Compared<'s> {
    /// Compares all line-ups with a finished block.
    ///
    /// # Errors
    /// A setting out of range.
    pub(super) fn all(samples: &'s Samples, options: &CompareOptions) -> Result<Vec<Compared<'s>>, Untestable> {
        let played = (0..).zip(&samples.line_ups).filter(|(_, sample)| !sample.blocks.is_empty());
        played.map(|(number, sample)| Compared::of(number, sample, options)).collect()
    }

    fn of(number: u32, sample: &'s LineUpSample, options: &CompareOptions) -> Result<Compared<'s>, Untestable> {
        let scores: Vec<BotSample<'s>> = (sample.bots.iter())
            .map(|bot| BotSample {
                scores: &bot.means,
                forfeited: &bot.forfeited,
                games: bot.deals,
                placements: &bot.places,
            })
            .collect();
        let clusters = sample.clusters();
        let places: Vec<usize> = (0..scores.len()).collect();
        let here = LineUpScores { roster: &places, samples: &scores, opposition: &places, clusters: &clusters };
        let by_block = compare(scores.len(), &[here], options)?;
        let tests: Vec<_> = sample.pairs.iter().map(|pair| pair.deals.test(options.confidence)).collect();
        let p: Vec<f64> = tests.iter().flatten().map(|test| test.p).collect();
        let mut adjusted = options.correction.adjust(&p).into_iter();
        let by_deal =
            tests.into_iter().map(|test| test.map(|test| (test, adjusted.next().unwrap_or(test.p)))).collect();
        let roster = sample.bots.iter().map(|bot| bot.entrant).collect();
        Ok(Compared { number, sample, roster, scores, clusters, by_block, by_deal })
    }

    /// The pair `a` against `b`, entrants by index, if both sit here.
    pub(super) fn pair(&self, a: usize, b: usize, options: &CompareOptions) -> Option<PairAtLineUp> {
        let place = |entrant| self.roster.iter().position(|other| *other == entrant);
        let (place_a, place_b) = (place(a)?, place(b)?);
        let by_block = self.by_block.pair(place_a, place_b)?;
        let by_block = test_of(by_block, by_block.test.and_then(|test| alone(&test, by_block.level?, options)));
        let (low, high) = (place_a.min(place_b), place_a.max(place_b));
        let by_deal = self
            .sample
            .pairs
            .iter()
            .zip(&self.by_deal)
            .find(|(pair, _)| (pair.a, pair.b) == (self.roster[low], self.roster[high]));
        let by_deal = match &by_deal?.1 {
            Err(reason) => Answer::NotTestable(reason.to_string()),
            Ok((test, p_adjusted)) => {
                let test = if place_a == low { *test } else { test.mirrored() };
                let required = alone(&test, 1.0 - options.confidence, options);
                Answer::Tested(of_t_test(&test, Method::PairedDeals, (*p_adjusted, options.correction), required))
            }
        };
        Some(PairAtLineUp { line_up: self.number, by_block, by_deal })
    }

    /// The line-up's own standing.
    pub(super) fn standing(&self, names: &[String]) -> LineUpStanding {
        let bots = self.by_block.bots.iter().zip(&self.roster).map(|(bot, &entrant)| BotAtLineUp {
            name: names[entrant].clone(),
            mean: bot.mean,
            estimate: super::compute::estimate_of(bot),
        });
        LineUpStanding {
            line_up: self.number,
            entrants: self.sample.entrants.iter().map(|&entrant| names[entrant].clone()).collect(),
            blocks: self.sample.blocks.len() as u64,
            deals: self.sample.deals(),
            family: self.by_block.family as u64,
            bots: bots.collect(),
        }
    }
}

/// A test by blocks, or why there is none.
pub(super) fn test_of(pair: &PairSummary, required: Option<Required>) -> Answer<Test> {
    let Some(test) = &pair.test else {
        let why = match &pair.verdict {
            Verdict::CannotTell { reason } => reason.to_string(),
            _ => Untestable::MissingScores.to_string(),
        };
        return Answer::NotTestable(why);
    };
    let method = match test.kind {
        TestKind::OneSample | TestKind::Paired => Method::PairedBlocks,
        TestKind::Stratified => Method::StratifiedBlocks,
        TestKind::Welch => Method::WelchBlocks,
        TestKind::Clustered => Method::ClusteredBlocks,
    };
    let adjusted = (pair.p_adjusted.unwrap_or(test.p), pair.adjusted_by.unwrap_or(Correction::None));
    Answer::Tested(of_t_test(test, method, adjusted, required))
}

/// The required blocks without their interval, which nobody asks for at every line-up.
fn alone(test: &TTest, level: f64, options: &CompareOptions) -> Option<Required> {
    let blocks = required_whole_blocks(test.unbiased_effect(), level, options.power).ok();
    blocks.filter(|_| test.kind != TestKind::Welch).map(|blocks| Required { blocks, low: u64::MAX, high: None })
}

fn of_t_test(
    test: &TTest,
    method: Method,
    (p_adjusted, adjusted_by): (f64, Correction),
    required: Option<Required>,
) -> Test {
    let worth = |blocks: u64| (blocks < BLOCKS_WORTH_TELLING).then_some(blocks);
    let n = if test.kind == TestKind::Welch { test.n_a + test.n_b } else { test.n_a };
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

/// Symbols of all pairs that met, by the unadjusted p of each line-up as in the paper; `None` where nobody met.
pub(super) fn congeniality(names: &[String], line_ups: &[Compared<'_>], alpha: f64) -> Option<Congeniality> {
    let n = names.len();
    let comparisons: Vec<(&[usize], &Comparison)> =
        line_ups.iter().map(|line_up| (line_up.roster.as_slice(), &line_up.by_block)).collect();
    let by_block = congeniality_table(n, &comparisons, Significance::Raw);
    let mut met = vec![vec![Met::default(); n]; n];
    let mut ratios = Vec::new();
    for line_up in line_ups {
        for (pair, test) in line_up.sample.pairs.iter().zip(&line_up.by_deal) {
            let judged = test.as_ref().ok().map(|(test, _)| (test.mean_difference, test.p));
            met[pair.a][pair.b].by_deal.push(judged);
            met[pair.b][pair.a].by_deal.push(judged.map(|(difference, p)| (-difference, p)));
        }
        for pair in &line_up.by_block.pairs {
            let (a, b) = (line_up.roster[pair.a], line_up.roster[pair.b]);
            met[a][b].leading += u32::from(pair.mean_difference.is_some_and(|d| d > 0.0));
            met[a][b].trailing += u32::from(pair.mean_difference.is_some_and(|d| d < 0.0));
        }
        ratios.extend(line_up.error_ratios());
    }
    let (mut blocks, mut deals) = (Vec::new(), Vec::new());
    for (a, b) in (0..n).flat_map(|a| (0..n).map(move |b| (a, b))).filter(|&(a, b)| !met[a][b].by_deal.is_empty()) {
        let Met { by_deal, leading, trailing } = &met[a][b];
        let cell = |cell| CongenialityCell {
            row: names[a].clone(),
            column: names[b].clone(),
            ours: OurCell { cell, leading: *leading, trailing: *trailing },
        };
        blocks.push(cell(by_block[a][b]));
        deals.push(cell(Cell::of_tests(by_deal, alpha)));
    }
    ratios.sort_by(f64::total_cmp);
    let error_ratio = ratios.get(ratios.len() / 2).copied();
    let names = names.to_vec();
    (!blocks.is_empty()).then_some(Congeniality { names, by_block: blocks, by_deal: deals, error_ratio })
}

/// What the line-ups of an ordered pair add up to.
#[derive(Clone, Default)]
struct Met {
    /// Difference and p at each line-up, `None` where it could not be tested.
    by_deal: Vec<Option<(f64, f64)>>,
    leading: u32,
    trailing: u32,
}

impl Compared<'_> {
    /// Of every pair tested both ways: the standard error by blocks over the one by deals.
    fn error_ratios(&self) -> impl Iterator<Item = f64> + '_ {
        self.sample.pairs.iter().zip(&self.by_deal).filter_map(|(pair, by_deal)| {
            let place = |entrant| self.roster.iter().position(|other| *other == entrant);
            let by_block = self.by_block.pair(place(pair.a)?, place(pair.b)?)?.test?;
            Some(by_block.se / by_deal.as_ref().ok()?.0.se)
        })
    }
}
