//! Learns the strategy of the bot `cfr`. The same deals and seed give an identical file.
//!
//! ```sh
//! cargo run --release -p hattari-bots-holdem --example learn_cfr [deals=N] [seed=N] [output=FILE]
//! ```

#[path = "../support/arguments.rs"]
mod arguments;
mod betting;
mod learn;

use learn::{Learner, text};
use std::error::Error;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let (deals, seed, output) = arguments::read(4_000_000, "bots/holdem/src/cfr/limit.txt")?;
    let begun = Instant::now();
    let mut learner = Learner::new(seed);
    for deal in 1..=deals {
        learner.deal();
        if deal % 100_000 == 0 {
            eprintln!(
                "{deal} of {deals} deals, {:.0} s",
                begun.elapsed().as_secs_f64()
            );
        }
    }
    std::fs::write(&output, text(&learner.strategy()))
        .map_err(|error| format!("{output}: {error}"))?;
    Ok(())
}
