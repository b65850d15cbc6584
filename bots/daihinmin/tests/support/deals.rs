//! Whole deals, played by bots in all seats without a host.

use hattari_plugin::daihinmin::{Action, Options, PLAYERS, View};
use hattari_plugin::games::Game;
use hattari_plugin::games::conformance::play_block;
use hattari_plugin::games::daihinmin::Daihinmin;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// A bot as a function.
pub(crate) type Chooser<'a> = Box<dyn FnMut(&View, &[Action]) -> usize + 'a>;

/// Plays `deals` deals of one block. `players` is indexed by player number.
pub(crate) fn play(options: Options, deals: u32, seed: u64, players: &mut [Chooser<'_>; PLAYERS]) {
    let game = Daihinmin::new(options).unwrap();
    let mut chance = ChaCha8Rng::seed_from_u64(seed);
    play_block(
        &game,
        PLAYERS,
        deals,
        &mut chance,
        |block, deal, seat, legal, _| {
            let view = game.view_of(block, deal, seat);
            let index = players[game.player_at(deal, seat)](&view, legal);
            let count = legal.len();
            assert!(index < count, "index {index} of {count} in {view:?}");
            legal[index].into()
        },
    );
}
