//! What the examples that make a file take: `[deals=N] [seed=N] [output=FILE]`.

use std::error::Error;

/// Deals, seed and file, from these where nothing else is asked for; the seed is 1.
///
/// # Errors
/// An argument that is none of them, or no number.
pub(crate) fn read(deals: u64, output: &str) -> Result<(u64, u64, String), Box<dyn Error>> {
    let (mut deals, mut seed, mut output) = (deals, 1, String::from(output));
    for argument in std::env::args().skip(1) {
        match argument.split_once('=') {
            Some(("deals", value)) => deals = value.parse()?,
            Some(("seed", value)) => seed = value.parse()?,
            Some(("output", value)) => value.clone_into(&mut output),
            _ => return Err(format!("`{argument}`: deals=N, seed=N or output=FILE").into()),
        }
    }
    Ok((deals, seed, output))
}
