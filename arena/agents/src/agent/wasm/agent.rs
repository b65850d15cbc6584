//! The agent of a WebAssembly bot.

use super::guest::{BufferContent, ModuleInstance, Refill, text};
use super::limits::WasmLimits;
use super::memory;
use super::module::Module;
use super::state::offsets;
use crate::agent::instance::Deadline;
use crate::agent::status::{check_in_time, failed, shown, size};
use crate::agent::{
    Agent, AgentError, AgentResult, BlockStart, DealNotices, Notice, Observation, Turn,
};
use hattari_plugin::{Choice, abi, abi32};
use std::rc::Rc;
use wasmtime::TypedFunc;

/// Maximum length in bytes of a bot's last error.
const LAST_ERROR: u64 = 1024;

/// A function of the bot that takes the addresses of the bot and of a record, and returns a status.
type RecordFunction = TypedFunc<(u32, u32), i32>;

/// An instance of a module with a bot that plays one block.
pub(super) struct WasmInstance {
    guest: ModuleInstance,
    limits: WasmLimits,
    /// Address of the bot.
    bot: u32,
    block_start: RecordFunction,
    deal_start: Option<RecordFunction>,
    act: TypedFunc<(u32, u32, u32), i32>,
    deal_end: Option<RecordFunction>,
    last_error: Option<TypedFunc<(u32, u32), ()>>,
    destroy: TypedFunc<u32, ()>,
    /// Number of events of the deal that the instance's memory contains.
    shown: u32,
}

impl WasmInstance {
    /// Instantiates a module and creates the bot `id` in it.
    ///
    /// # Errors
    /// Returns an error if the module does not start or the bot cannot be created.
    pub(super) fn new(
        module: &Module,
        limits: WasmLimits,
        id: &str,
        config_json: &str,
    ) -> AgentResult<WasmInstance> {
        let mut guest = ModuleInstance::open(module, &limits, id, Refill::EachCall)?;
        let address = guest.create(id, config_json)?;
        let bot: abi32::Bot = guest.get("the bot that create returned", address)?;
        let functions: abi32::BotFunctions =
            guest.get("the functions of the bot", bot.functions)?;
        Ok(WasmInstance {
            block_start: guest.function("`block_start` of the bot", functions.block_start)?,
            deal_start: guest.optional("`deal_start` of the bot", functions.deal_start)?,
            act: guest.function("`act` of the bot", functions.act)?,
            deal_end: guest.optional("`deal_end` of the bot", functions.deal_end)?,
            last_error: guest.optional("`last_error` of the bot", functions.last_error)?,
            destroy: guest.function("`destroy` of the bot", functions.destroy)?,
            bot: address,
            guest,
            limits,
            shown: 0,
        })
    }

    /// Writes a record to the instance's memory and calls a function of the bot with it. Returns
    /// the status.
    fn tell(
        &mut self,
        call: &str,
        function: &RecordFunction,
        record: &impl bytemuck::Pod,
    ) -> AgentResult<i32> {
        let at = self.guest.base + offsets::CALL;
        self.guest.put(call, at, record)?;
        let status = self.guest.call(call, function, (self.bot, at))?;
        self.check(call, status)?;
        Ok(status)
    }

    /// Converts a status to a result.
    fn check(&mut self, call: &str, status: i32) -> AgentResult {
        if status < abi::OK {
            Err(self.agent_error(call, status))
        } else {
            Ok(())
        }
    }

    #[cold]
    fn agent_error(&mut self, call: &str, status: i32) -> AgentError {
        let answer = self.guest.base + offsets::ANSWER;
        let said = self.last_error.clone().and_then(|last_error| {
            self.guest
                .call("last_error", &last_error, (answer, self.bot))
                .ok()?;
            memory::counted_text(self.guest.memory(), answer, LAST_ERROR).ok()
        });
        failed(call, status, &said.unwrap_or_default())
    }

    /// Copies the view and the new events to the instance's memory. Returns the addresses of view
    /// and history.
    fn show(&mut self, seen: &Observation<'_>) -> AgentResult<(u32, u32)> {
        let view = self.guest.show(BufferContent::View, 0, seen.view)?;
        let (history, events) = (seen.history, seen.history.as_bytes());
        // Within a deal the history only grows, but the buffer may have moved.
        let is_moved = self.guest.make_room(BufferContent::History, events.len())?;
        if is_moved || history.count() < self.shown {
            self.shown = 0;
        }
        let from = self.shown as usize * history.stride() as usize;
        self.shown = history.count();
        self.guest
            .show(BufferContent::History, from, &events[from..])?;
        Ok((view, self.guest.address(BufferContent::History)))
    }

