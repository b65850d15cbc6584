//! The functions through which compiled bots call the services for decisions.

#![expect(
    unsafe_code,
    reason = "the functions of the services are called through the C interface"
)]

use super::state::state;
use crate::agent::services::{Request, Service, ServiceRefusal, ServiceStep};
use crate::agent::{lock, services};
use hattari_plugin::abi;
use std::{ptr, slice};

pub(super) static LOOKAHEAD: abi::DaihinminSearchService = abi::DaihinminSearchService {
    sample: Some(sample),
    playouts: Some(playouts),
};
pub(super) static DOUBLE_DUMMY: abi::BridgeDoubleDummyService = abi::BridgeDoubleDummyService {
    tricks: Some(tricks),
};

unsafe extern "C" fn sample(
    host: *const abi::Host,
    decision: *const abi::Decision,
    count: u32,
    hands: *mut u64,
) -> abi::Status {
    let method = (&services::LOOKAHEAD, 0);
    // SAFETY: required from the bot by the C interface.
    unsafe {
        call(
            method,
            host,
            decision,
            (ptr::null(), count),
            [0; 2],
            hands.cast(),
        )
    }
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
    let (method, numbers) = ((&services::LOOKAHEAD, 1), [playouts, policy]);
    // SAFETY: required from the bot by the C interface.
    unsafe {
        call(
            method,
            host,
            decision,
            (hands, count),
            numbers,
            points.cast(),
        )
    }
}

unsafe extern "C" fn tricks(
    host: *const abi::Host,
    decision: *const abi::Decision,
    hands: *const u64,
    count: u32,
    tricks: *mut u8,
) -> abi::Status {
    let method = (&services::DOUBLE_DUMMY, 0);
    // SAFETY: required from the bot by the C interface.
    unsafe { call(method, host, decision, (hands, count), [0; 2], tricks) }
}

/// Calls method `number` of a service, and returns the status of the C interface.
///
/// # Safety
/// The bot must pass the host that it was created with and call during a decision. `hands` must be
/// null or point to `count` deals, if the method takes deals. `results` must be null or have room
/// for the results.
unsafe fn call(
    (service, number): (&Service, usize),
    host: *const abi::Host,
    decision: *const abi::Decision,
    (hands, count): (*const u64, u32),
    numbers: [u32; 2],
    mut results: *mut u8,
) -> abi::Status {
    let method = &service.methods[number];
    // SAFETY: required from the caller.
    let asked =
        unsafe { state(host).and_then(|state| Some((state, state.current_turn(decision)?))) };
    let has_deals = !method.takes_deals || !hands.is_null() && hands.is_aligned();
    let is_valid = has_deals && !results.is_null() && method.accepts(count, numbers);
    let Some((state, turn)) = asked.filter(|_| is_valid) else {
        return abi::E_FAIL;
    };
    let deals = if method.takes_deals {
        // SAFETY: required from the caller; the pointer has been checked.
        unsafe { slice::from_raw_parts(hands, count as usize * service.seats) }
    } else {
        &[]
    };
    let request = Request {
        count,
        deals,
        numbers,
    };
    let mut caller = |step: ServiceStep<'_>| {
        match step {
            ServiceStep::Check if lock(&state.instance).is_late() => {
                return Err(ServiceRefusal::Late);
            }
            ServiceStep::Check | ServiceStep::Pay(_) => {}
            // SAFETY: there is room for all results of the call.
            ServiceStep::Write(bytes) => unsafe {
                ptr::copy_nonoverlapping(bytes.as_ptr(), results, bytes.len());
                results = results.add(bytes.len());
            },
        }
        Ok(())
    };
    let mut services = lock(&state.services);
    services
        .call(service, number, turn, &request, &mut caller)
        .map_or_else(ServiceRefusal::status, |()| abi::OK)
}
