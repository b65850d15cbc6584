//! Congeniality: who beats whom over all line-ups, in the five symbols of Satō and Itō, "A study on the congeniality
//! of play styles in daihinmin" (大貧民におけるプレイスタイルの相性に関する研究), and a sixth for their exception.
//!
//! The paper defines its symbols in words; the words are read as follows. Every line-up at which both bots sit gives
//! one two-sided test of their difference at the league's level.
//!
//! * `◎` significantly ahead in every line-up, `××` significantly behind in every line-up. The claim is about all
//!   line-ups at once, so single tests at the level keep it (an intersection of tests): nothing is adjusted.
//! * For the other symbols a claim is about *some* line-up, and with many line-ups some test is significant by chance;
//!   so the tests of the pair's line-ups are adjusted by Holm's method first.
//!   * `△` no line-up shows a significant difference.
//!   * `○` significantly ahead in at least one line-up, significantly behind in none, and ahead in score in more than
//!     half of them; `×` the same the other way round.
//!   * `※` anything else: the outcome depends on the line-up. Both directions occur significantly, or the few line-ups
//!     that are significant point the other way than most.

mod published;

pub use published::{Published, PublishedError, Reading};

use serde::{Deserialize, Serialize};

/// How one bot stands against another over all line-ups.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Symbol {
    /// ◎ significantly ahead in every line-up.
    #[serde(rename = "++")]
    AheadAlways,
    /// ○ ahead in most line-ups, not always significantly.
    #[serde(rename = "+")]
    AheadMostly,
    /// △ no significant difference.
    #[serde(rename = "0")]
    Even,
    /// × behind in most line-ups, not always significantly.
    #[serde(rename = "-")]
    BehindMostly,
    /// ×× significantly behind in every line-up.
    #[serde(rename = "--")]
    BehindAlways,
    /// ※ depends on the line-up.
    #[serde(rename = "*")]
    Depends,
}

impl Symbol {
    /// All symbols with what they mean.
    pub const LEGEND: [(Symbol, &str); 6] = [
        (Symbol::AheadAlways, "significantly ahead in every line-up"),
        (Symbol::AheadMostly, "ahead in most, not always significantly"),
        (Symbol::Even, "no significant difference"),
        (Symbol::BehindMostly, "behind in most, not always significantly"),
        (Symbol::BehindAlways, "significantly behind in every line-up"),
        (Symbol::Depends, "depends on the line-up"),
    ];

    /// The symbol as the paper prints it.
    #[must_use]
    pub fn glyph(self) -> &'static str {
        match self {
            Symbol::AheadAlways => "◎",
            Symbol::AheadMostly => "○",
            Symbol::Even => "△",
            Symbol::BehindMostly => "×",
            Symbol::BehindAlways => "××",
            Symbol::Depends => "※",
        }
    }

    /// 1 ahead, 0 even, -1 behind; `None` where it depends on the line-up.
    #[must_use]
    pub fn direction(self) -> Option<i8> {
        match self {
            Symbol::AheadAlways | Symbol::AheadMostly => Some(1),
            Symbol::Even => Some(0),
            Symbol::BehindMostly | Symbol::BehindAlways => Some(-1),
            Symbol::Depends => None,
        }
    }

    /// The symbol of the same pair seen from the other side.
    #[must_use]
    pub fn reversed(self) -> Symbol {
        match self {
            Symbol::AheadAlways => Symbol::BehindAlways,
            Symbol::AheadMostly => Symbol::BehindMostly,
            Symbol::Even => Symbol::Even,
            Symbol::BehindMostly => Symbol::AheadMostly,
            Symbol::BehindAlways => Symbol::AheadAlways,
            Symbol::Depends => Symbol::Depends,
        }
    }
}

/// What one line-up says of an ordered pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Finding {
    /// Mean difference, positive where the row's bot is ahead.
    pub difference: f64,
    /// Two-sided p of the difference, unadjusted; `None` where it could not be tested.
    pub p: Option<f64>,
}

/// In how many line-ups what was found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Line-ups whose difference was tested.
    pub tested: u32,
    /// Line-ups whose difference could not be tested; they count for nothing.
    pub not_testable: u32,
    /// Significantly ahead by the single test.
    pub ahead: u32,
    /// Significantly behind by the single test.
    pub behind: u32,
    /// Neither.
    pub not_significant: u32,
    /// Significantly ahead, the tests of the pair's line-ups adjusted by Holm's method.
    pub ahead_adjusted: u32,
    /// Significantly behind, adjusted likewise.
    pub behind_adjusted: u32,
    /// Ahead in score, significantly or not.
    pub leading: u32,
    /// Behind in score, significantly or not.
    pub trailing: u32,
}

