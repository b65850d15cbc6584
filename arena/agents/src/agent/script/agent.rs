//! The agent of a script.

use super::about;
use super::limits::ScriptLimits;
use super::meter::{MeteredCall, ReachedLimit};
use super::script::Script;
use super::state::{Error, LuaResult, LuaState, Slot};
use super::vm::{Callbacks, Vm};
use crate::agent::backstop::CallMeter;
use crate::agent::choice::to_integer;
use crate::agent::status::no_instance;
use crate::agent::{
    Agent, AgentError, AgentResult, BlockStart, DealNotices, Notice, Observation, Records, Turn,
    backstop, choice,
};
use crate::games::GameInfo;
use crate::record::FaultKind;
use crate::text;
use hattari_plugin::Choice;
use serde_json::{Value, json};
use std::ffi::c_int;
use std::sync::Arc;
use std::time::Duration;

/// Phrase in messages about limits that were exceeded before the first decision.
pub(super) const AT_START: &str = "at the start of the block";
/// Name of the memory limit in messages.
pub(super) const MEMORY_KEY: &str = " (`lua_memory_mb`)";
/// Line before the traceback in the text of an error.
const TRACEBACK: &str = "\nstack traceback:";
/// Maximum number of traceback lines in a message.
const TRACEBACK_LINES: usize = 4;
/// Maximum length of a message in characters.
const MESSAGE_MAX: usize = 600;
/// Maximum length in bytes of the part of an error text that is used for a message.
const ERROR_MAX: usize = 8 * MESSAGE_MAX;

/// The script of one seat with its Luau machine. The machine is reset before every block and runs
/// the script's chunk again, so that no state is carried over between blocks.
pub(super) struct ScriptAgent {
    script: Script,
    config: Value,
    counter: Arc<CallMeter>,
    vm: Option<Vm>,
    /// Callbacks that the bot of the current block defines; `None` between blocks.
    callbacks: Option<Callbacks>,
    /// Limits of a decision.
    decision: CallLimits,
    /// Limits of the start of a block.
    start: CallLimits,
}

/// Limits of a call: steps and processor time.
#[derive(Clone, Copy)]
struct CallLimits {
    steps: i64,
    clock: Duration,
}

impl ScriptAgent {
    pub(super) fn new(script: Script, config: Value) -> ScriptAgent {
        let limits = |factor| {
            let steps = i64::from(script.limits.steps) * factor;
            let clock = ScriptLimits::clock(steps);
            CallLimits { steps, clock }
        };
        ScriptAgent {
            decision: limits(1),
            start: limits(ScriptLimits::START_FACTOR),
            script,
            config,
            counter: CallMeter::watched(),
            vm: None,
            callbacks: None,
        }
    }

    /// Resets the machine, seeds its random number generator and runs the script's chunk. The table
    /// that the chunk returns is then in [`Slot::Bot`].
    ///
    /// # Errors
    /// Returns the error of the script or an exceeded limit, with kind [`FaultKind::Start`].
    pub(super) fn prepare(&mut self, game: &'static GameInfo, seed: u64) -> AgentResult {
        self.callbacks = None;
        let vm = match self.vm.take() {
            Some(vm) if vm.shared.game.id == game.id => Ok(vm),
            _ => Vm::new(&self.script, game, &self.config),
        };
        let mut vm = vm.map_err(|error| self.agent_error(error, FaultKind::Start))?;
        let reset = vm.reset(seed);
        self.counter.begin_block(vm.longest_text());
        self.vm = Some(vm);
        let code = Arc::clone(&self.script.code);
        let name = &code.name;
        self.run_at_start(FaultKind::Start, |vm| {
            reset?;
            let kind = vm.run_chunk()?;
            if kind != "table" {
                return Err(Error::Message(format!(
                    "{name}: the script must return a table with a function `act` (got {kind})"
                )));
            }
            vm.protect(|state| Ok(about::check(state, state.load(Slot::Bot), game, name)?))
        })
    }

