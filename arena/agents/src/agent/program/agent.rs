//! The agent of a program.

use super::answer::SkippedCall;
use super::spec::{ProgramSpec, START};
use super::talk::ProgramSession;
use super::writer::MessageWriter;
use crate::agent::process::pin::{self, Pin};
use crate::agent::status::{check_in_time, late_ns, no_instance};
use crate::agent::transport::Message;
use crate::agent::{
    Agent, AgentError, AgentResult, BlockStart, FaultScope, Notice, ProcessLimits, Turn,
};
use crate::games::GameInfo;
use crate::record::FaultKind;
use hattari_plugin::Choice;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

/// The agent of a program at one seat. It starts a process for every block.
pub(super) struct ProgramAgent {
    pub spec: Arc<ProgramSpec>,
    pub config_json: String,
    /// Process of the current block; `None` between blocks and after the process has ended.
    pub playing: Option<BlockProcess>,
    /// Binding of the host's thread to a core. The program inherits the binding. Both can share the
    /// core, because they take turns.
    pub pin: Option<Rc<Pin>>,
}

/// A process that plays a block.
pub(super) struct BlockProcess {
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
            Notice::DealStart(_) => {
                let BlockProcess { talk, writer } =
                    self.playing.as_mut().ok_or_else(no_instance)?;
                talk.running.shorten_output();
                writer.sent = 0;
                SkippedCall::DealStart
            }
            Notice::DealEnd(..) => SkippedCall::DealEnd,
            Notice::BlockEnd => {
                let BlockProcess { talk, mut writer } =
                    self.playing.take().ok_or_else(no_instance)?;
                return talk.end(&mut writer);
            }
        };
        let BlockProcess { talk, writer } = self.playing.as_mut().ok_or_else(no_instance)?;
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
