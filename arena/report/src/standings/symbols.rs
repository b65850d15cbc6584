//! Congeniality (相性) of pairs of bots over all line-ups that contain both, with the symbols of Satō
//! and Itō, "A study of the congeniality of play styles in daihinmin".
//!
//! The paper defines its symbols in words: ◎ always wins significantly, ○ wins often, though not
//! always significantly, △ no significant difference. The mirror images of ○ and ◎ are × and ××.
//! This module makes them precise:
//!
//! - ◎: significantly ahead in every line-up,
//! - ○: significantly ahead in at least half of the line-ups, and in more line-ups than
//!   significantly behind,
//! - × and ××: the same with ahead and behind exchanged,
//! - △: all other cases.
//!
//! A line-up that cannot be tested counts as a line-up without a significant difference. It can
//! prevent a ◎ but never cause one. Pairs that are significantly ahead in some line-ups and behind
//! in others are *mixed*, which corresponds to the exception ※ of the paper.

use hattari_stats::Correction;
use serde::{Deserialize, Serialize, Serializer};
use std::str::FromStr;

/// A symbol of the congeniality table. Serialized as [`Symbol::ascii`]; parsed from the glyph or
/// the ASCII form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Symbol {
    /// ××: significantly behind in every line-up.
    AlwaysBehind,
    /// ×: significantly behind in at least half of the line-ups, and more often than ahead.
    MostlyBehind,
    /// △: none of the other symbols applies.
    Even,
    /// ○: significantly ahead in at least half of the line-ups, and more often than behind.
    MostlyAhead,
    /// ◎: significantly ahead in every line-up.
    AlwaysAhead,
}

impl Symbol {
    /// All symbols, worst first.
    pub(super) const ALL: [Self; 5] = [
        Self::AlwaysBehind,
        Self::MostlyBehind,
        Self::Even,
        Self::MostlyAhead,
        Self::AlwaysAhead,
    ];

    /// Returns the symbol as printed in the paper.
    #[must_use]
    pub(crate) fn glyph(self) -> &'static str {
        ["××", "×", "△", "○", "◎"][self as usize]
    }

    /// Returns the symbol in ASCII: `--`, `-`, `0`, `+` or `++`.
    #[must_use]
    pub(crate) fn ascii(self) -> &'static str {
        ["--", "-", "0", "+", "++"][self as usize]
    }

    /// Returns a number from −2 (××) to 2 (◎).
    #[must_use]
    pub(crate) fn level(self) -> i32 {
        self as i32 - 2
    }
}

impl FromStr for Symbol {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL
            .into_iter()
            .find(|symbol| text == symbol.ascii() || text == symbol.glyph())
            .ok_or_else(|| {
                format!("`{text}` is not a congeniality symbol (◎ ○ △ × ×× or ++ + 0 - --)")
            })
    }
}

impl Serialize for Symbol {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.ascii())
    }
}

/// A cell of the congeniality table: the symbol and the counts that it is based on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct SymbolCell {
    /// Symbol that follows from the counts.
    pub symbol: Symbol,
    /// Number of line-ups in which the first bot is significantly ahead.
    pub ahead: usize,
    /// Number of line-ups without a significant difference.
    pub undecided: usize,
    /// Number of line-ups in which the first bot is significantly behind.
    pub behind: usize,
    /// Number of line-ups that could not be tested.
    pub untestable: usize,
    /// `true` if there are significant results in both directions (※ in the paper), also after
    /// adjustment for the number of line-ups.
    pub mixed: bool,
}

impl SymbolCell {
    /// Returns the cell for two bots. `tests` has an item for each line-up with both bots: mean
    /// difference and p, or `None` if it could not be tested. Returns `None` if no line-up could be
    /// tested.
    ///
    /// The symbol and the counts use the unadjusted p values. Among many line-ups, some are
    /// significant in the wrong direction by chance. The cell is therefore mixed only if both
    /// directions are still significant after Holm's adjustment over the line-ups.
    pub(super) fn of(tests: &[Option<(f64, f64)>], alpha: f64) -> Option<Self> {
        let (differences, p): (Vec<f64>, Vec<f64>) = tests.iter().flatten().copied().unzip();
        let count = |sign: f64, p: &[f64]| {
            differences
                .iter()
                .zip(p)
                .filter(|&(difference, &p)| p <= alpha && sign * difference > 0.0)
                .count()
        };
        let [ahead, behind] = [1.0, -1.0].map(|sign| count(sign, &p));
        let symbol = if ahead == tests.len() {
            Symbol::AlwaysAhead
        } else if behind == tests.len() {
            Symbol::AlwaysBehind
        } else if behind < ahead && tests.len() <= 2 * ahead {
            Symbol::MostlyAhead
        } else if ahead < behind && tests.len() <= 2 * behind {
            Symbol::MostlyBehind
        } else {
            Symbol::Even
        };
        let adjusted = Correction::Holm.adjust(&p);
        (!p.is_empty()).then_some(Self {
            symbol,
            ahead,
            undecided: p.len() - ahead - behind,
            behind,
            untestable: tests.len() - p.len(),
            mixed: [1.0, -1.0].iter().all(|&sign| count(sign, &adjusted) > 0),
        })
    }

    /// Returns the number of line-ups with both bots.
    pub(crate) fn line_ups(&self) -> usize {
        self.ahead + self.undecided + self.behind + self.untestable
    }
}

/// A symbol of a published table: a glyph or its ASCII form, and `*` or `※` for the exception.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub enum Published {
    /// One of the five symbols.
    Symbol(Symbol),
    /// ※: the first bot wins in some line-ups and loses in others.
    Exception,
}

impl TryFrom<String> for Published {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        match text.as_str() {
            "*" | "※" => Ok(Self::Exception),
            _ => text.parse().map(Self::Symbol),
        }
    }
}