    /// Calls `read` with the stack index of the table that the script returned. Must be called
    /// after [`ScriptAgent::prepare`].
    pub(super) fn inspect<R>(
        &mut self,
        read: impl FnOnce(&LuaState, c_int) -> Result<R, String>,
    ) -> AgentResult<R> {
        let read = |state: &LuaState| Ok(read(state, state.load(Slot::Bot))?);
        self.vm()?
            .protect(read)
            .map_err(|error| self.agent_error(error, FaultKind::Start))
    }

    /// Runs the function in [`Slot::Test`], within the limits for the start of a block. Used for
    /// tests in a script.
    ///
    /// # Errors
    /// Returns the error that the function raised, or the limit that it exceeded.
    pub(super) fn run_test(&mut self) -> AgentResult {
        self.run_at_start(FaultKind::Error, |vm| vm.call(Slot::Test, None, |_| ()))
    }

    /// Runs `f` within the limits for the start of a block. Its errors become faults of kind
    /// `kind`.
    fn run_at_start<R>(
        &mut self,
        kind: FaultKind,
        f: impl FnOnce(&Vm) -> LuaResult<R>,
    ) -> AgentResult<R> {
        let vm = self.vm.as_ref().ok_or_else(no_instance)?;
        let metered = self.metered(self.start);
        let outcome = f(vm);
        drop(metered);
        self.finished(outcome, kind)
    }

    /// Starts to count the steps of a call.
    fn metered(&self, limits: CallLimits) -> MeteredCall<'_> {
        MeteredCall::start(&self.counter, limits.steps, limits.clock)
    }

    /// Returns the outcome of a call whose steps were counted. If a limit was exceeded, returns
    /// that fault, even if the script has caught the error that should stop it.
    fn finished<R>(&mut self, outcome: LuaResult<R>, error_kind: FaultKind) -> AgentResult<R> {
        let Some(end) = ReachedLimit::of(self.counter.left()) else {
            return outcome.map_err(|error| self.agent_error(error, error_kind));
        };
        let place = match outcome {
            Err(Error::Message(error)) => place(&error),
            _ => String::new(),
        };
        let (kind, CallLimits { steps, clock }, during, what) = if error_kind == FaultKind::Start {
            (FaultKind::Start, self.start, AT_START, AT_START)
        } else {
            let (during, what) = ("in one decision", "(`lua_steps`)");
            (FaultKind::Time, self.decision, during, what)
        };
        Err(match end {
            ReachedLimit::Memory => self.out_of_memory(),
            ReachedLimit::Clock => {
                backstop::processor_time_fault(clock, &format!("{during}{place}"), "steps")
            }
            ReachedLimit::Steps => {
                AgentError::new(kind, format!("more than {steps} steps {what}{place}"))
            }
        })
    }

    /// Returns the fault for exceeded memory. The bot gets no more calls in this block, because its
    /// memory may still be full.
    fn out_of_memory(&mut self) -> AgentError {
        self.callbacks = None;
        let megabytes = self.script.limits.memory as f64 / f64::from(1 << 20);
        AgentError::new(
            FaultKind::Memory,
            format!("more than {megabytes:.0} MiB of memory{MEMORY_KEY}"),
        )
    }

    /// Converts an error of the machine to a fault.
    fn agent_error(&mut self, error: Error, kind: FaultKind) -> AgentError {
        match error {
            Error::Memory => self.out_of_memory(),
            Error::Message(text) => AgentError::new(kind, message(&text)),
        }
    }

    /// Calls a function of the instance within the limits of a decision. Services can use `turn`
    /// during the call.
    fn call<R>(
        &mut self,
        turn: &Turn<'_>,
        function: Slot,
        argument: Option<Slot>,
        read: impl FnOnce(&LuaState) -> R,
    ) -> AgentResult<R> {
        let (Some(vm), Some(_)) = (&self.vm, &self.callbacks) else {
            return Err(no_instance());
        };
        let outcome = vm.shared.turn.lend(turn, || {
            let _metered = self.metered(self.decision);
            vm.call(function, argument, read)
        });
        match outcome {
            Ok(result) if self.counter.left() >= 0 => Ok(result),
            outcome => self.finished(outcome, FaultKind::Error),
        }
    }

    fn vm(&mut self) -> AgentResult<&mut Vm> {
        self.vm.as_mut().ok_or_else(no_instance)
    }

    /// Starts a block with a fresh instance.
    fn start_block(&mut self, start: &BlockStart<'_>) -> AgentResult {
        let id = start.game;
        let game = GameInfo::find(id)
            .ok_or_else(|| AgentError::start(format!("scripts cannot play {id}")))?;
        self.prepare(game, start.seed)?;
        let code = Arc::clone(&self.script.code);
        let name = &code.name;
        let about = self.inspect(|state, bot| about::read(state, bot, name))?;
        if !about.games.is_empty() && !about.games.iter().any(|id| game.is(id)) {
            let games = about.games.join(", ");
            return Err(AgentError::start(format!("{name} plays {games}, not {id}")));
        }
        let shared = &self.vm()?.shared;
        (shared.services.borrow_mut()).start_block(game.id, start.options_json, start.seed);
        let has = self.run_at_start(FaultKind::Start, |vm| {
            let has = vm.make_instance(start.players)?;
            if has.block_start {
                let options = serde_json::from_str(start.options_json);
                let options: Value = options.unwrap_or_default();
                vm.set_info(&json!({
                    "game": id,
                    "options": options,
                    "players": start.players,
                    "player": start.player + 1,
                    "deals": start.deals,
                }))?;
                vm.call(Slot::BlockStart, Some(Slot::Info), |_| ())?;
            }
            Ok(has)
        })?;
        self.callbacks = Some(has);
        Ok(())
    }

    /// Calls the function for the start or the end of a deal.
    fn tell(&mut self, function: Slot, seen: &Observation<'_>, payoffs: &[i64]) -> AgentResult {
        self.vm()?
            .show_result(seen.view, payoffs)
            .map_err(|error| self.agent_error(error, FaultKind::Error))?;
        let turn = Turn {
            seen: *seen,
            legal: Records::default(),
            budget_us: 0,
        };
        self.call(&turn, function, None, |_| ())
    }
}

