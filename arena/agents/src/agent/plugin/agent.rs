//! The agent of a compiled bot in this process. It passes pointers to the records of a call and
//! receives the index of an action.

#![expect(unsafe_code, reason = "calls the functions of bots")]

use super::library::Library;
use super::services::{self, PassedDecision, PluginServices};
use crate::agent::instance::PerBlockAgent;
use crate::agent::status::{no_instance, shown, size};
use crate::agent::{
    Agent, AgentError, AgentFactory, AgentResult, BotInfo, DealNotices, Notice, Observation, Turn,
    status,
};
use hattari_plugin::{Choice, abi};
use std::ffi::{CStr, CString, c_char, c_void};
use std::ptr;
use std::rc::Rc;

/// Size in bytes of the buffer for the error of `create`.
const CREATE_ERROR_BYTES: usize = 1024;
/// Maximum length in bytes of a bot's last error.
const LAST_ERROR_BYTES_MAX: u64 = 1024;

/// A bot of a loaded library.
#[derive(Clone, Copy, Debug)]
pub struct PluginBot {
    library: &'static Library,
    info: &'static BotInfo,
    /// `true` if this agent reports late answers as faults; `false` in a worker, where the host
    /// checks the time.
    pub(crate) is_timed: bool,
}

impl PluginBot {
    /// Creates the bot `id` of `library`; `None` if the library does not contain it.
    pub fn new(library: &'static Library, id: &str) -> Option<PluginBot> {
        let info = library.bots().iter().find(|info| info.id == id)?;
        Some(PluginBot {
            library,
            info,
            is_timed: true,
        })
    }

    /// Calls the library's `create`.
    fn create(
        &self,
        id: &CStr,
        config_json: &str,
        services: &Rc<PluginServices>,
    ) -> AgentResult<PluginInstance> {
        services.restart(0);
        let mut error = [0_u8; CREATE_ERROR_BYTES];
        let mut bot = ptr::null_mut();
        let create = self
            .library
            .factory
            .create
            .expect("checked when it was loaded");
        // SAFETY: id and config outlive the call; the host struct outlives the instance, which owns
        // the services. The stated capacity excludes the buffer's last byte, which stays zero.
        let status = unsafe {
            create(
                id.as_ptr(),
                services.host(),
                text(config_json),
                error.as_mut_ptr().cast::<c_char>(),
                u32::try_from(error.len() - 1).expect("a small buffer"),
                &raw mut bot,
            )
        };
        let instance = if status < abi::OK {
            let said = CStr::from_bytes_until_nul(&error).map_or(&error[..], CStr::to_bytes);
            let said = String::from_utf8_lossy(said);
            Err(status::not_created(status, &said, config_json))
        } else {
            // SAFETY: the library reported success, so `bot` is a bot.
            unsafe { PluginInstance::new(bot, Rc::clone(services), self.is_timed) }
        };
        instance.map_err(|what| {
            let path = self.library.path().display();
            AgentError::start(format!("{} ({path}): {what}", self.info.id))
        })
    }
}

impl AgentFactory for PluginBot {
    fn open(&self, config_json: &str) -> AgentResult<Box<dyn Agent>> {
        let (bot, config_json) = (*self, config_json.to_owned());
        let id = CString::new(self.info.id.as_str()).expect("ids were checked");
        let services = PluginServices::new(&self.info.id);
        let make = move || bot.create(&id, &config_json, &services);
        Ok(Box::new(PerBlockAgent::new(make)?))
    }
}

/// Buffers for aligned copies of records whose alignment the C interface does not allow.
#[derive(Default)]
struct AlignedCopies {
    view: Vec<u64>,
    history: Vec<u64>,
    actions: Vec<u64>,
}

/// An instance that a library has created. Dropping it calls the library's `destroy`.
struct PluginInstance {
    bot: *mut abi::Bot,
    functions: abi::BotFunctions,
    copies: AlignedCopies,
    /// Host services that the bot can call. They must outlive the bot, which is destroyed before
    /// the fields are dropped.
    services: Rc<PluginServices>,
    is_timed: bool,
}

