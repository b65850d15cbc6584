//! A bot in WebAssembly at a seat.

use super::guest::{Guest, Refill};
use super::limits::Limits;
use super::memory;
use super::module::Module;
use super::state::room;
use crate::agent::deadline::Deadline;
use crate::agent::status::{dead, failed, in_time, not_started, size};
use crate::agent::{Agent, BlockStart, Misstep, Observation, Reach, Turn};
use crate::record::FaultKind;
use hattari_plugin::{Choice, abi, abi32};
use std::rc::Rc;
use std::sync::Arc;
use wasmtime::TypedFunc;

/// Bytes of a bot's last error that are kept.
const LAST_ERROR: u64 = 1024;

/// One seat's bot.
pub(super) struct WasmAgent {
    module: Arc<Module>,
    id: String,
    config_json: String,
    limits: Limits,
    bot: Option<Bot>,
    /// The instance has not seen a block yet.
    unused: bool,
    /// Events of the deal that lie in the instance's memory already.
    shown: u32,
}

/// An instance with its functions.
struct Bot {
    guest: Guest,
    address: u32,
    block_start: TypedFunc<(u32, u32), i32>,
    deal_start: Option<TypedFunc<(u32, u32), i32>>,
    act: TypedFunc<(u32, u32, u32), i32>,
    deal_end: Option<TypedFunc<(u32, u32), i32>>,
    last_error: Option<TypedFunc<(u32, u32), ()>>,
    destroy: TypedFunc<u32, ()>,
}

impl WasmAgent {
    pub(super) fn new(
        module: Arc<Module>,
        id: &str,
        config_json: &str,
        limits: Limits,
    ) -> WasmAgent {
        let (id, config_json) = (id.to_owned(), config_json.to_owned());
        WasmAgent {
            module,
            id,
            config_json,
            limits,
            bot: None,
            unused: false,
            shown: 0,
        }
    }

    /// Replaces the instance by a new one.
    ///
    /// # Errors
    /// The bot cannot be created, as [`FaultKind::Start`].
    pub(super) fn create(&mut self) -> Result<(), Misstep> {
        self.bot = None;
        let bot = Bot::new(&self.module, &self.limits, &self.id, &self.config_json);
        let bot = bot.map_err(|misstep| {
            let message = format!("{} ({}): {}", self.id, self.module.name, misstep.message);
            let kind = if misstep.kind == FaultKind::Clock {
                FaultKind::Clock
            } else {
                FaultKind::Start
            };
            Misstep {
                kind,
                message,
                reach: misstep.reach.at_least(Reach::Deal),
            }
        })?;
        (self.bot, self.unused) = (Some(bot), true);
        Ok(())
    }

    /// The outcome of a call: an instance that cannot be called again is dropped.
    fn done<T>(&mut self, outcome: Result<T, Misstep>) -> Result<T, Misstep> {
        if outcome
            .as_ref()
            .is_err_and(|misstep| misstep.reach != Reach::Decision)
        {
            self.bot = None;
        }
        outcome
    }

    fn bot(&mut self) -> Result<&mut Bot, Misstep> {
        self.bot.as_mut().ok_or_else(dead)
    }
}

impl Bot {
    fn new(module: &Module, limits: &Limits, id: &str, config_json: &str) -> Result<Bot, Misstep> {
        let mut guest = Guest::open(module, limits, id, Refill::EachCall)?;
        let address = guest.create(id, config_json)?;
        let nowhere = |_| {
            Misstep::new(
                FaultKind::Start,
                "the bot that create gave does not lie in its memory",
            )
        };
        let bot: abi32::Bot = memory::read(guest.memory(), address).map_err(nowhere)?;
        let functions: abi32::BotFunctions =
            memory::read(guest.memory(), bot.functions).map_err(nowhere)?;
        Ok(Bot {
            block_start: guest.function("`block_start` of the bot", functions.block_start)?,
            deal_start: guest.optional("`deal_start` of the bot", functions.deal_start)?,
            act: guest.function("`act` of the bot", functions.act)?,
            deal_end: guest.optional("`deal_end` of the bot", functions.deal_end)?,
            last_error: guest.optional("`last_error` of the bot", functions.last_error)?,
            destroy: guest.function("`destroy` of the bot", functions.destroy)?,
            address,
            guest,
        })
    }

