//! Bridge with open hands.

use super::{memory_mut, memory_of, outside, pay, read_deals};
use crate::agent::open_hands::Refusal;
use crate::agent::wasm::guest::State;
use crate::agent::wasm::memory;
use hattari_plugin::abi;
use std::rc::Rc;
use wasmtime::{Caller, Func, Result};

/// Fuel of a deal, and of each card that its search plays.
const FUEL_OF_DEAL: u64 = 10_000;
const FUEL_OF_CARD: u64 = 100;
/// Sets of a deal.
const HANDS: usize = 4;

pub(super) fn functions(caller: &mut Caller<'_, State>) -> Vec<Func> {
    vec![Func::wrap(
        caller,
        |mut caller: Caller<'_, State>, host: u32, decision: u32, hands: u32, count: u32, tricks: u32| -> Result<i32> {
            let services = &caller.data().services;
            let fits = services.is_host(host) && services.is_decision(decision);
            if !fits || hands == 0 || !hands.is_multiple_of(8) || tricks == 0 {
                return Ok(abi::E_FAIL);
            }
            solve(&mut caller, hands, count, tricks)
        },
    )]
}

/// Writes the numbers of one deal after the other.
fn solve(caller: &mut Caller<'_, State>, hands: u32, count: u32, tricks: u32) -> Result<i32> {
    let bytes = (8 * HANDS) as u64 * u64::from(count);
    let deals = memory::bytes(memory_of(caller)?, hands, bytes).map_err(outside("tricks"))?;
    let deals: Vec<[u64; HANDS]> = read_deals(deals);
    let mut next = tricks;
    for hands in &deals {
        pay(caller, FUEL_OF_DEAL)?;
        let services = &mut caller.data_mut().services;
        if services.is_late() {
            return Ok(abi::E_STOPPED);
        }
        let turn = Rc::clone(&services.turn);
        let solved = turn.read(|turn| {
            let asked = services.open_hands.read(turn.ok_or(Refusal::NoDecision)?)?;
            services.open_hands.tricks(&asked, hands)
        });
        let Ok((numbers, work)) = solved else { return Ok(abi::E_FAIL) };
        pay(caller, work.saturating_mul(FUEL_OF_CARD))?;
        let room = memory::bytes_mut(memory_mut(caller)?, next, numbers.len() as u64).map_err(outside("tricks"))?;
        room.copy_from_slice(&numbers);
        next = next.wrapping_add(u32::try_from(numbers.len()).unwrap_or(u32::MAX));
    }
    Ok(abi::OK)
}
