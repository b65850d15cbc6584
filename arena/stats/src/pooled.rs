//! The comparison of all bots pooled over line-ups: the mean over line-ups, with the errors of all of them.
//!
//! A league's line-ups are what the league asks about, not a sample of something else; so they are *strata*: every
//! line-up counts alike whatever its number of blocks, and only the spread of blocks within line-ups is error. How much
//! the line-ups differ from each other is a finding (the congeniality table shows it), not noise. Where some line-up has
//! a single block, nothing is known of the spread within it; then the blocks of all line-ups are tested as one sample,
//! whose spread includes what line-ups differ by.

use crate::Untestable;
use crate::compare::{
    BotSample, BotSummary, CompareOptions, Comparison, PairSummary, Verdict, all_forfeited, check_input, judge, mirror,
};
use crate::dist::student;
use crate::power::required_whole_blocks;
use crate::summary::{Interval, ROUNDING_NOISE, check_confidence, mean};
use crate::t_test::{TTest, TestKind, one_sample_t, paired_t, welch_t};

/// The blocks of one line-up.
#[derive(Debug, Clone, Copy)]
pub struct LineUpScores<'a> {
    /// Which bot each entry of `samples` is; no bot twice.
    pub roster: &'a [usize],
    /// What each did, over the blocks of this line-up.
    pub samples: &'a [BotSample<'a>],
    /// For each entry the opposition that it faces, as a number: equal numbers, the same opposition. Two bots that
    /// never meet are compared on the line-ups at which they faced the same.
    pub opposition: &'a [usize],
}

/// Compares every bot with every other over all line-ups. Bots are numbered 0 … `bots` − 1.
///
/// A pair that met is compared by the [`stratified_paired_t`] of the line-ups with both; one that never met by Welch's
/// test on the blocks in which the two faced the same opposition, if there are any.
///
/// # Errors
/// As [`compare`](crate::compare()); also a roster that does not fit its samples.
pub fn compare_pooled(
    bots: usize,
    line_ups: &[LineUpScores<'_>],
    options: &CompareOptions,
) -> Result<Comparison, Untestable> {
    let mut seats: Vec<Vec<Seat<'_>>> = vec![Vec::new(); bots];
    for (line_up, scores) in line_ups.iter().enumerate() {
        check_input(scores.samples, options)?;
        if scores.roster.len() != scores.samples.len() || scores.opposition.len() != scores.samples.len() {
            return Err(Untestable::LengthMismatch);
        }
        for ((&bot, sample), &opposition) in scores.roster.iter().zip(scores.samples).zip(scores.opposition) {
            let seat = Seat { line_up, sample, opposition };
            seats.get_mut(bot).ok_or_else(|| Untestable::bad(format!("there is no bot {bot}")))?.push(seat);
        }
    }
    check_input(&[], options)?;
    let mut upper = Vec::new();
    for a in 0..bots {
        for b in a + 1..bots {
            upper.push(pool_pair((a, &seats[a]), (b, &seats[b]), options));
        }
    }
    let family = judge(&mut upper, options, 1.0 - options.confidence);
    let mut pairs: Vec<PairSummary> = upper.iter().map(mirror).chain(upper.iter().cloned()).collect();
    pairs.sort_by_key(|pair| (pair.a, pair.b));
    let blocks = line_ups.iter().map(|scores| scores.samples.first().map_or(0, |sample| sample.scores.len())).sum();
    let bots = seats.iter().enumerate().map(|(bot, seats)| pool_bot(bot, seats, options)).collect();
    Ok(Comparison { options: *options, blocks, bots, pairs, family })
}

/// One bot at one line-up.
#[derive(Clone, Copy)]
struct Seat<'a> {
    line_up: usize,
    sample: &'a BotSample<'a>,
    opposition: usize,
}

impl Seat<'_> {
    fn scores(&self) -> Vec<f64> {
        self.sample.scores.iter().flatten().copied().collect()
    }
}

