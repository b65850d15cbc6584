//! The host of Hattari: the command and the rooms around it, on top of the packages below.

pub mod cli;
pub mod join;
pub mod scaffold;
pub mod serve;
pub mod watch;

pub use hattari_hosts::{acpc, agent, games, packed, phh, record, seeds, table, text};
pub use hattari_play::{cast, catalogue, check, gather, league, runner, samples, schedule, stopping, store};
pub use hattari_report::{numbers, replay, report, standings};
pub use hattari_study::{chart, cns, policy};
