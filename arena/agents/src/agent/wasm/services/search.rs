//! Look-ahead in daihinmin.

use crate::agent::deadline::Deadline;
use crate::agent::lookahead::{Asked, Refusal};
use crate::agent::wasm::caller::{memory_mut, memory_of, outside, parts, pay};
use crate::agent::wasm::memory;
use crate::agent::wasm::state::State;
use hattari_plugin::abi;
use hattari_plugin::games::daihinmin::PLAYERS;
use hattari_search::daihinmin::Playout;
use std::rc::Rc;
use wasmtime::{Caller, Func, Result};

/// Fuel of a call, in which the host finds out what the seat knows.
const FUEL_OF_KNOWLEDGE: u64 = 4_000;
/// Fuel of a deal that is drawn.
const FUEL_OF_DEAL: u64 = 4_000;
/// Fuel of a playout by chance, and of one by the fitted policy.
const FUEL_OF_PLAYOUT: [u64; 2] = [4_000, 12_000];
/// Bytes of a deal: a set a seat.
const DEAL: u64 = 8 * PLAYERS as u64;

pub(super) fn functions(caller: &mut Caller<'_, State>) -> Vec<Func> {
    let sample = Func::wrap(
        &mut *caller,
        |mut caller: Caller<'_, State>,
         host: u32,
         decision: u32,
         count: u32,
         hands: u32|
         -> Result<i32> { sample(&mut caller, host, decision, count, hands) },
    );
    let playouts = Func::wrap(
        caller,
        |mut caller: Caller<'_, State>,
         host: u32,
         decision: u32,
         hands: u32,
         count: u32,
         playouts: u32,
         policy: u32,
         points: u32|
         -> Result<i32> {
            pay(&mut caller, FUEL_OF_KNOWLEDGE)?;
            let wish = Wish {
                hands,
                count,
                playouts,
                policy,
                points,
            };
            if caller.data().services.is_host(host) {
                wish.grant(&mut caller, decision)
            } else {
                Ok(abi::E_FAIL)
            }
        },
    );
    vec![sample, playouts]
}

fn sample(
    caller: &mut Caller<'_, State>,
    host: u32,
    decision: u32,
    count: u32,
    hands: u32,
) -> Result<i32> {
    pay(caller, FUEL_OF_KNOWLEDGE + FUEL_OF_DEAL * u64::from(count))?;
    let services = &caller.data().services;
    if !services.is_host(host) || !services.is_decision(decision) || count == 0 || hands == 0 {
        return Ok(abi::E_FAIL);
    }
    // The room is looked at before anything is drawn.
    memory::bytes(memory_of(caller)?, hands, DEAL * u64::from(count)).map_err(outside("sample"))?;
    let mut drawn = Vec::with_capacity(count as usize);
    let services = &mut caller.data_mut().services;
    let turn = Rc::clone(&services.turn);
    let outcome = turn.read(|turn| {
        let asked = turn.ok_or(Refusal::NoDecision).and_then(Asked::read)?;
        services
            .lookahead
            .sample(&asked, count, |hands| drawn.push(*hands))
    });
    if let Err(refusal) = outcome {
        return Ok(status(refusal));
    }
    let bytes: &[u8] = bytemuck::cast_slice(&drawn);
    let room = memory::bytes_mut(memory_mut(caller)?, hands, bytes.len() as u64)
        .map_err(outside("sample"))?;
    room.copy_from_slice(bytes);
    Ok(abi::OK)
}

/// What a bot wants tried out.
struct Wish {
    hands: u32,
    count: u32,
    playouts: u32,
    policy: u32,
    points: u32,
}

impl Wish {
    fn grant(&self, caller: &mut Caller<'_, State>, decision: u32) -> Result<i32> {
        let policy = match self.policy {
            abi::PLAYOUT_UNIFORM => Playout::Uniform,
            abi::PLAYOUT_FITTED => Playout::Fitted,
            _ => return Ok(abi::E_FAIL),
        };
        if !caller.data().services.is_decision(decision)
            || self.count == 0
            || self.playouts == 0
            || self.hands == 0
            || !self.hands.is_multiple_of(8)
            || self.points == 0
        {
            return Ok(abi::E_FAIL);
        }
        let turn = Rc::clone(&caller.data().services.turn);
        let Ok(actions) = turn.read(|turn| {
            turn.ok_or(Refusal::NoDecision)
                .and_then(Asked::read)
                .map(|asked| asked.actions())
        }) else {
            return Ok(abi::E_FAIL);
        };
        let count = u64::from(self.count);
        let rows = count.saturating_mul(actions as u64);
        let each = FUEL_OF_PLAYOUT[usize::from(policy == Playout::Fitted)];
        pay(
            caller,
            rows.saturating_mul(self.playouts.into())
                .saturating_mul(each),
        )?;
        let (whole, state) = parts(caller)?;
        memory::bytes(whole, self.points, rows.saturating_mul(8)).map_err(outside("playouts"))?;
        let deals = memory::bytes(whole, self.hands, DEAL * count).map_err(outside("playouts"))?;
        // The memory begins where a page does, and the hands at a multiple of 8 in it.
        let deals: &[[u64; PLAYERS]] = bytemuck::cast_slice(deals);
        let services = &mut state.services;
        let mut points: Vec<f64> = Vec::new();
        let deadline = services.deadline;
        let outcome = turn.read(|turn| {
            let asked = turn.ok_or(Refusal::NoDecision).and_then(Asked::read)?;
            let late = || deadline.is_some_and(Deadline::is_past);
            services
                .lookahead
                .playouts(&asked, deals.iter(), self.playouts, policy, late, |mean| {
                    points.push(mean)
                })
        });
        // What was found out before it stopped is the bot's.
        let bytes: &[u8] = bytemuck::cast_slice(&points);
        let room = memory::bytes_mut(memory_mut(caller)?, self.points, bytes.len() as u64)
            .map_err(outside("playouts"))?;
        room.copy_from_slice(bytes);
        Ok(outcome.map_or_else(status, |()| abi::OK))
    }
}

fn status(refusal: Refusal) -> i32 {
    match refusal {
        Refusal::Exchange => abi::E_UNSUPPORTED,
        Refusal::Late => abi::E_STOPPED,
        Refusal::OtherGame | Refusal::NoDecision | Refusal::Unfit => abi::E_FAIL,
    }
}