/// Tests whether the mean over strata of their mean difference is zero: the mean of the strata's means, the error
/// √(Σ s²/n) / L of L strata, and Satterthwaite's degrees of freedom. `strata[l]` holds the scores of both bots in the
/// same blocks. One stratum is [`paired_t`], and so are strata one of which has a single block (all blocks together).
///
/// # Errors
/// As [`paired_t`].
pub fn stratified_paired_t(strata: &[(Vec<f64>, Vec<f64>)], confidence: f64) -> Result<TTest, Untestable> {
    let strata: Vec<&(Vec<f64>, Vec<f64>)> = strata.iter().filter(|(a, b)| !(a.is_empty() && b.is_empty())).collect();
    if strata.iter().any(|(a, b)| a.len() != b.len()) {
        return Err(Untestable::LengthMismatch);
    }
    let differences: Vec<Vec<f64>> =
        strata.iter().map(|(a, b)| a.iter().zip(b).map(|(x, y)| x - y).collect()).collect();
    let scale = strata.iter().flat_map(|(a, b)| a.iter().chain(b)).fold(0.0f64, |most, x| most.max(x.abs()));
    let together = || {
        let (a, b): (Vec<&[f64]>, Vec<&[f64]>) = strata.iter().map(|(a, b)| (a.as_slice(), b.as_slice())).unzip();
        paired_t(&a.concat(), &b.concat(), confidence)
    };
    stratified(&differences, scale, confidence).unwrap_or_else(together)
}

/// The test of strata of differences; `None` where they must be taken together.
fn stratified(strata: &[Vec<f64>], scale: f64, confidence: f64) -> Option<Result<TTest, Untestable>> {
    if strata.len() < 2 || strata.iter().any(|xs| xs.len() < 2 || xs.iter().any(|x| !x.is_finite())) {
        return None;
    }
    if let Err(error) = check_confidence(confidence) {
        return Some(Err(error));
    }
    let l = strata.len() as f64;
    let (mut centre, mut squared_error, mut satterthwaite, mut n) = (0.0, 0.0, 0.0, 0);
    for xs in strata {
        let m = mean(xs);
        let df = (xs.len() - 1) as f64;
        let share = xs.iter().map(|x| (x - m) * (x - m)).sum::<f64>() / df / xs.len() as f64 / (l * l);
        centre += m / l;
        squared_error += share;
        satterthwaite += share * share / df;
        n += xs.len();
    }
    let se = squared_error.sqrt();
    if !se.is_finite() || se <= ROUNDING_NOISE * scale {
        return None;
    }
    Some(stratified_test(centre, se, squared_error * squared_error / satterthwaite, n, confidence))
}

fn stratified_test(centre: f64, se: f64, df: f64, n: usize, confidence: f64) -> Result<TTest, Untestable> {
    let t = centre / se;
    let critical = student::isf(0.5 * (1.0 - confidence), df)?;
    Ok(TTest {
        kind: TestKind::Stratified,
        n_a: n,
        n_b: n,
        mean_difference: centre,
        se,
        t,
        df,
        p: student::two_sided_p(t, df)?,
        interval: Interval::around(centre, critical * se),
        // With as many blocks in each stratum this is the difference over the mean spread within strata.
        effect_size: centre / (se * (n as f64).sqrt()),
    })
}

