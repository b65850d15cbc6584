//! Tests of the fuel that host functions charge: it must be proportional to their processor time.

use super::super::compile::engine;
use super::super::state::{WasmState, offsets};
use super::super::wasi;
use super::*;
use crate::agent::decision_tests::Decision;
use crate::agent::instance::Deadline;
use crate::agent::{BlockStart, decision_tests, numbers};
use hattari_plugin::abi32;
use hattari_plugin::games::bridge::{self, Bridge};
use hattari_plugin::games::daihinmin::{self, Daihinmin, PLAYERS, phase};
use hattari_plugin::games::{Game, GameTypes};
use rustix::time::{ClockId, clock_gettime};
use std::rc::Rc;
use std::time::Duration;
use wasmtime::{
    Linker, Memory, MemoryType, RefType, Store, StoreLimitsBuilder, Table, TableType, Val,
};

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
/// Number of deals that fit between [`QUESTION`] and [`ANSWER`].
const DEALS: u32 = (ANSWER - QUESTION) / 64;
/// Maximum processor time per unit of fuel in nanoseconds. In release builds it is below 2; test
/// builds are less optimised.
const NANOS_MAX: f64 = 50.0;

/// The memory and the table of a module without its code. The test itself calls the host functions.
struct Bench {
    store: Store<WasmState>,
    memory: Memory,
    table: Table,
}

impl Bench {
    fn new(game: &str, options_json: &str) -> Bench {
        let engine = engine().unwrap();
        let limits = StoreLimitsBuilder::new().build();
        let state = WasmState::new("bench", limits);
        let mut store = Store::new(engine, state);
        store.set_fuel(FUEL).unwrap();
        let memory = Memory::new(&mut store, MemoryType::new(PAGES, None)).unwrap();
        let table = Table::new(
            &mut store,
            TableType::new(RefType::FUNCREF, 1, None),
            Ref::Func(None),
        )
        .unwrap();
        (store.data_mut().memory, store.data_mut().table) = (Some(memory), Some(table));
        let state = store.data_mut();
        state.base = BASE;
        state.start_block(&BlockStart {
            game,
            options_json,
            players: 5,
            player: 0,
            deals: 1,
            seed: 7,
        });
        Bench {
            store,
            memory,
            table,
        }
    }

    fn write(&mut self, at: u32, bytes: &[u8]) {
        memory::bytes_mut(
            self.memory.data_mut(&mut self.store),
            at,
            bytes.len() as u64,
        )
        .unwrap()
        .copy_from_slice(bytes);
    }

    /// Returns function `number` of a service.
    fn function(&mut self, service: &CStr, number: u32) -> Func {
        self.write(QUESTION, service.to_bytes_with_nul());
        let find = get_service(&mut self.store)
            .typed::<(u32, u32), u32>(&self.store)
            .unwrap();
        let at = find.call(&mut self.store, (BASE, QUESTION)).unwrap();
        let index: u32 = memory::read(self.memory.data(&self.store), at + 4 * number).unwrap();
        *self
            .table
            .get(&mut self.store, index.into())
            .unwrap()
            .unwrap_func()
            .unwrap()
    }

    /// Calls a host function repeatedly and checks that a unit of fuel does not take too much
    /// processor time.
    #[track_caller]
    fn check(&mut self, what: &str, function: Func, parameters: &[u32]) {
        let parameters: Vec<Val> = parameters
            .iter()
            .map(|&number| Val::I32(number.cast_signed()))
            .collect();
        self.check_values(what, function, &parameters);
    }