    /// What a call came to by its status.
    fn check(&mut self, call: &str, status: i32) -> Result<(), Misstep> {
        if status < abi::OK {
            Err(self.misstep(call, status))
        } else {
            Ok(())
        }
    }

    #[cold]
    fn misstep(&mut self, call: &str, status: i32) -> Misstep {
        let answer = self.guest.base + room::ANSWER;
        let said = self.last_error.clone().and_then(|last_error| {
            self.guest
                .call("last_error", &last_error, (answer, self.address))
                .ok()?;
            memory::counted_text(self.guest.memory(), answer, LAST_ERROR).ok()
        });
        failed(call, status, &said.unwrap_or_default())
    }

    /// Copies a view into the instance's memory.
    fn show_view(&mut self, view: &[u8]) -> Result<(), Misstep> {
        self.guest.make_room(|guest| &mut guest.view, view.len())?;
        let at = self.guest.view.at as usize;
        self.guest.memory_mut()[at..at + view.len()].copy_from_slice(view);
        Ok(())
    }

    /// Copies events that are not there yet.
    fn show_history(&mut self, seen: &Observation<'_>, shown: &mut u32) -> Result<(), Misstep> {
        let history = seen.history;
        let before = self.guest.history.at;
        self.guest
            .make_room(|guest| &mut guest.history, history.as_bytes().len())?;
        // A record only grows within a deal, but its place may be another.
        if self.guest.history.at != before || history.count() < *shown {
            *shown = 0;
        }
        let from = *shown as usize * history.stride() as usize;
        let fresh = &history.as_bytes()[from..];
        let at = self.guest.history.at as usize + from;
        self.guest.memory_mut()[at..at + fresh.len()].copy_from_slice(fresh);
        *shown = history.count();
        Ok(())
    }
}

impl Agent for WasmAgent {
    fn block_start(&mut self, start: &BlockStart<'_>) -> Result<(), Misstep> {
        if self.bot.is_none() || !self.unused {
            self.create()?;
        }
        self.unused = false;
        let (fuel, start_fuel) = (self.limits.fuel, self.limits.start_fuel());
        let bot = self.bot()?;
        bot.guest.services().start_block(start);
        let outcome = bot.start_block(start, start_fuel);
        bot.guest.set_fuel(fuel);
        outcome.map_err(|misstep| {
            self.bot = None;
            not_started(misstep)
        })
    }

    fn deal_start(&mut self, seen: &Observation<'_>) -> Result<(), Misstep> {
        self.shown = 0;
        let mut shown = 0;
        let bot = self.bot()?;
        let Some(deal_start) = bot.deal_start.clone() else {
            return Ok(());
        };
        let mut call = || {
            bot.show_view(seen.view)?;
            bot.show_history(seen, &mut shown)?;
            let info = abi32::DealInfo {
                struct_size: abi::struct_size::<abi32::DealInfo>(),
                view_size: size(seen.view),
                view: bot.guest.view.at,
                history: bot.guest.history.at,
                history_count: seen.history.count(),
                history_stride: seen.history.stride(),
            };
            let at = bot.guest.base + room::CALL;
            bot.guest.put("deal_start", at, &info)?;
            let status = bot
                .guest
                .call("deal_start", &deal_start, (bot.address, at))?;
            bot.check("deal_start", status)
        };
        let outcome = call();
        self.shown = shown;
        self.done(outcome)
    }

    fn act(&mut self, turn: &Turn<'_>) -> Result<Choice, Misstep> {
        let mut shown = self.shown;
        let outcome = self.bot().and_then(|bot| bot.act(turn, &mut shown));
        self.shown = shown;
        self.done(outcome)
    }

    fn deal_end(&mut self, seen: &Observation<'_>, payoffs: &[i64]) -> Result<(), Misstep> {
        let mut shown = self.shown;
        let bot = self.bot()?;
        let Some(deal_end) = bot.deal_end.clone() else {
            return Ok(());
        };
        let mut call = || {
            bot.show_view(seen.view)?;
            bot.show_history(seen, &mut shown)?;
            // Nothing is to be chosen: payoffs lie where actions do.
            let numbers: &[u8] = bytemuck::cast_slice(payoffs);
            bot.guest
                .make_room(|guest| &mut guest.actions, numbers.len())?;
            let at = bot.guest.actions.at as usize;
            bot.guest.memory_mut()[at..at + numbers.len()].copy_from_slice(numbers);
            let result = abi32::DealResult {
                struct_size: abi::struct_size::<abi32::DealResult>(),
                view_size: size(seen.view),
                view: bot.guest.view.at,
                history: bot.guest.history.at,
                history_count: seen.history.count(),
                history_stride: seen.history.stride(),
                payoffs: bot.guest.actions.at,
                payoff_count: u32::try_from(payoffs.len())
                    .expect("tables have a handful of players"),
                reserved: 0,
            };
            let at = bot.guest.base + room::CALL;
            bot.guest.put("deal_end", at, &result)?;
            let status = bot.guest.call("deal_end", &deal_end, (bot.address, at))?;
            bot.check("deal_end", status)
        };
        let outcome = call();
        self.shown = shown;
        self.done(outcome)
    }

