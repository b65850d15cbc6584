//! Compiled bots of version 0.2: prebuilt modules and libraries. `scaffolds.rs` builds the sources
//! that they were made from.

use crate::copy;
use crate::scaffolds::{expected, plays};
use crate::support::Folder;

/// The games, as they are called in names of files.
pub(crate) const GAMES: [&str; 5] = ["bridge", "daihinmin", "holdem", "stud", "tanhinmin"];

#[test]
fn modules_play_what_they_played() {
    for game in GAMES {
        let folder = Folder::new();
        copy(&folder, &format!("compiled/{game}.wasm.gz"), "mine.wasm");
        assert_eq!(
            plays(&folder, game, "bot: ./mine.wasm", &[]),
            expected("c", game),
            "{game}"
        );
    }
}

/// Libraries as a compiler of that time made them, which nobody can build again.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[test]
fn libraries_play_what_they_played() {
    for game in GAMES {
        let folder = Folder::new();
        copy(&folder, &format!("compiled/lib{game}.so.gz"), "libmine.so");
        assert_eq!(
            plays(&folder, game, "bot: ./libmine.so", &[]),
            expected("c", game),
            "{game}"
        );
    }
}
