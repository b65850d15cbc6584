//! Complete deals as text: `playthrough.txt`.

use crate::playthrough::{Play, staying};
use hattari_games::stud::{Options, Stud};

/// Two deals with bring-ins, raises, a returned bet, and all-in showdowns.
#[test]
fn the_played_deals_match_playthrough_txt() {
    let options = Options {
        stack: 300,
        carry: true,
        rebuy: 300,
        ..Options::default()
    };
    let play = Play::<Stud> {
        options,
        players: 4,
        deals: 2,
        before: 0,
        written: 2,
        seed: 30,
    };
    play.check(|game, _, legal, chance| staying(game, legal, chance));
}
