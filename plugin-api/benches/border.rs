//! Cost of the C interface: a decision of a trivial bot, requested in four ways:
//! * as a Rust method
//! * through the table of C functions
//! * through the table of a library that was loaded from a file
//! * through the table, by a host whose records are longer than the bot's
//!
//! ```sh
//! cargo build --release -p hattari-plugin --example shedder  # optional: the loaded library
//! cargo bench -p hattari-plugin --bench border
//! ```
#![expect(unsafe_code, reason = "plays the host's side of the C interface")]

use bytemuck::Zeroable;
use divan::{Bencher, black_box};
use hattari_plugin::daihinmin::{self, Action, Block, Bot as _, Event, Turn, View, phase};
use hattari_plugin::{NoConfig, abi};
use std::env;
use support::{Driver, block, decision, load};

#[path = "../tests/support/mod.rs"]
mod support;

/// Plays the last action.
struct Last;

impl daihinmin::Bot for Last {
    type Config = NoConfig;
    fn new(_: NoConfig, _: &Block) -> Result<Self, String> {
        Ok(Last)
    }
    #[inline(never)]
    fn act(&mut self, turn: &Turn) -> usize {
        turn.legal().len() - 1
    }
}

hattari_plugin::export_bots![daihinmin::bot::<Last>(
    "last",
    "1.0.0",
    "Plays the last action"
)];

const HISTORY: usize = 40;
const ACTIONS: usize = 12;

/// A record as in a later release, with one more field.
#[derive(Clone, Copy)]
#[repr(C)]
struct Later<T>(T, u64);

fn view() -> View {
    View {
        phase: phase::PLAY,
        ..View::zeroed()
    }
}

fn main() {
    divan::main();
}

#[divan::bench]
fn direct(bencher: Bencher) {
    let (view, history, legal) = (view(), [Event::zeroed(); HISTORY], [Action::PASS; ACTIONS]);
    let mut bot = Last;
    bencher.bench_local(|| black_box(&mut bot).act(black_box(&Turn::new(&view, &history, &legal))));
}

fn through_the_table(bencher: Bencher, driver: &Driver, turn: &abi::Decision) {
    let act = driver.functions.act.expect("the table has act");
    let mut choice = abi::Choice {
        struct_size: abi::struct_size::<abi::Choice>(),
        action: 0,
        amount: 0,
    };
    bencher.bench_local(|| {
        // SAFETY: the bot and all data of the decision are alive.
        let status = unsafe { black_box(act)(driver.bot, black_box(turn), &mut choice) };
        (status, choice.action)
    });
    assert!((choice.action as usize) < ACTIONS);
}

#[divan::bench]
fn table(bencher: Bencher) {
    let (view, history, legal) = (view(), [Event::zeroed(); HISTORY], [Action::PASS; ACTIONS]);
    through_the_table(
        bencher,
        &Driver::started(&HATTARI_ENTRY, "last"),
        &decision(&view, &history, &legal),
    );
}

#[divan::bench]
fn table_of_a_loaded_library(bencher: Bencher) {
    let bench = env::current_exe().expect("a program knows its path");
    let file = format!(
        "{}shedder{}",
        env::consts::DLL_PREFIX,
        env::consts::DLL_SUFFIX
    );
    let library = bench.with_file_name("..").join("examples").join(file);
    if !library.exists() {
        return;
    }
    let (view, history, legal) = (view(), [Event::zeroed(); HISTORY], [Action::PASS; ACTIONS]);
    let driver = Driver::started(load(&library), "first");
    through_the_table(bencher, &driver, &decision(&view, &history, &legal));
}

#[divan::bench]
fn table_of_a_newer_host(bencher: Bencher) {
    let (history, legal) = (
        [Later(Event::zeroed(), 1); HISTORY],
        [Later(Action::PASS, 1); ACTIONS],
    );
    let driver = Driver::started(&HATTARI_ENTRY, "last");
    through_the_table(
        bencher,
        &driver,
        &decision(&Later(view(), 1), &history, &legal),
    );
}

#[divan::bench]
fn create_block_destroy(bencher: Bencher) {
    let driver =
        |config| Driver::create(&HATTARI_ENTRY, "last", config, support::TestHost::bare()).ok();
    bencher.bench_local(|| {
        let driver = driver(black_box(""));
        driver.map(|driver| driver.block_start(&block()))
    });
}
