//! Tests of the fuel that host functions charge: it must be proportional to their processor time.

use super::super::compile::engine;
use super::super::state::{WasmState, offsets};
use super::super::wasi;
use super::*;
use crate::agent::decision_tests::{self, Decision};
use crate::agent::instance::Deadline;
use crate::agent::{BlockStart, Turn, numbers};
use hattari_plugin::abi32;
use hattari_plugin::games::bridge::{self, Bridge};
use hattari_plugin::games::daihinmin::{self, Daihinmin, PLAYERS, phase};
use hattari_plugin::games::{Game, GameTypes};
use rustix::time::{ClockId, clock_gettime};
use std::rc::Rc;
use std::time::Duration;
use wasmtime::{Linker, Memory, MemoryType, RefType, Store, StoreLimitsBuilder, Table, TableType};

/// Default fuel limit of a decision.
const FUEL: u64 = 1_000_000_000;
/// Size of the module's memory in pages.
const PAGES: u32 = 256;
/// Address of the host's structs.
const BASE: u32 = 64;
/// Address at which tests store arguments.
const QUESTION: u32 = 1024;
/// Address at which functions store results.
const ANSWER: u32 = (PAGES / 2) << 16;
/// Address of texts.
const TEXT: u32 = ANSWER + 64;
/// Address of the current decision.
const DECISION: u32 = BASE + offsets::CALL;
/// Number of deals that fit between [`QUESTION`] and [`ANSWER`].
const DEALS: u32 = (ANSWER - QUESTION) / 64;
/// Maximum processor time per unit of fuel in nanoseconds. In release builds it is below 2; test
/// builds are less optimised.
const NANOS_MAX: f64 = 50.0;

/// The memory and the table of a module without its code. The test itself calls the host functions.
struct Bench(Store<WasmState>);

impl Bench {
    fn new(game: &str, options_json: &str) -> Bench {
        let engine = engine().unwrap();
        let limits = StoreLimitsBuilder::new().build();
        let mut store = Store::new(engine, WasmState::new("bench", limits));
        store.set_fuel(FUEL).unwrap();
        let memory = Memory::new(&mut store, MemoryType::new(PAGES, None)).unwrap();
        let table = TableType::new(RefType::FUNCREF, 1, None);
        let table = Table::new(&mut store, table, Ref::Func(None)).unwrap();
        let state = store.data_mut();
        (state.memory, state.table, state.base) = (Some(memory), Some(table), BASE);
        let mut bench = Bench(store);
        bench.start_block(game, options_json);
        bench
    }

    fn start_block(&mut self, game: &str, options_json: &str) {
        self.0.data_mut().start_block(&BlockStart {
            game,
            options_json,
            players: 5,
            player: 0,
            deals: 1,
            seed: 7,
        });
    }

    fn write(&mut self, at: u32, bytes: &[u8]) {
        let memory = self.0.data().memory.unwrap();
        memory.write(&mut self.0, at as usize, bytes).unwrap();
    }

    /// Writes a text of the C interface to [`ANSWER`]: the first `len` bytes at [`TEXT`].
    fn write_text(&mut self, len: u64) {
        let text = abi32::Text {
            ptr: TEXT,
            gap: [0; 4],
            len,
        };
        self.write(ANSWER, bytemuck::bytes_of(&text));
    }

    /// Returns function `number` of a service.
    fn function(&mut self, service: &CStr, number: u32) -> Func {
        self.write(QUESTION, service.to_bytes_with_nul());
        let find = get_service(&mut self.0);
        let at = self
            .call(find, &[BASE, QUESTION])
            .1
            .unwrap()
            .cast_unsigned()
            + 4 * number;
        let state = self.0.data();
        let (memory, table) = (state.memory.unwrap(), state.table.unwrap());
        let index: u32 = memory::read(memory.data(&self.0), at).unwrap();
        let function = table.get(&mut self.0, index.into()).unwrap();
        *function.unwrap_func().unwrap()
    }

    /// Calls a host function. Returns the fuel that it took, and its result if it did not fail.
    fn call(&mut self, function: Func, parameters: &[u32]) -> (u64, Option<i32>) {
        let ty = function.ty(&self.0);
        let parameters = ty.params().zip(parameters).map(|(ty, &number)| match ty {
            ValType::I64 => Val::I64(number.into()),
            ValType::F64 => f64::from(number).into(),
            _ => Val::I32(number.cast_signed()),
        });
        let parameters: Vec<Val> = parameters.collect();
        let mut results = vec![Val::I32(0); ty.results().len()];
        self.0.set_fuel(FUEL).unwrap();
        let outcome = function.call(&mut self.0, &parameters, &mut results);
        let result = results.first().and_then(Val::i32);
        (
            FUEL - self.0.get_fuel().unwrap(),
            result.filter(|_| outcome.is_ok()),
        )
    }