    /// Checks a host function like [`Bench::check`].
    #[track_caller]
    fn check_values(&mut self, what: &str, function: Func, parameters: &[Val]) {
        let mut results = vec![Val::I32(0); function.ty(&self.store).results().len()];
        let (mut fuel, mut calls) = (0, 0_u32);
        let start = now();
        while calls < 2 || now() - start < Duration::from_millis(20) {
            self.store.set_fuel(FUEL).unwrap();
            // Running out of fuel is also a valid result.
            _ = function.call(&mut self.store, parameters, &mut results);
            fuel += FUEL - self.store.get_fuel().unwrap();
            calls += 1;
        }
        let nanos = (now() - start).as_secs_f64() * 1e9;
        let each = fuel / u64::from(calls);
        println!(
            "{what}: {each} of fuel a call, {:.2} ns each",
            nanos / fuel as f64
        );
        assert!(FUEL_OF_CALL <= each, "{what}: {each} of fuel for a call");
        assert!(
            nanos < NANOS_MAX * fuel as f64,
            "{what}: {:.0} ns for {each} of fuel",
            nanos / f64::from(calls)
        );
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
    let text = ANSWER + 64;
    bench.write(text, &[0xff; 8192]);
    for length in [0_u64, 8192] {
        let counted = abi32::Text {
            ptr: text,
            gap: [0; 4],
            len: length,
        };
        bench.write(ANSWER, bytemuck::bytes_of(&counted));
        bench.check("log", log, &[BASE, 3, ANSWER]);
    }
    // The text is no name, so the host makes an error message.
    let numbers = bench.function(abi::SERVICE_NUMBERS, 0);
    bench.check_values(
        "number",
        numbers,
        &[
            BASE.cast_signed().into(),
            ANSWER.cast_signed().into(),
            0.5_f64.into(),
        ],
    );
    let clock = bench.function(abi::SERVICE_CLOCK, 0);
    bench.check("clock", clock, &[BASE]);
    bench.store.data_mut().instance.deadline = Some(Deadline::after(1 << 40));
    bench.check("clock with a deadline", clock, &[BASE]);
    let chance = bench.function(abi::SERVICE_RNG, 0);
    for count in [0, 1, 1 << 16] {
        bench.check("chance", chance, &[BASE, ANSWER, count]);
    }
    let find = get_service(&mut bench.store);
    for id in [abi::SERVICE_DAIHINMIN_SEARCH, c"", c"no such service"] {
        bench.write(QUESTION, id.to_bytes_with_nul());
        bench.check("get_service", find, &[BASE, QUESTION]);
    }
    bench.check("get_service with a text without end", find, &[BASE, text]);
}

#[test]
fn a_module_logs_finite_numbers_by_name() {
    let mut bench = Bench::new("daihinmin/1", "{}");
    let log = bench.function(abi::SERVICE_NUMBERS, 0);
    let log = log.typed::<(u32, u32, f64), i32>(&bench.store).unwrap();
    let text = ANSWER + 64;
    bench.write(text, b"win!");
    let mut call = |len, number| {
        let name = abi32::Text {
            ptr: text,
            gap: [0; 4],
            len,
        };
        bench.write(ANSWER, bytemuck::bytes_of(&name));
        log.call(&mut bench.store, (BASE, ANSWER, number)).unwrap()
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
    let mut linker = Linker::new(bench.store.engine());
    let empty = wasmtime::Module::new(bench.store.engine(), b"\0asm\x01\0\0\0").unwrap();
    wasi::add(&mut linker, &empty).unwrap();
    bench.write(ANSWER, &[0xff; 8192]);
    // All pieces refer to the same text.
    let pieces = [[ANSWER, 4096]; 64];
    bench.write(QUESTION, bytemuck::cast_slice(&pieces));
    let calls: Vec<_> = linker
        .iter(&mut bench.store)
        .map(|(_, name, item)| (name.to_owned(), item))
        .collect();
    for (name, item) in calls {
        let function = item.into_func().unwrap();
        let parameters = function.ty(&bench.store).params().len();
        let wide = function
            .ty(&bench.store)
            .params()
            .any(|ty| matches!(ty, ValType::I64));
        match name.as_str() {
            // `proc_exit` ends the instance.
            "proc_exit" => {}
            "random_get" => [0, 1, 1 << 16]
                .iter()
                .for_each(|&count| bench.check(&name, function, &[ANSWER, count])),
            "fd_write" => {
                for count in [0, 1, 64, 1 << 20] {
                    bench.check(&name, function, &[1, QUESTION, count, ANSWER]);
                }
            }
            _ if wide => {}
            _ => bench.check(&name, function, &vec![1; parameters]),
        }
    }
}

/// Returns a decision in an exchange, the one with the longest history, and the one with the most
/// legal actions.
fn daihinmin_decisions() -> Vec<Decision<Daihinmin>> {
    let game = Daihinmin::new(daihinmin::Options::default()).unwrap();
    let all = decision_tests::of(&game, 3);
    let is_exchange = |decision: &&Decision<Daihinmin>| {
        decision.turn().seen.read::<Daihinmin>().0.phase == phase::EXCHANGE
    };
    let longest = all
        .iter()
        .max_by_key(|decision| decision.turn().seen.history.count());
    let widest = all
        .iter()
        .max_by_key(|decision| decision.turn().legal.count());
    [all.iter().find(is_exchange), longest, widest]
        .into_iter()
        .map(|found| found.unwrap().clone())
        .collect()
}

#[test]
fn look_ahead_costs_fuel_in_proportion_to_its_work() {
    let options = serde_json::to_string(&daihinmin::Options::default()).unwrap();
    let mut bench = Bench::new(Daihinmin::ID, &options);
    let sample = bench.function(abi::SERVICE_DAIHINMIN_SEARCH, 0);
    let playouts = bench.function(abi::SERVICE_DAIHINMIN_SEARCH, 1);
    let decision = BASE + offsets::CALL;
    for at in daihinmin_decisions() {
        let turn = at.turn();
        let loan = Rc::clone(&bench.store.data().turn);
        loan.lend(&turn, || {
            for count in [0, 1, 100, u32::MAX] {
                bench.check(
                    &format!("sample of {count}"),
                    sample,
                    &[BASE, decision, count, QUESTION],
                );
            }
            bench.check(
                "sample for another decision",
                sample,
                &[BASE, 0, 1, QUESTION],
            );
            // Deals that are consistent with the view.
            bench.store.set_fuel(FUEL).unwrap();
            let mut result = [Val::I32(0)];
            let parameters =
                [BASE, decision, 10, QUESTION].map(|number| Val::I32(number.cast_signed()));
            sample
                .call(&mut bench.store, &parameters, &mut result)
                .unwrap();
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
                    let what = format!("{rounds} playouts of policy {policy} in {deals} deals");
                    bench.check(
                        &what,
                        playouts,
                        &[BASE, decision, QUESTION, deals, rounds, policy, ANSWER],
                    );
                }
            }
            // Deals that are not.
            bench.write(QUESTION, &[0; 8 * PLAYERS]);
            for count in [1, 10, DEALS] {
                bench.check(
                    "unfit deals",
                    playouts,
                    &[BASE, decision, QUESTION, count, 1, 0, ANSWER],
                );
            }
        });
    }
}

