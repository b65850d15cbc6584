//! The C functions of one instance, which call the bot's methods.
//!
//! Every function checks its pointers, catches panics, and sets the text of `last_error` if it
//! fails. After a panic, all calls return the same status, and only `destroy` has an effect.
#![expect(unsafe_code, reason = "C callers pass raw pointers")]

use super::records::{records, view};
use super::{Failure, panics};
use crate::abi::{
    self, Bot, Choice, Decision, E_FAIL, E_PANIC, E_UNSUPPORTED, OK, Status, Text, UNUSED,
};
use crate::games::Game;
use crate::host::{Host, Services};
use crate::{Block, DealEnd, DealStart, Player, Turn};
use core::ptr;
use std::cell::Cell;
use std::{slice, str};

/// An instance. The host's pointer to its [`Bot`] is a pointer to the whole struct.
#[repr(C)]
struct Instance<G: Game, B: Player<G>> {
    header: Bot,
    state: State<B, B::Config>,
    services: Services,
    error: String,
    /// Copies of records, if the host's records are longer than this library's.
    history: Vec<G::Event>,
    legal: Vec<G::Action>,
}

enum State<B, C> {
    /// Before the start of the block.
    Created(C),
    /// During the block.
    Playing(B),
    /// After the bot refused the block.
    Refused,
    /// After a panic.
    Panicked,
}

impl<G: Game, B: Player<G>> Instance<G, B> {
    const TABLE: &'static abi::BotFunctions = &abi::BotFunctions {
        block_start: Some(block_start::<G, B>),
        deal_start: Some(deal_start::<G, B>),
        act: Some(act::<G, B>),
        deal_end: Some(deal_end::<G, B>),
        get_extension: None,
        last_error: Some(last_error::<G, B>),
        destroy: Some(destroy::<G, B>),
    };
}

/// Creates an instance before the start of its block.
///
/// # Errors
/// Returns an error if the host's struct is missing or older than this library.
///
/// # Safety
/// `host` must be null or a host's struct that outlives the instance.
pub(super) unsafe fn create<G: Game, B: Player<G>>(
    host: *const abi::Host,
    config: B::Config,
) -> Result<*mut Bot, Failure> {
    // SAFETY: the pointer is not null; the caller guarantees the rest.
    if host.is_null() || (unsafe { (*host).struct_size } as usize) < size_of::<abi::Host>() {
        return Err(Failure::new(
            E_FAIL,
            "the host's struct is null or too short",
        ));
    }
    let instance = Box::new(Instance::<G, B> {
        header: Bot {
            functions: Instance::<G, B>::TABLE,
            bot_data: ptr::null_mut(),
        },
        state: State::Created(config),
        // SAFETY: the host's struct outlives the instance.
        services: unsafe { Services::request(host) },
        error: String::new(),
        history: Vec::new(),
        legal: Vec::new(),
    });
    Ok(Box::into_raw(instance).cast())
}

/// Runs `call` on the instance of `bot`.
///
/// # Safety
/// `bot` must be null or come from [`create`] for the same `G` and `B`. It must not be destroyed,
/// and no other call on it may be running.
#[inline]
unsafe fn with_instance<G: Game, B: Player<G>>(
    bot: *mut Bot,
    call: impl FnOnce(&mut Instance<G, B>) -> Result<Status, Failure>,
) -> Status {
    // SAFETY: the caller guarantees the pointer.
    let Some(instance) = (unsafe { bot.cast::<Instance<G, B>>().as_mut() }) else {
        return E_FAIL;
    };
    match panics::guard(|| call(instance)) {
        Ok(Ok(status)) => status,
        Ok(Err(failure)) => {
            // Keep the message of the panic after which the instance is unusable.
            if !matches!(instance.state, State::Panicked) {
                instance.error = failure.text;
            }
            failure.status
        }
        Err(panic) => record_panic(instance, panic),
    }
}

#[cold]
fn record_panic<G: Game, B: Player<G>>(instance: &mut Instance<G, B>, panic: String) -> Status {
    instance.error = format!("panicked: {panic}");
    // Dropping the bot may panic again.
    let remains = std::mem::replace(&mut instance.state, State::Panicked);
    let _ = panics::guard(|| drop(remains));
    E_PANIC
}