impl Drop for PluginInstance {
    fn drop(&mut self) {
        if let Some(destroy) = self.functions.destroy {
            // SAFETY: created by the library, not yet destroyed, and no call on it is running.
            unsafe { destroy(self.bot) }
        }
    }
}

impl Agent for PluginInstance {
    fn notify(&mut self, notice: &Notice<'_>) -> AgentResult {
        let status = match notice {
            Notice::BlockStart(start) => {
                self.services.start_block(start);
                let info = abi::BlockInfo {
                    struct_size: abi::struct_size::<abi::BlockInfo>(),
                    players: start.players,
                    player: start.player,
                    deals: start.deals,
                    seed: start.seed,
                    game: text(start.game),
                    options_json: text(start.options_json),
                };
                let block_start = self.functions.block_start.ok_or_else(no_instance)?;
                // SAFETY: the instance exists, calls on it do not overlap (`&mut self`), `info` and
                // its texts outlive the call.
                unsafe { block_start(self.bot, &raw const info) }
            }
            Notice::DealStart(seen) => {
                let Some(deal_start) = self.functions.deal_start else {
                    return Ok(());
                };
                let (view, history) = self.copies.addresses(seen);
                let info = shown!(abi::DealInfo, seen, view, history, {});
                // SAFETY: as above; the records and their copies outlive the call.
                let status = unsafe { deal_start(self.bot, &raw const info) };
                if status == abi::UNUSED {
                    self.functions.deal_start = None;
                }
                status
            }
            Notice::DealEnd(seen, payoffs) => {
                let Some(deal_end) = self.functions.deal_end else {
                    return Ok(());
                };
                let (view, history) = self.copies.addresses(seen);
                let result = shown!(abi::DealResult, seen, view, history, {
                    payoffs: payoffs.as_ptr(),
                    payoff_count: size(payoffs),
                    reserved: 0,
                });
                // SAFETY: as above; records, their copies and payoffs outlive the call.
                let status = unsafe { deal_end(self.bot, &raw const result) };
                if status == abi::UNUSED {
                    self.functions.deal_end = None;
                }
                status
            }
            // Dropping the instance destroys the bot.
            Notice::BlockEnd => abi::OK,
        };
        self.check(notice.name(), status)
    }

    fn act(&mut self, turn: &Turn<'_>) -> AgentResult<Choice> {
        let act = self.functions.act.ok_or_else(no_instance)?;
        // An invalid index, so that a bot that writes no answer commits a fault.
        let mut choice = abi::Choice {
            struct_size: abi::struct_size::<abi::Choice>(),
            action: u32::MAX,
            amount: 0,
        };
        let (view, history) = self.copies.addresses(&turn.seen);
        let handed = PassedDecision {
            decision: shown!(abi::Decision, turn.seen, view, history, {
                actions: address(turn.legal.as_bytes(), &mut self.copies.actions),
                action_count: turn.legal.count(),
                action_stride: turn.legal.stride(),
                budget_us: turn.budget_us,
            }),
            turn,
        };
        let timed = turn.budget_us > 0;
        if timed {
            self.services.start_clock(turn.budget_us);
        }
        let lent = self.services.lend(&handed);
        // SAFETY: as in `notify`; the records and their copies outlive the call.
        let status = unsafe { act(self.bot, &raw const handed.decision, &raw mut choice) };
        drop(lent);
        if timed && self.is_timed {
            status::check_in_time("act", self.services.stop_clock(), turn.budget_us)?;
        }
        self.check("act", status)?;
        Ok(Choice {
            action: choice.action as usize,
            amount: choice.amount,
        })
    }

    fn uses(&self) -> DealNotices {
        DealNotices {
            start: self.functions.deal_start.is_some(),
            end: self.functions.deal_end.is_some(),
        }
    }
}

