//! The host of Hattari: leagues, tables, agents, the store and reports.

pub mod agent;
pub mod catalogue;
pub mod check;
pub mod cli;
pub mod games;
pub mod record;
pub mod seeds;
pub mod table;