impl Counts {
    /// Counts the findings at significance level `alpha`.
    #[must_use]
    pub fn of(findings: &[Finding], alpha: f64) -> Counts {
        let tested: Vec<(f64, f64)> = findings.iter().filter_map(|f| f.p.map(|p| (f.difference, p))).collect();
        let adjusted = hattari_stats::Correction::Holm.adjust(&tested.iter().map(|(_, p)| *p).collect::<Vec<_>>());
        let count = |keep: &dyn Fn(f64, f64, f64) -> bool| {
            let kept =
                tested.iter().zip(&adjusted).filter(|((difference, p), adjusted)| keep(*difference, *p, **adjusted));
            u32::try_from(kept.count()).unwrap_or(u32::MAX)
        };
        let (ahead, behind) = (count(&|d, p, _| d > 0.0 && p < alpha), count(&|d, p, _| d < 0.0 && p < alpha));
        let n = count(&|_, _, _| true);
        Counts {
            tested: n,
            not_testable: u32::try_from(findings.len() - tested.len()).unwrap_or(u32::MAX),
            ahead,
            behind,
            not_significant: n - ahead - behind,
            ahead_adjusted: count(&|d, _, adjusted| d > 0.0 && adjusted < alpha),
            behind_adjusted: count(&|d, _, adjusted| d < 0.0 && adjusted < alpha),
            leading: count(&|d, _, _| d > 0.0),
            trailing: count(&|d, _, _| d < 0.0),
        }
    }

    /// The symbol that the head of this module defines; `None` where no line-up could be tested.
    #[must_use]
    pub fn symbol(&self) -> Option<Symbol> {
        let most = |line_ups: u32| 2 * line_ups > self.tested;
        Some(match (self.ahead_adjusted, self.behind_adjusted) {
            _ if self.tested == 0 => return None,
            _ if self.ahead == self.tested => Symbol::AheadAlways,
            _ if self.behind == self.tested => Symbol::BehindAlways,
            (0, 0) => Symbol::Even,
            (_, 0) if most(self.leading) => Symbol::AheadMostly,
            (0, _) if most(self.trailing) => Symbol::BehindMostly,
            _ => Symbol::Depends,
        })
    }

    /// The counts of the same pair seen from the other side.
    #[must_use]
    pub fn reversed(&self) -> Counts {
        Counts {
            ahead: self.behind,
            behind: self.ahead,
            ahead_adjusted: self.behind_adjusted,
            behind_adjusted: self.ahead_adjusted,
            leading: self.trailing,
            trailing: self.leading,
            ..*self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Findings from (difference, p).
    #[track_caller]
    fn check(findings: &[(f64, f64)], symbol: Option<Symbol>) {
        let finding = |&(difference, p): &(f64, f64)| Finding { difference, p: Some(p) };
        let findings: Vec<Finding> = findings.iter().map(finding).collect();
        let counts = Counts::of(&findings, 0.05);
        assert_eq!(counts.symbol(), symbol, "{counts:?}");
        let turned = |f: &Finding| Finding { difference: -f.difference, p: f.p };
        let other_side = Counts::of(&findings.iter().map(turned).collect::<Vec<_>>(), 0.05);
        assert_eq!(other_side, counts.reversed());
        assert_eq!(other_side.symbol(), symbol.map(Symbol::reversed));
    }

    #[test]
    fn ahead_in_every_line_up_needs_no_adjustment() {
        check(&[(0.1, 0.04), (0.2, 0.04), (0.1, 0.03)], Some(Symbol::AheadAlways));
        check(&[(0.1, 0.001)], Some(Symbol::AheadAlways));
    }

    #[test]
    fn ahead_in_most_is_significant_somewhere_and_leads_in_more_than_half() {
        check(&[(0.1, 0.001), (0.2, 0.3), (-0.1, 0.5)], Some(Symbol::AheadMostly));
        check(&[(0.1, 0.001), (0.2, 0.3), (0.1, 0.01)], Some(Symbol::AheadMostly));
    }

    #[test]
    fn a_single_test_that_chance_explains_is_no_difference() {
        check(&[(0.1, 0.03), (0.2, 0.3), (0.1, 0.6)], Some(Symbol::Even));
        check(&[(0.0, 1.0)], Some(Symbol::Even));
    }

    #[test]
    fn what_depends_on_the_line_up_says_so() {
        check(&[(0.1, 0.001), (-0.2, 0.001), (0.1, 0.6)], Some(Symbol::Depends));
        check(&[(0.1, 0.001), (-0.2, 0.3), (-0.1, 0.6)], Some(Symbol::Depends));
        // Just half is not most.
        check(&[(0.1, 0.001), (-0.2, 0.3)], Some(Symbol::Depends));
    }

    #[test]
    fn line_ups_that_cannot_be_tested_count_for_nothing() {
        check(&[], None);
        let findings = [Finding { difference: 0.3, p: Some(0.01) }, Finding { difference: -9.0, p: None }];
        let counts = Counts::of(&findings, 0.05);
        assert_eq!((counts.tested, counts.not_testable), (1, 1));
        assert_eq!(counts.symbol(), Some(Symbol::AheadAlways));
    }
}
