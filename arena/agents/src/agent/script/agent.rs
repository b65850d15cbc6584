//! A script at a seat.

use super::budget::{Beat, End, Limits};
use super::raw::Metered;
use super::vm::{Instance, Vm};
use super::{AT_START, Script};
use crate::agent::backstop;
use crate::agent::{Agent, BlockStart, Misstep, Observation, Records, Turn};
use crate::games::Facts;
use crate::record::FaultKind;
use crate::text;
use hattari_plugin::Choice;
use mlua::{Table, Value};
use std::sync::Arc;
use std::time::Duration;

/// Lines of a traceback that a message keeps.
const TRACEBACK_LINES: usize = 4;
/// Characters of a message, and bytes of an error that are looked at for it.
const MESSAGE_MAX: usize = 600;
const ERROR_MAX: usize = 8 * MESSAGE_MAX;

/// One seat's script with its machine. The machine serves block after block; every block gets the
/// script's chunk run anew with fresh globals, so that nothing is carried over.
pub(super) struct ScriptAgent {
    script: Script,
    config: serde_json::Value,
    beat: Arc<Beat>,
    vm: Option<Vm>,
    bot: Option<Instance>,
    /// A limit was reached: the machine's heap is not what it was, and the next block gets another
    /// machine.
    worn: bool,
    /// Processor time of a decision, and of the start of a block.
    clocks: [Duration; 2],
}

impl ScriptAgent {
    pub(super) fn new(script: Script, config: serde_json::Value) -> ScriptAgent {
        let steps = i64::from(script.limits.steps);
        let clocks =
            [1, i64::from(Limits::START_FACTOR)].map(|factor| Limits::clock(steps * factor));
        ScriptAgent {
            script,
            config,
            beat: Beat::watched(),
            vm: None,
            bot: None,
            worn: false,
            clocks,
        }
    }

    /// Runs the chunk with fresh globals and chance from `seed`: the bot's table of functions.
    ///
    /// # Errors
    /// What is wrong with the script, as [`FaultKind::Start`].
    pub(super) fn prepare(&mut self, game: &'static Facts, seed: u64) -> Result<Table, Misstep> {
        self.bot = None;
        let is_as_new = match &mut self.vm {
            Some(vm) if !self.worn && vm.game.id == game.id => vm.renew().unwrap_or(false),
            _ => false,
        };
        if !is_as_new {
            (self.vm, self.worn) = (None, false);
            let script = &self.script;
            let vm = Vm::new(
                (&script.bytecode, &script.helpers),
                &script.name,
                game,
                &self.config,
                script.limits,
            );
            self.vm = Some(vm.map_err(|error| self.misstep(&error, FaultKind::Start))?);
        }
        let (steps, vm) = (
            self.steps(Limits::START_FACTOR),
            self.vm.as_mut().expect("made just now"),
        );
        self.beat.begin_block(vm.longest_text());
        let metered = Metered::start(&self.beat, steps, self.clocks[1]);
        let outcome = vm.run_chunk(seed).and_then(|bot| {
            let slip = bot
                .as_table()
                .map_or(Ok(None), |bot| vm.slip(bot, &self.script.name))?;
            Ok((bot, slip))
        });
        drop(metered);
        let refuse = |message: String| Misstep::new(FaultKind::Start, message);
        let name = Arc::clone(&self.script.name);
        match self.finished(outcome, FaultKind::Start)? {
            (Value::Table(bot), slip) => match (slip, bot.raw_get::<Value>("act")) {
                (Some(slip), _) => Err(refuse(slip)),
                (None, Ok(Value::Function(_))) => Ok(bot),
                _ => Err(refuse(format!(
                    "{name}: the table that it returns has no function `act`"
                ))),
            },
            (other, _) => {
                let message = format!(
                    "{name}: returns {}, not a table of functions with `act`",
                    other.type_name()
                );
                Err(refuse(message))
            }
        }
    }

    /// Runs one of the script's own functions, with as many steps as the start of a block has.
    ///
    /// # Errors
    /// What it raised, or which limit it met.
    pub(super) fn try_out(&mut self, function: &mlua::Function) -> Result<(), Misstep> {
        let metered = Metered::start(&self.beat, self.steps(Limits::START_FACTOR), self.clocks[1]);
        let outcome = function.call::<()>(());
        drop(metered);
        self.finished(outcome, FaultKind::Error)
    }

