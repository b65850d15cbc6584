//! A compiled bot at a seat: pointers to the records of a call go over, an index comes back.

#![expect(unsafe_code, reason = "calls the functions of bots")]

use super::library::{self, Library};
use super::services::Services;
use super::state::{self, Handed};
use crate::agent::bot::BotInfo;
use crate::agent::status::{self, dead, size};
use crate::agent::{Agent, BlockStart, Misstep, Observation, Seatable, Turn};
use crate::record::FaultKind;
use hattari_plugin::{Choice, abi};
use std::ffi::{CString, c_char, c_void};
use std::ptr;

/// Bytes that a bot may write about why it cannot be created.
const CREATE_ERROR_BYTES: usize = 1024;
/// Bytes of a bot's last error that are kept.
const LAST_ERROR_BYTES_MAX: u64 = 1024;

/// A bot of a loaded library.
#[derive(Clone, Copy, Debug)]
pub struct PluginBot {
    library: &'static Library,
    info: &'static BotInfo,
    /// An answer that comes too late is a fault.
    is_timed: bool,
}

impl PluginBot {
    /// The bot `id` of `library`, if it has one of that name.
    #[must_use]
    pub fn new(library: &'static Library, id: &str) -> Option<PluginBot> {
        let info = library.bots().iter().find(|info| info.id == id)?;
        Some(PluginBot {
            library,
            info,
            is_timed: true,
        })
    }

    /// The same bot, for a process that another one calls: that one decides whether an answer comes
    /// in time.
    #[cfg(target_os = "linux")]
    pub(in crate::agent) fn timed_by_others(self) -> PluginBot {
        PluginBot {
            is_timed: false,
            ..self
        }
    }

    /// What it says of itself.
    #[must_use]
    pub fn info(&self) -> &'static BotInfo {
        self.info
    }

    /// The library that it lives in.
    #[must_use]
    pub fn library(&self) -> &'static Library {
        self.library
    }
}

impl PluginBot {
    fn agent(&self, config_json: &str) -> PluginAgent {
        PluginAgent {
            instance: None,
            unused: false,
            copies: Copies::default(),
            services: Services::new(&self.info.id),
            bot: *self,
            id: library::c_id(self.info),
            config_json: config_json.to_owned(),
        }
    }
}

impl Seatable for PluginBot {
    /// Creates the first instance, so that a config that the bot refuses is told before anything is
    /// played.
    fn open(&self, config_json: &str) -> Result<Box<dyn Agent>, Misstep> {
        let mut agent = self.agent(config_json);
        agent.create()?;
        Ok(Box::new(agent))
    }
}

/// A bot at one seat.
struct PluginAgent {
    /// Before the services, which must outlive it.
    instance: Option<Instance>,
    /// The instance has not seen a block yet.
    unused: bool,
    copies: Copies,
    services: Services,
    bot: PluginBot,
    id: CString,
    config_json: String,
}

/// Room for the records of a call that do not lie as the C interface promises.
#[derive(Default)]
struct Copies {
    view: Vec<u64>,
    history: Vec<u64>,
    actions: Vec<u64>,
}

type ActFunction =
    unsafe extern "C" fn(*mut abi::Bot, *const abi::Decision, *mut abi::Choice) -> abi::Status;

/// An instance that a library has created; dropping it destroys it.
struct Instance {
    bot: *mut abi::Bot,
    act: ActFunction,
    block_start: unsafe extern "C" fn(*mut abi::Bot, *const abi::BlockInfo) -> abi::Status,
    deal_start: Option<unsafe extern "C" fn(*mut abi::Bot, *const abi::DealInfo) -> abi::Status>,
    deal_end: Option<unsafe extern "C" fn(*mut abi::Bot, *const abi::DealResult) -> abi::Status>,
    last_error: Option<unsafe extern "C" fn(*const abi::Bot) -> abi::Text>,
    destroy: unsafe extern "C" fn(*mut abi::Bot),
}

impl Drop for Instance {
    fn drop(&mut self) {
        // SAFETY: created by the library, not yet destroyed, and no call of it is under way.
        unsafe { (self.destroy)(self.bot) }
    }
}

impl Agent for PluginAgent {
    fn block_start(&mut self, start: &BlockStart<'_>) -> Result<(), Misstep> {
        if self.instance.is_none() || !self.unused {
            self.create()?;
        }
        self.unused = false;
        self.services.restart(start.seed);
        self.services
            .start_block(start.game, start.options_json, start.seed);
        let info = abi::BlockInfo {
            struct_size: abi::struct_size::<abi::BlockInfo>(),
            players: start.players,
            player: start.player,
            deals: start.deals,
            seed: start.seed,
            game: text(start.game),
            options_json: text(start.options_json),
        };
        let Some(instance) = &self.instance else {
            return Err(dead());
        };
        // SAFETY: the instance lives, calls on it do not overlap (`&mut self`), `info` and its
        // texts outlive the call.
        let status = unsafe { (instance.block_start)(instance.bot, &raw const info) };
        if status < abi::OK {
            let misstep = self.misstep("block_start", status);
            self.instance = None;
            return Err(status::not_started(misstep));
        }
        Ok(())
    }

