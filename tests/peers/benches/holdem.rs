//! Hold'em hands per second if all players call: the rules of this project compared with the arena
//! of rs_poker.
//!
//! `cargo bench --manifest-path tests/peers/Cargo.toml`. Stacks of 100 big blinds, no output files.
//! Here every decision lists the legal actions and fills a bot's view. In rs_poker the agents are
//! called as its arena calls them, in a single-threaded runtime.

#[path = "support/hands.rs"]
mod hands;

use divan::Bencher;
use divan::counter::ItemsCount;
use hands::{DEALS, call, play};
use rs_poker::arena::agent::CallingAgent;
use rs_poker::arena::{Agent, GameStateBuilder, HoldemSimulationBuilder};
use tokio::runtime::Builder;

fn main() {
    divan::main();
}

#[divan::bench(args = [2, 6, 9])]
fn here(bencher: Bencher, players: usize) {
    play(bencher, players, call);
}

#[divan::bench(args = [2, 6, 9])]
fn rs_poker(bencher: Bencher, players: usize) {
    let runtime = Builder::new_current_thread().build().expect("a runtime");
    bencher.counter(ItemsCount::new(DEALS)).bench_local(|| {
        for number in 0..DEALS as usize {
            let state = GameStateBuilder::new()
                .num_players_with_stack(players, 200.0)
                .blinds(2.0, 1.0)
                .dealer_idx(number % players)
                .build()
                .expect("a table");
            let agents = (0..players)
                .map(|_| Box::new(CallingAgent::new("call")) as Box<dyn Agent>)
                .collect();
            let mut hand = HoldemSimulationBuilder::default()
                .game_state(state)
                .agents(agents)
                .build()
                .expect("a hand");
            runtime.block_on(hand.run());
        }
    });
}
