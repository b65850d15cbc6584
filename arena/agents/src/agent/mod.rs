//! Agents. They give the table one interface to bots of all kinds.

pub mod backend;
pub(crate) mod backstop;
pub(crate) mod bot;
pub mod built_in;
mod choice;
mod compiled;
#[cfg(test)]
mod decision_tests;
mod fault;
mod instance;
mod launch;
mod limits;
mod lock;
mod log;
pub mod numbers;
pub mod output;
mod periodic_checks;
pub mod plugin;
pub(crate) mod process;
mod processor;
pub mod program;
pub mod recorded;
mod records;
pub mod reference;
mod registry;
pub(crate) mod sandbox;
pub mod script;
mod services;
pub mod socket;
mod status;
mod traits;
mod transport;
#[cfg(feature = "wasm")]
pub mod wasm;
pub mod worker;

pub use bot::BotInfo;
pub use fault::{AgentError, AgentResult, FaultScope, LoadError};
pub(crate) use launch::Launch;
pub use launch::{CommandLine, LaunchCommand};
pub use limits::{Budget, ProcessLimits, TimeLimits};
pub use lock::lock;
pub use process::use_program;
pub use records::{Observation, Records, Turn};
pub use registry::{BACKENDS, BUILT_IN, backend_of};
pub use sandbox::SYSTEM_CALLS;
pub(crate) use sandbox::SandboxReport;
pub use traits::{
    Agent, AgentFactory, Agents, BlockStart, Call, CallResult, DealNotices, Isolation, Notice,
    ProcessReport,
};
