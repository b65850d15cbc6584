//! Errors of the statistics. Functions return a number or one of these errors, never NaN for finite
//! input, and never zero for "unknown".

use std::fmt;

/// The reason why a comparison, an estimate or a fit has no result. `Display` gives a text for
/// reports.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Untestable {
    /// Fewer blocks than the statistic needs.
    TooFewBlocks {
        /// Number of available blocks.
        blocks: usize,
        /// Number of required blocks.
        needed: usize,
    },
    /// A line-up with a single block has so much weight that the error is unknown.
    SingleBlock,
    /// The bot has no score in any block, or two bots have no scores to compare.
    MissingScores,
    /// Two bots have no common block and never faced the same opposition.
    NeverMet,
    /// The bot forfeited all of its blocks, so only its faults were measured.
    AllForfeited,
    /// Every block gave the same score, or a difference of zero. Without variance, no test is
    /// possible.
    ZeroVariance,
    /// Every block gave the same non-zero difference. The t statistic would divide by zero, but an
    /// exact permutation test is possible; its two-sided p value is given.
    ConstantDifference {
        /// Difference in every block.
        difference: f64,
        /// For paired blocks, 2^(1 − blocks): the probability that all random signs are equal. For
        /// independent samples, the probability that a random relabelling gives a difference of the
        /// same size.
        permutation_p: f64,
    },
    /// A score is NaN or infinite.
    NotFinite,
    /// Slices that must have the same length have different lengths.
    LengthMismatch,
    /// A parameter is out of range.
    BadParameter {
        /// Text with the parameter and its valid range.
        what: String,
    },
    /// A score ratio was requested for scores that can be negative. A share of the total has no
    /// meaning for them.
    NegativeScores,
    /// All scores are zero, so the score ratio is not defined.
    ZeroTotal,
    /// Some bots never lost to the other bots, or never beat them. The likelihood has no maximum at
    /// finite strengths.
    Unbounded {
        /// Ascending indices of the bots of a group that were never behind a bot outside the group.
        group: Vec<usize>,
    },
    /// An iteration did not converge within its limit.
    NoConvergence,
    /// Luck was not measured in some block, so it cannot be removed from scores.
    UnmeasuredLuck,
    /// All luck values are zero.
    ZeroLuck,
}

impl Untestable {
    /// Creates a [`Untestable::BadParameter`] with this text.
    pub(crate) fn bad(what: impl Into<String>) -> Self {
        Self::BadParameter { what: what.into() }
    }

    /// Returns a [`Untestable::BadParameter`] with this text unless `is_valid` is true.
    pub(crate) fn require(is_valid: bool, what: &str) -> Result<(), Self> {
        if is_valid {
            Ok(())
        } else {
            Err(Self::bad(what))
        }
    }

    /// Returns a [`Untestable::TooFewBlocks`] for fewer blocks than needed.
    pub(crate) fn require_blocks(blocks: usize, needed: usize) -> Result<(), Self> {
        if needed <= blocks {
            Ok(())
        } else {
            Err(Self::TooFewBlocks { blocks, needed })
        }
    }
}

impl fmt::Display for Untestable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TooFewBlocks { blocks, needed } => {
                return write!(f, "too few blocks ({blocks}, {needed} needed)");
            }
            Self::ConstantDifference {
                difference,
                permutation_p,
            } => {
                // Six digits, because a mean of integers may have no short decimal form.
                let rounded = match difference.fract() == 0.0 {
                    true => *difference,
                    false => format!("{difference:.5e}").parse().unwrap_or(*difference),
                };
                return write!(
                    f,
                    "every block shows the same difference of {rounded}, so its error is \
                     unknown (permutation test: p = {permutation_p:.3e})"
                );
            }
            Self::BadParameter { what } => return write!(f, "invalid parameter: {what}"),
            Self::Unbounded { group } => {
                return write!(
                    f,
                    "no finite rating: no bot outside the group {group:?} ever beat a member of \
                     it"
                );
            }
            Self::SingleBlock => {
                "a line-up with a single block has too much weight to know the error; play more \
                 of its blocks"
            }
            Self::MissingScores => "no scores to compare",
            Self::NeverMet => {
                "the bots never met in equal seats, nor the same opponents in the same seats"
            }
            Self::AllForfeited => "every block was forfeited",
            Self::ZeroVariance => "every block gave the same score, so there is no variance",
            Self::NotFinite => "a score is not a finite number",
            Self::LengthMismatch => "the lists of scores differ in length",
            Self::NegativeScores => "a score ratio needs scores of zero or more",
            Self::ZeroTotal => "all scores are zero, so there is no total to share",
            Self::UnmeasuredLuck => "luck was not measured in every block",
            Self::ZeroLuck => {
                "luck is zero in every block, so it is not measured or equal for all bots"
            }
            Self::NoConvergence => "the fit of the ratings did not converge",
        })
    }
}

impl std::error::Error for Untestable {}
