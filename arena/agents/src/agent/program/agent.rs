//! Bots that are programs: the factory of their agents, and the agent.

use super::answer::SkippedCall;
use super::launcher;
use super::talk::{ProgramSession, ProgramSpec, START};
use super::writer::MessageWriter;
use crate::agent::process::pin::{self, Pin};
use crate::agent::status::{check_in_time, late_ns, no_instance};
use crate::agent::transport::Message;
use crate::agent::{
    Agent, AgentError, AgentFactory, AgentResult, BlockStart, Budget, CommandLine, FaultScope,
    Isolation, Notice, ProcessLimits, ProcessReport, Turn,
};
use crate::games::GameInfo;
use crate::record::FaultKind;
use hattari_plugin::Choice;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// The agent of a program at one seat. It starts a process for every block.
struct ProgramAgent {
    spec: Arc<ProgramSpec>,
    config_json: String,
    /// Process of the current block; `None` between blocks and after the process has ended.
    playing: Option<BlockProcess>,
    /// Binding of the host's thread to a core. The program inherits the binding. Both can share the
    /// core, because they take turns.
    pin: Option<Rc<Pin>>,
}

/// A process that plays a block.
struct BlockProcess {
    talk: ProgramSession,
    writer: MessageWriter,
}

impl ProgramAgent {
    fn begin(&self, game: &'static GameInfo, start: &BlockStart<'_>) -> AgentResult<BlockProcess> {
        let mut writer = MessageWriter::new(game, &self.config_json, start.players);
        let mut talk = ProgramSession::begin(&self.spec, START)?;
        talk.start_block(start, &mut writer)?;
        Ok(BlockProcess { talk, writer })
    }

    /// Starts a process for a block.
    fn start_block(&mut self, start: &BlockStart<'_>) -> AgentResult {
        self.playing = None;
        let game = GameInfo::find(start.game)
            .ok_or_else(|| AgentError::start(format!("programs cannot play {}", start.game)))?;
        self.check_unchanged()?;
        self.pin.get_or_insert_with(pin::this_thread);
        // A program that refuses a block would also refuse after a restart.
        let begun = self.begin(game, start).map_err(|agent_error| AgentError {
            scope: if agent_error.kind == FaultKind::Refused {
                FaultScope::Block
            } else {
                FaultScope::Deal
            },
            ..agent_error
        });
        self.playing = Some(begun?);
        Ok(())
    }

    /// Drops the process after an error, unless the scope of the error is the decision.
    #[cold]
    fn drop_process(&mut self, agent_error: AgentError) -> AgentError {
        if agent_error.scope != FaultScope::Decision {
            self.playing = None;
        }
        agent_error
    }

    /// Checks the program's files for changes since they were inspected.
    ///
    /// # Errors
    /// Returns an error that stops the run if a file has changed.
    fn check_unchanged(&self) -> AgentResult {
        if self.spec.is_unchanged() {
            return Ok(());
        }
        let what = format!(
            "`{}`: its files have changed since they were inspected; start the command again",
            self.spec.command
        );
        Err(AgentError::start(what).with_scope(FaultScope::Run))
    }
}

impl Agent for ProgramAgent {
    fn notify(&mut self, notice: &Notice<'_>) -> AgentResult {
        let hang = self.spec.hang;
        let skipped = match notice {
            Notice::BlockStart(start) => return self.start_block(start),
            Notice::DealStart(_) => SkippedCall::DealStart,
            Notice::DealEnd(..) => SkippedCall::DealEnd,
            Notice::BlockEnd => {
                let BlockProcess { talk, mut writer } =
                    self.playing.take().ok_or_else(no_instance)?;
                return talk.end(&mut writer);
            }
        };
        let BlockProcess { talk, writer } = self.playing.as_mut().ok_or_else(no_instance)?;
        if skipped == SkippedCall::DealStart {
            talk.running.shorten_output();
            writer.sent = 0;
        }
        if talk.greeting.skip.contains(&skipped) {
            return Ok(());
        }
        talk.tell(&Message::Notice(*notice), writer, hang)
            .map_err(|agent_error| self.drop_process(agent_error))
    }

    fn act(&mut self, turn: &Turn<'_>) -> AgentResult<Choice> {
        let patience = ProcessLimits::patience_of(turn.budget_us, self.spec.hang);
        let BlockProcess { talk, writer } = self.playing.as_mut().ok_or_else(no_instance)?;
        let start = Instant::now();
        let answer = talk.ask(turn, writer, patience);
        let took = start.elapsed();
        let choice = answer.map_err(|agent_error| self.drop_process(agent_error))?;
        check_in_time("act", late_ns(took, turn.budget_us), turn.budget_us)?;
        Ok(choice)
    }
}

/// The factory of a program's agents.
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
