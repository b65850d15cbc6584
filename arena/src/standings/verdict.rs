//! What a comparison comes to, in plain words.

use super::types::{Settings, Verdict, VerdictKind};
use crate::numbers::{count, counted, decimals, fixed, level, p_value, short, signed};
use hattari_stats::TTest;
use hattari_stats::compare::{PairSummary, Verdict as Finding};

/// The verdict on a pooled pair `(a, b)`; `family` is how many comparisons were made, `unit` what one score is.
pub fn of(pair: &PairSummary, (a, b): (&str, &str), family: usize, unit: &str, settings: &Settings) -> Verdict {
    let (kind, text) = match (&pair.verdict, &pair.test) {
        (Finding::Ahead, Some(test)) => (VerdictKind::Ahead, beats(a, b, test, pair, unit, settings)),
        (Finding::Behind, Some(test)) => (VerdictKind::Behind, beats(b, a, &test.mirrored(), pair, unit, settings)),
        (Finding::NoDifference, Some(test)) => {
            (VerdictKind::NoDifference, no_difference(test, pair, family, unit, settings))
        }
        (Finding::CannotTell { reason }, _) => (VerdictKind::CannotTell, format!("cannot tell: {reason}")),
        (_, None) => (VerdictKind::CannotTell, "cannot tell".to_owned()),
    };
    Verdict { kind, text }
}

/// `winner` is ahead; `test` is the winner less the loser.
fn beats(winner: &str, loser: &str, test: &TTest, pair: &PairSummary, unit: &str, settings: &Settings) -> String {
    let digits = decimals([test.se]);
    format!(
        "{winner} beats {loser} by {} points a {unit} ({} % CI {} to {}, p = {})",
        fixed(test.mean_difference, digits),
        level(settings.confidence),
        fixed(test.interval.low, digits),
        fixed(test.interval.high, digits),
        p_value(pair.p_adjusted.unwrap_or(test.p)),
    )
}

fn no_difference(test: &TTest, pair: &PairSummary, family: usize, unit: &str, settings: &Settings) -> String {
    let digits = decimals([test.se]);
    let p_adjusted = pair.p_adjusted.unwrap_or(test.p);
    let mut text = format!(
        "no significant difference: {} points a {unit} ({} % CI {} to {}, p = {})",
        signed(test.mean_difference, digits),
        level(settings.confidence),
        signed(test.interval.low, digits),
        signed(test.interval.high, digits),
        p_value(p_adjusted),
    );
    if test.p <= settings.alpha() {
        text += &format!(
            "; alone it would be (p = {}), among {} it is not",
            p_value(test.p),
            counted(family as u64, "comparison")
        );
    } else if let Some(more) = pair.more_blocks.filter(|more| *more > 0) {
        let more = if more < 100_000 { count(more) } else { format!("about {}", short(more as f64)) };
        let power = level(settings.power);
        text += &format!("; {more} more blocks would resolve a difference of this size ({power} % power)");
    }
    text
}