impl Agent for ScriptAgent {
    fn notify(&mut self, notice: &Notice<'_>) -> AgentResult {
        match notice {
            Notice::BlockStart(start) => self.start_block(start),
            Notice::DealStart(seen) => {
                self.vm()?.deal += 1;
                if self.callbacks.is_some_and(|has| has.deal_start) {
                    self.tell(Slot::DealStart, seen, &[])?;
                }
                Ok(())
            }
            Notice::DealEnd(seen, payoffs) if self.uses().end => {
                self.tell(Slot::DealEnd, seen, payoffs)
            }
            Notice::DealEnd(..) | Notice::BlockEnd => Ok(()),
        }
    }

    fn act(&mut self, turn: &Turn<'_>) -> AgentResult<Choice> {
        if let Some(phase) = self.vm()?.shared.game.hosted.phase
            && self.callbacks.is_some_and(|has| !has.phase)
            && let Some(action) = (phase.default)(turn.seen.view, turn.legal.as_bytes())
        {
            return Ok(Choice { action, amount: 0 });
        }
        self.vm()?
            .show(turn)
            .map_err(|error| self.agent_error(error, FaultKind::Error))?;
        let complaint = self.call(turn, Slot::Decide, Some(Slot::Legal), |state| state.text(2))?;
        if let Some(complaint) = complaint {
            return Err(AgentError::new(FaultKind::IllegalAction, complaint));
        }
        let (index, amount) = self.vm()?.choice();
        Ok(Choice {
            action: choice::checked_index(index, to_integer(index), turn.legal.count())?,
            amount: choice::checked_amount(amount, to_integer(amount))?,
        })
    }

    fn uses(&self) -> DealNotices {
        self.callbacks.map_or(DealNotices::ALL, |has| DealNotices {
            start: has.deal_start,
            end: has.deal_end,
        })
    }
}

