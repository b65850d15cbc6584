//! Leagues: parsing, schedules, the threads that play them, and the stored results.
//!
//! ```
//! use hattari_play::league::League;
//! use hattari_play::schedule::Schedule;
//! use std::path::Path;
//!
//! let text = "{game: tanhinmin, seed: 1, entrants: [a, b, c], blocks: 10, \
//!              format: {kind: line-ups, size: 2}}";
//! // Bots are not looked up here.
//! let (league, _) = League::parse(Path::new("mine.yaml"), text.as_bytes(), &mut |_, _| Ok(()))?;
//! let schedule = Schedule::of(&league);
//! assert_eq!((schedule.line_ups.len(), schedule.jobs()), (3, 30));
//! # Ok::<(), hattari_play::league::LeagueError>(())
//! ```

pub mod catalogue;
pub mod check;
pub mod league;
#[path = "../tests/fixtures/mock.rs"]
#[cfg(any(test, feature = "mock"))]
pub mod mock;
pub mod pack;
pub mod plan;
pub mod play_blocks;
pub mod prepared;
pub mod review;
pub mod runner;
pub mod samples;
pub mod schedule;
pub mod session;
pub mod stopping;
pub mod store;
pub mod trust;
