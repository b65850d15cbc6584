//! The rules of every game: what all games promise, rulings, and whole deals.

mod conformance;
mod equity;
mod given;
mod heads_up;
mod luck;
mod playthrough;
#[path = "../../../../tests/support/python.rs"]
mod python;
mod resample;
mod rules;

/// Every game has its tests in a folder of its own.
macro_rules! modules {
    ($($folder:ident: $game:ident,)*) => {
        $(mod $folder;)*
    };
}

hattari_games::every_game!(modules);
