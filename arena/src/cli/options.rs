//! Options and inputs that several commands read in the same way.

use anyhow::{Context, ensure};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use serde_json::Value;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Returns a parser for the names in `choices`, each with its description and its value. A name
/// with an empty description is accepted but not listed.
pub(super) fn choice<T: Clone + Send + Sync + 'static>(
    choices: &[(&'static str, &'static str, T)],
) -> impl TypedValueParser<Value = T> + use<T> {
    let listed = choices
        .iter()
        .map(|(name, about, _)| PossibleValue::new(name).help(about).hide(about.is_empty()));
    let choices = choices.to_vec();
    PossibleValuesParser::new(listed).map(move |name| {
        let (.., value) = choices
            .iter()
            .find(|(choice, ..)| *choice == name)
            .expect("clap accepts only these names");
        value.clone()
    })
}

/// Parses the option `--config`: the settings of a bot.
pub(super) fn config(text: &str) -> anyhow::Result<Value> {
    let config: Value = serde_json::from_str(text).context("--config is not JSON")?;
    ensure!(
        config.is_object(),
        "--config must be a JSON object, as in '{{\"greed\": 0.3}}'"
    );
    Ok(config)
}

/// Opens a file, or standard input for `-`.
pub(super) fn open_input(path: &Path) -> io::Result<Box<dyn Read>> {
    Ok(if path.as_os_str() == "-" {
        Box::new(io::stdin())
    } else {
        Box::new(File::open(path)?)
    })
}
