//! Verdicts on comparisons, as sentences.

use super::settings::{correction_name, other_than_max_t};
use super::{About, Estimate, PairVerdict, VerdictKind};
use crate::numbers::{
    decimals, fixed, interval, level, p_equals, short, signed, unsigned_interval,
};
use hattari_agents::text::{counted, grouped, joined};
use hattari_stats::compare::{PairSummary, Verdict};
use hattari_stats::{CompareOptions, Correction, TTest};

/// Limit of required blocks. From this number on, they are not reported: the difference may be a
/// rounding error, and so many blocks cannot be played.
pub(super) const REQUIRED_BLOCKS_LIMIT: u64 = 1_000_000_000;

/// Returns the verdict on a pooled pair with these names. `family` is the number of comparisons;
/// `about` gives the unit of scores.
pub(super) fn of_pair(
    pair: &PairSummary,
    [a, b]: [&str; 2],
    options: &CompareOptions,
    family: usize,
    about: &About,
) -> PairVerdict {
    let context = SentenceContext {
        pair,
        family: family as u64,
        about,
        options,
    };
    let text = match (&pair.verdict, &pair.test) {
        (Verdict::Ahead, Some(test)) => context.beats(a, b, test),
        (Verdict::Behind, Some(test)) => context.beats(b, a, &test.mirrored()),
        (Verdict::Equal, Some(test)) => context.equal(test),
        (Verdict::Undecided, Some(test)) => context.undecided(test),
        (Verdict::CannotTell { reason }, _) => format!("undecided: {reason}"),
        (_, None) => "undecided".to_owned(),
    };
    PairVerdict {
        kind: kind(pair),
        text,
    }
}

/// Returns the category of the verdict.
pub(super) fn kind(pair: &PairSummary) -> VerdictKind {
    match (&pair.verdict, &pair.test) {
        (Verdict::Ahead, Some(_)) => VerdictKind::Ahead,
        (Verdict::Behind, Some(_)) => VerdictKind::Behind,
        (Verdict::Equal, Some(_)) => VerdictKind::Equal,
        _ => VerdictKind::CannotTell,
    }
}

impl PairVerdict {
    /// Adds the fault counts of the two bots in front of the statement, because a lead over a bot
    /// with faults says little about its play.
    pub(super) fn with_faults(mut self, faults: [(&str, u64); 2]) -> PairVerdict {
        let parts = faults
            .iter()
            .filter(|(_, count)| *count > 0)
            .map(|(name, count)| format!("{name} committed {}", counted(*count, "fault")));
        let parts = joined(parts, ", ");
        if !parts.is_empty() {
            self.text = format!("{parts}; {}", self.text);
        }
        self
    }
}

/// The data from which the sentence of a verdict is made.
struct SentenceContext<'a> {
    pair: &'a PairSummary,
    family: u64,
    about: &'a About,
    options: &'a CompareOptions,
}