fn pool_bot(bot: usize, seats: &[Seat<'_>], options: &CompareOptions) -> BotSummary {
    let strata: Vec<Vec<f64>> = seats.iter().map(Seat::scores).filter(|scores| !scores.is_empty()).collect();
    let blocks = strata.iter().map(Vec::len).sum();
    let scale = strata.iter().flatten().fold(0.0f64, |most, x| most.max(x.abs()));
    let tested = stratified(&strata, scale, options.confidence)
        .unwrap_or_else(|| one_sample_t(&strata.concat(), options.confidence));
    let means: Vec<f64> = strata.iter().map(|scores| mean(scores)).collect();
    let note = if !seats.is_empty() && seats.iter().all(|seat| all_forfeited(seat.sample)) {
        Some(Untestable::AllForfeited)
    } else if blocks == 0 {
        Some(Untestable::MissingScores)
    } else {
        match &tested {
            Err(Untestable::ZeroVariance | Untestable::ConstantDifference { .. }) => Some(Untestable::ZeroVariance),
            Err(reason) => Some(reason.clone()),
            Ok(_) if blocks < options.blocks_min => {
                Some(Untestable::TooFewBlocks { blocks, needed: options.blocks_min })
            }
            Ok(_) => None,
        }
    };
    let mut placements: Vec<u64> = Vec::new();
    for seat in seats {
        placements.resize(placements.len().max(seat.sample.placements.len()), 0);
        placements.iter_mut().zip(seat.sample.placements).for_each(|(all, here)| *all += here);
    }
    let forfeited = seats.iter().flat_map(|seat| seat.sample.forfeited).filter(|forfeited| **forfeited);
    BotSummary {
        bot,
        games: seats.iter().map(|seat| seat.sample.games).sum(),
        blocks,
        forfeited_blocks: forfeited.count(),
        mean: (blocks != 0).then(|| mean(&means)),
        se: tested.as_ref().ok().map(|test| test.se),
        interval: tested.as_ref().ok().map(|test| test.interval),
        placements,
        note,
    }
}

/// A pair before the family is known.
fn pool_pair(
    (a, seats_a): (usize, &[Seat<'_>]),
    (b, seats_b): (usize, &[Seat<'_>]),
    options: &CompareOptions,
) -> PairSummary {
    let mut strata: Vec<(Vec<f64>, Vec<f64>)> = Vec::new();
    for (seat_a, seat_b) in meetings(seats_a, seats_b) {
        let shared = seat_a.sample.scores.iter().zip(seat_b.sample.scores).filter_map(|(&x, &y)| x.zip(y));
        let (shared_a, shared_b): (Vec<f64>, Vec<f64>) = shared.unzip();
        if !shared_a.is_empty() {
            strata.push((shared_a, shared_b));
        }
    }
    let shared_blocks = strata.iter().map(|(a, _)| a.len()).sum();
    let (alone_a, alone_b) = if shared_blocks == 0 { apart(seats_a, seats_b) } else { Default::default() };
    let forfeited = |seats: &[Seat<'_>]| !seats.is_empty() && seats.iter().all(|seat| all_forfeited(seat.sample));
    let mean_difference = if 0 < shared_blocks {
        Some(mean(&strata.iter().map(|(a, b)| mean(a) - mean(b)).collect::<Vec<f64>>()))
    } else if alone_a.is_empty() || alone_b.is_empty() {
        None
    } else {
        Some(mean(&alone_a) - mean(&alone_b))
    };
    let tested = if forfeited(seats_a) || forfeited(seats_b) {
        Err(Untestable::AllForfeited)
    } else if 0 < shared_blocks {
        stratified_paired_t(&strata, options.confidence)
    } else if mean_difference.is_some() {
        welch_t(&alone_a, &alone_b, options.confidence)
    } else if seats_a.iter().all(|seat| seat.scores().is_empty()) || seats_b.iter().all(|s| s.scores().is_empty()) {
        Err(Untestable::MissingScores)
    } else {
        Err(Untestable::NeverMet)
    };
    let alpha = 1.0 - options.confidence;
    let paired = tested.as_ref().ok().filter(|_| 0 < shared_blocks);
    let needed = |effect: f64| required_whole_blocks(effect, alpha, options.power).ok();
    let required_blocks = paired.and_then(|test| needed(test.effect_size));
    let required_blocks_to_resolve = paired
        .zip(options.resolve)
        .and_then(|(test, difference)| needed(difference / (test.se * (test.n_a as f64).sqrt())));
    let verdict = match &tested {
        Ok(_) => Verdict::NoDifference,
        Err(reason) => Verdict::CannotTell { reason: reason.clone() },
    };
    PairSummary {
        a,
        b,
        shared_blocks,
        mean_difference,
        test: tested.ok(),
        p_adjusted: None,
        required_blocks,
        more_blocks: required_blocks.map(|required| required.saturating_sub(shared_blocks as u64)),
        required_blocks_to_resolve,
        verdict,
    }
}

/// The line-ups at which both sit; seats are in the order of line-ups.
fn meetings<'s>(a: &'s [Seat<'s>], b: &'s [Seat<'s>]) -> impl Iterator<Item = (&'s Seat<'s>, &'s Seat<'s>)> {
    a.iter().filter_map(|seat_a| {
        let at = b.binary_search_by_key(&seat_a.line_up, |seat_b| seat_b.line_up).ok()?;
        Some((seat_a, &b[at]))
    })
}

/// The blocks in which two bots that never met faced the same opposition, or, at one table, played without the other.
fn apart(a: &[Seat<'_>], b: &[Seat<'_>]) -> (Vec<f64>, Vec<f64>) {
    let alike = |x: &Seat<'_>, y: &Seat<'_>| x.line_up == y.line_up || x.opposition == y.opposition;
    let blocks = |own: &[Seat<'_>], other: &[Seat<'_>]| -> Vec<f64> {
        own.iter().filter(|x| other.iter().any(|y| alike(x, y))).flat_map(Seat::scores).collect()
    };
    (blocks(a, b), blocks(b, a))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare;

    fn close(x: f64, y: f64) {
        assert!((x - y).abs() <= 1e-12 * y.abs().max(1.0), "{x} is not {y}");
    }

    fn some(xs: &[f64]) -> Vec<Option<f64>> {
        xs.iter().map(|&x| Some(x)).collect()
    }

    #[test]
    fn strata_count_alike_and_what_they_differ_by_is_no_error() {
        // Differences 1, 3 (mean 2, s²/n = 1) and 10, 12, 14 (mean 12, s²/n = 4/3).
        let strata = [(vec![1.0, 3.0], vec![0.0; 2]), (vec![10.0, 12.0, 14.0], vec![0.0; 3])];
        let test = stratified_paired_t(&strata, 0.95).expect("testable");
        assert_eq!((test.kind, test.n_a), (TestKind::Stratified, 5));
        close(test.mean_difference, 7.0);
        let squared = (1.0 + 4.0 / 3.0) / 4.0;
        close(test.se, f64::sqrt(squared));
        close(test.df, squared * squared / ((1.0 / 16.0) / 1.0 + (1.0 / 9.0) / 2.0));
        close(test.effect_size, 7.0 / f64::sqrt(squared * 5.0));
    }

    #[test]
    fn a_line_up_with_a_single_block_makes_all_blocks_one_sample() {
        let strata = [(vec![1.0], vec![0.0]), (vec![3.0, 8.0], vec![1.0, 2.0])];
        let expected = paired_t(&[1.0, 3.0, 8.0], &[0.0, 1.0, 2.0], 0.95);
        assert_eq!(stratified_paired_t(&strata, 0.95), expected);
        assert_eq!(stratified_paired_t(&strata[1..], 0.95), paired_t(&[3.0, 8.0], &[1.0, 2.0], 0.95));
        // Constant within every line-up: nothing but the difference of line-ups to go by.
        let constant = [(vec![1.0, 1.0], vec![0.0; 2]), (vec![2.0, 2.0], vec![0.0; 2])];
        assert_eq!(stratified_paired_t(&constant, 0.95).expect("testable").kind, TestKind::Paired);
        assert_eq!(stratified_paired_t(&[], 0.95), Err(Untestable::TooFewBlocks { blocks: 0, needed: 2 }));
    }

    #[test]
    fn one_line_up_gives_what_compare_gives() {
        let scores = [some(&[3.0, 1.0, 4.0, 1.5]), some(&[2.0, 7.0, 1.0, 8.0]), some(&[0.5, 1.0, 0.0, 0.25])];
        let samples: Vec<BotSample<'_>> =
            scores.iter().map(|scores| BotSample { scores, games: 40, ..BotSample::default() }).collect();
        let options = CompareOptions { blocks_min: 3, ..CompareOptions::default() };
        let line_up = LineUpScores { roster: &[0, 1, 2], samples: &samples, opposition: &[0, 1, 2] };
        assert_eq!(compare_pooled(3, &[line_up], &options), compare(&samples, &options));
    }

    #[test]
    fn bots_that_never_met_are_compared_where_they_faced_the_same() {
        let scores = [some(&[3.0, 1.0, 4.0]), some(&[2.0, 7.0]), some(&[5.0, 5.0, 6.0])];
        let sample = |k: usize| BotSample { scores: &scores[k], ..BotSample::default() };
        let samples = [sample(0), sample(1), sample(2)];
        let line_up =
            |k: usize, opposition| LineUpScores { roster: [&[0], &[1], &[2]][k], samples: &samples[k..=k], opposition };
        let line_ups = [line_up(0, &[7]), line_up(1, &[7]), line_up(2, &[8])];
        let pooled = compare_pooled(3, &line_ups, &CompareOptions::default()).expect("valid");
        let welch = welch_t(&[3.0, 1.0, 4.0], &[2.0, 7.0], 0.95).expect("testable");
        assert_eq!(pooled.pair(0, 1).expect("a pair").test, Some(welch));
        let never_met = &pooled.pair(0, 2).expect("a pair");
        assert_eq!(never_met.verdict, Verdict::CannotTell { reason: Untestable::NeverMet });
        assert_eq!((never_met.mean_difference, pooled.family), (None, 1));
    }

    #[test]
    fn pooled_bots_have_the_mean_of_their_line_ups() {
        let scores = [some(&[1.0, 3.0]), some(&[10.0, 12.0, 14.0])];
        let forfeited = [true, false, false];
        let here = [BotSample { scores: &scores[0], games: 20, placements: &[3, 4], ..BotSample::default() }];
        let there = [BotSample { scores: &scores[1], games: 30, placements: &[1, 1], forfeited: &forfeited }];
        let line_ups = [
            LineUpScores { roster: &[0], samples: &here, opposition: &[0] },
            LineUpScores { roster: &[0], samples: &there, opposition: &[0] },
        ];
        let bot = &compare_pooled(1, &line_ups, &CompareOptions::default()).expect("valid").bots[0];
        assert_eq!((bot.mean, bot.blocks, bot.games, bot.forfeited_blocks), (Some(7.0), 5, 50, 1));
        assert_eq!(bot.placements, [4, 5]);
        close(bot.se.expect("known"), f64::sqrt((1.0 + 4.0 / 3.0) / 4.0));
    }
}
