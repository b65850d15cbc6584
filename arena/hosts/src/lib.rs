//! Agents of every kind and the tables where they play.
//!
//! A table plays a block: rules on one side, agents on the other. Agents are bots however they are hosted: libraries in this process
//! ([`agent::plugin`]) or in one of their own ([`agent::worker`]), scripts ([`agent::script`]), programs that connect
//! ([`agent::socket`]).

pub mod acpc;
pub mod agent;
pub mod games;
#[cfg(any(test, feature = "mock"))]
pub mod mock;
pub mod packed;
pub mod phh;
pub mod record;
pub mod seeds;
pub mod table;
pub mod text;
