//! Complete deals as text: `playthrough.txt`.

use crate::playthrough::Play;
use hattari_games::Move;
use hattari_games::chance::below;
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
        let number = below(chance, u32::try_from(legal.len()).unwrap());
        Move {
            action: if below(chance, 3) == 0 {
                legal[number as usize]
            } else {
                *weakest
            },
            amount: 0,
        }
    });
}
