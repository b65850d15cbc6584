//! Arguments of the examples that write a file: `[deals=N] [seed=N] [output=FILE]`.

use std::error::Error;

/// Returns deals, seed and output file. Defaults are `deals`, 1 and `output`.
///
/// # Errors
/// Returns an error if an argument is unknown or not a number.
pub(crate) fn read(deals: u64, output: &str) -> Result<(u64, u64, String), Box<dyn Error>> {
    let (mut deals, mut seed, mut output) = (deals, 1, String::from(output));
    for argument in std::env::args().skip(1) {
        match argument.split_once('=') {
            Some(("deals", value)) => deals = value.parse()?,
            Some(("seed", value)) => seed = value.parse()?,
            Some(("output", value)) => value.clone_into(&mut output),
            _ => {
                return Err(format!(
                    "`{argument}` is not an argument; give deals=N, seed=N or output=FILE"
                )
                .into());
            }
        }
    }
    Ok((deals, seed, output))
}