impl SentenceContext<'_> {
    /// Returns the sentence for a lead of `winner`; `test` is the winner minus the loser.
    fn beats(&self, winner: &str, loser: &str, test: &TTest) -> String {
        let digits = decimals([test.se]);
        let mut text = format!(
            "{winner} beats {loser} by {} {} ({} % CI {}, {})",
            fixed(test.mean_difference, digits),
            self.about.unit_of_means(),
            level(self.options.confidence),
            unsigned_interval((test.interval.low, test.interval.high), digits),
            self.p(test.p, self.pair.p_adjusted, self.correction()),
        ) + &self.winnings(test, fixed);
        if let Some(margin) = self.margin() {
            text += &format!("; the difference is also significantly smaller than {margin}");
        }
        text
    }

    fn equal(&self, test: &TTest) -> String {
        let margin = self.options.equal_within.unwrap_or_default();
        let correction = other_than_max_t(self.options.correction);
        let p = self.pair.equivalence.map_or_else(String::new, |equal| {
            self.p(equal.p, Some(equal.p_adjusted), correction)
        });
        format!(
            "equal within {margin} {}: {}; test against a larger difference: {p}",
            self.about.unit_of_means(),
            self.numbers(test, None)
        )
    }

    fn undecided(&self, test: &TTest) -> String {
        let p = self.p(test.p, self.pair.p_adjusted, self.correction());
        let mut text = format!("undecided: {}", self.numbers(test, Some(p)));
        let required = self.pair.required(self.options);
        let reportable = required.filter(|required| {
            required.blocks < REQUIRED_BLOCKS_LIMIT && (test.n_a as u64) < required.blocks
        });
        if test.p <= 1.0 - self.options.confidence {
            let p = p_equals(test.p);
            text += &match self.family {
                1 => format!("; the t-test is significant ({p}), but sign flips of blocks are not"),
                family => format!(
                    "; significant on its own ({p}), but not after adjustment for {}",
                    counted(family, "comparison")
                ),
            };
        } else if let Some(required) = reportable {
            let range = match required.high {
                Some(high) => format!("{} to {}", format_blocks(required.low), format_blocks(high)),
                None => format!("{} or more", format_blocks(required.low)),
            };
            text += &format!(
                "; to confirm a difference of this size with {} % power takes {} blocks ({} % CI \
                 {range})",
                level(self.options.power),
                format_blocks(required.blocks),
                level(self.options.confidence),
            );
        }
        text
    }

    /// Returns the difference with its interval, and `p` if it is given.
    fn numbers(&self, test: &TTest, p: Option<String>) -> String {
        let digits = decimals([test.se]);
        format!(
            "{} {} ({} % CI {}{})",
            signed(test.mean_difference, digits),
            self.about.unit_of_means(),
            level(self.options.confidence),
            interval((test.interval.low, test.interval.high), digits),
            p.map_or_else(String::new, |p| format!(", {p}")),
        ) + &self.winnings(test, signed)
    }

    /// Returns the difference in units of the stake, such as bb/100; empty if the game has none.
    fn winnings(&self, test: &TTest, text: fn(f64, usize) -> String) -> String {
        let Some(stake) = self.about.stake() else {
            return String::new();
        };
        let points = Estimate::new(test.mean_difference, test.se, test.interval);
        let winnings = stake.per_hundred(points);
        let digits = decimals([winnings.se]);
        format!(
            ", {} {} ({} to {})",
            text(winnings.value, digits),
            stake.unit(),
            text(winnings.low, digits),
            text(winnings.high, digits)
        )
    }

    /// Returns the method that adjusted p.
    fn correction(&self) -> Correction {
        self.pair.adjusted_by.unwrap_or(self.options.correction)
    }

    /// Returns the margin of equivalence if the difference is significantly smaller.
    fn margin(&self) -> Option<f64> {
        let is_close = self
            .pair
            .equivalence
            .is_some_and(|equal| equal.p_adjusted <= 1.0 - self.options.confidence);
        self.options.equal_within.filter(|_| is_close)
    }

    /// Returns p as text, adjusted if there are several comparisons.
    fn p(&self, p: f64, adjusted: Option<f64>, correction: Correction) -> String {
        match (correction_name(correction), adjusted) {
            (Some(name), Some(p)) if self.family > 1 => format!("{} after {name}", p_equals(p)),
            _ => p_equals(adjusted.unwrap_or(p)),
        }
    }
}

