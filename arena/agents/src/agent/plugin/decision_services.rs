//! Services for decisions, as compiled bots call them.

#![expect(
    unsafe_code,
    reason = "the functions of the services are called through the C interface"
)]

use super::state::{State, state};
use crate::agent::services::{self, Caller, Refusal, Request, Service};
use hattari_plugin::abi;
use std::sync::PoisonError;
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
    let call = Call {
        host,
        decision,
        hands: ptr::null(),
        count,
        numbers: [0; 2],
        results: hands.cast(),
    };
    // SAFETY: the bot keeps to the contract of the C interface.
    unsafe { call.run(&services::LOOKAHEAD, 0) }
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
    let call = Call {
        host,
        decision,
        hands,
        count,
        numbers: [playouts, policy],
        results: points.cast(),
    };
    // SAFETY: the bot keeps to the contract of the C interface.
    unsafe { call.run(&services::LOOKAHEAD, 1) }
}

unsafe extern "C" fn tricks(
    host: *const abi::Host,
    decision: *const abi::Decision,
    hands: *const u64,
    count: u32,
    tricks: *mut u8,
) -> abi::Status {
    let call = Call {
        host,
        decision,
        hands,
        count,
        numbers: [0; 2],
        results: tricks,
    };
    // SAFETY: the bot keeps to the contract of the C interface.
    unsafe { call.run(&services::DOUBLE_DUMMY, 0) }
}

/// The arguments of a call.
struct Call {
    host: *const abi::Host,
    decision: *const abi::Decision,
    hands: *const u64,
    count: u32,
    numbers: [u32; 2],
    results: *mut u8,
}

impl Call {
    /// Calls a method.
    ///
    /// # Safety
    /// The bot passes the host that it was created with, and calls while it makes a decision. If
    /// the method takes deals, `hands` is null or points to `count` of them. `results` is null or
    /// has room for the results.
    unsafe fn run(&self, service: &Service, number: usize) -> abi::Status {
        let method = &service.methods[number];
        // SAFETY: required from the caller.
        let turn = unsafe {
            state(self.host).and_then(|state| Some((state, state.asked(self.decision)?)))
        };
        let Some((state, turn)) = turn else {
            return abi::E_FAIL;
        };
        let has_deals = !method.takes_deals || !self.hands.is_null() && self.hands.is_aligned();
        if !has_deals || self.results.is_null() || !method.accepts(self.count, self.numbers) {
            return abi::E_FAIL;
        }
        let deals = if method.takes_deals {
            // SAFETY: required from the caller; the pointer has been checked.
            unsafe { slice::from_raw_parts(self.hands, self.count as usize * service.seats) }
        } else {
            &[]
        };
        let request = Request {
            count: self.count,
            deals,
            numbers: self.numbers,
        };
        let mut results = Results {
            state,
            next: self.results,
        };
        let mut services = state
            .services
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let outcome = services.call(service, number, turn, &request, &mut results);
        outcome.map_or_else(Refusal::status, |()| abi::OK)
    }
}

/// The place for the results of a call that runs.
struct Results<'a> {
    state: &'a State,
    next: *mut u8,
}

impl Caller for Results<'_> {
    fn pay(&mut self, _work: u64) -> Result<(), Refusal> {
        Ok(())
    }

    fn is_late(&self) -> bool {
        self.state.is_late()
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), Refusal> {
        // SAFETY: the bot gives room for all results of the call, says the contract.
        unsafe {
            ptr::copy_nonoverlapping(bytes.as_ptr(), self.next, bytes.len());
            self.next = self.next.add(bytes.len());
        }
        Ok(())
    }
}
