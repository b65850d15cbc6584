//! Compiled bots of version 0.2: prebuilt modules and libraries. `scaffolds.rs` builds the sources
//! from which they were made.

use crate::copy;
use crate::scaffolds::every_game_is_the_same;

/// The games, as in file names.
pub(crate) const GAMES: [&str; 5] = ["bridge", "daihinmin", "holdem", "stud", "tanhinmin"];

#[test]
fn modules_still_play_the_same_games() {
    every_game_is_the_same("c", "", |folder, game| {
        copy(folder, &format!("compiled/{game}.wasm.gz"), "mine.wasm");
        "bot: ./mine.wasm".to_owned()
    });
}

/// Libraries as compilers of that time made them, which cannot be rebuilt.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[test]
fn libraries_still_play_the_same_games() {
    every_game_is_the_same("c", "", |folder, game| {
        copy(folder, &format!("compiled/lib{game}.so.gz"), "libmine.so");
        "bot: ./libmine.so".to_owned()
    });
}
