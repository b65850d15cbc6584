//! Options and inputs that several commands read in the same way.

use anyhow::{Context, ensure};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use hattari_agents::games::name_without_revision;
use hattari_plugin::games::Game;
use serde_json::{Map, Value};
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

/// Returns the options of a preset, with changes from the JSON object `overrides`.
pub(super) fn game_options<G: Game>(preset: &str, overrides: &str) -> anyhow::Result<G::Options> {
    let (name, presets) = (name_without_revision(G::ID), G::presets().join(", "));
    let preset = G::preset(preset)
        .with_context(|| format!("{name} has no preset `{preset}`; its presets are {presets}"))?;
    let mut options = serde_json::to_value(preset)?;
    let overrides: Map<String, Value> = serde_json::from_str(overrides)
        .context("--options must be a JSON object, as in '{\"lock\": false}'")?;
    for (name, value) in overrides {
        options[name] = value;
    }
    serde_json::from_value(options).context("--options")
}

/// Opens a file, or standard input for `-`.
pub(super) fn open_input(path: &Path) -> io::Result<Box<dyn Read>> {
    Ok(if path.as_os_str() == "-" {
        Box::new(io::stdin())
    } else {
        Box::new(File::open(path)?)
    })
}
