//! The service of bridge with open hands, as compiled bots call it.

#![expect(
    unsafe_code,
    reason = "the functions of the service are called through the C interface"
)]

use super::state::{State, state};
use crate::agent::Turn;
use crate::agent::open_hands::Refusal;
use hattari_plugin::abi;
use std::slice;
use std::sync::PoisonError;

/// The table.
pub(super) static SERVICE: abi::BridgeDoubleDummyService = abi::BridgeDoubleDummyService {
    tricks: Some(tricks),
};

unsafe extern "C" fn tricks(
    host: *const abi::Host,
    decision: *const abi::Decision,
    hands: *const u64,
    count: u32,
    tricks: *mut u8,
) -> abi::Status {
    // SAFETY: the bot passes the host that it was created with.
    let Some(state) = (unsafe { state(host) }) else {
        return abi::E_FAIL;
    };
    // SAFETY: the bot calls while it is asked, says the contract.
    let Some(turn) = (unsafe { state.asked(decision) }) else {
        return abi::E_FAIL;
    };
    if count == 0 || hands.is_null() || !hands.is_aligned() || tricks.is_null() {
        return abi::E_FAIL;
    }
    // SAFETY: the bot gives four sets a deal, says the contract, and they are aligned.
    let deals: &[[u64; 4]] = unsafe { slice::from_raw_parts(hands.cast(), count as usize) };
    // SAFETY: the bot gives room for a number an action and deal, says the contract.
    match unsafe { solve(state, turn, deals, tricks) } {
        Ok(()) => abi::OK,
        Err(Refusal::Late) => abi::E_STOPPED,
        Err(Refusal::OtherGame | Refusal::NoDecision | Refusal::Unfit) => abi::E_FAIL,
    }
}

/// Writes the numbers of one deal after the other.
///
/// # Safety
/// `next` has room for a number an action and deal.
unsafe fn solve(
    state: &State,
    turn: &Turn<'_>,
    deals: &[[u64; 4]],
    mut next: *mut u8,
) -> Result<(), Refusal> {
    let mut open_hands = state
        .open_hands
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    let asked = open_hands.read(turn)?;
    for hands in deals {
        if state.is_late() {
            return Err(Refusal::Late);
        }
        for number in open_hands.tricks(&asked, hands)?.0 {
            // SAFETY: by the contract of this function.
            unsafe {
                next.write(number);
                next = next.add(1);
            }
        }
    }
    Ok(())
}
