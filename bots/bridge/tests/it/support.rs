//! The example of Kobayashi, Yamashita and Uehara, and views without a host.

use hattari_games::Game;
use hattari_games::bridge::{Board, Bridge, Card, Options, Seat, View};

/// The real deal, and the deals in which North believes after West's queen (figure 3 without its
/// misprint) and after the ace.
pub(crate) const REAL: &str =
    "N:KT875.AQ87.87.K6 32.T9.AQT.QJT987 J94.K432.9432.32 AQ6.J65.KJ65.A54";
pub(crate) const AFTER_THE_QUEEN: &str =
    "N:KT875.AQ87.87.K6 32.T9.AQT.QJT987 J6.K432.96543.53 AQ94.J65.KJ2.A42";
pub(crate) const AFTER_THE_ACE: &str =
    "N:KT875.AQ87.87.K6 32.T9.AQT.QJT987 QJ.6542.J9632.43 A964.KJ3.K54.A52";

/// Returns the options of the real deal: West plays 3NT and is the next to play.
pub(crate) fn example() -> Options {
    Options {
        dealer: Seat::West,
        deals: vec![REAL.into()],
        played: "S7 S2 SJ".into(),
        ..Options::default()
    }
}

/// Returns the view of `seat`.
pub(crate) fn view(game: &Bridge, board: &Board, seat: u8) -> View {
    game.view_of(&game.new_block(4, 1), board, seat)
}

/// Returns the table of the example and West's view.
pub(crate) fn west() -> (Bridge, Board, View) {
    let game = Bridge::new(example()).unwrap();
    let mut board = game.new_deal();
    game.start(&game.setup().deals[0], &mut board);
    let view = view(&game, &board, 3);
    (game, board, view)
}

pub(crate) fn card(text: &str) -> Card {
    text.parse().unwrap()
}