impl<B, C> State<B, C> {
    #[inline]
    fn playing(&mut self, call: &str) -> Result<&mut B, Failure> {
        match self {
            State::Playing(bot) => Ok(bot),
            other => Err(other.wrong_order(call)),
        }
    }

    #[cold]
    fn wrong_order(&self, call: &str) -> Failure {
        let problem = match self {
            State::Created(_) => "before block_start",
            State::Playing(_) => "twice: an instance plays one block",
            State::Refused => "after the bot had refused the block",
            State::Panicked => return Failure::new(E_PANIC, ""),
        };
        Failure::new(E_FAIL, format!("{call} was called {problem}"))
    }
}

/// Returns the struct at `ptr` if it is complete. `what` names the struct in errors.
///
/// # Safety
/// `ptr` must be null or point to a struct that is valid for `'a` and starts with its size in
/// bytes.
#[inline]
unsafe fn complete_struct<'a, T>(what: &str, ptr: *const T) -> Result<&'a T, Failure> {
    if ptr.is_null() || !ptr.is_aligned() {
        return Err(incomplete_struct(what));
    }
    // SAFETY: the pointer is not null and aligned, so the size can be read.
    let size = unsafe { *ptr.cast::<u32>() };
    if (size as usize) < size_of::<T>() {
        return Err(incomplete_struct(what));
    }
    // SAFETY: the pointer is not null and aligned, and the struct is long enough by its size field.
    Ok(unsafe { &*ptr })
}

#[cold]
fn incomplete_struct(what: &str) -> Failure {
    Failure::new(
        E_FAIL,
        format!("the host's {what} is null, not aligned, or shorter than in the first release"),
    )
}

/// Returns a text of the host as a string. `what` names the text in errors.
///
/// # Safety
/// `text` must point to as many bytes as its length, valid for `'a`.
pub(super) unsafe fn read_text<'a>(what: &str, text: Text) -> Result<&'a str, Failure> {
    let bytes = match (text.len, text.ptr) {
        (0, _) => &[],
        (_, ptr) if ptr.is_null() => {
            return Err(Failure::new(E_FAIL, format!("the host's {what} is null")));
        }
        (len, ptr) => {
            let len = usize::try_from(len)
                .map_err(|_| Failure::new(E_FAIL, format!("the host's {what} is too long")))?;
            // SAFETY: the pointer is not null; the caller guarantees the length.
            unsafe { slice::from_raw_parts(ptr.cast::<u8>(), len) }
        }
    };
    str::from_utf8(bytes)
        .map_err(|e| Failure::new(E_FAIL, format!("the host's {what} is not UTF-8: {e}")))
}

unsafe extern "C" fn block_start<G: Game, B: Player<G>>(
    bot: *mut Bot,
    info: *const abi::BlockInfo,
) -> Status {
    let start = |instance: &mut Instance<G, B>| {
        // SAFETY: the host guarantees its struct.
        let info = unsafe { complete_struct("block", info) }?;
        // SAFETY: the texts are valid for the call.
        let (game, options) = unsafe {
            (
                read_text("game", info.game)?,
                read_text("options", info.options_json)?,
            )
        };
        let State::Created(_) = &instance.state else {
            return Err(instance.state.wrong_order("block_start"));
        };
        if game != G::ID {
            return Err(Failure::new(
                E_UNSUPPORTED,
                format!("this bot plays {}, not {game}", G::ID),
            ));
        }
        let State::Created(config) = std::mem::replace(&mut instance.state, State::Refused) else {
            unreachable!("the state was checked above")
        };
        let block = Block {
            players: info.players as usize,
            player: info.player as usize,
            deals: info.deals,
            seed: info.seed,
            options_json: options.into(),
            host: Host(&instance.services),
            game: std::marker::PhantomData,
        };
        let player = B::new(config, &block).map_err(|text| Failure::new(E_UNSUPPORTED, text))?;
        instance.state = State::Playing(player);
        Ok(OK)
    };
    // SAFETY: the host guarantees that this library created `bot`.
    unsafe { with_instance(bot, start) }
}

/// Returns [`UNUSED`] if the bot does not need this call again, otherwise [`OK`].
fn call_status(is_unused: &Cell<bool>) -> Status {
    if is_unused.get() { UNUSED } else { OK }
}

