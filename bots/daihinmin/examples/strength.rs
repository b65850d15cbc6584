//! How many points a game five bots make against each other, with standard errors over blocks, and how long they think.
//!
//! `cargo run --release -p hattari-bots-daihinmin --example strength -- mc-random default default default default`
//!
//! A bot may have a config: `'mc-random{"playouts": 500}'`. Blocks of the preset `uecda` are played without a host;
//! leagues with a host are for results that are published.

mod common;

use clap::Parser;
use common::{Entrant, Result_, play_block};
use hattari_plugin::daihinmin::{Options, PLAYERS};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

#[derive(Parser)]
struct Arguments {
    /// Five bots, each a name or a name with a config in JSON.
    #[arg(num_args = PLAYERS, required = true, value_parser = Entrant::parse)]
    bots: Vec<Entrant>,
    /// Blocks.
    #[arg(long, default_value_t = 20)]
    blocks: u64,
    /// Games of a block: titles are reset after so many.
    #[arg(long, default_value_t = 100)]
    games: u32,
    /// Seed of the first block.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Blocks at a time.
    #[arg(long, default_value_t = 1)]
    threads: usize,
}

fn main() {
    let arguments = Arguments::parse();
    let bots: [Entrant; PLAYERS] = arguments.bots.clone().try_into().expect("five of them");
    let options = Options { rank_reset: arguments.games, ..Options::default() };
    let (next, results) = (AtomicU64::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..arguments.threads {
            scope.spawn(|| {
                loop {
                    let block = next.fetch_add(1, Ordering::Relaxed);
                    if block >= arguments.blocks {
                        break;
                    }
                    let seed = arguments.seed.wrapping_add(block);
                    let result = play_block(&bots, &options, arguments.games, seed, |_, _, _, _, _| ());
                    results.lock().expect("nobody panics with it").push(result);
                }
            });
        }
    });
    report(&bots, arguments.games, &results.into_inner().expect("all have ended"));
}

fn report(bots: &[Entrant; PLAYERS], games: u32, results: &[Result_]) {
    let blocks = results.len() as f64;
    println!("{} blocks of {games} games", results.len());
    for (player, bot) in bots.iter().enumerate() {
        let points: Vec<f64> = results.iter().map(|block| block.points[player] as f64 / f64::from(games)).collect();
        let mean = points.iter().sum::<f64>() / blocks;
        let variance = points.iter().map(|p| (p - mean).powi(2)).sum::<f64>() / (blocks - 1.0).max(1.0);
        let seconds: f64 = results.iter().map(|block| block.time[player].as_secs_f64()).sum();
        println!(
            "{mean:.3} ± {:.3} points a game, {:8.3} ms a game  {}",
            (variance / blocks).sqrt(),
            1000.0 * seconds / (blocks * f64::from(games)),
            bot.text
        );
    }
}
