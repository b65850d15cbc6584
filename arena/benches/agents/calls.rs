//! The overhead of a call through the C interface, and random playouts of daihinmin without agents.

use super::seats::compiled;
use super::{busy, float, module};
use bytemuck::Zeroable;
use hattari_agents::agent::Isolation;
use hattari_agents::agent::reference::First;
use hattari_agents::agent::{Agent, BlockStart, Notice, Turn};
use hattari_agents::seeds::{Purpose, Seeds};
use hattari_play::catalogue::Catalogue;
use hattari_plugin::games::daihinmin::{Action, Daihinmin, PLAYERS, View};
use hattari_plugin::games::{Game, GameTypes, chance};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Plays deals with random actions, without agents.
pub(crate) fn playouts(time: Duration) -> (u64, Duration) {
    let game = Daihinmin::new(<Daihinmin as Game>::Options::default()).expect("the default rules");
    let deals = Seeds::league(1).purpose(Purpose::Deals);
    let (mut deal, mut actions) = (game.new_deal(), Vec::new());
    let mut payoffs = [0; PLAYERS];
    let (mut count, start, before) = (0, Instant::now(), busy());
    while start.elapsed() < time {
        let mut block = game.new_block(PLAYERS, 100);
        for _ in 0..100 {
            let mut chance = deals.stream(count);
            game.deal(&mut block, &mut chance, &mut deal);
            while game.to_act(&deal).is_some() {
                game.legal(&deal, &mut actions);
                let index = chance::below(
                    &mut chance,
                    u32::try_from(actions.len()).expect("few actions"),
                );
                game.apply(&mut deal, actions[index as usize].into());
            }
            game.finish(&mut block, &deal, &mut payoffs);
            count += 1;
        }
    }
    (count, busy().saturating_sub(before))
}

/// The start of a block of daihinmin.
const START: Notice<'_> = Notice::BlockStart(BlockStart {
    game: Daihinmin::ID,
    options_json: "{}",
    players: 5,
    player: 0,
    deals: 1,
    seed: 1,
});

/// Prints the cost of a new instance of a module's bot: a block without deals.
fn blocks(mut agent: Box<dyn Agent>, time: Duration) {
    let (mut blocks, begun, before) = (0_u64, Instant::now(), busy());
    while begun.elapsed() < time {
        let outcome = [START, Notice::BlockEnd]
            .iter()
            .try_for_each(|notice| agent.notify(notice));
        outcome.unwrap();
        blocks += 1;
    }
    let mean = busy().saturating_sub(before).as_secs_f64() * 1e6 / float(blocks);
    println!("{:<34}{mean:>13.2} µs", "a new WebAssembly instance");
}

/// Prints the cost of a call of `act` for a bot that does nothing, for each backend.
pub(crate) fn calls(catalogue: &Catalogue, time: Duration) {
    let (view, actions) = (View::zeroed(), [Action::zeroed(); 8]);
    let turn = Turn::of::<Daihinmin>(&view, &[], &actions);
    let [second, instant] = [1_000_000, 20_000].map(|budget_us| Turn { budget_us, ..turn });
    let last = |isolation| {
        let opened = compiled(catalogue, Daihinmin::ID, "last", isolation).open("{}");
        opened.unwrap()
    };
    println!(
        "\ncost of a call to a bot that does nothing, one thread: mean CPU time, median \
         wall-clock time:"
    );
    let mut rows: Vec<(&str, Box<dyn Agent>, &Turn<'_>)> = vec![
        (
            "agent of the host",
            Box::new(First::<Daihinmin>::default()),
            &turn,
        ),
        ("C interface, same process", last(Isolation::None), &turn),
        ("  with a time limit of 1 s", last(Isolation::None), &second),
        (
            "  with a time limit of 20 ms",
            last(Isolation::None),
            &instant,
        ),
        (
            "C interface, separate process",
            last(Isolation::Process),
            &turn,
        ),
        (
            "  with a time limit of 1 s",
            last(Isolation::Process),
            &second,
        ),
    ];
    if let Some(factory) = module(catalogue, Daihinmin::ID, "last") {
        let open = || factory.open("{}").unwrap();
        rows.push(("WebAssembly", open(), &turn));
        rows.push(("  with a time limit of 1 s", open(), &second));
        blocks(open(), time);
    }
    for (name, mut agent, turn) in rows {
        agent.notify(&START).unwrap();
        let mut call = || black_box(agent.act(black_box(turn)).unwrap());
        let (mut calls, start, before) = (0_u64, Instant::now(), busy());
        while start.elapsed() < time {
            for _ in 0..10_000 {
                call();
            }
            calls += 10_000;
        }
        let mean = busy().saturating_sub(before).as_secs_f64() * 1e9 / float(calls);
        let mut times: Vec<Duration> = (0..100_001)
            .map(|_| {
                let start = Instant::now();
                call();
                start.elapsed()
            })
            .collect();
        times.sort_unstable();
        let [median, p99] = [times[times.len() / 2], times[times.len() / 100 * 99]];
        println!(
            "{name:<34}{mean:>13.2} ns{:>13} ns, 99 % of calls below {:>8} ns",
            median.as_nanos(),
            p99.as_nanos()
        );
    }
}
