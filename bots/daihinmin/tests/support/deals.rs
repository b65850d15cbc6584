//! Whole deals, played by bots in all seats without a host.

use bytemuck::Zeroable;
use hattari_plugin::daihinmin::{Action, Event, Options, PLAYERS, View};
use hattari_plugin::games::daihinmin::{Daihinmin, Deal};
use hattari_plugin::games::{Game, Move};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// A bot as a function.
pub(crate) type Chooser<'a> = Box<dyn FnMut(&View, &[Action]) -> usize + 'a>;

/// A completed deal: seats, hands and events.
pub(crate) struct Played {
    /// Player in each seat.
    pub players: [usize; PLAYERS],
    /// Hand of each seat at the first turn of play, after the exchange.
    pub hands: [u64; PLAYERS],
    pub history: Vec<Event>,
}

/// Plays `deals` deals of one block and passes each to a callback. `players` is indexed by player
/// number.
pub(crate) fn play(
    options: Options,
    deals: u32,
    seed: u64,
    players: &mut [Chooser<'_>; PLAYERS],
    mut over: impl FnMut(Played),
) {
    let game = Daihinmin::new(options).unwrap();
    let mut chance = ChaCha8Rng::seed_from_u64(seed);
    let mut block = game.new_block(PLAYERS, deals);
    let mut deal: Deal = game.new_deal();
    let (mut legal, mut view) = (Vec::new(), View::zeroed());
    for _ in 0..deals {
        game.deal(&mut block, &mut chance, &mut deal);
        let mut hands = [0; PLAYERS];
        while let Some(seat) = game.to_act(&deal) {
            game.legal(&deal, &mut legal);
            game.view(&block, &deal, seat, &mut view);
            if game.history(&deal).is_empty() {
                hands.copy_from_slice(&deal.hands()[..]);
            }
            let index = players[game.player_at(&deal, seat)](&view, &legal);
            assert!(
                index < legal.len(),
                "index {index} of {} in {view:?}",
                legal.len()
            );
            game.apply(
                &mut deal,
                Move {
                    action: legal[index],
                    amount: 0,
                },
            );
        }
        let mut seats = [0; PLAYERS];
        for (seat, player) in (0..).zip(&mut seats) {
            *player = game.player_at(&deal, seat);
        }
        over(Played {
            players: seats,
            hands,
            history: game.history(&deal).to_vec(),
        });
        game.finish(&mut block, &deal, &mut [0; PLAYERS]);
    }
}
