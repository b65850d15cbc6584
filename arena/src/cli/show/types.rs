//! `hattari show types`.

use crate::cli::{Outcome, output};
use crate::games;
use anyhow::Context;
use hattari_agents::agent::script::stubs;
use hattari_plugin::headers::{self, assemblyscript};
use std::fs;
use std::path::PathBuf;

/// Write the bot API of a game: C header, Luau types, AssemblyScript offsets
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Bots of any game see the same records: what a seat may know, what has happened, what it may do. These files say what stands in
them: for C a header, for Lua a definition file that editors read, for AssemblyScript offsets.
Rust bots have the game's own types.

Examples:
  hattari show types c holdem                    print hattari_holdem.h
  hattari show types c holdem --into include     write it, with the headers that bots of all games share
  hattari show types lua holdem --into types     write types/holdem.d.luau
  hattari show types assemblyscript stud --into . write hattari.ts and hattari_stud.ts

Exit codes: 0 written, 2 there is no such game, or the folder cannot be written.")]
pub(super) struct Arguments {
    /// The language of the bot
    #[arg(value_enum)]
    language: Language,
    /// The game that it plays
    game: String,
    /// The folder to write to, made if it is not there; without it, the game's file is printed
    #[arg(long, value_name = "DIR")]
    into: Option<PathBuf>,
}

/// A language with generated record descriptions.
#[derive(clap::ValueEnum, Clone, Copy, Debug)]
enum Language {
    Lua,
    C,
    Assemblyscript,
}

/// Runs the command.
pub(super) fn main(arguments: &Arguments) -> anyhow::Result<Outcome> {
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
        output::print(&text)?;
        return Ok(Outcome::Done);
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