#[test]
fn double_dummy_calls_cost_fuel_in_proportion_to_their_work() {
    let game = Bridge::new(bridge::Options::default()).unwrap();
    let options = serde_json::to_string(&bridge::Options::default()).unwrap();
    let mut bench = Bench::new(Bridge::ID, &options);
    let tricks = bench.function(abi::SERVICE_BRIDGE_DOUBLE_DUMMY, 0);
    let decision = BASE + offsets::CALL;
    let all = decision_tests::of(&game, 1);
    for at in [&all[3], &all[24], &all[all.len() - 2]] {
        let turn = at.turn();
        let loan = Rc::clone(&bench.store.data().turn);
        let view = turn.seen.read::<Bridge>().0;
        let hands = decision_tests::fitting_hands(view);
        for number in 0..16 {
            bench.write(QUESTION + 32 * number, bytemuck::cast_slice(&hands));
        }
        loan.lend(&turn, || {
            for count in [0, 1, 16, 1 << 10, u32::MAX] {
                let what = format!("{count} deals after {} cards", view.played_count);
                bench.check(&what, tricks, &[BASE, decision, QUESTION, count, ANSWER]);
            }
            bench.check("another decision", tricks, &[BASE, 0, QUESTION, 1, ANSWER]);
            bench.write(QUESTION, &[0; 32]);
            bench.check(
                "unfit deals",
                tricks,
                &[BASE, decision, QUESTION, 1 << 10, ANSWER],
            );
        });
    }
}

#[test]
fn double_dummy_calls_cost_the_same_fuel_in_every_block() {
    let game = Bridge::new(bridge::Options::default()).unwrap();
    let options = serde_json::to_string(&bridge::Options::default()).unwrap();
    let mut bench = Bench::new(Bridge::ID, &options);
    let tricks = bench.function(abi::SERVICE_BRIDGE_DOUBLE_DUMMY, 0);
    let all = decision_tests::of(&game, 1);
    let turn = all[20].turn();
    let hands = decision_tests::fitting_hands(turn.seen.read::<Bridge>().0);
    bench.write(QUESTION, bytemuck::cast_slice(&hands));
    let parameters = [BASE, BASE + offsets::CALL, QUESTION, 1, ANSWER]
        .map(|number| Val::I32(number.cast_signed()));
    let loan = Rc::clone(&bench.store.data().turn);
    let fuel = [(); 3].map(|()| {
        let start = BlockStart {
            game: Bridge::ID,
            options_json: &options,
            players: 4,
            player: 0,
            deals: 1,
            seed: 7,
        };
        bench.store.data_mut().start_block(&start);
        bench.store.set_fuel(FUEL).unwrap();
        let mut result = [Val::I32(-1)];
        loan.lend(&turn, || {
            tricks.call(&mut bench.store, &parameters, &mut result)
        })
        .unwrap();
        assert_eq!(result[0].i32(), Some(abi::OK));
        FUEL - bench.store.get_fuel().unwrap()
    });
    assert_eq!(fuel, [fuel[0]; 3]);
}