    fn deal_start(&mut self, seen: &Observation<'_>) -> Result<(), Misstep> {
        let Some(instance) = &self.instance else {
            return Err(dead());
        };
        let Some(deal_start) = instance.deal_start else {
            return Ok(());
        };
        let info = abi::DealInfo {
            struct_size: abi::struct_size::<abi::DealInfo>(),
            view_size: size(seen.view),
            view: address(seen.view, &mut self.copies.view),
            history: address(seen.history.as_bytes(), &mut self.copies.history),
            history_count: seen.history.count(),
            history_stride: seen.history.stride(),
        };
        // SAFETY: as in `block_start`; the records outlive the call, and so do copies of them.
        let status = unsafe { deal_start(instance.bot, &raw const info) };
        if status < abi::OK {
            Err(self.misstep("deal_start", status))
        } else {
            Ok(())
        }
    }

    fn act(&mut self, turn: &Turn<'_>) -> Result<Choice, Misstep> {
        let Some(instance) = &self.instance else {
            return Err(dead());
        };
        // An answer that is never written must not pass for one.
        let mut choice = abi::Choice {
            struct_size: abi::struct_size::<abi::Choice>(),
            action: u32::MAX,
            amount: 0,
        };
        let Turn {
            seen,
            legal,
            budget_us,
        } = *turn;
        let handed = Handed {
            decision: abi::Decision {
                struct_size: abi::struct_size::<abi::Decision>(),
                view_size: size(seen.view),
                view: address(seen.view, &mut self.copies.view),
                history: address(seen.history.as_bytes(), &mut self.copies.history),
                actions: address(legal.as_bytes(), &mut self.copies.actions),
                history_count: seen.history.count(),
                history_stride: seen.history.stride(),
                action_count: legal.count(),
                action_stride: legal.stride(),
                budget_us,
            },
            turn,
        };
        let timed = budget_us > 0;
        if timed {
            self.services.start_clock(budget_us);
        }
        let lent = self.services.lend(&handed);
        // SAFETY: as in `block_start`; the records outlive the call, and so do copies of them.
        let status =
            unsafe { (instance.act)(instance.bot, &raw const handed.decision, &raw mut choice) };
        drop(lent);
        if timed && self.bot.is_timed {
            status::in_time(self.services.stop_clock(), budget_us)?;
        }
        if status < abi::OK {
            return Err(self.misstep("act", status));
        }
        Ok(Choice {
            action: choice.action as usize,
            amount: choice.amount,
        })
    }

    fn deal_end(&mut self, seen: &Observation<'_>, payoffs: &[i64]) -> Result<(), Misstep> {
        let Some(instance) = &self.instance else {
            return Err(dead());
        };
        let Some(deal_end) = instance.deal_end else {
            return Ok(());
        };
        let result = abi::DealResult {
            struct_size: abi::struct_size::<abi::DealResult>(),
            view_size: size(seen.view),
            view: address(seen.view, &mut self.copies.view),
            history: address(seen.history.as_bytes(), &mut self.copies.history),
            history_count: seen.history.count(),
            history_stride: seen.history.stride(),
            payoffs: payoffs.as_ptr(),
            payoff_count: u32::try_from(payoffs.len()).expect("tables have a handful of players"),
            reserved: 0,
        };
        // SAFETY: as in `block_start`; records and payoffs outlive the call, and so do copies of
        // them.
        let status = unsafe { deal_end(instance.bot, &raw const result) };
        if status < abi::OK {
            Err(self.misstep("deal_end", status))
        } else {
            Ok(())
        }
    }

    fn block_end(&mut self) -> Result<(), Misstep> {
        self.instance = None;
        Ok(())
    }
}

