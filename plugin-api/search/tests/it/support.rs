//! Random games, and the views of their seats.

use hattari_games::Game;
use hattari_games::conformance::{play_block, random_move};
use hattari_games::daihinmin::{
    Block, Daihinmin, Deal, Event, NONE, Options, PLAYERS, Setup, View,
};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

pub(crate) fn chance(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

/// Plays random games with an exchange from the second game of a block on. Calls the callback at
/// every decision.
pub(crate) fn play(
    options: Options,
    games: u32,
    seed: u64,
    mut decision: impl FnMut(&Daihinmin, &Block, &Deal),
) {
    let game = Daihinmin::new(options).unwrap();
    let chance = &mut chance(seed);
    play_block(
        &game,
        PLAYERS,
        games,
        chance,
        |block, deal, _, legal, chance| {
            decision(&game, block, deal);
            random_move::<Daihinmin>(legal, chance)
        },
    );
}

/// Starts a deal with these hands, before the exchange. Titles equal the numbers of seats unless
/// the deal is `fresh`.
pub(crate) fn start(hands: [u64; PLAYERS], fresh: bool) -> (Daihinmin, Block, Deal) {
    let game = Daihinmin::new(Options::default()).unwrap();
    let (mut block, mut deal) = (game.new_block(PLAYERS, 1), game.new_deal());
    let titles = if fresh {
        [NONE; PLAYERS]
    } else {
        [0, 1, 2, 3, 4]
    };
    let setup = Setup {
        players: [0, 1, 2, 3, 4],
        titles,
        hands,
        deadlock_order: [0, 1, 2, 3, 4],
    };
    game.start(&mut block, &setup, &mut deal).unwrap();
    (game, block, deal)
}

/// Returns the view and the history of a seat, as a bot gets them.
pub(crate) fn seen(game: &Daihinmin, block: &Block, deal: &Deal, seat: u8) -> (View, Vec<Event>) {
    (game.view_of(block, deal, seat), game.history(deal).to_vec())
}