impl PluginInstance {
    /// Wraps a bot that a library has created.
    ///
    /// # Safety
    /// `bot` must be null or from a successful `create`.
    unsafe fn new(
        bot: *mut abi::Bot,
        services: Rc<PluginServices>,
        is_timed: bool,
    ) -> Result<PluginInstance, String> {
        if bot.is_null() || !bot.is_aligned() {
            return Err("create returned HATTARI_OK but no bot".into());
        }
        // SAFETY: not null, aligned, a bot as required from the caller.
        let functions = unsafe { (*bot).functions };
        if functions.is_null() || !functions.is_aligned() {
            return Err("the bot's table of functions is null".into());
        }
        // SAFETY: not null and aligned; by the contract it is the table of functions.
        let functions = unsafe { *functions };
        let needed = [
            ("destroy", functions.destroy.is_some()),
            ("act", functions.act.is_some()),
            ("block_start", functions.block_start.is_some()),
        ];
        let instance = PluginInstance {
            bot,
            functions,
            copies: AlignedCopies::default(),
            services,
            is_timed,
        };
        match needed.iter().find(|(_, is_there)| !is_there) {
            Some((name, _)) => Err(format!("the function `{name}` of the bot is null")),
            None => Ok(instance),
        }
    }

    /// Converts a status to a result.
    fn check(&self, call: &str, status: abi::Status) -> AgentResult {
        if status < abi::OK {
            return Err(status::failed(call, status, &self.last_error()));
        }
        Ok(())
    }

    /// Returns the text of the bot's last error, shortened.
    #[cold]
    fn last_error(&self) -> String {
        let Some(last_error) = self.functions.last_error else {
            return String::new();
        };
        // SAFETY: the instance exists; the text is valid until the next call on it and is copied
        // before.
        unsafe { services::text(last_error(self.bot), LAST_ERROR_BYTES_MAX) }
    }
}

fn text(text: &str) -> abi::Text {
    abi::Text {
        ptr: text.as_ptr().cast(),
        len: text.len() as u64,
    }
}

impl AlignedCopies {
    /// Returns the addresses of the view and the history.
    #[inline]
    fn addresses(&mut self, seen: &Observation<'_>) -> (*const c_void, *const c_void) {
        (
            address(seen.view, &mut self.view),
            address(seen.history.as_bytes(), &mut self.history),
        )
    }
}

/// Returns the address of records, aligned as the C interface requires. Unaligned records are
/// copied.
#[inline]
fn address(records: &[u8], copy: &mut Vec<u64>) -> *const c_void {
    let first = records.as_ptr();
    if first.cast::<u64>().is_aligned() {
        first.cast()
    } else {
        aligned_copy(records, copy)
    }
}

#[cold]
fn aligned_copy(records: &[u8], copy: &mut Vec<u64>) -> *const c_void {
    copy.resize(records.len().div_ceil(8), 0);
    bytemuck::cast_slice_mut(copy)[..records.len()].copy_from_slice(records);
    copy.as_ptr().cast()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_at_unaligned_addresses_are_passed_to_the_plugin_aligned() {
        let (words, mut copy) = (
            [0x0807_0605_0403_0201_u64, 0x100f_0e0d_0c0b_0a09],
            Vec::new(),
        );
        let bytes: &[u8] = bytemuck::cast_slice(&words);
        assert_eq!(address(bytes, &mut copy), bytes.as_ptr().cast());
        for (from, to) in [(1, 16), (3, 5), (9, 9), (4, 15)] {
            let records = address(&bytes[from..to], &mut copy).cast::<u8>();
            assert!(records.cast::<u64>().is_aligned());
            // SAFETY: the copy has this many bytes and is still valid.
            let records = unsafe { std::slice::from_raw_parts(records, to - from) };
            assert_eq!(records, &bytes[from..to]);
        }
    }
}