unsafe extern "C" fn deal_start<G: Game, B: Player<G>>(
    bot: *mut Bot,
    info: *const abi::DealInfo,
) -> Status {
    let start = |instance: &mut Instance<G, B>| {
        let player = instance.state.playing("deal_start")?;
        // SAFETY: the host guarantees its struct.
        let d = unsafe { complete_struct("deal", info) }?;
        // SAFETY: view and history have the lengths in the struct and are valid for the call.
        let start = unsafe {
            DealStart {
                view: view(d.view, d.view_size)?,
                history: records(
                    "event",
                    d.history,
                    d.history_count,
                    d.history_stride,
                    &mut instance.history,
                )?,
                host: Host(&instance.services),
                is_unused: Cell::new(false),
            }
        };
        player.deal_start(&start);
        Ok(call_status(&start.is_unused))
    };
    // SAFETY: the host guarantees that this library created `bot`.
    unsafe { with_instance::<G, B>(bot, start) }
}

unsafe extern "C" fn act<G: Game, B: Player<G>>(
    bot: *mut Bot,
    decision: *const Decision,
    choice: *mut Choice,
) -> Status {
    let decide = |instance: &mut Instance<G, B>| {
        let player = instance.state.playing("act")?;
        // SAFETY: the host guarantees its structs. The choice contains its size, and only this call
        // uses it.
        let d = unsafe { complete_struct("decision", decision) }?;
        // SAFETY: the host guarantees its structs.
        unsafe { complete_struct("choice", choice.cast_const()) }?;
        // SAFETY: view, history and actions have the lengths in the decision and are valid for the
        // call.
        let turn = unsafe {
            Turn {
                view: view(d.view, d.view_size)?,
                history: records(
                    "event",
                    d.history,
                    d.history_count,
                    d.history_stride,
                    &mut instance.history,
                )?,
                legal: records(
                    "action",
                    d.actions,
                    d.action_count,
                    d.action_stride,
                    &mut instance.legal,
                )?,
                budget_us: d.budget_us,
                host: Host(&instance.services),
            }
        };
        let answer = player.choose(&turn);
        // An index above `u32::MAX` is not in the list either; the host reports the error.
        let action = u32::try_from(answer.action).unwrap_or(u32::MAX);
        // SAFETY: the pointer was checked above, and the bot has no access to the struct.
        unsafe {
            (*choice).action = action;
            (*choice).amount = answer.amount;
        }
        Ok(OK)
    };
    // SAFETY: the host guarantees that this library created `bot`.
    unsafe { with_instance::<G, B>(bot, decide) }
}

unsafe extern "C" fn deal_end<G: Game, B: Player<G>>(
    bot: *mut Bot,
    result: *const abi::DealResult,
) -> Status {
    let end = |instance: &mut Instance<G, B>| {
        let player = instance.state.playing("deal_end")?;
        // SAFETY: the host guarantees its struct.
        let r = unsafe { complete_struct("result", result) }?;
        let mut copies = Vec::new();
        // SAFETY: view, history and payoffs have the lengths in the result and are valid for the
        // call.
        let end = unsafe {
            DealEnd {
                view: view(r.view, r.view_size)?,
                history: records(
                    "event",
                    r.history,
                    r.history_count,
                    r.history_stride,
                    &mut instance.history,
                )?,
                payoffs: records("payoffs", r.payoffs.cast(), r.payoff_count, 8, &mut copies)?,
                host: Host(&instance.services),
                is_unused: Cell::new(false),
            }
        };
        player.deal_end(&end);
        Ok(call_status(&end.is_unused))
    };
    // SAFETY: the host guarantees that this library created `bot`.
    unsafe { with_instance::<G, B>(bot, end) }
}

unsafe extern "C" fn last_error<G: Game, B: Player<G>>(bot: *const Bot) -> Text {
    // SAFETY: the host guarantees that `bot` is null or was created by this library.
    let instance = unsafe { bot.cast::<Instance<G, B>>().as_ref() };
    crate::host::text(instance.map_or("", |instance| instance.error.as_str()))
}

unsafe extern "C" fn destroy<G: Game, B: Player<G>>(bot: *mut Bot) {
    if bot.is_null() {
        return;
    }
    let free = || {
        // SAFETY: the pointer came from `Box::into_raw` in `create`, and the host destroys an
        // instance once.
        drop(unsafe { Box::from_raw(bot.cast::<Instance<G, B>>()) });
    };
    // A destructor that panics may leak memory; the error cannot be reported any more.
    let _ = panics::guard(free);
}
