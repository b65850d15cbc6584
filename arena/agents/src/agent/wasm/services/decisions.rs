//! The functions through which modules call the services for decisions.

use crate::agent::services::{self, Output, Request, Service, ServiceRefusal, ServiceStep};
use crate::agent::wasm::memory;
use crate::agent::wasm::state::{WasmState, memory_and_state, memory_of, out_of_bounds, pay};
use hattari_plugin::abi;
use std::mem;
use std::rc::Rc;
use wasmtime::{Caller, Func, FuncType, Result, Val, ValType};

/// Creates the functions of a service.
pub(super) fn functions(
    caller: &mut Caller<'_, WasmState>,
    service: &'static Service,
) -> Vec<Func> {
    let function = |number: usize| {
        let method = &service.methods[number];
        // Parameters: host, decision, deals if the method takes them, count, further numbers,
        // results.
        let count = 4 + usize::from(method.takes_deals) + method.numbers.len();
        let ty = FuncType::new(caller.engine(), vec![ValType::I32; count], [ValType::I32]);
        Func::new(&mut *caller, ty, move |caller, arguments, results| {
            let mut arguments = arguments
                .iter()
                .map(|value| value.unwrap_i32().cast_unsigned());
            results[0] = Val::I32(call(caller, service, number, &mut arguments)?);
            Ok(())
        })
    };
    (0..service.methods.len()).map(function).collect()
}

/// Calls method `number` of a service. Returns the status of the C interface.
fn call(
    mut caller: Caller<'_, WasmState>,
    service: &'static Service,
    number: usize,
    arguments: &mut dyn Iterator<Item = u32>,
) -> Result<i32> {
    let method = &service.methods[number];
    pay(&mut caller, method.fuel.call)?;
    let mut next = || arguments.next().unwrap_or_default();
    let (host, decision) = (next(), next());
    let hands = method.takes_deals.then(&mut next);
    let (count, mut numbers) = (next(), [0; 2]);
    numbers[..method.numbers.len()].fill_with(&mut next);
    let mut at = next();
    let state = caller.data();
    let is_valid = state.is_host(host)
        && state.is_decision(decision)
        && method.accepts(count, numbers)
        && at != 0
        && hands.is_none_or(|at| at != 0 && at.is_multiple_of(8));
    let turn = Rc::clone(&state.turn);
    turn.read(|turn| {
        let Some(turn) = turn.filter(|_| is_valid) else {
            return Ok(abi::E_FAIL);
        };
        let actions = turn.legal.count();
        pay(
            &mut caller,
            method.price(&method.fuel, count, actions, numbers),
        )?;
        let deal = 8 * service.seats as u64;
        let row = match method.output {
            Output::Deals => deal,
            Output::Floats => 8 * u64::from(actions),
            Output::Bytes => actions.into(),
        };
        let memory = memory_of(&mut caller)?;
        let part = |at, row| {
            memory::bytes(memory, at, row * u64::from(count)).map_err(out_of_bounds(method.name))
        };
        // Checks the buffer for results before the work is done.
        part(at, row)?;
        let deals = match hands {
            Some(hands) => services::words(part(hands, deal)?),
            None => Vec::new(),
        };
        let request = Request {
            count,
            deals: &deals,
            numbers,
        };
        let mut block = mem::take(&mut caller.data_mut().block);
        let mut error = None;
        let outcome = block.call(service, number, turn, &request, &mut |step| {
            let mut take = || match step {
                ServiceStep::Check => Ok(()),
                ServiceStep::Pay(work) => pay(&mut caller, work.saturating_mul(method.fuel.work)),
                ServiceStep::Write(bytes) => {
                    memory::bytes_mut(memory_and_state(&mut caller)?.0, at, bytes.len() as u64)
                        .map_err(out_of_bounds(method.name))?
                        .copy_from_slice(bytes);
                    at = at.wrapping_add(u32::try_from(bytes.len())?);
                    Ok(())
                }
            };
            if let Err(end) = take() {
                error = Some(end);
                return Err(ServiceRefusal::Ended);
            }
            let is_late = matches!(step, ServiceStep::Check) && caller.data().instance.is_late();
            if is_late {
                Err(ServiceRefusal::Late)
            } else {
                Ok(())
            }
        });
        caller.data_mut().block = block;
        match error {
            Some(error) => Err(error),
            None => Ok(outcome.map_or_else(ServiceRefusal::status, |()| abi::OK)),
        }
    })
}
