//! Fits a policy to games that bots play against each other, by minorisation-maximisation.
//!
//! `cargo run --release -p hattari-bots-daihinmin --example fit_policy -- --policy light --out light.txt mc-random all-k default`
//!
//! Every block seats five of the named bots at random (one of them may sit there twice). All of their choices between two
//! or more actions are recorded, or those of the bots named by `--learn` alone. One block in ten is held out: what the
//! fitted policy foresees of those choices goes into the log, which heads the file of weights with the command itself.

mod common;

use clap::Parser;
use common::{Entrant, play_block};
use hattari_plugin::Rng;
use hattari_plugin::daihinmin::{Options, PLAYERS, phase};
use hattari_search::choice::Choices;
use hattari_search::daihinmin::policy::{Full, Light, Look, Policy, Sight};
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

#[derive(Parser)]
struct Arguments {
    /// Bots to record, each a name or a name with a config in JSON.
    #[arg(required = true, value_parser = Entrant::parse)]
    bots: Vec<Entrant>,
    /// Learn from the bots with these numbers, counted from 1; from all without this.
    #[arg(long, value_delimiter = ',')]
    learn: Vec<usize>,
    /// Blocks.
    #[arg(long, default_value_t = 100)]
    blocks: u64,
    /// Games of a block.
    #[arg(long, default_value_t = 20)]
    games: u32,
    /// Seed of the first block.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Rounds of minorisation-maximisation.
    #[arg(long, default_value_t = 60)]
    rounds: u32,
    /// Choices won and lost against an option of strength 1 that every feature begins with.
    #[arg(long, default_value_t = 2.0)]
    prior: f64,
    /// Blocks at a time.
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Which policy.
    #[arg(long, value_enum)]
    policy: Kind,
    /// Where the weights go; to the terminal without this.
    #[arg(long)]
    out: Option<PathBuf>,
}

/// One block in so many is held out.
const HELD_OUT: u64 = 10;

/// Which policy is fitted.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Kind {
    /// That of playouts.
    Light,
    /// That of moves that are made.
    Full,
}

fn main() {
    let arguments = Arguments::parse();
    match arguments.policy {
        Kind::Light => fit::<Light, 7>(&arguments),
        Kind::Full => fit::<Full, 14>(&arguments),
    }
}

fn fit<L: Look<N>, const N: usize>(arguments: &Arguments) {
    let (fit, held_out) = record::<L, N>(arguments);
    let mut log = String::new();
    let mut say = |line: String| {
        eprintln!("{line}");
        writeln!(log, "# {line}").expect("text grows");
    };
    let words: Vec<String> = std::env::args().skip(1).map(|word| quoted(&word)).collect();
    say(format!("cargo run --release -p hattari-bots-daihinmin --example fit_policy -- {}", words.join(" ")));
    say(format!("{} choices to fit to, {} held out", fit.len(), held_out.len()));
    let strengths = fit.fit(Vec::new(), arguments.rounds, arguments.prior, |round, strengths| {
        if round.is_power_of_two() || round == arguments.rounds {
            let (seen, unseen) = (fit.foresight(strengths), held_out.foresight(strengths));
            say(format!(
                "round {round}: log-likelihood of a choice {:.4}, held out {:.4} (uniform {:.4}); strongest taken {:.1} %",
                seen.log_likelihood,
                unseen.log_likelihood,
                unseen.uniform,
                100.0 * unseen.top
            ));
        }
    });
    let text = log + &Policy::<L, N>::new(&strengths).to_text();
    match &arguments.out {
        None => print!("{text}"),
        Some(path) => std::fs::write(path, text).unwrap_or_else(|e| panic!("{}: {e}", path.display())),
    }
}

/// Plays, and records choices to fit to and choices to hold out.
fn record<L: Look<N>, const N: usize>(arguments: &Arguments) -> (Choices<N>, Choices<N>) {
    let empty = || Choices::new(Policy::<L, N>::STARTS, Policy::<L, N>::FEATURES);
    let options = Options { rank_reset: arguments.games, ..Options::default() };
    let (next, blocks) = (AtomicU64::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..arguments.threads {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= arguments.blocks {
                        break;
                    }
                    let seed = arguments.seed.wrapping_add(number);
                    let mut draw = Rng::new(seed);
                    let seated: [usize; PLAYERS] = std::array::from_fn(|_| draw.index(arguments.bots.len()));
                    let entrants = seated.map(|bot| arguments.bots[bot].clone());
                    let mut choices = Vec::new();
                    play_block(&entrants, &options, arguments.games, seed, |player, view, _, legal, taken| {
                        let learn = arguments.learn.is_empty() || arguments.learn.contains(&(seated[player] + 1));
                        if view.phase == phase::PLAY && learn {
                            let sight = Sight::seen(view);
                            let judge = L::judge(&sight);
                            choices.push((
                                legal.iter().map(|a| Policy::<L, N>::features(&judge, a)).collect::<Vec<_>>(),
                                taken,
                            ));
                        }
                    });
                    blocks.lock().expect("nobody panics with it").push((number, choices));
                }
            });
        }
    });
    // In the order of their numbers, so that the result does not depend on threads.
    let mut blocks = blocks.into_inner().expect("all have ended");
    blocks.sort_unstable_by_key(|block| block.0);
    let (mut fit, mut held_out) = (empty(), empty());
    for (number, choices) in blocks {
        let to = if number % HELD_OUT == HELD_OUT - 1 { &mut held_out } else { &mut fit };
        choices.into_iter().for_each(|(options, taken)| to.push(options, taken));
    }
    (fit, held_out)
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    if word.chars().all(|c| c.is_ascii_alphanumeric() || "-_.,/".contains(c)) {
        word.into()
    } else {
        format!("'{word}'")
    }
}
