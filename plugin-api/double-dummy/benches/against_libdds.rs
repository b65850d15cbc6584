//! Speed comparison with libdds: scores all cards of the same random positions with one thread
//! each.
//!
//! `cargo bench -p hattari-double-dummy --bench against_libdds -- [strain] [cards...]`. The
//! defaults are NT and 8, 10 and 13 cards. Times are processor times of the thread where available,
//! so that other load has no effect.

#[path = "../tests/support/mod.rs"]
mod support;

use hattari_double_dummy::{Libdds, Side, Solver, Strain};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::time::Duration;

fn main() {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|argument| !argument.starts_with('-'))
        .collect();
    let strain = arguments
        .iter()
        .find_map(|a| a.parse::<Strain>().ok())
        .unwrap_or(Strain::NoTrump);
    let mut sizes: Vec<usize> = arguments.iter().filter_map(|a| a.parse().ok()).collect();
    if sizes.is_empty() {
        sizes = vec![8, 10, 13];
    }
    let libdds = match Libdds::open() {
        Ok(libdds) => libdds,
        Err(error) => {
            println!("cannot compare: {error}");
            return;
        }
    };
    println!(
        "milliseconds per position to score all cards: {strain}, libdds {}, one thread",
        libdds.version()
    );
    println!(
        "cards  positions   solver  (median)   libdds  (median)   ratio   cards played per position"
    );
    let mut solver = Solver::default();
    for cards in sizes {
        compare(&mut solver, libdds, cards, strain);
    }
}

#[cfg(unix)]
fn clock() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(now).expect("time goes forward")
}

#[cfg(not(unix))]
fn clock() -> Duration {
    use std::sync::LazyLock;
    use std::time::Instant;
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}

fn compare(solver: &mut Solver, libdds: &Libdds, cards: usize, strain: Strain) {
    let positions = match cards {
        0..=8 => 1000,
        9..=10 => 300,
        11..=12 => 100,
        _ => 60,
    };
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    let (mut own, mut theirs, mut nodes) = (Vec::new(), Vec::new(), 0);
    for _ in 0..positions {
        let position = support::random_position(&mut rng, cards, 4, strain, 0);
        let start = clock();
        let values = solver.tricks_by_card(&position, Side::NorthSouth);
        own.push(clock() - start);
        nodes += solver.nodes();
        let start = clock();
        let check = libdds
            .tricks_by_card(&position, Side::NorthSouth)
            .expect("libdds accepts the position");
        theirs.push(clock() - start);
        assert_eq!(values, check, "{position:?}");
    }
    let ((own, own_median), (theirs, their_median)) = (summary(own), summary(theirs));
    println!(
        "{cards:>5}  {positions:>9} {own:>8.3}  {own_median:>8.3} {theirs:>8.3}  {their_median:>8.3} {:>7.2}   {:>10}",
        own / theirs,
        nodes / positions
    );
}

/// Returns mean and median in milliseconds.
fn summary(mut times: Vec<Duration>) -> (f64, f64) {
    times.sort();
    let millis = |time: Duration| time.as_secs_f64() * 1e3;
    let total: Duration = times.iter().sum();
    (
        millis(total) / times.len() as f64,
        millis(times[times.len() / 2]),
    )
}
