//! The host of Hattari: leagues, tables, agents, the store and reports.

pub mod agent;
pub mod cli;
pub mod congeniality;
pub mod numbers;
pub mod record;
pub mod report;
pub mod samples;
pub mod seeds;
pub mod standings;
pub mod table;
