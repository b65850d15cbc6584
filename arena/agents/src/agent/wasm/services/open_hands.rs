//! Bridge with open hands.

use crate::agent::open_hands::Refusal;
use crate::agent::wasm::caller::{FUEL_OF_CALL, memory_mut, memory_of, outside, pay};
use crate::agent::wasm::memory;
use crate::agent::wasm::state::State;
use hattari_plugin::abi;
use std::rc::Rc;
use wasmtime::{Caller, Func, Result};

/// Fuel of a deal, and of each card that its search plays.
const FUEL_OF_DEAL: u64 = 10_000;
const FUEL_OF_CARD: u64 = 100;
/// Sets of a deal.
const HANDS: u32 = 4;
/// Bytes of a deal.
const DEAL: u32 = 8 * HANDS;

pub(super) fn functions(caller: &mut Caller<'_, State>) -> Vec<Func> {
    vec![Func::wrap(
        caller,
        |mut caller: Caller<'_, State>,
         host: u32,
         decision: u32,
         hands: u32,
         count: u32,
         tricks: u32|
         -> Result<i32> {
            pay(&mut caller, FUEL_OF_CALL)?;
            let services = &caller.data().services;
            let fits = services.is_host(host) && services.is_decision(decision);
            if !fits || count == 0 || hands == 0 || !hands.is_multiple_of(8) || tricks == 0 {
                return Ok(abi::E_FAIL);
            }
            solve(&mut caller, hands, count, tricks)
        },
    )]
}

/// Writes the numbers of one deal after the other.
fn solve(caller: &mut Caller<'_, State>, hands: u32, count: u32, tricks: u32) -> Result<i32> {
    pay(caller, FUEL_OF_DEAL * u64::from(count))?;
    memory::bytes(
        memory_of(caller)?,
        hands,
        u64::from(DEAL) * u64::from(count),
    )
    .map_err(outside("tricks"))?;
    let mut next = tricks;
    for deal in 0..count {
        let hands: [u64; HANDS as usize] =
            memory::read(memory_of(caller)?, hands + DEAL * deal).map_err(outside("tricks"))?;
        let services = &mut caller.data_mut().services;
        if services.is_late() {
            return Ok(abi::E_STOPPED);
        }
        let turn = Rc::clone(&services.turn);
        let solved = turn.read(|turn| {
            let asked = services.open_hands.read(turn.ok_or(Refusal::NoDecision)?)?;
            services.open_hands.tricks(&asked, &hands)
        });
        let Ok((numbers, work)) = solved else {
            return Ok(abi::E_FAIL);
        };
        pay(caller, work.saturating_mul(FUEL_OF_CARD))?;
        let room = memory::bytes_mut(memory_mut(caller)?, next, numbers.len() as u64)
            .map_err(outside("tricks"))?;
        room.copy_from_slice(&numbers);
        next = next.wrapping_add(u32::try_from(numbers.len()).unwrap_or(u32::MAX));
    }
    Ok(abi::OK)
}
