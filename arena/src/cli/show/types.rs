//! `hattari show types`.

use crate::cli::{CommandResult, Outcome, output};
use anyhow::Context;
use hattari_agents::agent::script::stubs;
use hattari_agents::games;
use hattari_plugin::headers::{self, assemblyscript};
use std::fs;
use std::path::PathBuf;

/// Generate the bot API of a game (C header, Luau types, AssemblyScript offsets)
#[derive(clap::Args, Debug)]
#[command(after_help = "\
A bot receives records: the view of its seat, the events and the legal actions. These files \
declare the fields of the records: a header for C, a definition file for editors for Lua, and \
offsets for AssemblyScript. Rust bots use the types of the game.

Examples:
  hattari show types c holdem                    print hattari_holdem.h
  hattari show types c holdem --into include     write it, with the headers for all games
  hattari show types lua holdem --into types     write types/holdem.d.luau
  hattari show types assemblyscript stud --into . write hattari.ts and hattari_stud.ts

Exit codes: 0 written, 2 unknown game, or the folder cannot be written.")]
pub(super) struct Arguments {
    /// Programming language of the bot
    #[arg(value_enum)]
    language: Language,
    /// The game that the bot plays
    game: String,
    /// Output folder, created if it does not exist (default: print the file of the game)
    #[arg(long, value_name = "DIR")]
    into: Option<PathBuf>,
}

/// A language in which record types can be described.
#[derive(clap::ValueEnum, Clone, Copy, Debug)]
enum Language {
    Lua,
    C,
    Assemblyscript,
}

pub(super) fn main(arguments: &Arguments) -> CommandResult {
    let game = games::named(&arguments.game)?;
    let (name, text) = match arguments.language {
        Language::Lua => (format!("{}.d.luau", game.name()), stubs::of_game(game)),
        Language::C => (
            headers::file_name(&game.schema),
            headers::of_game(&game.schema),
        ),
        Language::Assemblyscript => (
            assemblyscript::file_name(&game.schema),
            assemblyscript::of_game(&game.schema),
        ),
    };
    let Some(folder) = &arguments.into else {
        return output::print(&text);
    };
    fs::create_dir_all(folder).with_context(|| format!("--into {}", folder.display()))?;
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        fs::write(&path, text).with_context(|| format!("{} cannot be written", path.display()))
    };
    match arguments.language {
        Language::Lua => {}
        Language::C => headers::SHARED
            .iter()
            .try_for_each(|(name, text)| write(name, text))?,
        Language::Assemblyscript => write(assemblyscript::SHARED, &assemblyscript::shared())?,
    }
    write(&name, &text)?;
    Ok(Outcome::Done)
}
