//! Looks up games and bots by name, for benchmarks.

use hattari_agents::agent::Isolation;
use hattari_agents::agent::{Agent, AgentFactory};
use hattari_agents::games;
use hattari_agents::table::{self, AnyGame};
use hattari_play::catalogue::{AgentSpec, Catalogue, FoundBot};
use std::sync::Arc;

/// A function that opens an agent on the thread that plays it.
pub(crate) type Open = Box<dyn Fn() -> Box<dyn Agent> + Send + Sync>;

/// Returns the game `name` with the options of a preset (default: its first).
pub(crate) fn game(name: &str, preset: Option<&str>) -> Box<dyn AnyGame> {
    let facts = games::named(name).unwrap();
    let rules = facts.apply_overrides(preset.unwrap_or(facts.presets[0]), &[]);
    let rules = rules.unwrap_or_else(|problems| panic!("{problems:?}"));
    table::game(facts.id, &rules.options).unwrap()
}

/// Returns a function that opens agents of a bot without settings.
pub(crate) fn opener(factory: Arc<dyn AgentFactory>) -> Open {
    Box::new(move || factory.open("{}").unwrap())
}

/// Returns the compiled bot with this name.
pub(crate) fn compiled(
    catalogue: &Catalogue,
    game: &str,
    name: &str,
    isolation: Isolation,
) -> Arc<dyn AgentFactory> {
    let is_it =
        |bot: &&FoundBot| bot.name == name && bot.kind.name() == "compiled" && bot.plays(game);
    let compiled = catalogue
        .bots()
        .iter()
        .find(is_it)
        .unwrap_or_else(|| panic!("no bot {name} for {game}"));
    let spec = AgentSpec {
        isolation: Some(isolation),
        ..AgentSpec::default()
    };
    compiled.agent_factory_with(&spec).unwrap()
}
