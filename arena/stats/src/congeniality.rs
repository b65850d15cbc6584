//! Congeniality (相性) of pairs of bots over all line-ups that contain both, with the symbols of Satō
//! and Itō, "A study of the congeniality of play styles in daihinmin".
//!
//! The paper defines its symbols in words: ◎ always wins significantly, ○ wins often, though not
//! always significantly, △ no significant difference. The mirror images of ○ and ◎ are × and ××.
//! This module makes them precise:
//!
//! - ◎: significantly ahead in every line-up,
//! - ○: significantly ahead in at least half of the line-ups, and in more than it is significantly
//!   behind in,
//! - × and ××: the same with ahead and behind exchanged,
//! - △: otherwise.
//!
//! A line-up that cannot be tested counts as a line-up without a significant difference. It can
//! prevent a ◎ but never cause one. Pairs that are significantly ahead in some line-ups and behind
//! in others are *mixed*, which corresponds to the exception ※ of the paper.

use crate::correction::Correction;
use serde::{Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// The result of one line-up for an ordered pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The first bot is significantly ahead.
    Ahead,
    /// The difference is not significant.
    Undecided,
    /// The first bot is significantly behind.
    Behind,
    /// No test was possible.
    Untestable,
}

impl Outcome {
    /// Returns the outcome for the pair in reverse order.
    pub fn mirrored(self) -> Self {
        match self {
            Self::Ahead => Self::Behind,
            Self::Behind => Self::Ahead,
            other => other,
        }
    }

    /// Returns the outcome of a difference with this p value; significant if p ≤ `alpha`.
    pub fn of(mean_difference: f64, p: f64, alpha: f64) -> Self {
        if alpha < p || mean_difference == 0.0 {
            Self::Undecided
        } else if 0.0 < mean_difference {
            Self::Ahead
        } else {
            Self::Behind
        }
    }
}

/// A symbol of the congeniality table. Serialized as [`Symbol::ascii`]; parsed from the glyph or
/// the ASCII form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Symbol {
    /// ××: significantly behind in every line-up.
    AlwaysBehind,
    /// ×: significantly behind in at least half of the line-ups.
    MostlyBehind,
    /// △: none of the others.
    Even,
    /// ○: significantly ahead in at least half of the line-ups.
    MostlyAhead,
    /// ◎: significantly ahead in every line-up.
    AlwaysAhead,
}

impl Symbol {
    /// All symbols, worst first.
    pub const ALL: [Self; 5] = [
        Self::AlwaysBehind,
        Self::MostlyBehind,
        Self::Even,
        Self::MostlyAhead,
        Self::AlwaysAhead,
    ];

    /// Returns the symbol as printed in the paper.
    pub fn glyph(self) -> &'static str {
        match self {
            Self::AlwaysBehind => "××",
            Self::MostlyBehind => "×",
            Self::Even => "△",
            Self::MostlyAhead => "○",
            Self::AlwaysAhead => "◎",
        }
    }

    /// Returns the symbol in ASCII: `--`, `-`, `0`, `+` or `++`.
    pub fn ascii(self) -> &'static str {
        match self {
            Self::AlwaysBehind => "--",
            Self::MostlyBehind => "-",
            Self::Even => "0",
            Self::MostlyAhead => "+",
            Self::AlwaysAhead => "++",
        }
    }

    /// Returns the symbol for the pair in reverse order.
    pub fn mirrored(self) -> Self {
        match self {
            Self::AlwaysBehind => Self::AlwaysAhead,
            Self::MostlyBehind => Self::MostlyAhead,
            Self::Even => Self::Even,
            Self::MostlyAhead => Self::MostlyBehind,
            Self::AlwaysAhead => Self::AlwaysBehind,
        }
    }

    /// Returns a number from −2 (××) to 2 (◎).
    pub fn level(self) -> i32 {
        match self {
            Self::AlwaysBehind => -2,
            Self::MostlyBehind => -1,
            Self::Even => 0,
            Self::MostlyAhead => 1,
            Self::AlwaysAhead => 2,
        }
    }
}

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.glyph())
    }
}

/// The error for a text that is not a symbol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseSymbolError(String);

