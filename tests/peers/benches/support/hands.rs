//! Deals of hold'em, played without a host.

use divan::Bencher;
use divan::counter::ItemsCount;
use hattari_games::holdem::{Action, Holdem, Options, View, kind};
use hattari_games::{Game, Move};
use rand_chacha::ChaCha12Rng;
use rand_chacha::rand_core::SeedableRng;
use std::hint::black_box;

/// Number of deals per measured run.
pub(crate) const DEALS: u32 = 1000;

/// Plays deals of hold'em with one policy at all seats.
pub(crate) fn play(
    bencher: Bencher,
    players: usize,
    policy: impl Fn(&[Action], &mut ChaCha12Rng) -> Move<Action>,
) {
    let game = Holdem::new(Options::default()).expect("the preset can be played");
    let (mut block, mut deal, mut legal) = (
        game.new_block(players, DEALS),
        game.new_deal(),
        Vec::with_capacity(4),
    );
    let mut view: View = bytemuck::Zeroable::zeroed();
    let mut choices = ChaCha12Rng::seed_from_u64(2);
    let mut payoffs = [0; 9];
    bencher.counter(ItemsCount::new(DEALS)).bench_local(|| {
        for number in 0..u64::from(DEALS) {
            // Every deal has its own stream, as in the host.
            let mut cards = ChaCha12Rng::seed_from_u64(1);
            cards.set_stream(number);
            game.deal(&mut block, &mut cards, &mut deal);
            while let Some(seat) = game.to_act(&deal) {
                game.legal(&deal, &mut legal);
                game.view(&block, &deal, seat, &mut view);
                black_box(&view);
                game.apply(&mut deal, policy(&legal, &mut choices));
            }
            game.finish(&mut block, &deal, &mut payoffs);
        }
    });
}

/// Checks and calls.
pub(crate) fn call(legal: &[Action], _: &mut ChaCha12Rng) -> Move<Action> {
    let stays = |action: &&Action| matches!(action.kind, kind::CHECK | kind::CALL);
    (*legal.iter().find(stays).unwrap_or(&legal[0])).into()
}
