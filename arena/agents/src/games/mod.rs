//! The list of games, with static information about each.

mod info;
mod poker;
mod registry;
#[cfg(test)]
mod rules_tests;

/// Declares a module with the host's additions for each built-in game.
macro_rules! modules {
    ($($folder:ident: $game:ident,)*) => {
        $(mod $folder;)*
    };
}

hattari_plugin::games::every_game!(modules);

pub(crate) use bridge::register_solver;
pub(crate) use info::{GameExtras, LuauLibrary, Phase, WatchDefaults};
pub use info::{GameInfo, LeagueOptions, name_without_revision};
pub(crate) use registry::add;
pub use registry::{UnknownGame, all, named};