impl fmt::Display for ParseSymbolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` is not a congeniality symbol (◎ ○ △ × ×× or ++ + 0 - --)",
            self.0
        )
    }
}

impl std::error::Error for ParseSymbolError {}

impl FromStr for Symbol {
    type Err = ParseSymbolError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let matches = |symbol: &Self| text == symbol.ascii() || text == symbol.glyph();
        Self::ALL
            .into_iter()
            .find(matches)
            .ok_or_else(|| ParseSymbolError(text.to_owned()))
    }
}

impl Serialize for Symbol {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.ascii())
    }
}

/// A cell of the congeniality table: the symbol and the counts that it is based on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Cell {
    /// The symbol.
    pub symbol: Symbol,
    /// Number of line-ups in which the first bot is significantly ahead.
    pub ahead: usize,
    /// Number of line-ups without a significant difference.
    pub undecided: usize,
    /// Number of line-ups in which the first bot is significantly behind.
    pub behind: usize,
    /// Number of line-ups that could not be tested.
    pub untestable: usize,
    /// True if there are significant results in both directions (※ in the paper).
    /// [`Cell::of_tests`] requires that both remain significant after adjustment for the number of
    /// line-ups.
    pub mixed: bool,
}

impl Cell {
    /// Returns the cell for the outcomes of all line-ups with both bots. Returns `None` if none of
    /// them could be tested.
    pub fn of(outcomes: impl IntoIterator<Item = Outcome>) -> Option<Self> {
        let mut counts = [0usize; 4];
        for outcome in outcomes {
            counts[match outcome {
                Outcome::Ahead => 0,
                Outcome::Undecided => 1,
                Outcome::Behind => 2,
                Outcome::Untestable => 3,
            }] += 1;
        }
        let [ahead, undecided, behind, untestable] = counts;
        let line_ups = ahead + undecided + behind + untestable;
        if line_ups == untestable {
            return None;
        }
        let symbol = if ahead == line_ups {
            Symbol::AlwaysAhead
        } else if behind == line_ups {
            Symbol::AlwaysBehind
        } else if behind < ahead && line_ups <= 2 * ahead {
            Symbol::MostlyAhead
        } else if ahead < behind && line_ups <= 2 * behind {
            Symbol::MostlyBehind
        } else {
            Symbol::Even
        };
        Some(Self {
            symbol,
            ahead,
            undecided,
            behind,
            untestable,
            mixed: 0 < ahead && 0 < behind,
        })
    }

    /// Returns the cell for the tests of all line-ups with both bots: (mean difference, p), or
    /// `None` for line-ups that could not be tested.
    ///
    /// The symbol and the counts use the unadjusted p values. Among many line-ups, some are
    /// significant in the wrong direction by chance. The cell is therefore mixed only if both
    /// directions are still significant after Holm's adjustment over the line-ups.
    pub fn of_tests(tests: &[Option<(f64, f64)>], alpha: f64) -> Option<Self> {
        let outcome = |test: &Option<(f64, f64)>| {
            test.map_or(Outcome::Untestable, |(d, p)| Outcome::of(d, p, alpha))
        };
        let cell = Self::of(tests.iter().map(outcome))?;
        let p: Vec<f64> = tests.iter().flatten().map(|(_, p)| *p).collect();
        let adjusted = Correction::Holm.adjust(&p);
        let stays = |direction: Outcome| {
            let mut tests = tests.iter().flatten().zip(&adjusted);
            tests.any(|((difference, _), p)| Outcome::of(*difference, *p, alpha) == direction)
        };
        Some(Self {
            mixed: stays(Outcome::Ahead) && stays(Outcome::Behind),
            ..cell
        })
    }

    /// Returns the cell for the pair in reverse order.
    pub fn mirrored(&self) -> Self {
        Self {
            symbol: self.symbol.mirrored(),
            ahead: self.behind,
            behind: self.ahead,
            ..*self
        }
    }

    /// Returns the number of line-ups with both bots.
    pub fn line_ups(&self) -> usize {
        self.ahead + self.undecided + self.behind + self.untestable
    }
}

/// A cell of a published table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Published {
    /// One of the five symbols.
    Symbol(Symbol),
    /// ※: the pair wins in some line-ups and loses in others.
    Exception,
}

impl FromStr for Published {
    type Err = ParseSymbolError;

    /// Parses a symbol in either form, or `*` or `※` for the exception.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "*" || text == "※" {
            Ok(Self::Exception)
        } else {
            text.parse().map(Self::Symbol)
        }
    }
}

/// The agreement between a computed cell and the published one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Agreement {
    /// The symbols are equal. For a published exception, the computed cell is mixed.
    Same,
    /// The symbols are one step apart (◎ and ○, △ and ×, …). For a published exception, the
    /// computed cell is not mixed and its symbol is ○, △ or ×.
    OneStep,
    /// The cells differ by more than one step.
    Differs,
    /// There is no computed cell.
    Missing,
}

/// Compares a computed cell with the published one.
pub fn agreement(ours: Option<&Cell>, published: Published) -> Agreement {
    let Some(ours) = ours else {
        return Agreement::Missing;
    };
    match published {
        Published::Exception if ours.mixed => Agreement::Same,
        Published::Exception if ours.symbol.level().abs() < 2 => Agreement::OneStep,
        Published::Exception => Agreement::Differs,
        Published::Symbol(theirs) => match (ours.symbol.level() - theirs.level()).abs() {
            0 => Agreement::Same,
            1 => Agreement::OneStep,
            _ => Agreement::Differs,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::Outcome::{Ahead, Behind, Undecided, Untestable};
    use super::*;

    fn symbol(outcomes: &[Outcome]) -> Option<Symbol> {
        let cell = Cell::of(outcomes.iter().copied());
        let mirrored = Cell::of(outcomes.iter().map(|o| o.mirrored()));
        assert_eq!(
            cell.map(|c| c.mirrored()),
            mirrored,
            "a pair and its mirror image tell the same"
        );
        cell.map(|c| c.symbol)
    }

    #[test]
    fn symbols_follow_the_rule() {
        assert_eq!(symbol(&[Ahead, Ahead, Ahead]), Some(Symbol::AlwaysAhead));
        assert_eq!(
            symbol(&[Ahead, Undecided, Ahead]),
            Some(Symbol::MostlyAhead)
        );
        assert_eq!(
            symbol(&[Ahead, Undecided]),
            Some(Symbol::MostlyAhead),
            "half is enough"
        );
        assert_eq!(symbol(&[Ahead, Undecided, Undecided]), Some(Symbol::Even));
        assert_eq!(
            symbol(&[Ahead, Behind]),
            Some(Symbol::Even),
            "as often behind as ahead"
        );
        assert_eq!(symbol(&[Ahead, Ahead, Behind]), Some(Symbol::MostlyAhead));
        assert_eq!(symbol(&[Behind, Behind, Ahead]), Some(Symbol::MostlyBehind));
        assert_eq!(symbol(&[Behind]), Some(Symbol::AlwaysBehind));
        assert_eq!(symbol(&[Undecided; 4]), Some(Symbol::Even));
    }

    #[test]
    fn untestable_line_ups_never_earn_a_symbol() {
        assert_eq!(symbol(&[Ahead, Untestable]), Some(Symbol::MostlyAhead));
        assert_eq!(symbol(&[Untestable, Untestable]), None);
        assert_eq!(symbol(&[]), None);
        assert_eq!(symbol(&[Ahead, Untestable, Untestable]), Some(Symbol::Even));
    }

    #[test]
    fn mixed_cells_answer_the_published_exception() {
        let mixed = Cell::of([Ahead, Ahead, Behind]).expect("testable");
        assert!(mixed.mixed && mixed.line_ups() == 3);
        assert_eq!(
            agreement(Some(&mixed), Published::Exception),
            Agreement::Same
        );
        let always = Cell::of([Ahead, Ahead]).expect("testable");
        assert!(!always.mixed);
        assert_eq!(
            agreement(Some(&always), Published::Exception),
            Agreement::Differs
        );
        assert_eq!(
            agreement(Some(&always), Published::Symbol(Symbol::MostlyAhead)),
            Agreement::OneStep
        );
        assert_eq!(
            agreement(Some(&always), Published::Symbol(Symbol::Even)),
            Agreement::Differs
        );
        assert_eq!(agreement(None, Published::Exception), Agreement::Missing);
    }

    #[test]
    fn a_reversal_that_chance_explains_mixes_nothing() {
        let mut tests: Vec<Option<(f64, f64)>> = vec![Some((0.1, 1e-6)); 9];
        tests.push(Some((-0.1, 0.03)));
        tests.push(None);
        let cell = Cell::of_tests(&tests, 0.05).expect("testable");
        assert_eq!(
            (cell.ahead, cell.behind, cell.untestable, cell.symbol),
            (9, 1, 1, Symbol::MostlyAhead)
        );
        assert!(
            cell.mixed,
            "0.03 is the last of Holm's steps: nothing is left to adjust it for"
        );
        tests.extend([Some((0.1, 0.4)); 9]);
        assert!(
            !Cell::of_tests(&tests, 0.05).expect("testable").mixed,
            "one of nineteen at 0.03 is chance"
        );
        tests[9] = Some((-0.1, 1e-5));
        assert!(Cell::of_tests(&tests, 0.05).expect("testable").mixed);
        assert_eq!(Cell::of_tests(&[None], 0.05), None);
    }

    #[test]
    fn significance_needs_a_p_at_most_alpha_and_a_direction() {
        assert_eq!(Outcome::of(0.1, 0.05, 0.05), Ahead);
        assert_eq!(Outcome::of(-0.1, 0.01, 0.05), Behind);
        assert_eq!(Outcome::of(0.1, 0.051, 0.05), Undecided);
        assert_eq!(Outcome::of(0.0, 0.01, 0.05), Undecided);
    }

    #[test]
    fn symbols_parse_and_print_in_both_forms() {
        for symbol in Symbol::ALL {
            assert_eq!(symbol.glyph().parse(), Ok(symbol));
            assert_eq!(symbol.ascii().parse(), Ok(symbol));
            assert_eq!(symbol.mirrored().level(), -symbol.level());
        }
        assert!("+++".parse::<Symbol>().is_err());
        assert_eq!(format!("{:>3}", Symbol::Even), "  △");
    }
}
