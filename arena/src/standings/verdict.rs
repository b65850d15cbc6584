//! What a comparison comes to, in plain words.

use super::about::About;
use super::types::{Settings, Verdict, VerdictKind};
use crate::numbers::{decimals, fixed, level, p_equals, short, signed};
use crate::text::{counted, grouped};
use hattari_stats::TTest;
use hattari_stats::compare::{PairSummary, Verdict as Finding};

/// From so many blocks on, what is required to resolve a difference is not told: the difference is a rounding error, or
/// nobody will ever play them.
pub const BLOCKS_WORTH_TELLING: u64 = 1_000_000_000;

/// The verdict on a pooled pair `(a, b)`; `family` is how many comparisons were made, `about` what one score is.
pub fn of(pair: &PairSummary, (a, b): (&str, &str), family: usize, about: &About, settings: &Settings) -> Verdict {
    let words = Words { pair, family: family as u64, about, settings };
    let (kind, text) = match (&pair.verdict, &pair.test) {
        (Finding::Ahead, Some(test)) => (VerdictKind::Ahead, words.beats(a, b, test)),
        (Finding::Behind, Some(test)) => (VerdictKind::Behind, words.beats(b, a, &test.mirrored())),
        (Finding::NoDifference, Some(test)) => (VerdictKind::NoDifference, words.no_difference(test)),
        (Finding::CannotTell { reason }, _) => (VerdictKind::CannotTell, format!("cannot tell: {reason}")),
        (_, None) => (VerdictKind::CannotTell, "cannot tell".to_owned()),
    };
    Verdict { kind, text }
}

/// What a sentence needs to know.
struct Words<'a> {
    pair: &'a PairSummary,
    family: u64,
    about: &'a About,
    settings: &'a Settings,
}

impl Words<'_> {
    /// `winner` is ahead; `test` is the winner less the loser.
    fn beats(&self, winner: &str, loser: &str, test: &TTest) -> String {
        let digits = decimals([test.se]);
        format!(
            "{winner} beats {loser} by {} {} a {} ({} % CI {} to {}, {})",
            fixed(test.mean_difference, digits),
            self.about.score,
            self.about.unit,
            level(self.settings.confidence),
            fixed(test.interval.low, digits),
            fixed(test.interval.high, digits),
            self.p(test),
        )
    }

    fn no_difference(&self, test: &TTest) -> String {
        let digits = decimals([test.se]);
        let mut text = format!(
            "no significant difference: {} {} a {} ({} % CI {} to {}, {})",
            signed(test.mean_difference, digits),
            self.about.score,
            self.about.unit,
            level(self.settings.confidence),
            signed(test.interval.low, digits),
            signed(test.interval.high, digits),
            self.p(test),
        );
        if test.p <= self.settings.alpha() {
            let family = counted(self.family, "comparison");
            text += &format!("; alone it would be ({}), among {family} it is not", p_equals(test.p));
        } else if let Some(more) = self.pair.more_blocks.filter(|more| 0 < *more && *more < BLOCKS_WORTH_TELLING) {
            let more = if more < 100_000 { grouped(more) } else { format!("about {}", short(more as f64)) };
            let power = level(self.settings.power);
            text += &format!("; {more} more blocks would resolve a difference of this size ({power} % power)");
        }
        text
    }

    /// p as it was judged.
    fn p(&self, test: &TTest) -> String {
        match (self.settings.correction_name(), self.pair.p_adjusted) {
            (Some(name), Some(p)) if self.family > 1 => format!("{} after {name}", p_equals(p)),
            _ => p_equals(test.p),
        }
    }
}