impl PluginAgent {
    /// Replaces the instance by a new one.
    fn create(&mut self) -> Result<(), Misstep> {
        self.instance = None;
        self.services.restart(0);
        let mut error = [0_u8; CREATE_ERROR_BYTES];
        let mut bot = ptr::null_mut();
        let create = self.bot.library.create();
        // SAFETY: id and config outlive the call, the host struct outlives the instance (field
        // order), the buffer has the stated capacity less one byte, which stays zero
        // whatever the bot writes.
        let status = unsafe {
            create(
                self.id.as_ptr(),
                self.services.host(),
                text(&self.config_json),
                error.as_mut_ptr().cast::<c_char>(),
                u32::try_from(error.len() - 1).expect("a small buffer"),
                &raw mut bot,
            )
        };
        let start = |what: String| {
            let path = self.bot.library.path().display();
            Misstep::new(
                FaultKind::Start,
                format!("{} ({path}): {what}", self.bot.info.id),
            )
        };
        if status < abi::OK {
            let said = library::error_text(&error);
            return Err(start(status::not_created(status, &said, &self.config_json)));
        }
        // SAFETY: the library says that it has created a bot.
        let instance = unsafe { Instance::new(bot) }.map_err(start)?;
        self.instance = Some(instance);
        self.unused = true;
        Ok(())
    }

    /// What a failed call comes to; the instance is destroyed where it cannot be called again.
    #[cold]
    fn misstep(&mut self, call: &str, status: abi::Status) -> Misstep {
        let said = self
            .instance
            .as_ref()
            .map(Instance::last_error)
            .unwrap_or_default();
        let misstep = status::failed(call, status, &said);
        if misstep.kind.is_fatal() {
            self.instance = None;
        }
        misstep
    }
}

impl Instance {
    /// Takes over a bot that a library has created.
    ///
    /// # Safety
    /// `bot` is null or what a `create` that succeeded has given.
    unsafe fn new(bot: *mut abi::Bot) -> Result<Instance, String> {
        if bot.is_null() || !bot.is_aligned() {
            return Err("create succeeded and gave no bot".into());
        }
        // SAFETY: not null, aligned, a bot by the caller's promise.
        let functions = unsafe { (*bot).functions };
        if functions.is_null() || !functions.is_aligned() {
            return Err("the bot's table of functions is null".into());
        }
        // SAFETY: not null and aligned; the contract says that it is the table.
        let functions = unsafe { *functions };
        let missing = |name: &str| format!("the function `{name}` of the bot is null");
        // First of all: without it the bot cannot even be freed.
        let destroy = functions.destroy.ok_or_else(|| missing("destroy"))?;
        let (Some(block_start), Some(act)) = (functions.block_start, functions.act) else {
            // SAFETY: created and not yet destroyed.
            unsafe { destroy(bot) };
            return Err(missing(if functions.act.is_none() {
                "act"
            } else {
                "block_start"
            }));
        };
        let (deal_start, deal_end, last_error) = (
            functions.deal_start,
            functions.deal_end,
            functions.last_error,
        );
        Ok(Instance {
            bot,
            act,
            block_start,
            deal_start,
            deal_end,
            last_error,
            destroy,
        })
    }

    /// The bot's text about its last failure, shortened.
    fn last_error(&self) -> String {
        let Some(last_error) = self.last_error else {
            return String::new();
        };
        // SAFETY: the instance lives; the text is valid until the next call on it, and copied
        // before.
        unsafe { state::text(last_error(self.bot), LAST_ERROR_BYTES_MAX) }
    }
}

fn text(text: &str) -> abi::Text {
    abi::Text {
        ptr: text.as_ptr().cast(),
        len: text.len() as u64,
    }
}

/// Where records begin, aligned as the C interface promises: where they do not lie so, that is in a
/// copy of them.
#[inline]
fn address(records: &[u8], copy: &mut Vec<u64>) -> *const c_void {
    let first = records.as_ptr();
    if first.cast::<u64>().is_aligned() {
        first.cast()
    } else {
        moved(records, copy)
    }
}

#[cold]
fn moved(records: &[u8], copy: &mut Vec<u64>) -> *const c_void {
    copy.resize(records.len().div_ceil(8), 0);
    bytemuck::cast_slice_mut(copy)[..records.len()].copy_from_slice(records);
    copy.as_ptr().cast()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_handed_over_aligned_wherever_they_lie() {
        let (words, mut copy) = (
            [0x0807_0605_0403_0201_u64, 0x100f_0e0d_0c0b_0a09],
            Vec::new(),
        );
        let bytes: &[u8] = bytemuck::cast_slice(&words);
        assert_eq!(address(bytes, &mut copy), bytes.as_ptr().cast());
        for (from, to) in [(1, 16), (3, 5), (9, 9), (4, 15)] {
            let records = address(&bytes[from..to], &mut copy).cast::<u8>();
            assert!(records.cast::<u64>().is_aligned());
            // SAFETY: a copy of so many bytes, which lives.
            let records = unsafe { std::slice::from_raw_parts(records, to - from) };
            assert_eq!(records, &bytes[from..to]);
        }
    }
}
