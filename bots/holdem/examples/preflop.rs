//! Makes the table of win rates before the flop: `cargo run --release -p hattari-bots-holdem --example preflop [deals=N] [seed=N] [output=FILE]`.
//! The same deals and seed make the same file, to the character.

use hattari_bots_holdem::preflop;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let (mut deals, mut seed, mut output) = (100_000_000_u64, 1_u64, String::from("bots/holdem/src/preflop.txt"));
    for argument in std::env::args().skip(1) {
        match argument.split_once('=') {
            Some(("deals", value)) => deals = value.parse()?,
            Some(("seed", value)) => seed = value.parse()?,
            Some(("output", value)) => value.clone_into(&mut output),
            _ => return Err(format!("`{argument}`: deals=N, seed=N or output=FILE").into()),
        }
    }
    let text = preflop::text(&preflop::count(deals, seed));
    std::fs::write(&output, text).map_err(|error| format!("{output}: {error}"))?;
    Ok(())
}
