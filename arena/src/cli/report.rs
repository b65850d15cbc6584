//! `hattari report`.

use super::Outcome;
use hattari_stats::Correction;

/// How p is adjusted, on the command line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum CorrectionArgument {
    /// Holm: holds the chance of any false claim.
    #[default]
    Holm,
    /// Benjamini and Hochberg: holds the share of false claims.
    #[value(alias = "benjamini-hochberg")]
    Bh,
    /// No adjustment.
    None,
}

impl From<CorrectionArgument> for Correction {
    fn from(argument: CorrectionArgument) -> Correction {
        match argument {
            CorrectionArgument::Holm => Correction::Holm,
            CorrectionArgument::Bh => Correction::BenjaminiHochberg,
            CorrectionArgument::None => Correction::None,
        }
    }
}

/// Reads a confidence level.
pub fn confidence(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(level) if (0.5..1.0).contains(&level) => Ok(level),
        Ok(level) if (50.0..100.0).contains(&level) => Err(format!("give {level} % as {}", level / 100.0)),
        _ => Err("a confidence level lies between 0.5 and 1, as in 0.95".to_owned()),
    }
}

/// Arguments of `hattari report`.
#[derive(clap::Args, Debug)]
pub struct Arguments {}

/// Runs the command.
pub fn main(_arguments: &Arguments) -> anyhow::Result<Outcome> {
    anyhow::bail!("this build has no `report` yet")
}
