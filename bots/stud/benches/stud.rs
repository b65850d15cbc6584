//! Speed of the bots: whole deals without a host.
//!
//! `cargo bench -p hattari-bots-stud`

use bytemuck::Zeroable;
use divan::Bencher;
use divan::counter::ItemsCount;
use hattari_bots_stud::bots::{bluffer, call, fuzzy, honest, random};
use hattari_plugin::Player;
use hattari_plugin::games::{Game, Move};
use hattari_plugin::stud::{Block, Bot, DealEnd, DealStart, Options, Stud, Turn, View, kind};
use rand_chacha::ChaCha12Rng;
use rand_chacha::rand_core::SeedableRng;

fn main() {
    divan::main();
}

const DEALS: u32 = 100;

/// Plays a block of the paper's game; `A` bets first. As on the host, bots are not called for
/// forced actions.
fn play<A: Bot, B: Bot>(bencher: Bencher) {
    let options = Options {
        carry: false,
        ..Options::preset("fuzzy-2002").expect("it is there")
    };
    let game = Stud::new(options.clone()).expect("the preset can be played");
    bencher.counter(ItemsCount::new(DEALS)).bench_local(|| {
        let (mut block, mut deal, mut legal) = (
            game.new_block(2, DEALS),
            game.new_deal(),
            Vec::with_capacity(4),
        );
        let (mut view, mut payoffs) = (View::zeroed(), [0; 2]);
        let mut first = A::new(A::Config::default(), &Block::new(2, 0, DEALS, 1, &options))
            .expect("it plays this");
        let mut second = B::new(B::Config::default(), &Block::new(2, 1, DEALS, 2, &options))
            .expect("it plays this");
        for number in 0..u64::from(DEALS) {
            let mut cards = ChaCha12Rng::seed_from_u64(1);
            cards.set_stream(number);
            game.deal(&mut block, &mut cards, &mut deal);
            game.view(&block, &deal, 0, &mut view);
            Bot::deal_start(&mut first, &DealStart::new(&view, game.history(&deal)));
            game.view(&block, &deal, 1, &mut view);
            Bot::deal_start(&mut second, &DealStart::new(&view, game.history(&deal)));
            while let Some(seat) = game.to_act(&deal) {
                game.legal(&deal, &mut legal);
                let mut choice = 0.into();
                if legal.len() > 1 || legal[0].kind == kind::RAISE {
                    game.view(&block, &deal, seat, &mut view);
                    let turn = Turn::new(&view, game.history(&deal), &legal);
                    choice = if seat == 0 {
                        first.choose(&turn)
                    } else {
                        second.choose(&turn)
                    };
                }
                game.apply(
                    &mut deal,
                    Move {
                        action: legal[choice.action],
                        amount: choice.amount,
                    },
                );
            }
            game.finish(&mut block, &deal, &mut payoffs);
            game.view(&block, &deal, 0, &mut view);
            Bot::deal_end(
                &mut first,
                &DealEnd::new(&view, game.history(&deal), &payoffs),
            );
            game.view(&block, &deal, 1, &mut view);
            Bot::deal_end(
                &mut second,
                &DealEnd::new(&view, game.history(&deal), &payoffs),
            );
        }
    });
}

/// Items are deals.
#[divan::bench(sample_count = 20)]
fn fuzzy_against_call(bencher: Bencher) {
    play::<call::Call, fuzzy::Fuzzy>(bencher);
}

#[divan::bench(sample_count = 20)]
fn fuzzy_against_honest(bencher: Bencher) {
    play::<honest::Honest, fuzzy::Fuzzy>(bencher);
}

#[divan::bench(sample_count = 20)]
fn fuzzy_against_bluffer(bencher: Bencher) {
    play::<bluffer::Bluffer, fuzzy::Fuzzy>(bencher);
}

#[divan::bench(sample_count = 20)]
fn fuzzy_against_itself(bencher: Bencher) {
    play::<fuzzy::Fuzzy, fuzzy::Fuzzy>(bencher);
}

#[divan::bench(sample_count = 20)]
fn randoms(bencher: Bencher) {
    play::<random::Random, random::Random>(bencher);
}
