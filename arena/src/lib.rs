//! The host of Hattari: leagues, tables, agents, the store and reports.

pub mod acpc;
pub mod agent;
pub mod cast;
pub mod catalogue;
pub mod chart;
pub mod check;
pub mod cli;
pub mod cns;
pub mod games;
pub mod gather;
pub mod join;
pub mod league;
#[cfg(test)]
mod mock;
pub mod numbers;
pub mod packed;
pub mod phh;
pub mod policy;
pub mod record;
pub mod replay;
pub mod report;
pub mod runner;
pub mod samples;
pub mod scaffold;
pub mod schedule;
pub mod seeds;
pub mod serve;
pub mod standings;
pub mod stopping;
pub mod store;
pub mod table;
pub mod text;
pub mod watch;