    fn block_end(&mut self) -> Result<(), Misstep> {
        let outcome = self
            .bot()
            .and_then(|bot| bot.guest.call("destroy", &bot.destroy, bot.address));
        self.bot = None;
        outcome
    }
}

impl Bot {
    fn start_block(&mut self, start: &BlockStart<'_>, fuel: u64) -> Result<(), Misstep> {
        self.guest.set_fuel(fuel);
        let texts = [start.game, start.options_json];
        self.guest.make_room(
            |guest| &mut guest.history,
            texts.iter().map(|text| text.len()).sum(),
        )?;
        let length = |text: &str| u32::try_from(text.len()).expect("options are a few lines");
        let game = self.guest.write_scratch(0, start.game.as_bytes())?;
        let options = self
            .guest
            .write_scratch(length(start.game), start.options_json.as_bytes())?;
        let text = |ptr, text: &str| abi32::Text {
            ptr,
            gap: [0; 4],
            len: text.len() as u64,
        };
        let info = abi32::BlockInfo {
            struct_size: abi::struct_size::<abi32::BlockInfo>(),
            players: start.players,
            player: start.player,
            deals: start.deals,
            seed: start.seed,
            game: text(game, start.game),
            options_json: text(options, start.options_json),
        };
        let at = self.guest.base + room::CALL;
        self.guest.put("block_start", at, &info)?;
        let status = self
            .guest
            .call("block_start", &self.block_start, (self.address, at))?;
        self.check("block_start", status)
    }

    #[inline]
    fn act(&mut self, turn: &Turn<'_>, shown: &mut u32) -> Result<Choice, Misstep> {
        let Turn {
            seen,
            legal,
            budget_us,
        } = *turn;
        self.show_view(seen.view)?;
        self.show_history(&seen, shown)?;
        let actions = legal.as_bytes();
        self.guest
            .make_room(|guest| &mut guest.actions, actions.len())?;
        let decision = abi32::Decision {
            struct_size: abi::struct_size::<abi32::Decision>(),
            view_size: size(seen.view),
            view: self.guest.view.at,
            history: self.guest.history.at,
            actions: self.guest.actions.at,
            history_count: seen.history.count(),
            history_stride: seen.history.stride(),
            action_count: legal.count(),
            action_stride: legal.stride(),
            gap: [0; 4],
            budget_us,
        };
        // An answer that is never written must not pass for one.
        let choice = abi32::Choice {
            struct_size: abi::struct_size::<abi32::Choice>(),
            action: u32::MAX,
            amount: 0,
        };
        let (asked, answer) = (self.guest.base + room::CALL, self.guest.base + room::ANSWER);
        let at = self.guest.actions.at as usize;
        let memory = self.guest.memory_mut();
        memory[at..at + actions.len()].copy_from_slice(actions);
        let written = memory::write(memory, asked, &decision)
            .and_then(|()| memory::write(memory, answer, &choice));
        written.expect("the host's room lies in the memory, which never shrinks");
        let deadline = (budget_us > 0).then(|| Deadline::after(budget_us));
        let services = self.guest.services();
        services.deadline = deadline;
        let loan = Rc::clone(&services.turn);
        let parameters = (self.address, asked, answer);
        let status = loan.lend(turn, || self.guest.call("act", &self.act, parameters))?;
        if let Some(deadline) = deadline {
            self.guest.services().deadline = None;
            in_time(deadline.overdue(), budget_us)?;
        }
        self.check("act", status)?;
        let choice =
            memory::read::<abi32::Choice>(self.guest.memory(), answer).expect("the host's room");
        Ok(Choice {
            action: choice.action as usize,
            amount: choice.amount,
        })
    }
}