/// Returns the place in the script where a call was stopped, for example `, at mine.lua:12`; empty
/// if it is unknown.
fn place(error: &str) -> String {
    // The error itself may come from a host function or the host's Luau code.
    let mut trace = traceback_lines(error.split_once(TRACEBACK).unwrap_or_default().1);
    let place = trace.next().and_then(|line| line.split_once(": in "));
    place.map_or_else(String::new, |(place, _)| format!(", at {place}"))
}

/// Converts the text of an error to a message: the error with its place, and a short traceback of
/// the script's own functions.
fn message(error: &str) -> String {
    let (what, trace) = error.split_once(TRACEBACK).unwrap_or((error, ""));
    let mut message = text::cut(what, ERROR_MAX).to_owned();
    for line in traceback_lines(trace).take(TRACEBACK_LINES) {
        message.push_str("\n  ");
        message.push_str(line);
    }
    if let Some((end, _)) = message.char_indices().nth(MESSAGE_MAX) {
        message.truncate(end);
        message.push('…');
    }
    message
}

/// Returns the lines of a traceback that belong to the script, not to the host's Luau code or a
/// library.
fn traceback_lines(trace: &str) -> impl Iterator<Item = &str> {
    let is_of_host = |line: &str| line.starts_with("hattari:") || line.starts_with("[C]");
    trace
        .lines()
        .map(str::trim)
        .filter(move |line| !(line.is_empty() || is_of_host(line)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::{AgentFactory, FaultScope, output};

    const START: Notice<'_> = Notice::BlockStart(BlockStart {
        game: "daihinmin/1",
        options_json: "{}",
        players: 5,
        player: 0,
        deals: 1,
        seed: 1,
    });

    #[test]
    fn a_script_that_never_starts_is_refused_with_its_step_limit() {
        let script = Script::compile("x.lua", b"while true do end").unwrap();
        let read = script.about().unwrap_err().message;
        assert_eq!(
            read,
            "more than 10000000 steps when the file is first read (before `lua_steps` applies), at x.lua:1"
        );
        let limited = script.with_limits(ScriptLimits {
            steps: 200,
            ..ScriptLimits::default()
        });
        let mut agent = ScriptAgent::new(limited, json!({}));
        let played = agent.notify(&START).unwrap_err().message;
        assert_eq!(
            played,
            "more than 2000 steps at the start of the block, at x.lua:1"
        );
    }

    #[test]
    fn a_script_prints_the_documented_number_of_lines_in_a_block() {
        let source = b"for line = 1, 300 do print(line) end return { act = print }";
        let script = Script::compile("x.lua", source).unwrap();
        let game = script.game();
        let mut agent = ScriptAgent::new(script, json!({}));
        let _capture = output::OutputCapture::begin();
        agent.prepare(game, 0).unwrap();
        let lines = output::take();
        assert_eq!((lines.len(), &*lines[199]), (201, "200"));
        assert_eq!(lines[200], "further lines of this block are dropped");
    }

    #[test]
    fn the_backstop_causes_a_fault_of_the_bot_only() {
        let limits = ScriptLimits {
            steps: u32::MAX,
            ..ScriptLimits::default()
        };
        for body in [
            "while true do end",
            "return { act = print, block_start = function() while true do end end }",
        ] {
            let script = Script::compile("x.lua", body.as_bytes())
                .unwrap()
                .with_limits(limits);
            assert!(script.has_backstop());
            let mut agent = ScriptAgent::new(script, json!({}));
            agent.start.clock = Duration::from_millis(1);
            for _ in 0..2 {
                let fault = agent.notify(&START).unwrap_err();
                assert_eq!(
                    fault.message,
                    "exceeded 0.001 s of CPU time at the start of the block, at x.lua:1; the limit of steps did not stop it"
                );
                assert_eq!(
                    (fault.kind, fault.scope),
                    (FaultKind::Clock, FaultScope::Block)
                );
            }
        }
    }
}
