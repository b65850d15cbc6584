//! The service of look-ahead in daihinmin, as compiled bots call it.

#![expect(unsafe_code, reason = "the functions of the service are called through the C interface")]

use super::services::{State, state};
use crate::agent::lookahead::{Records, Refusal};
use hattari_plugin::abi;
use hattari_plugin::games::daihinmin::PLAYERS;
use hattari_search::daihinmin::Playout;
use std::ffi::c_void;
use std::slice;
use std::sync::PoisonError;

/// The table.
pub static SERVICE: abi::DaihinminSearchService =
    abi::DaihinminSearchService { sample: Some(sample), playouts: Some(playouts) };

unsafe extern "C" fn sample(
    host: *const abi::Host,
    decision: *const abi::Decision,
    count: u32,
    hands: *mut u64,
) -> abi::Status {
    // SAFETY: the bot passes the host that it was created with.
    let Some(state) = (unsafe { state(host) }) else { return abi::E_FAIL };
    // SAFETY: looked up in the state, which names none but a living decision.
    let Some(records) = (unsafe { asked(state, decision) }) else { return abi::E_FAIL };
    if hands.is_null() {
        return abi::E_FAIL;
    }
    let mut next = hands;
    let mut lookahead = state.lookahead.lock().unwrap_or_else(PoisonError::into_inner);
    let outcome = lookahead.sample(&records, count, |drawn| {
        for &hand in drawn {
            // SAFETY: the bot gives room for five sets a deal, says the contract; the write needs no alignment.
            unsafe {
                next.write_unaligned(hand);
                next = next.add(1);
            }
        }
    });
    outcome.map_or_else(status, |()| abi::OK)
}

unsafe extern "C" fn playouts(
    host: *const abi::Host,
    decision: *const abi::Decision,
    hands: *const u64,
    count: u32,
    playouts: u32,
    policy: u32,
    points: *mut f64,
) -> abi::Status {
    // SAFETY: the bot passes the host that it was created with.
    let Some(state) = (unsafe { state(host) }) else { return abi::E_FAIL };
    // SAFETY: looked up in the state, which names none but a living decision.
    let Some(records) = (unsafe { asked(state, decision) }) else { return abi::E_FAIL };
    let policy = match policy {
        abi::PLAYOUT_UNIFORM => Playout::Uniform,
        abi::PLAYOUT_FITTED => Playout::Fitted,
        _ => return abi::E_FAIL,
    };
    if hands.is_null() || !hands.is_aligned() || points.is_null() {
        return abi::E_FAIL;
    }
    // SAFETY: the bot gives five sets a deal, says the contract, and they are aligned.
    let deals: &[[u64; PLAYERS]] = unsafe { slice::from_raw_parts(hands.cast(), count as usize) };
    let mut next = points;
    let mut lookahead = state.lookahead.lock().unwrap_or_else(PoisonError::into_inner);
    let outcome = lookahead.playouts(
        &records,
        deals.iter(),
        playouts,
        policy,
        || state.is_late(),
        |mean| {
            // SAFETY: the bot gives room for a number an action and deal, says the contract; the write needs no alignment.
            unsafe {
                next.write_unaligned(mean);
                next = next.add(1);
            }
        },
    );
    outcome.map_or_else(status, |()| abi::OK)
}

/// The records of the decision that the bot is asked for, `None` for any other.
///
/// # Safety
/// The decision that the state names lives, with what it points to.
unsafe fn asked<'a>(state: &State, decision: *const abi::Decision) -> Option<Records<'a>> {
    if !state.is_asked(decision) {
        return None;
    }
    // SAFETY: it is the host's own decision, which lives while the bot is asked.
    let decision = unsafe { &*decision };
    let bytes = |records: *const c_void, bytes: usize| {
        if records.is_null() || bytes == 0 {
            return &[][..];
        }
        // SAFETY: pointers and sizes of the host's decision belong together and hold for the call.
        unsafe { slice::from_raw_parts(records.cast::<u8>(), bytes) }
    };
    let list = |count: u32, stride: u32| count as usize * stride as usize;
    let view = bytes(decision.view, decision.view_size as usize);
    let history = bytes(decision.history, list(decision.history_count, decision.history_stride));
    let actions = bytes(decision.actions, list(decision.action_count, decision.action_stride));
    Records::read(view, history, actions).ok()
}

fn status(refusal: Refusal) -> abi::Status {
    match refusal {
        Refusal::Exchange => abi::E_UNSUPPORTED,
        Refusal::Late => abi::E_STOPPED,
        Refusal::OtherGame | Refusal::NoDecision | Refusal::Unfit => abi::E_FAIL,
    }
}
