//! The functions of one instance: C calls in, the bot's methods out.
//!
//! Every function checks its pointers, keeps panics in, and leaves a text for `last_error` when it
//! fails. After a panic the instance is dead: each later call returns the same status, only
//! `destroy` does something.
#![expect(
    unsafe_code,
    reason = "the C side of the border hands over raw pointers"
)]

use super::records::{numbers, record, records};
use super::{Failure, panics};
use crate::abi::{self, Bot, Choice, Decision, E_FAIL, E_PANIC, E_UNSUPPORTED, OK, Status, Text};
use crate::games::Game;
use crate::host::{Host, Services};
use crate::{Block, DealEnd, DealStart, Player, Turn};
use core::ptr;
use std::{slice, str};

/// An instance. The host's pointer to its [`Bot`] is a pointer to all of it.
#[repr(C)]
struct Instance<G: Game, B: Player<G>> {
    header: Bot,
    state: State<B, B::Config>,
    services: Services,
    error: String,
    /// Reused where the host's records are longer than ours.
    history: Vec<G::Event>,
    legal: Vec<G::Action>,
}

enum State<B, C> {
    /// Waits for the block to start.
    Created(C),
    /// Plays.
    Playing(B),
    /// Refused the block.
    Refused,
    /// Has panicked.
    Dead,
}

struct Functions<G, B>(std::marker::PhantomData<(G, B)>);

impl<G: Game, B: Player<G>> Functions<G, B> {
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

/// Creates an instance that waits for its block.
///
/// # Errors
/// A host without a struct, or one older than this library.
///
/// # Safety
/// `host` is null or a host's struct that outlives the instance.
pub(super) unsafe fn create<G: Game, B: Player<G>>(
    host: *const abi::Host,
    config: B::Config,
) -> Result<*mut Bot, Failure> {
    // SAFETY: not null after the check; the caller vouches for the rest.
    if host.is_null() || (unsafe { (*host).struct_size } as usize) < size_of::<abi::Host>() {
        return Err(Failure::new(
            E_FAIL,
            "the host gave no struct of its own, or one too short",
        ));
    }
    let instance = Box::new(Instance::<G, B> {
        header: Bot {
            functions: Functions::<G, B>::TABLE,
            bot_data: ptr::null_mut(),
        },
        state: State::Created(config),
        // SAFETY: the host's struct outlives the instance.
        services: unsafe { Services::ask(host) },
        error: String::new(),
        history: Vec::new(),
        legal: Vec::new(),
    });
    Ok(Box::into_raw(instance).cast())
}

/// Runs `call` on the instance behind `bot`.
///
/// # Safety
/// `bot` is null or came from [`create`] for the same `G` and `B`, is not destroyed, and no other
/// call is under way on it.
#[inline]
unsafe fn enter<G: Game, B: Player<G>>(
    bot: *mut Bot,
    call: impl FnOnce(&mut Instance<G, B>) -> Result<(), Failure>,
) -> Status {
    // SAFETY: the caller vouches for the pointer.
    let Some(instance) = (unsafe { bot.cast::<Instance<G, B>>().as_mut() }) else {
        return E_FAIL;
    };
    match panics::guard(|| call(instance)) {
        Ok(Ok(())) => OK,
        Ok(Err(failure)) => fail(instance, failure),
        Err(panic) => kill(instance, panic),
    }
}

#[cold]
fn fail<G: Game, B: Player<G>>(instance: &mut Instance<G, B>, failure: Failure) -> Status {
    // Of a dead instance, the panic that killed it stays the thing to tell.
    if !matches!(instance.state, State::Dead) {
        instance.error = failure.text;
    }
    failure.status
}

#[cold]
fn kill<G: Game, B: Player<G>>(instance: &mut Instance<G, B>, panic: String) -> Status {
    instance.error = format!("panicked: {panic}");
    // What is left of the bot may panic once more as it goes.
    let remains = std::mem::replace(&mut instance.state, State::Dead);
    let _ = panics::guard(|| drop(remains));
    E_PANIC
}

impl<B, C> State<B, C> {
    #[inline]
    fn playing(&mut self, call: &str) -> Result<&mut B, Failure> {
        match self {
            State::Playing(bot) => Ok(bot),
            other => Err(other.misuse(call)),
        }
    }

