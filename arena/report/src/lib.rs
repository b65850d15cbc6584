//! Standings of leagues, reports in all formats, and replays of games.
//!
//! The path from a store to a page, in the order of the calls:
//!
//! 1. [`standings::of_store`] reads the records of a store into samples, one number per bot and
//!    block. [`standings::standings`] begins with the samples of a file of scores.
//! 2. `Evaluation::standings` (`standings/compute.rs`) compares and ranks the bots. Then it
//!    evaluates each line-up (`line_ups.rs`) and each pair (`pairs.rs`, `verdict.rs`).
//! 3. [`standings::of_store`] adds luck, machines and rounds. The result,
//!    [`standings::Standings`], consists of plain values.
//! 4. [`replay::pick::for_page`] plays the games that a page shows.
//! 5. [`report::Report::write`] selects a format. The function `part` of each file in
//!    `report/sections` returns text, tables and figures from the standings.
//! 6. `report/html`, `terminal.rs`, `markdown.rs` and `latex.rs` print these sections. `json.rs`
//!    and `csv.rs` print the standings themselves; [`tables`] has the columns of CSV.
//!
//! [`review`] explains the difference of two bots, on a page with the same game viewer.
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
