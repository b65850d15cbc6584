//! Tests of the rules: guarantees of all games, rulings, and complete deals.

mod conformance;
mod equity;
mod given;
mod heads_up;
mod luck;
mod options;
mod play;
mod playthrough;
#[path = "../../../../tests/support/python.rs"]
mod python;
mod resample;
mod script;

/// Declares the module with the tests of each game, which is named like its folder.
macro_rules! modules {
    ($($folder:ident: $game:ident,)*) => {
        $(mod $folder;)*
    };
}

hattari_games::every_game!(modules);