/// Returns a number of blocks as text: exact below 100,000, otherwise rounded.
fn format_blocks(blocks: u64) -> String {
    if blocks < 100_000 {
        grouped(blocks)
    } else {
        format!("about {}", short(blocks as f64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hattari_stats::compare::Equivalence;
    use hattari_stats::{Interval, Method, Untestable};

    /// Returns a test of 100 blocks with standard error 0.1 and an interval of ±0.2.
    fn test(mean_difference: f64, p: f64) -> TTest {
        TTest {
            kind: Method::PairedBlocks,
            n_a: 100,
            n_b: 100,
            mean_difference,
            se: 0.1,
            t: mean_difference / 0.1,
            df: 99.0,
            p,
            interval: Interval::around(mean_difference, 0.2),
            effect_size: mean_difference,
            skewness: 0.0,
        }
    }

    /// Returns a pair whose p is 0.012 after Holm's adjustment.
    fn pair(verdict: Verdict, test: Option<TTest>) -> PairSummary {
        PairSummary {
            a: 0,
            b: 1,
            shared_blocks: 100,
            mean_difference: test.map(|test| test.mean_difference),
            test,
            p_adjusted: Some(0.012),
            adjusted_by: Some(Correction::Holm),
            level: None,
            equivalence: None,
            verdict,
        }
    }

    /// Returns the sentence on a pair of `family` pairs, with an equivalence margin of 1.
    fn sentence(pair: &PairSummary, family: usize) -> String {
        let options = CompareOptions {
            equal_within: Some(1.0),
            ..CompareOptions::default()
        };
        of_pair(pair, ["x", "y"], &options, family, &About::default()).text
    }

    #[test]
    fn a_lead_names_winner_size_interval_and_p() {
        let ahead = pair(Verdict::Ahead, Some(test(0.5, 0.004)));
        let numbers = "beats y by 0.50 points per deal (95 % CI 0.30 to 0.70, p = ";
        assert_eq!(sentence(&ahead, 3), format!("x {numbers}0.012 after Holm)"));
        assert_eq!(sentence(&ahead, 1), format!("x {numbers}0.012)"));
        assert_eq!(
            sentence(&pair(Verdict::Behind, Some(test(-0.5, 0.004))), 1),
            "y beats x by 0.50 points per deal (95 % CI 0.30 to 0.70, p = 0.012)"
        );
    }

    #[test]
    fn a_lead_within_the_margin_says_so() {
        let close = PairSummary {
            equivalence: Some(Equivalence {
                p: 0.001,
                p_adjusted: 0.002,
            }),
            ..pair(Verdict::Ahead, Some(test(0.5, 0.004)))
        };
        let text = sentence(&close, 1);
        assert!(
            text.ends_with("; the difference is also significantly smaller than 1"),
            "{text}"
        );
    }

    #[test]
    fn equality_names_margin_numbers_and_p() {
        let equal = PairSummary {
            equivalence: Some(Equivalence {
                p: 0.004,
                p_adjusted: 0.008,
            }),
            ..pair(Verdict::Equal, Some(test(0.05, 0.6)))
        };
        assert_eq!(
            sentence(&equal, 3),
            "equal within 1 points per deal: +0.05 points per deal (95 % CI -0.15 to +0.25); test \
             against a larger difference: p = 0.008 after Holm"
        );
    }

    #[test]
    fn an_undecided_pair_shows_numbers_and_the_required_blocks() {
        let mut undecided = pair(Verdict::Undecided, Some(test(0.05, 0.6)));
        let numbers = "undecided: +0.05 points per deal (95 % CI -0.15 to +0.25, p = 0.012)";
        assert_eq!(sentence(&undecided, 1), numbers);
        undecided.level = Some(0.05);
        let text = sentence(&undecided, 1);
        let start = "; to confirm a difference of this size with 80 % power takes ";
        assert!(text.starts_with(&format!("{numbers}{start}")), "{text}");
        assert!(text.ends_with(" or more)"), "{text}");
    }

    #[test]
    fn a_pair_that_adjustment_makes_undecided_says_so() {
        let alone = PairSummary {
            p_adjusted: Some(0.12),
            ..pair(Verdict::Undecided, Some(test(0.05, 0.04)))
        };
        assert_eq!(
            sentence(&alone, 3),
            "undecided: +0.05 points per deal (95 % CI -0.15 to +0.25, p = 0.120 after Holm); \
             significant on its own (p = 0.040), but not after adjustment for 3 comparisons"
        );
    }

    #[test]
    fn a_pair_without_a_verdict_gives_the_reason() {
        let reason = Untestable::MissingScores;
        let untested = pair(Verdict::CannotTell { reason }, None);
        assert_eq!(kind(&untested), VerdictKind::CannotTell);
        assert_eq!(sentence(&untested, 3), "undecided: no scores to compare");
        assert_eq!(sentence(&pair(Verdict::Undecided, None), 3), "undecided");
    }

    #[test]
    fn faults_come_before_the_verdict() {
        let with_faults = |faults| {
            let verdict = PairVerdict {
                kind: VerdictKind::Ahead,
                text: "x beats y".to_owned(),
            };
            verdict.with_faults(faults).text
        };
        assert_eq!(with_faults([("x", 0), ("y", 0)]), "x beats y");
        assert_eq!(
            with_faults([("x", 1), ("y", 2)]),
            "x committed 1 fault, y committed 2 faults; x beats y"
        );
    }

    #[test]
    fn large_numbers_of_blocks_are_rounded() {
        assert_eq!(format_blocks(99_999), "99,999");
        assert_eq!(format_blocks(100_000), "about 100k");
    }
}
