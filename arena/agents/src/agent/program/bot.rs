//! Bots that are programs: the factory of their agents.

use super::agent::ProgramAgent;
use super::launcher;
use super::spec::{ProgramSpec, START};
use super::talk::ProgramSession;
use crate::agent::{
    Agent, AgentFactory, AgentResult, Budget, CommandLine, Isolation, ProcessLimits, ProcessReport,
};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

/// The factory of a program's agents.
#[derive(Clone, Debug)]
pub(crate) struct ProgramBot(pub(super) Arc<ProgramSpec>);

impl ProgramBot {
    /// Creates the bot of a command. `hash` is the hash of the program's files when they were
    /// inspected. With [`Isolation::Process`] the program is sandboxed, so it need not be trusted.
    ///
    /// # Errors
    /// Returns an error if the working directory does not exist, or if the program cannot be
    /// sandboxed on this machine.
    pub(crate) fn new(
        name: &str,
        command: &CommandLine,
        base: PathBuf,
        hash: u64,
        budget: &Budget,
        isolation: Isolation,
    ) -> Result<ProgramBot, String> {
        let launch = command.launch(&base)?;
        let limits = ProcessLimits::of(budget);
        let sandbox = (isolation == Isolation::Process)
            .then(|| launcher::sandboxed(command, &base, limits))
            .transpose()?;
        let (name, command) = (name.to_owned(), command.clone());
        let spec = ProgramSpec {
            name,
            command,
            base,
            launch,
            hash,
            hang: limits.hang,
            memory: budget.memory_mb.map(|mb| mb << 20),
            sandbox,
            seen: Mutex::default(),
        };
        Ok(ProgramBot(Arc::new(spec)))
    }
}

impl AgentFactory for ProgramBot {
    /// Starts no process, because the game is known only at the start of a block.
    fn open(&self, config_json: &str) -> AgentResult<Box<dyn Agent>> {
        Ok(Box::new(ProgramAgent {
            spec: Arc::clone(&self.0),
            config_json: config_json.to_owned(),
            playing: None,
            pin: None,
        }))
    }

    /// Starts the program once and reads its greeting, so that a program that cannot start is
    /// reported before the league begins.
    fn check_start(&self, _config_json: &str) -> AgentResult {
        ProgramSession::begin(&self.0, START).map(drop)
    }

    fn first_output(&self) -> Option<&str> {
        self.0.launch.first_output()
    }

    fn process_report(&self) -> Option<ProcessReport> {
        self.0.sandbox.as_ref().map(|(_, report)| ProcessReport {
            sandbox: report.clone(),
            peak_kib: 0,
        })
    }
}
