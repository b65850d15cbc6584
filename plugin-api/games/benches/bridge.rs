//! Speed of bridge's rules without a host: complete deals, and dealing only.
//!
//! `cargo bench -p hattari-games --bench bridge`. `hands` plays random cards. As in the host, every
//! decision lists the legal actions, fills the view and applies a choice.

use divan::Bencher;
use divan::counter::ItemsCount;
use hattari_games::bridge::{Bridge, Options, View};
use hattari_games::{Game, Move, chance};
use rand::Rng;
use rand_chacha::ChaCha12Rng;
use rand_chacha::rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::hint::black_box;

fn main() {
    divan::main();
}

/// Number of deals per measured run.
const DEALS: u32 = 300;

fn game(preset: &str) -> Bridge {
    Bridge::new(Options::preset(preset).expect("a preset")).expect("the preset can be played")
}

/// Every deal has its own stream, as in the host.
fn stream(number: u32) -> impl Rng {
    let mut cards = ChaCha12Rng::seed_from_u64(1);
    cards.set_stream(number.into());
    cards
}

#[divan::bench(args = ["3nt", "1nt", "random"])]
fn deals(bencher: Bencher, preset: &str) {
    let game = game(preset);
    let (mut block, mut deal) = (game.new_block(4, DEALS), game.new_deal());
    bencher.counter(ItemsCount::new(DEALS)).bench_local(|| {
        for number in 0..DEALS {
            game.deal(&mut block, &mut stream(number), &mut deal);
            black_box(&deal);
        }
    });
}

#[divan::bench(args = ["3nt", "1nt", "random"])]
fn hands(bencher: Bencher, preset: &str) {
    let game = game(preset);
    let (mut block, mut deal, mut legal) = (
        game.new_block(4, DEALS),
        game.new_deal(),
        Vec::with_capacity(13),
    );
    let mut view: View = bytemuck::Zeroable::zeroed();
    let mut choices = Xoshiro256PlusPlus::seed_from_u64(2);
    let mut payoffs = [0; 4];
    bencher.counter(ItemsCount::new(DEALS)).bench_local(|| {
        for number in 0..DEALS {
            game.deal(&mut block, &mut stream(number), &mut deal);
            while let Some(seat) = game.to_act(&deal) {
                game.legal(&deal, &mut legal);
                game.view(&block, &deal, seat, &mut view);
                black_box(&view);
                let choice =
                    chance::below(&mut choices, u32::try_from(legal.len()).expect("a hand"));
                game.apply(
                    &mut deal,
                    Move {
                        action: legal[choice as usize],
                        amount: 0,
                    },
                );
            }
            game.finish(&mut block, &deal, &mut payoffs);
        }
    });
}
