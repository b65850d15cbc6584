//! Speed of the bots: whole deals without a host.
//!
//! `cargo bench -p hattari-bots-holdem`

use bytemuck::Zeroable;
use divan::Bencher;
use divan::counter::ItemsCount;
use hattari_bots_holdem::bots::{call, exploiter, fold, honest, random, small_bluff};
use hattari_plugin::Player;
use hattari_plugin::games::{Game, Move};
use hattari_plugin::holdem::{Block, Bot, DealStart, Holdem, Options, Turn, View, kind};
use rand_chacha::ChaCha12Rng;
use rand_chacha::rand_core::SeedableRng;

fn main() {
    divan::main();
}

/// Plays `deals` with one bot in all seats. As on the host, the bot is not called for forced
/// actions.
fn play<B: Bot>(bencher: Bencher, players: usize, deals: u32) {
    let options = Options::default();
    let game = Holdem::new(options.clone()).expect("the preset can be played");
    let (mut block, mut deal, mut legal) = (
        game.new_block(players, deals),
        game.new_deal(),
        Vec::with_capacity(4),
    );
    let mut view = View::zeroed();
    let bot = |player| {
        B::new(
            <B as Bot>::Config::default(),
            &Block::new(players, player, deals, 1, &options),
        )
        .expect("it plays everything")
    };
    let mut bots: Vec<B> = (0..players).map(bot).collect();
    let mut payoffs = [0; 9];
    bencher.counter(ItemsCount::new(deals)).bench_local(|| {
        for number in 0..u64::from(deals) {
            let mut cards = ChaCha12Rng::seed_from_u64(1);
            cards.set_stream(number);
            game.deal(&mut block, &mut cards, &mut deal);
            for bot in &mut bots {
                Bot::deal_start(bot, &DealStart::new(&view, game.history(&deal)));
            }
            while let Some(seat) = game.to_act(&deal) {
                game.legal(&deal, &mut legal);
                let mut choice = 0.into();
                if legal.len() > 1 || legal[0].kind == kind::RAISE {
                    game.view(&block, &deal, seat, &mut view);
                    choice = bots[usize::from(seat)].choose(&Turn::new(
                        &view,
                        game.history(&deal),
                        &legal,
                    ));
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
        }
    });
}

/// Items are deals.
#[divan::bench(args = [2, 6])]
fn calls(bencher: Bencher, players: usize) {
    play::<call::Call>(bencher, players, 1000);
}

#[divan::bench(args = [2, 6])]
fn folds(bencher: Bencher, players: usize) {
    play::<fold::Fold>(bencher, players, 1000);
}

#[divan::bench(args = [2, 6])]
fn randoms(bencher: Bencher, players: usize) {
    play::<random::Random>(bencher, players, 1000);
}

#[divan::bench(args = [2, 6], sample_count = 20)]
fn honest_players(bencher: Bencher, players: usize) {
    play::<honest::Honest>(bencher, players, 100);
}

#[divan::bench(args = [2, 6], sample_count = 20)]
fn small_bluff_players(bencher: Bencher, players: usize) {
    play::<small_bluff::SmallBluff>(bencher, players, 100);
}

#[divan::bench(args = [2, 6], sample_count = 10)]
fn exploiters(bencher: Bencher, players: usize) {
    play::<exploiter::Exploiter>(bencher, players, 10);
}