    /// Calls a host function repeatedly and checks that a unit of fuel does not take too much
    /// processor time.
    #[track_caller]
    fn check(&mut self, what: &str, function: Func, parameters: &[u32]) {
        let (mut fuel, mut calls) = (0, 0_u32);
        let start = now();
        while calls < 2 || now() - start < Duration::from_millis(20) {
            // Running out of fuel is also a valid result.
            fuel += self.call(function, parameters).0;
            calls += 1;
        }
        let nanos = (now() - start).as_secs_f64() * 1e9;
        let each = fuel / u64::from(calls);
        let nanos_each = nanos / fuel as f64;
        println!("{what}: {each} of fuel a call, {nanos_each:.2} ns each");
        assert!(FUEL_OF_CALL <= each, "{what}: {each} of fuel for a call");
        assert!(
            nanos_each < NANOS_MAX,
            "{what}: {nanos_each:.0} ns for each of {each}"
        );
    }

    /// Runs a test during a decision.
    fn during(&mut self, turn: &Turn<'_>, test: impl FnOnce(&mut Bench)) {
        let loan = Rc::clone(&self.0.data().turn);
        loan.lend(turn, || test(self));
    }
}

/// Returns the processor time of this thread.
fn now() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap()
}

#[test]
fn log_clock_and_random_calls_cost_fuel_in_proportion_to_their_work() {
    let mut bench = Bench::new("daihinmin/1", "{}");
    let log = bench.function(abi::SERVICE_LOG, 0);
    bench.write(TEXT, &[0xff; 8192]);
    for length in [0, 8192] {
        bench.write_text(length);
        bench.check("log", log, &[BASE, 3, ANSWER]);
    }
    // The text is no name, so the host makes an error message.
    let numbers = bench.function(abi::SERVICE_NUMBERS, 0);
    bench.check("number", numbers, &[BASE, ANSWER, 1]);
    let clock = bench.function(abi::SERVICE_CLOCK, 0);
    bench.check("clock", clock, &[BASE]);
    bench.0.data_mut().instance.deadline = Some(Deadline::after(1 << 40));
    bench.check("clock with a deadline", clock, &[BASE]);
    let chance = bench.function(abi::SERVICE_RNG, 0);
    for count in [0, 1, 1 << 16] {
        bench.check("chance", chance, &[BASE, ANSWER, count]);
    }
    let find = get_service(&mut bench.0);
    for id in [abi::SERVICE_DAIHINMIN_SEARCH, c"", c"no such service"] {
        bench.write(QUESTION, id.to_bytes_with_nul());
        bench.check("get_service", find, &[BASE, QUESTION]);
    }
    bench.check("get_service with a text without end", find, &[BASE, TEXT]);
}

#[test]
fn a_module_logs_finite_numbers_by_name() {
    let mut bench = Bench::new("daihinmin/1", "{}");
    let log = bench.function(abi::SERVICE_NUMBERS, 0);
    let log = log.typed::<(u32, u32, f64), i32>(&bench.0).unwrap();
    bench.write(TEXT, b"win!");
    let mut call = |len, number| {
        bench.write_text(len);
        log.call(&mut bench.0, (BASE, ANSWER, number)).unwrap()
    };
    numbers::during(|| {
        assert_eq!(call(3, 0.7), abi::OK);
        for (length, number) in [(4, 0.7), (0, 0.7), (u64::MAX, 0.7), (3, f64::NAN)] {
            assert_eq!(call(length, number), abi::E_FAIL, "{length} {number}");
        }
    });
    assert_eq!(numbers::of_last_decision(), [("win".to_owned(), 0.7)]);
}

#[test]
fn wasi_calls_cost_fuel_in_proportion_to_their_work() {
    let mut bench = Bench::new("daihinmin/1", "{}");
    let engine = bench.0.engine();
    let mut linker = Linker::new(engine);
    let empty = wasmtime::Module::new(engine, b"\0asm\x01\0\0\0").unwrap();
    wasi::add(&mut linker, &empty).unwrap();
    bench.write(ANSWER, &[0xff; 8192]);
    // All pieces refer to the same text.
    let pieces = [[ANSWER, 4096]; 64];
    bench.write(QUESTION, bytemuck::cast_slice(&pieces));
    let calls = linker.iter(&mut bench.0);
    let calls: Vec<_> = calls
        .map(|(_, name, item)| (name.to_owned(), item))
        .collect();
    for (name, item) in calls {
        let function = item.into_func().unwrap();
        let parameters: &[&[u32]] = match name.as_str() {
            // `proc_exit` ends the instance.
            "proc_exit" => &[],
            "random_get" => &[&[ANSWER, 0], &[ANSWER, 1], &[ANSWER, 1 << 16]],
            "fd_write" => &[
                &[1, QUESTION, 0, ANSWER],
                &[1, QUESTION, 1, ANSWER],
                &[1, QUESTION, 64, ANSWER],
                &[1, QUESTION, 1 << 20, ANSWER],
            ],
            _ => &[&[1; 4]],
        };
        for parameters in parameters {
            bench.check(&name, function, parameters);
        }
    }
}

