//! Complete deals as text: `playthrough.txt`.

use crate::playthrough::{Play, staying};
use hattari_games::holdem::{Holdem, Options};

/// Three deals with a side pot, a showdown before the river, and a rebuy.
#[test]
fn the_played_deals_match_playthrough_txt() {
    let options = Options {
        ante: 10,
        stack: 1500,
        carry: true,
        rebuy: 1500,
        raises_max: 4,
        ..Options::default()
    };
    let play = Play::<Holdem> {
        options,
        players: 4,
        deals: 3,
        before: 0,
        written: 3,
        seed: 205,
    };
    play.check(|game, _, legal, chance| staying(game, legal, chance));
}