    #[cold]
    fn misuse(&self, call: &str) -> Failure {
        match self {
            State::Created(_) => {
                Failure::new(E_FAIL, format!("{call} was called before block_start"))
            }
            State::Playing(_) => Failure::new(
                E_FAIL,
                format!("{call} was called twice: an instance plays one block"),
            ),
            State::Refused => Failure::new(
                E_FAIL,
                format!("{call} was called after the bot had refused the block"),
            ),
            State::Dead => Failure::new(E_PANIC, ""),
        }
    }
}

/// The struct behind `ptr`, if the host gave all of it.
///
/// # Safety
/// `ptr` is null or points to a struct whose first field is its size in bytes, and which holds for
/// `'a`.
#[inline]
unsafe fn whole<'a, T>(what: &str, ptr: *const T) -> Result<&'a T, Failure> {
    if ptr.is_null() || !ptr.is_aligned() {
        return Err(not_whole(what));
    }
    // SAFETY: not null, and aligned, so that its size can be read.
    let size = unsafe { *ptr.cast::<u32>() };
    if (size as usize) < size_of::<T>() {
        return Err(not_whole(what));
    }
    // SAFETY: not null, aligned, and long enough by its own word.
    Ok(unsafe { &*ptr })
}

#[cold]
fn not_whole(what: &str) -> Failure {
    Failure::new(
        E_FAIL,
        format!("the host's {what} is null, not aligned, or shorter than its first release"),
    )
}

/// The text behind `text`.
///
/// # Safety
/// `text` points to as many bytes as it says, which hold for `'a`.
pub(super) unsafe fn read_text<'a>(what: &str, text: Text) -> Result<&'a str, Failure> {
    let bytes = match (text.len, text.ptr) {
        (0, _) => &[],
        (_, ptr) if ptr.is_null() => {
            return Err(Failure::new(E_FAIL, format!("the host's {what} is null")));
        }
        (len, ptr) => {
            let len = usize::try_from(len)
                .map_err(|_| Failure::new(E_FAIL, format!("the host's {what} has no end")))?;
            // SAFETY: not null; the caller vouches for the length.
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
        // SAFETY: the host vouches for its struct.
        let info = unsafe { whole("block", info) }?;
        // SAFETY: the texts hold for the call.
        let (game, options) = unsafe {
            (
                read_text("game", info.game)?,
                read_text("options", info.options_json)?,
            )
        };
        let State::Created(_) = &instance.state else {
            return Err(instance.state.misuse("block_start"));
        };
        if game != G::ID {
            return Err(Failure::new(
                E_UNSUPPORTED,
                format!("this bot plays {}, not {game}", G::ID),
            ));
        }
        let State::Created(config) = std::mem::replace(&mut instance.state, State::Refused) else {
            unreachable!("the state was looked at above")
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
        Ok(())
    };
    // SAFETY: `bot` is one of ours, as the host vouches.
    unsafe { enter(bot, start) }
}

unsafe extern "C" fn deal_start<G: Game, B: Player<G>>(
    bot: *mut Bot,
    info: *const abi::DealInfo,
) -> Status {
    let start = |instance: &mut Instance<G, B>| {
        let player = instance.state.playing("deal_start")?;
        // SAFETY: the host vouches for its struct.
        let d = unsafe { whole("deal", info) }?;
        // SAFETY: view and history are as long as the struct says and hold for the call.
        let start = unsafe {
            DealStart {
                view: record("view", d.view, d.view_size)?,
                history: records(
                    "event",
                    d.history,
                    d.history_count,
                    d.history_stride,
                    &mut instance.history,
                )?,
                host: Host(&instance.services),
            }
        };
        player.deal_start(&start);
        Ok(())
    };
    // SAFETY: `bot` is one of ours, as the host vouches.
    unsafe { enter::<G, B>(bot, start) }
}

unsafe extern "C" fn act<G: Game, B: Player<G>>(
    bot: *mut Bot,
    decision: *const Decision,
    choice: *mut Choice,
) -> Status {
    let decide = |instance: &mut Instance<G, B>| {
        let player = instance.state.playing("act")?;
        // SAFETY: the host vouches for its structs; the answer's has its size written in it, and
        // nobody else uses it now.
        let d = unsafe { whole("decision", decision) }?;
        // SAFETY: as above.
        unsafe { whole("choice", choice.cast_const()) }?;
        // SAFETY: view, history and actions are as long as the decision says and hold for the call.
        let turn = unsafe {
            Turn {
                view: record("view", d.view, d.view_size)?,
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
        // An index that does not fit is as illegal as any other that is not in the list; the host
        // says so.
        let action = u32::try_from(answer.action).unwrap_or(u32::MAX);
        // SAFETY: checked above, and the bot cannot reach it.
        unsafe {
            (*choice).action = action;
            (*choice).amount = answer.amount;
        }
        Ok(())
    };
    // SAFETY: `bot` is one of ours, as the host vouches.
    unsafe { enter::<G, B>(bot, decide) }
}

unsafe extern "C" fn deal_end<G: Game, B: Player<G>>(
    bot: *mut Bot,
    result: *const abi::DealResult,
) -> Status {
    let end = |instance: &mut Instance<G, B>| {
        let player = instance.state.playing("deal_end")?;
        // SAFETY: the host vouches for its struct.
        let r = unsafe { whole("result", result) }?;
        // SAFETY: view, history and payoffs are as long as the result says and hold for the call.
        let end = unsafe {
            DealEnd {
                view: record("view", r.view, r.view_size)?,
                history: records(
                    "event",
                    r.history,
                    r.history_count,
                    r.history_stride,
                    &mut instance.history,
                )?,
                payoffs: numbers("payoffs", r.payoffs, r.payoff_count)?,
                host: Host(&instance.services),
            }
        };
        player.deal_end(&end);
        Ok(())
    };
    // SAFETY: `bot` is one of ours, as the host vouches.
    unsafe { enter::<G, B>(bot, end) }
}

unsafe extern "C" fn last_error<G: Game, B: Player<G>>(bot: *const Bot) -> Text {
    // SAFETY: `bot` is null or one of ours, as the host vouches.
    match unsafe { bot.cast::<Instance<G, B>>().as_ref() } {
        Some(instance) => Text {
            ptr: instance.error.as_ptr().cast(),
            len: instance.error.len() as u64,
        },
        None => Text {
            ptr: ptr::null(),
            len: 0,
        },
    }
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
    // A destructor that panics leaks at worst; there is nobody left to tell.
    let _ = panics::guard(free);
}
