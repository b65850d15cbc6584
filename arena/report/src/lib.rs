//! Standings of leagues, reports in all formats, and replays of games.
//!
//! ```
//! use hattari_play::samples::read_scores;
//! use hattari_report::standings::{About, TestSettings, standings};
//!
//! let scores = "block,a,b\n1,3,1\n2,2,1\n3,4,2\n4,3,1\n5,5,2\n";
//! let samples = read_scores(scores.as_bytes())?;
//! let about = About {
//!     title: "mine".into(),
//!     command: "a program of mine".into(),
//!     version: "1".into(),
//!     unit: "row",
//!     score: "points",
//!     league: None,
//! };
//! let standings = standings(&samples, about, TestSettings::default(), None, None)?;
//! assert_eq!(standings.bots[0].name, "a");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod numbers;
pub mod replay;
pub mod report;
pub mod review;
pub mod standings;
pub mod tables;