    fn steps(&self, factor: u32) -> i64 {
        i64::from(self.script.limits.steps) * i64::from(factor)
    }

    /// The outcome of a metered call: steps used up come before everything else, as a script can
    /// catch the error that stops it. A machine without memory is dropped.
    fn finished<R>(
        &mut self,
        outcome: mlua::Result<R>,
        error_kind: FaultKind,
    ) -> Result<R, Misstep> {
        let Some(end) = End::of(self.beat.left()) else {
            return outcome.map_err(|error| self.misstep(&error, error_kind));
        };
        self.worn = true;
        let place = outcome.err().map(|error| place(&error)).unwrap_or_default();
        let kind = if error_kind == FaultKind::Start {
            FaultKind::Start
        } else {
            FaultKind::Time
        };
        Err(match end {
            End::Memory => self.starved(),
            End::Clock if kind == FaultKind::Start => backstop::overrun(
                self.clocks[1],
                &format!("at the start of the block{place}"),
                "steps",
            ),
            End::Clock => {
                backstop::overrun(self.clocks[0], &format!("in one decision{place}"), "steps")
            }
            End::Steps if kind == FaultKind::Start => {
                let steps = self.steps(Limits::START_FACTOR);
                Misstep::new(kind, format!("more than {steps} steps {AT_START}{place}"))
            }
            End::Steps => Misstep::new(
                kind,
                format!("more than {} steps{place}", self.script.limits.steps),
            ),
        })
    }

    /// The memory did not suffice: the machine is dropped, for it may stay full.
    fn starved(&mut self) -> Misstep {
        (self.bot, self.vm) = (None, None);
        let megabytes = self.script.limits.memory as f64 / f64::from(1 << 20);
        Misstep::new(
            FaultKind::Memory,
            format!("more than {megabytes:.0} MiB of memory"),
        )
    }

    /// An error of the machine as a misstep.
    fn misstep(&mut self, error: &mlua::Error, kind: FaultKind) -> Misstep {
        if is_memory(error) {
            self.starved()
        } else {
            Misstep::new(kind, message(error))
        }
    }

    /// Calls one of the instance's functions with `turn` shown.
    fn call<R: mlua::FromLuaMulti>(
        &mut self,
        turn: &Turn<'_>,
        function: impl FnOnce(&Instance) -> Option<&mlua::Function>,
    ) -> Result<Option<R>, Misstep> {
        let (Some(vm), Some(bot)) = (&self.vm, &self.bot) else {
            return Err(dead());
        };
        let Some(function) = function(bot) else {
            return Ok(None);
        };
        let (steps, clock) = (self.steps(1), self.clocks[0]);
        let outcome = vm.lend(turn, || {
            let _metered = Metered::start(&self.beat, steps, clock);
            function.call::<R>(())
        });
        if outcome.is_ok() && self.beat.left() >= 0 {
            return outcome.map(Some).map_err(|_| dead());
        }
        self.finished(outcome, FaultKind::Error).map(Some)
    }

    fn vm(&mut self) -> Result<&mut Vm, Misstep> {
        self.vm.as_mut().ok_or_else(dead)
    }
}

