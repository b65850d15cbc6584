//! A complete deal as text: `playthrough.txt`.

use crate::playthrough::Play;
use hattari_games::daihinmin::{Action, Daihinmin, Options, kind};

/// Returns the weakest play with the most cards, or the gift of the weakest cards.
fn policy(legal: &[Action], is_reversed: bool) -> Action {
    if legal[0].kind == kind::GIVE {
        return *legal.last().unwrap();
    }
    let strength = |action: &Action| {
        if is_reversed {
            15 - action.column % 15
        } else {
            action.column
        }
    };
    let plays = legal.iter().filter(|action| !action.is_pass());
    *plays
        .min_by_key(|action| (action.uses_joker(), strength(action), 15 - action.count))
        .unwrap_or(&legal[0])
}

/// The second deal of a block: seat 1 is daihinmin; there are locks, cuts, a revolution and the
/// joker.
#[test]
fn the_played_deal_matches_playthrough_txt() {
    let play = Play::<Daihinmin> {
        options: Options::default(),
        players: 5,
        deals: 100,
        before: 1,
        written: 1,
        seed: 4394,
    };
    play.check(|_, view, legal, _| policy(legal, view.revolution != 0).into());
}
