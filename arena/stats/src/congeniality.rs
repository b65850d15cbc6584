//! The congeniality (相性) of pairs of bots over all line-ups that hold both, in the symbols of
//! Satō and Itō, "A study of the congeniality of play styles in daihinmin".
//!
//! The paper explains its symbols in words: ◎ always wins significantly, ○ wins often though not
//! always significantly, △ no significant difference, × and ×× the mirror images of ○ and ◎. The
//! rule made of these words is ours:
//!
//! - ◎ significantly ahead in every line-up,
//! - ○ significantly ahead in at least half of the line-ups, and in more than it is significantly
//!   behind in,
//! - × and ×× the same with ahead and behind exchanged,
//! - △ otherwise.
//!
//! A line-up whose comparison could not be tested counts as one without a significant difference,
//! so it can cost a pair its ◎ but never earn one. Pairs that are significantly ahead in some
//! line-ups and behind in others are marked *mixed*, which is the paper's exception ※.

use crate::correction::Correction;
use serde::{Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// What one line-up says of an ordered pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The first is significantly ahead.
    Ahead,
    /// No significant difference.
    Undecided,
    /// The first is significantly behind.
    Behind,
    /// No test was possible.
    Untestable,
}

impl Outcome {
    /// The outcome for the pair in the other order.
    pub fn mirrored(self) -> Self {
        match self {
            Self::Ahead => Self::Behind,
            Self::Behind => Self::Ahead,
            other => other,
        }
    }

    /// From a difference and the p that it is judged by: significant at p ≤ `alpha`.
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

/// A symbol of the table. It is written as in [`Symbol::ascii`] in data files and parsed from
/// either form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Symbol {
    /// ××: significantly behind in every line-up.
    AlwaysBehind,
    /// ×: significantly behind in at least half.
    MostlyBehind,
    /// △: neither.
    Even,
    /// ○: significantly ahead in at least half.
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

    /// The symbol that the paper prints.
    pub fn glyph(self) -> &'static str {
        match self {
            Self::AlwaysBehind => "××",
            Self::MostlyBehind => "×",
            Self::Even => "△",
            Self::MostlyAhead => "○",
            Self::AlwaysAhead => "◎",
        }
    }

    /// The symbol in plain characters: `--`, `-`, `0`, `+`, `++`.
    pub fn ascii(self) -> &'static str {
        match self {
            Self::AlwaysBehind => "--",
            Self::MostlyBehind => "-",
            Self::Even => "0",
            Self::MostlyAhead => "+",
            Self::AlwaysAhead => "++",
        }
    }

    /// The symbol for the pair in the other order.
    pub fn mirrored(self) -> Self {
        match self {
            Self::AlwaysBehind => Self::AlwaysAhead,
            Self::MostlyBehind => Self::MostlyAhead,
            Self::Even => Self::Even,
            Self::MostlyAhead => Self::MostlyBehind,
            Self::AlwaysAhead => Self::AlwaysBehind,
        }
    }

    /// −2 for ×× to 2 for ◎.
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

/// A text that is no symbol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseSymbolError(String);

impl fmt::Display for ParseSymbolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` is no congeniality symbol (◎ ○ △ × ×× or ++ + 0 - --)",
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

/// A cell of the table: the symbol and the counts behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Cell {
    /// The symbol.
    pub symbol: Symbol,
    /// Line-ups in which the first is significantly ahead.
    pub ahead: usize,
    /// Line-ups without a significant difference.
    pub undecided: usize,
    /// Line-ups in which the first is significantly behind.
    pub behind: usize,
    /// Line-ups that allowed no test.
    pub untestable: usize,
    /// Significant in both directions: the paper's ※. By [`Cell::of_tests`] only where more than
    /// chance says so.
    pub mixed: bool,
}

impl Cell {
    /// The cell that the outcomes of all line-ups with both bots make; `None` without a line-up
    /// that could be tested.
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

    /// The cell that the tests of all line-ups with both bots make: (mean difference, p) or `None`
    /// where no test was possible. Symbol and counts judge every line-up alone. Among many
    /// line-ups some are significant in the wrong direction by chance, so the cell is mixed
    /// only where both directions stay significant when the p of its line-ups are adjusted by
    /// Holm's method.
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

    /// The cell for the pair in the other order.
    pub fn mirrored(&self) -> Self {
        Self {
            symbol: self.symbol.mirrored(),
            ahead: self.behind,
            behind: self.ahead,
            ..*self
        }
    }

    /// Line-ups that hold both bots.
    pub fn line_ups(&self) -> usize {
        self.ahead + self.undecided + self.behind + self.untestable
    }
}

/// A cell of a published table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Published {
    /// A plain symbol.
    Symbol(Symbol),
    /// The paper's ※: the pair wins in some line-ups and loses in others.
    Exception,
}

impl FromStr for Published {
    type Err = ParseSymbolError;

    /// A symbol in either form, or `*` or `※` for the exception.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "*" || text == "※" {
            Ok(Self::Exception)
        } else {
            text.parse().map(Self::Symbol)
        }
    }
}

/// How one of our cells stands to the published one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Agreement {
    /// The same symbol; for the published exception, a mixed cell of ours.
    Same,
    /// Another symbol one step away (◎ for ○, △ for ×, …), or one direction only where an exception
    /// is published.
    OneStep,
    /// Further apart.
    Differs,
    /// We have no cell to compare.
    Missing,
}

/// Compares one cell with the published one.
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
