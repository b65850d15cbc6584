//! Verdicts on comparisons, as sentences.

use super::about::About;
use super::estimate::Estimate;
use super::settings::{correction_name, other_than_max_t};
use super::types::{PairVerdict, VerdictKind};
use crate::numbers::{
    decimals, fixed, interval, level, p_equals, short, signed, unsigned_interval,
};
use hattari_agents::text::{counted, grouped};
use hattari_stats::compare::{PairSummary, Verdict};
use hattari_stats::{CompareOptions, Correction, TTest};

/// Limit of required blocks. From this number on, they are not reported: the difference may be a
/// rounding error, and so many blocks cannot be played.
pub(super) const REQUIRED_BLOCKS_LIMIT: u64 = 1_000_000_000;

/// Returns the verdict on a pooled pair `(a, b)`. `family` is the number of comparisons; `about`
/// gives the unit of scores.
pub(super) fn of(
    pair: &PairSummary,
    (a, b): (&str, &str),
    options: &CompareOptions,
    family: usize,
    about: &About,
) -> PairVerdict {
    let words = SentenceContext {
        pair,
        family: family as u64,
        about,
        options,
    };
    let text = match (&pair.verdict, &pair.test) {
        (Verdict::Ahead, Some(test)) => words.beats(a, b, test),
        (Verdict::Behind, Some(test)) => words.beats(b, a, &test.mirrored()),
        (Verdict::Equal, Some(test)) => words.equal(test),
        (Verdict::Undecided, Some(test)) => words.undecided(test),
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
        let erring = faults.iter().filter(|(_, count)| 0 < *count);
        let parts: Vec<String> = erring
            .map(|(name, count)| format!("{name} committed {}", counted(*count, "fault")))
            .collect();
        if !parts.is_empty() {
            self.text = format!("{}; {}", parts.join(", "), self.text);
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
            self.unit(),
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
        let (margin, p) = (
            self.options.equal_within.unwrap_or_default(),
            self.pair.equivalence,
        );
        let p = p.map_or_else(String::new, |p| {
            self.p(
                p.p,
                Some(p.p_adjusted),
                other_than_max_t(self.options.correction),
            )
        });
        format!(
            "equal within {margin} {}: {}; test against a larger difference: {p}",
            self.unit(),
            self.numbers(test, None)
        )
    }

    fn undecided(&self, test: &TTest) -> String {
        let p = self.p(test.p, self.pair.p_adjusted, self.correction());
        let mut text = format!("undecided: {}", self.numbers(test, Some(p)));
        let required = self.pair.required(self.options);
        let worth = required.filter(|required| {
            required.blocks < REQUIRED_BLOCKS_LIMIT && (test.n_a as u64) < required.blocks
        });
        if test.p <= 1.0 - self.options.confidence {
            let family = counted(self.family, "comparison");
            text += &format!(
                "; significant on its own ({}), but not after adjustment for {family}",
                p_equals(test.p)
            );
        } else if let Some(required) = worth {
            let known = match required.high {
                Some(high) => format!("{} to {}", format_blocks(required.low), format_blocks(high)),
                None => format!("{} or more", format_blocks(required.low)),
            };
            text += &format!(
                "; to confirm a difference of this size with {} % power takes {} blocks ({} % CI {known})",
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
            self.unit(),
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
        let winnings = stake.per_hundred(Estimate {
            value: test.mean_difference,
            se: test.se,
            low: test.interval.low,
            high: test.interval.high,
        });
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

    fn unit(&self) -> String {
        format!("{} per {}", self.about.score, self.about.unit)
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
            _ => p_equals(p),
        }
    }
}

/// Returns a number of blocks as text: exact below 100,000, otherwise rounded.
pub(super) fn format_blocks(blocks: u64) -> String {
    if blocks < 100_000 {
        grouped(blocks)
    } else {
        format!("about {}", short(blocks as f64))
    }
}
