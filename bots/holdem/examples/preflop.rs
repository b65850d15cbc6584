//! Computes the table of win rates before the flop. The same deals and seed give an identical file.
//!
//! ```sh
//! cargo run --release -p hattari-bots-holdem --example preflop [deals=N] [seed=N] [output=FILE]
//! ```

#[path = "support/arguments.rs"]
mod arguments;

use hattari_bots_holdem::preflop;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let (deals, seed, output) = arguments::read(100_000_000, "bots/holdem/src/preflop.txt")?;
    let text = preflop::text(&preflop::count(deals, seed));
    std::fs::write(&output, text).map_err(|error| format!("{output}: {error}"))?;
    Ok(())
}
