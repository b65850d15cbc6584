//! Statistics of a league: functions from slices of numbers to numbers.
//!
//! The unit of observation is the **block**: a sequence of deals after which all bots restart. A
//! block gives one number per bot, its mean score per deal.
//!
//! All functions are pure: no I/O and no clock. Permutation tests use a seeded generator.
//! Logarithms and exponentials come from `libm`, so that results do not depend on the platform
//! (`clippy.toml` forbids the functions of the standard library).
//!
//! [`compare()`] computes the contents of a report from the scores of each bot:
//!
//! ```
//! use hattari_stats::{BotSample, CompareOptions, LineUpScores, compare, compare::Verdict};
//!
//! // Mean score per deal in each of twelve blocks, for two bots that played the same deals.
//! let strong: Vec<Option<f64>> = (0..12).map(|k| Some(3.2 + 0.1 * f64::from(k % 4))).collect();
//! let weak: Vec<Option<f64>> = (0..12).map(|k| Some(3.0 + 0.1 * f64::from(k % 3))).collect();
//! let samples = [&strong, &weak].map(|scores| BotSample { scores, ..BotSample::default() });
//! // Every block was dealt its own cards, so each is a cluster of its own.
//! let clusters: Vec<usize> = (0..12).collect();
//! let line_up = LineUpScores {
//!     roster: &[0, 1],
//!     samples: &samples,
//!     opposition: &[1, 0],
//!     clusters: &clusters,
//! };
//!
//! let comparison = compare(2, &[line_up], &CompareOptions::default())?;
//! let pair = comparison.pair(0, 1).unwrap();
//! assert_eq!(pair.verdict, Verdict::Ahead);
//! assert!(pair.test.unwrap().interval.low > 0.0);
//!
//! // Nine blocks give numbers, but no verdict.
//! let few = samples.map(|sample| BotSample { scores: &sample.scores[..9], ..sample });
//! let line_up = LineUpScores { samples: &few, clusters: &clusters[..9], ..line_up };
//! match &compare(2, &[line_up], &CompareOptions::default())?.pair(0, 1).unwrap().verdict {
//!     Verdict::CannotTell { reason } => {
//!         assert_eq!(reason.to_string(), "too few blocks (9, 10 needed)");
//!     }
//!     other => panic!("{other:?}"),
//! }
//! # Ok::<(), hattari_stats::Untestable>(())
//! ```
//!
//! A function returns a number or an [`Untestable`] error with the reason why there is none. No
//! function returns NaN for finite input, and none returns zero for "unknown".
//!
#![doc = include_str!("../README.md")]

pub mod clustered;
pub mod compare;
mod correction;
pub mod dependence;
pub mod dist;
pub mod groups;
pub mod heterogeneity;
pub mod hodge;
mod linear;
pub mod luck;
mod max_t;
mod pooled;
mod power;
pub mod race;
pub mod rating;
pub mod ratio;
mod reason;
mod rng;
pub mod sequential;
mod summary;
mod t_test;

pub use compare::{BotSample, CompareOptions, Comparison};
pub use correction::Correction;
pub use linear::solve_symmetric;
pub use pooled::{LineUpScores, compare};
pub use power::{Required, power, required, required_blocks, required_whole_blocks};
pub use reason::Untestable;
pub use rng::Rng;
pub use summary::Interval;
pub use t_test::{Method, PairSums, Sums, TTest, one_sample_t, paired_t, paired_t_from_sums};
