//! Services for decisions, as modules call them.

use crate::agent::Turn;
use crate::agent::services::{self, Caller, Method, Output, Refusal, Request, Service};
use crate::agent::wasm::caller::{memory_mut, memory_of, outside, pay};
use crate::agent::wasm::memory;
use crate::agent::wasm::state::State;
use hattari_plugin::abi;
use std::mem;
use std::rc::Rc;
use wasmtime::{Error, Func, FuncType, Result, Val, ValType};

/// Bytes of a set of cards.
const SET: u64 = 8;

/// Makes the functions of a service.
pub(super) fn functions(
    caller: &mut wasmtime::Caller<'_, State>,
    service: &'static Service,
) -> Vec<Func> {
    let function = |number: usize| {
        let method = &service.methods[number];
        // Host, decision, deals if it takes some, their number, more numbers, results.
        let count = 4 + usize::from(method.takes_deals) + method.numbers.len();
        let ty = FuncType::new(caller.engine(), vec![ValType::I32; count], [ValType::I32]);
        Func::new(&mut *caller, ty, move |mut caller, arguments, results| {
            let arguments = arguments
                .iter()
                .map(|value| value.unwrap_i32().cast_unsigned());
            let call = Call::new(service, number, arguments);
            results[0] = Val::I32(call.run(&mut caller)?);
            Ok(())
        })
    };
    (0..service.methods.len()).map(function).collect()
}

/// A call of a method.
struct Call {
    service: &'static Service,
    number: usize,
    host: u32,
    decision: u32,
    hands: Option<u32>,
    count: u32,
    numbers: [u32; 2],
    results: u32,
}

impl Call {
    fn new(
        service: &'static Service,
        number: usize,
        mut arguments: impl Iterator<Item = u32>,
    ) -> Call {
        let method = &service.methods[number];
        let mut next = || arguments.next().unwrap_or_default();
        let (host, decision) = (next(), next());
        let hands = method.takes_deals.then(&mut next);
        let count = next();
        let mut numbers = [0; 2];
        numbers[..method.numbers.len()].fill_with(&mut next);
        Call {
            service,
            number,
            host,
            decision,
            hands,
            count,
            numbers,
            results: next(),
        }
    }

    fn run(&self, caller: &mut wasmtime::Caller<'_, State>) -> Result<i32> {
        let method = &self.service.methods[self.number];
        pay(caller, method.fuel.call)?;
        let services = &caller.data().services;
        let is_valid = services.is_host(self.host)
            && services.is_decision(self.decision)
            && method.accepts(self.count, self.numbers)
            && self.results != 0
            && self
                .hands
                .is_none_or(|at| at != 0 && u64::from(at).is_multiple_of(SET));
        let turn = Rc::clone(&services.turn);
        turn.read(|turn| match turn {
            Some(turn) if is_valid => self.run_for(turn, method, caller),
            _ => Ok(abi::E_FAIL),
        })
    }

    fn run_for(
        &self,
        turn: &Turn<'_>,
        method: &'static Method,
        caller: &mut wasmtime::Caller<'_, State>,
    ) -> Result<i32> {
        let actions = turn.legal.count();
        let price = method.price(&method.fuel, self.count, actions, self.numbers);
        pay(caller, price)?;
        let deal = SET * self.service.seats as u64;
        let row = match method.output {
            Output::Deals => deal,
            Output::Floats => 8 * u64::from(actions),
            Output::Bytes => actions.into(),
        };
        let (count, memory) = (u64::from(self.count), memory_of(caller)?);
        // The place of the results is checked before the work is done.
        memory::bytes(memory, self.results, row * count).map_err(outside(method.name))?;
        let deals = match self.hands {
            Some(at) => services::words(
                memory::bytes(memory, at, deal * count).map_err(outside(method.name))?,
            ),
            None => Vec::new(),
        };
        let request = Request {
            count: self.count,
            deals: &deals,
            numbers: self.numbers,
        };
        let mut block = mem::take(&mut caller.data_mut().services.block);
        let mut results = Results {
            caller,
            method,
            next: self.results,
            error: None,
        };
        let outcome = block.call(self.service, self.number, turn, &request, &mut results);
        let error = results.error;
        caller.data_mut().services.block = block;
        match error {
            Some(error) => Err(error),
            None => Ok(outcome.map_or_else(Refusal::status, |()| abi::OK)),
        }
    }
}

/// The place for the results of a call that runs.
struct Results<'a, 'b> {
    caller: &'a mut wasmtime::Caller<'b, State>,
    method: &'static Method,
    next: u32,
    /// The error that ends the call.
    error: Option<Error>,
}

impl Results<'_, '_> {
    fn end(&mut self, outcome: Result<()>) -> Result<(), Refusal> {
        outcome.map_err(|error| {
            self.error = Some(error);
            Refusal::Ended
        })
    }
}

impl Caller for Results<'_, '_> {
    fn pay(&mut self, work: u64) -> Result<(), Refusal> {
        let outcome = pay(self.caller, work.saturating_mul(self.method.fuel.work));
        self.end(outcome)
    }

    fn is_late(&self) -> bool {
        self.caller.data().services.is_late()
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), Refusal> {
        let mut write = || {
            memory::bytes_mut(memory_mut(self.caller)?, self.next, bytes.len() as u64)
                .map_err(outside(self.method.name))?
                .copy_from_slice(bytes);
            self.next = self.next.wrapping_add(u32::try_from(bytes.len())?);
            Ok(())
        };
        let outcome = write();
        self.end(outcome)
    }
}
