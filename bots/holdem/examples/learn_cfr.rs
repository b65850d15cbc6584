//! Learns what the bot `cfr` plays by: `cargo run --release -p hattari-bots-holdem --example learn_cfr [deals=N] [seed=N] [output=FILE]`.
//! The same deals and seed make the same file, to the character.

use hattari_bots_holdem::cfr::learn::Learner;
use std::error::Error;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let (mut deals, mut seed, mut output) = (4_000_000_u64, 1_u64, String::from("bots/holdem/src/cfr/limit.txt"));
    for argument in std::env::args().skip(1) {
        match argument.split_once('=') {
            Some(("deals", value)) => deals = value.parse()?,
            Some(("seed", value)) => seed = value.parse()?,
            Some(("output", value)) => value.clone_into(&mut output),
            _ => return Err(format!("`{argument}`: deals=N, seed=N or output=FILE").into()),
        }
    }
    let begun = Instant::now();
    let mut learner = Learner::new(seed);
    for deal in 1..=deals {
        learner.deal();
        if deal % 100_000 == 0 {
            eprintln!("{deal} of {deals} deals, {:.0} s", begun.elapsed().as_secs_f64());
        }
    }
    std::fs::write(&output, learner.strategy().text()).map_err(|error| format!("{output}: {error}"))?;
    Ok(())
}
