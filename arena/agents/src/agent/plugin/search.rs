//! The service of look-ahead in daihinmin, as compiled bots call it.

#![expect(
    unsafe_code,
    reason = "the functions of the service are called through the C interface"
)]

use super::state::state;
use crate::agent::lookahead::{Asked, Refusal};
use hattari_plugin::abi;
use hattari_plugin::games::daihinmin::PLAYERS;
use hattari_search::daihinmin::Playout;
use std::slice;
use std::sync::PoisonError;

/// The table.
pub(super) static SERVICE: abi::DaihinminSearchService = abi::DaihinminSearchService {
    sample: Some(sample),
    playouts: Some(playouts),
};

unsafe extern "C" fn sample(
    host: *const abi::Host,
    decision: *const abi::Decision,
    count: u32,
    hands: *mut u64,
) -> abi::Status {
    // SAFETY: the bot passes the host that it was created with.
    let Some(state) = (unsafe { state(host) }) else {
        return abi::E_FAIL;
    };
    // SAFETY: the bot calls while it is asked, says the contract.
    let Some(turn) = (unsafe { state.asked(decision) }) else {
        return abi::E_FAIL;
    };
    let Ok(asked) = Asked::read(turn) else {
        return abi::E_FAIL;
    };
    if count == 0 || hands.is_null() {
        return abi::E_FAIL;
    }
    let mut next = hands;
    let mut lookahead = state
        .lookahead
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    let outcome = lookahead.sample(&asked, count, |drawn| {
        for &hand in drawn {
            // SAFETY: the bot gives room for five sets a deal, says the contract; the write needs
            // no alignment.
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
    let Some(state) = (unsafe { state(host) }) else {
        return abi::E_FAIL;
    };
    // SAFETY: the bot calls while it is asked, says the contract.
    let Some(turn) = (unsafe { state.asked(decision) }) else {
        return abi::E_FAIL;
    };
    let Ok(asked) = Asked::read(turn) else {
        return abi::E_FAIL;
    };
    let policy = match policy {
        abi::PLAYOUT_UNIFORM => Playout::Uniform,
        abi::PLAYOUT_FITTED => Playout::Fitted,
        _ => return abi::E_FAIL,
    };
    if count == 0 || playouts == 0 || hands.is_null() || !hands.is_aligned() || points.is_null() {
        return abi::E_FAIL;
    }
    // SAFETY: the bot gives five sets a deal, says the contract, and they are aligned.
    let deals: &[[u64; PLAYERS]] = unsafe { slice::from_raw_parts(hands.cast(), count as usize) };
    let mut next = points;
    let mut lookahead = state
        .lookahead
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    let outcome = lookahead.playouts(
        &asked,
        deals.iter(),
        playouts,
        policy,
        || state.is_late(),
        |mean| {
            // SAFETY: the bot gives room for a number an action and deal, says the contract; the
            // write needs no alignment.
            unsafe {
                next.write_unaligned(mean);
                next = next.add(1);
            }
        },
    );
    outcome.map_or_else(status, |()| abi::OK)
}

fn status(refusal: Refusal) -> abi::Status {
    match refusal {
        Refusal::Exchange => abi::E_UNSUPPORTED,
        Refusal::Late => abi::E_STOPPED,
        Refusal::OtherGame | Refusal::NoDecision | Refusal::Unfit => abi::E_FAIL,
    }
}
