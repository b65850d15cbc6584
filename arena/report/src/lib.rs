//! What leagues mean: standings, reports in every format, games to look at.

pub mod numbers;
pub mod replay;
pub mod report;
pub mod standings;