/// Returns a decision in an exchange, the one with the longest history, and the one with the most
/// legal actions.
fn daihinmin_decisions() -> [Decision<Daihinmin>; 3] {
    let game = Daihinmin::new(daihinmin::Options::default()).unwrap();
    let all = decision_tests::of(&game, 3);
    let is_exchange = |decision: &&Decision<Daihinmin>| {
        decision.turn().seen.read::<Daihinmin>().0.phase == phase::EXCHANGE
    };
    let longest = all.iter().max_by_key(|at| at.turn().seen.history.count());
    let widest = all.iter().max_by_key(|at| at.turn().legal.count());
    [all.iter().find(is_exchange), longest, widest].map(|found| found.unwrap().clone())
}

#[test]
fn look_ahead_costs_fuel_in_proportion_to_its_work() {
    let options = serde_json::to_string(&daihinmin::Options::default()).unwrap();
    let mut bench = Bench::new(Daihinmin::ID, &options);
    let sample = bench.function(abi::SERVICE_DAIHINMIN_SEARCH, 0);
    let playouts = bench.function(abi::SERVICE_DAIHINMIN_SEARCH, 1);
    for at in daihinmin_decisions() {
        bench.during(&at.turn(), |bench| {
            for count in [0, 1, 100, u32::MAX] {
                let what = format!("sample of {count}");
                bench.check(&what, sample, &[BASE, DECISION, count, QUESTION]);
            }
            let other = [BASE, 0, 1, QUESTION];
            bench.check("sample for another decision", sample, &other);
            // Deals that are consistent with the view.
            let sampled = bench.call(sample, &[BASE, DECISION, 10, QUESTION]);
            assert!(sampled.1.is_some());
            let check = |bench: &mut Bench, deals, rounds, policy| {
                let what = format!("{rounds} playouts of policy {policy} in {deals} deals");
                let parameters = [BASE, DECISION, QUESTION, deals, rounds, policy, ANSWER];
                bench.check(&what, playouts, &parameters);
            };
            for (deals, rounds) in [
                (0, 1),
                (1, 0),
                (DEALS, 0),
                (1, 1),
                (10, 10),
                (DEALS, 1),
                (1, u32::MAX),
            ] {
                for policy in [abi::PLAYOUT_UNIFORM, abi::PLAYOUT_FITTED, 7] {
                    check(bench, deals, rounds, policy);
                }
            }
            // Deals that are not.
            bench.write(QUESTION, &[0; 8 * PLAYERS]);
            for count in [1, 10, DEALS] {
                check(bench, count, 1, 0);
            }
        });
    }
}

/// Returns the decisions of a deal of bridge, the options of the game, a bench for it, and the
/// function that counts tricks.
fn bridge() -> (Vec<Decision<Bridge>>, String, Bench, Func) {
    let game = Bridge::new(bridge::Options::default()).unwrap();
    let options = serde_json::to_string(&bridge::Options::default()).unwrap();
    let mut bench = Bench::new(Bridge::ID, &options);
    let tricks = bench.function(abi::SERVICE_BRIDGE_DOUBLE_DUMMY, 0);
    (decision_tests::of(&game, 1), options, bench, tricks)
}

#[test]
fn double_dummy_calls_cost_fuel_in_proportion_to_their_work() {
    let (all, _, mut bench, tricks) = bridge();
    for at in [&all[3], &all[24], &all[all.len() - 2]] {
        let turn = at.turn();
        let view = turn.seen.read::<Bridge>().0;
        let hands = decision_tests::fitting_hands(view);
        for number in 0..16 {
            bench.write(QUESTION + 32 * number, bytemuck::cast_slice(&hands));
        }
        bench.during(&turn, |bench| {
            for count in [0, 1, 16, 1 << 10, u32::MAX] {
                let what = format!("{count} deals after {} cards", view.played_count);
                bench.check(&what, tricks, &[BASE, DECISION, QUESTION, count, ANSWER]);
            }
            bench.check("another decision", tricks, &[BASE, 0, QUESTION, 1, ANSWER]);
            bench.write(QUESTION, &[0; 32]);
            let unfit = [BASE, DECISION, QUESTION, 1 << 10, ANSWER];
            bench.check("unfit deals", tricks, &unfit);
        });
    }
}

#[test]
fn double_dummy_calls_cost_the_same_fuel_in_every_block() {
    let (all, options, mut bench, tricks) = bridge();
    let turn = all[20].turn();
    let hands = decision_tests::fitting_hands(turn.seen.read::<Bridge>().0);
    bench.write(QUESTION, bytemuck::cast_slice(&hands));
    bench.during(&turn, |bench| {
        let calls = [(); 3].map(|()| {
            bench.start_block(Bridge::ID, &options);
            bench.call(tricks, &[BASE, DECISION, QUESTION, 1, ANSWER])
        });
        assert_eq!(calls, [(calls[0].0, Some(abi::OK)); 3]);
    });
}
