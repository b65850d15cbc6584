//! Why a number cannot be given. Every statistic answers with a number or with one of these, never
//! with NaN and never with a zero that means "unknown".

use std::fmt;

/// An argument outside the domain of a distribution function: the text names the argument and what
/// would be valid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutOfDomain(pub &'static str);

impl fmt::Display for OutOfDomain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "outside the domain: {}", self.0)
    }
}

impl std::error::Error for OutOfDomain {}

/// The reason why a comparison, an estimate or a fit has no answer. `Display` gives it in plain
/// words for a report.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Untestable {
    /// Fewer blocks than the statistic needs.
    TooFewBlocks {
        /// Blocks at hand.
        blocks: usize,
        /// Blocks that the statistic needs.
        needed: usize,
    },
    /// The bot has no score in any block, or two bots have none to compare.
    MissingScores,
    /// Two bots never sat at one table, and nowhere faced the same opposition.
    NeverMet,
    /// Every block of the bot was forfeited, so nothing was measured but its faults.
    AllForfeited,
    /// Every block gave the same number and there is no difference: nothing varies, so nothing can
    /// be tested.
    ZeroVariance,
    /// Every block gave the same non-zero difference. A t statistic would divide by zero; an exact
    /// permutation test does not, and its two-sided p is stated here.
    ConstantDifference {
        /// The difference that every block shows.
        difference: f64,
        /// For paired blocks 2^(1 − blocks), the chance that fair coins for signs all fall alike;
        /// for independent samples the chance that a random relabelling separates them as
        /// far.
        permutation_p: f64,
    },
    /// A score is NaN or infinite.
    NotFinite,
    /// Slices that must be of one length are not.
    LengthMismatch,
    /// A parameter is outside its domain; the text says which and what would be valid.
    BadParameter {
        /// What is wrong, in words.
        what: String,
    },
    /// A score ratio was asked of scores that may be negative, where a share of the total has no
    /// meaning.
    NegativeScores,
    /// All scores are zero, so there is no total to take a share of.
    ZeroTotal,
    /// Some bots never beat, or never lost to, the rest: the likelihood has no maximum at finite
    /// strengths. The group holds the indices of bots that nobody outside it ever beat.
    Unbounded {
        /// Bots of one undefeated group, ascending.
        group: Vec<usize>,
    },
    /// An iteration reached its limit without settling.
    NoConvergence,
}

impl Untestable {
    /// A [`Untestable::BadParameter`] with this text.
    pub(crate) fn bad(what: impl Into<String>) -> Self {
        Self::BadParameter { what: what.into() }
    }
}

impl From<OutOfDomain> for Untestable {
    fn from(error: OutOfDomain) -> Self {
        Self::bad(error.0)
    }
}

impl fmt::Display for Untestable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooFewBlocks { blocks, needed } => {
                write!(f, "too few blocks ({blocks}, {needed} needed)")
            }
            Self::MissingScores => write!(f, "no scores to compare"),
            Self::NeverMet => write!(f, "never at one table, nor against the same opposition"),
            Self::AllForfeited => write!(f, "every block was forfeited"),
            Self::ZeroVariance => write!(f, "every block gave the same score, nothing varies"),
            Self::ConstantDifference {
                difference,
                permutation_p,
            } => write!(
                f,
                "every block shows the same difference of {difference}, so its error is unknown \
                 (permutation test: p = {permutation_p:.3e})"
            ),
            Self::NotFinite => write!(f, "a score is not a finite number"),
            Self::LengthMismatch => write!(f, "the lists of scores differ in length"),
            Self::BadParameter { what } => write!(f, "bad parameter: {what}"),
            Self::NegativeScores => write!(f, "a score ratio needs scores that are never negative"),
            Self::ZeroTotal => write!(f, "all scores are zero, so there is no total to share"),
            Self::Unbounded { group } => {
                write!(
                    f,
                    "no finite rating: nobody outside the group {group:?} ever beat a member of it"
                )
            }
            Self::NoConvergence => write!(f, "the fit did not converge"),
        }
    }
}

impl std::error::Error for Untestable {}
