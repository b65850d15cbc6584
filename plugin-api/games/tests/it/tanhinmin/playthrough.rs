//! Complete deals as text: `playthrough.txt`.

use crate::play::pick;
use crate::playthrough::Play;
use hattari_games::tanhinmin::{Options, Tanhinmin};

/// Two deals in which all seats pass sometimes.
#[test]
fn the_played_deals_match_playthrough_txt() {
    let options = Options {
        cards: 4,
        ..Options::default()
    };
    let play = Play::<Tanhinmin> {
        options,
        players: 3,
        deals: 2,
        before: 0,
        written: 2,
        seed: 1,
    };
    // Mostly the weakest card, sometimes a random card or a pass.
    play.check(|_, _, legal, chance| {
        let weakest = legal
            .iter()
            .find(|action| !action.is_pass())
            .unwrap_or(&legal[0]);
        let random = legal[pick(chance, legal.len())];
        let action = if pick(chance, 3) == 0 {
            random
        } else {
            *weakest
        };
        action.into()
    });
}
