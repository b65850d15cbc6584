//! A complete deal as text: `playthrough.txt`.

use crate::play::pick;
use crate::playthrough::Play;
use hattari_games::bridge::{Bridge, Options};

/// A deal with discards, and tricks for both sides.
#[test]
fn the_played_deal_matches_playthrough_txt() {
    let play = Play::<Bridge> {
        options: Options::default(),
        players: 4,
        deals: 1,
        before: 0,
        written: 1,
        seed: 7,
    };
    play.check(|_, _, legal, chance| legal[pick(chance, legal.len())].into());
}