impl Agent for ScriptAgent {
    fn block_start(&mut self, start: &BlockStart<'_>) -> Result<(), Misstep> {
        let Some(game) = Facts::find(start.game) else {
            return Err(Misstep::new(
                FaultKind::Start,
                format!("scripts do not play {}", start.game),
            ));
        };
        let bot = self.prepare(game, start.seed)?;
        let refuse = |message: String| Misstep::new(FaultKind::Start, message);
        if let Some(games) = super::about(&bot, &self.script.name)?.games
            && !games.iter().any(|id| game.is(id))
        {
            return Err(refuse(format!(
                "{} plays {}, not {}",
                self.script.name,
                games.join(", "),
                start.game
            )));
        }
        let vm = self.vm.as_ref().expect("prepare leaves a machine");
        vm.start_lookahead(start.options_json, start.seed);
        let started = || -> mlua::Result<_> {
            let instance = vm.instance(&bot, start.players)?;
            let info = serde_json::json!({
                "game": start.game,
                "options": serde_json::from_str::<serde_json::Value>(start.options_json).unwrap_or_default(),
                "players": start.players,
                "player": start.player + 1,
                "deals": start.deals,
            });
            let info = if instance.block_start.is_some() {
                vm.value(&info)?
            } else {
                Value::Nil
            };
            Ok((instance, info))
        };
        let (instance, info) = started().map_err(|error| self.misstep(&error, FaultKind::Start))?;
        if let Some(block_start) = &instance.block_start {
            let outcome = {
                let _metered =
                    Metered::start(&self.beat, self.steps(Limits::START_FACTOR), self.clocks[1]);
                block_start.call::<()>(info)
            };
            self.finished(outcome, FaultKind::Start)?;
        }
        self.bot = Some(instance);
        Ok(())
    }

    fn deal_start(&mut self, seen: &Observation<'_>) -> Result<(), Misstep> {
        let has = self
            .bot
            .as_ref()
            .is_some_and(|bot| bot.deal_start.is_some());
        let vm = self.vm()?;
        vm.new_deal();
        if has {
            vm.show_result(seen.view, &[])
                .map_err(|message| Misstep::new(FaultKind::Error, message))?;
            self.call::<()>(&without_choice(seen), |bot| bot.deal_start.as_ref())?;
        }
        Ok(())
    }

    fn act(&mut self, turn: &Turn<'_>) -> Result<Choice, Misstep> {
        self.vm()?
            .show(turn)
            .map_err(|message| Misstep::new(FaultKind::Error, message))?;
        let complaint = self
            .call::<Option<mlua::LuaString>>(turn, |bot| Some(&bot.decide))?
            .flatten();
        if let Some(complaint) = complaint {
            return Err(Misstep::new(
                FaultKind::IllegalAction,
                complaint.to_string_lossy(),
            ));
        }
        let (index, amount) = self.vm()?.choice();
        Ok(Choice {
            action: action(index, turn.legal.count())?,
            amount: whole(amount).ok_or_else(|| {
                Misstep::new(
                    FaultKind::IllegalAmount,
                    format!("the amount is {amount}, not a whole number"),
                )
            })?,
        })
    }

    fn deal_end(&mut self, seen: &Observation<'_>, payoffs: &[i64]) -> Result<(), Misstep> {
        if self.bot.as_ref().is_some_and(|bot| bot.deal_end.is_none()) {
            return Ok(());
        }
        let shown = self.vm()?.show_result(seen.view, payoffs);
        shown.map_err(|message| Misstep::new(FaultKind::Error, message))?;
        self.call::<()>(&without_choice(seen), |bot| bot.deal_end.as_ref())?;
        Ok(())
    }
}

fn dead() -> Misstep {
    Misstep::new(FaultKind::Start, "the script has not been started")
}

/// What is seen where there is nothing to choose.
fn without_choice<'a>(seen: &Observation<'a>) -> Turn<'a> {
    Turn {
        seen: *seen,
        legal: Records::default(),
        budget_us: 0,
    }
}

/// The index from 0 for a script's index from 1.
fn action(index: f64, count: u32) -> Result<usize, Misstep> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a whole number from 1 to count"
    )]
    if index >= 1.0 && index <= f64::from(count) && index.fract() == 0.0 {
        return Ok(index as usize - 1);
    }
    Err(Misstep::new(
        FaultKind::IllegalAction,
        format!("the answer is {index}, not the index of a legal action, 1 to {count}"),
    ))
}

/// A float that is a whole number as one.
fn whole(number: f64) -> Option<i64> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    #[expect(clippy::cast_possible_truncation, reason = "whole and below 2^53")]
    (number.fract() == 0.0 && number.abs() <= EXACT).then_some(number as i64)
}

fn is_memory(error: &mlua::Error) -> bool {
    match error {
        mlua::Error::MemoryError(_) => true,
        mlua::Error::CallbackError { cause, .. } => is_memory(cause),
        _ => false,
    }
}