    fn start(&mut self, start: &BlockStart<'_>) -> AgentResult {
        let texts = [start.game, start.options_json].concat();
        let at = self
            .guest
            .show(BufferContent::History, 0, texts.as_bytes())?;
        let info = abi32::BlockInfo {
            struct_size: abi::struct_size::<abi32::BlockInfo>(),
            players: start.players,
            player: start.player,
            deals: start.deals,
            seed: start.seed,
            game: text(at, start.game),
            options_json: text(at + size(start.game.as_bytes()), start.options_json),
        };
        self.tell("block_start", &self.block_start.clone(), &info)
            .map(drop)
    }
}

impl Agent for WasmInstance {
    fn notify(&mut self, notice: &Notice<'_>) -> AgentResult {
        let call = notice.name();
        match notice {
            Notice::BlockStart(start) => {
                self.guest.state().start_block(start);
                self.guest.fuel = self.limits.start_fuel();
                let outcome = self.start(start);
                self.guest.fuel = self.limits.fuel;
                outcome
            }
            Notice::DealStart(seen) => {
                self.shown = 0;
                if let Some(deal_start) = self.deal_start.clone() {
                    let (view, history) = self.show(seen)?;
                    let info = shown!(abi32::DealInfo, seen, view, history, {});
                    if self.tell(call, &deal_start, &info)? == abi::UNUSED {
                        self.deal_start = None;
                    }
                }
                Ok(())
            }
            Notice::DealEnd(seen, payoffs) => {
                if let Some(deal_end) = self.deal_end.clone() {
                    let (view, history) = self.show(seen)?;
                    // There are no actions, so their buffer can hold the payoffs.
                    let bytes = bytemuck::cast_slice(payoffs);
                    let result = shown!(abi32::DealResult, seen, view, history, {
                        payoffs: self.guest.show(BufferContent::Actions, 0, bytes)?,
                        payoff_count: size(payoffs),
                        reserved: 0,
                    });
                    if self.tell(call, &deal_end, &result)? == abi::UNUSED {
                        self.deal_end = None;
                    }
                }
                Ok(())
            }
            Notice::BlockEnd => self.guest.call("destroy", &self.destroy, self.bot),
        }
    }

    #[inline]
    fn act(&mut self, turn: &Turn<'_>) -> AgentResult<Choice> {
        let (view, history) = self.show(&turn.seen)?;
        let decision = shown!(abi32::Decision, turn.seen, view, history, {
            actions: self.guest.show(BufferContent::Actions, 0, turn.legal.as_bytes())?,
            action_count: turn.legal.count(),
            action_stride: turn.legal.stride(),
            gap: [0; 4],
            budget_us: turn.budget_us,
        });
        // An invalid index, so that a bot that writes no answer commits a fault.
        let choice = abi32::Choice {
            struct_size: abi::struct_size::<abi32::Choice>(),
            action: u32::MAX,
            amount: 0,
        };
        let asked = self.guest.base + offsets::CALL;
        let answer = self.guest.base + offsets::ANSWER;
        self.guest.put("act", asked, &decision)?;
        self.guest.put("act", answer, &choice)?;
        let deadline = (turn.budget_us > 0).then(|| Deadline::after(turn.budget_us));
        let state = self.guest.state();
        state.instance.deadline = deadline;
        let loan = Rc::clone(&state.turn);
        let parameters = (self.bot, asked, answer);
        let status = loan.lend(turn, || self.guest.call("act", &self.act, parameters))?;
        if let Some(deadline) = deadline {
            self.guest.state().instance.deadline = None;
            check_in_time("act", deadline.overdue(), turn.budget_us)?;
        }
        self.check("act", status)?;
        let choice: abi32::Choice = self.guest.get("act", answer)?;
        Ok(Choice {
            action: choice.action as usize,
            amount: choice.amount,
        })
    }

    fn uses(&self) -> DealNotices {
        DealNotices {
            start: self.deal_start.is_some(),
            end: self.deal_end.is_some(),
        }
    }
}