/// Where in the script a call was stopped, as `, at mine.lua:12`.
fn place(error: &mlua::Error) -> String {
    let text = message(error);
    let line = text.lines().next().unwrap_or_default();
    match line.rsplit_once(": ") {
        // Where the script has caught the error, it is the host's part that ran into the next one.
        Some((place, _)) if !place.contains(' ') && is_scripts(place) => format!(", at {place}"),
        _ => String::new(),
    }
}

/// An error's text: what and where, and a short traceback through the script's own functions.
pub(super) fn message(error: &mlua::Error) -> String {
    let text = match error {
        mlua::Error::RuntimeError(text) => text.clone(),
        mlua::Error::CallbackError { cause, traceback } => format!("{cause}\n{traceback}"),
        other => other.to_string(),
    };
    let (what, trace) = text.split_once("\nstack traceback:").unwrap_or((&text, ""));
    let mut message = without_addresses(text::cut(what, ERROR_MAX));
    for line in trace
        .lines()
        .map(str::trim)
        .filter(|line| is_scripts(line))
        .take(TRACEBACK_LINES)
    {
        message.push_str("\n  ");
        message.push_str(line);
    }
    if let Some((end, _)) = message.char_indices().nth(MESSAGE_MAX) {
        message.truncate(end);
        message.push('…');
    }
    message
}

/// A text with what mlua says of an error that is an object, `<table 0x7f…>`, without the address.
fn without_addresses(text: &str) -> String {
    let mut parts = text.split(" 0x");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let rest = part.trim_start_matches(|c: char| c.is_ascii_hexdigit());
        let is_object = rest.starts_with('>')
            && plain
                .rsplit_once('<')
                .is_some_and(|(_, kind)| kind.len() < 16);
        if is_object {
            plain.push_str(rest);
        } else {
            plain.push_str(" 0x");
            plain.push_str(part);
        }
    }
    plain
}

/// Whether a line of a traceback lies in the script, neither in the host's part nor in the library.
fn is_scripts(line: &str) -> bool {
    !(line.is_empty() || line.starts_with("hattari:") || line.starts_with("[C]"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::{Reach, Seatable};

    #[test]
    fn a_script_that_never_starts_is_refused_with_the_number_of_steps_that_it_had() {
        let script = Script::compile("x.lua", b"while true do end").unwrap();
        let read = script.about().unwrap_err().message;
        assert_eq!(
            read,
            "more than 10000000 steps when the file is first read (`lua_steps` counts later), at x.lua:1"
        );
        let limited = script.with_limits(Limits {
            steps: 200,
            ..Limits::default()
        });
        let mut agent = ScriptAgent::new(limited, serde_json::json!({}));
        let start = BlockStart {
            game: "daihinmin/1",
            options_json: "{}",
            players: 5,
            player: 0,
            deals: 1,
            seed: 1,
        };
        let played = agent.block_start(&start).unwrap_err().message;
        assert_eq!(
            played,
            "more than 2000 steps at the start of the block, at x.lua:1"
        );
    }

    #[test]
    fn the_backstop_is_a_fault_of_the_bot_and_nothing_else_ends() {
        let limits = Limits {
            steps: u32::MAX,
            ..Limits::default()
        };
        let start = BlockStart {
            game: "daihinmin/1",
            options_json: "{}",
            players: 5,
            player: 0,
            deals: 1,
            seed: 1,
        };
        for (body, during) in [
            ("while true do end", "at the start of the block, at x.lua:1"),
            (
                "return { act = print, block_start = function() while true do end end }",
                "at the start of the block, at x.lua:1",
            ),
        ] {
            let script = Script::compile("x.lua", body.as_bytes())
                .unwrap()
                .with_limits(limits);
            assert!(script.has_backstop());
            let mut agent = ScriptAgent::new(script, serde_json::json!({}));
            agent.clocks = [Duration::from_millis(1); 2];
            for _ in 0..2 {
                let fault = agent.block_start(&start).unwrap_err();
                assert_eq!(
                    (fault.kind, fault.reach),
                    (FaultKind::Clock, Reach::Block),
                    "{}",
                    fault.message
                );
                let words = format!("exceeded 0.001 s of CPU time {during}; not counted by steps");
                assert_eq!(fault.message, words);
            }
        }
    }
}
