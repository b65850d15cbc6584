//! Speed of look-ahead: draws of hands and playouts per second at the beginning, middle and end of
//! a deal.
//!
//! `cargo bench -p hattari-search`

use divan::Bencher;
use divan::counter::ItemsCount;
use hattari_games::Game;
use hattari_games::Move;
use hattari_games::daihinmin::{Daihinmin, Options, PLAYERS, Position, View};
use hattari_search::daihinmin::playout::{self, Scratch};
use hattari_search::daihinmin::policy::{LightFeatures, PolicyInput};
use hattari_search::daihinmin::{HandSampler, Knowledge};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use std::hint::black_box;

fn main() {
    divan::main();
}

/// Number of draws or playouts per measured run.
const RUN: u32 = 1000;

/// A position of a deal with titles, as the seat to act sees it.
struct Moment {
    knowledge: Knowledge,
    position: Position,
    seat: u8,
}

/// Number of cards left in all hands at the beginning, middle and end of a deal.
const LEFT: [u32; 3] = [50, 27, 12];

/// Returns the first position of a random game in which at most `left` cards are left and the seat
/// to act has at least two.
fn moment(left: u32) -> Moment {
    let options = Options::default();
    let after = options.deadlock_after();
    let game = Daihinmin::new(options).expect("the preset can be played");
    let mut chance = Xoshiro256PlusPlus::seed_from_u64(1);
    let (mut block, mut deal) = (game.new_block(PLAYERS, 100), game.new_deal());
    let mut legal = Vec::new();
    let mut view: View = bytemuck::Zeroable::zeroed();
    for number in 0.. {
        game.deal(&mut block, &mut chance, &mut deal);
        while let Some(seat) = game.to_act(&deal) {
            game.view(&block, &deal, seat, &mut view);
            let cards: u32 = view.cards_left.iter().map(|&cards| u32::from(cards)).sum();
            if number > 0 && cards <= left && cards + 4 > left && view.hand.count_ones() > 1 {
                let history = game.history(&deal);
                let knowledge = Knowledge::new(&view, history, true).expect("it was dealt");
                return Moment {
                    position: Position::from_view(&view, history, *deal.hands(), after),
                    knowledge,
                    seat,
                };
            }
            game.legal(&deal, &mut legal);
            let action = match legal[0].kind {
                hattari_games::daihinmin::kind::GIVE => legal[legal.len() - 1],
                _ => playout::uniform_action(view.hand, deal.situation(), &mut chance),
            };
            game.apply(&mut deal, Move { action, amount: 0 });
        }
        game.finish(&mut block, &deal, &mut [0; PLAYERS]);
    }
    unreachable!("games do not run out");
}

/// Counts draws.
#[divan::bench(args = LEFT)]
fn draws(bencher: Bencher, left: u32) {
    let moment = moment(left);
    let mut chance = Xoshiro256PlusPlus::seed_from_u64(2);
    let mut deals = HandSampler::new(&moment.knowledge, &mut chance);
    bencher.counter(ItemsCount::new(RUN)).bench_local(|| {
        for _ in 0..RUN {
            black_box(deals.draw(&mut chance));
        }
    });
}

/// Counts playouts of the actual deal until the seat to act has its place.
#[divan::bench(args = LEFT)]
fn uniform(bencher: Bencher, left: u32) {
    let moment = moment(left);
    let mut chance = Xoshiro256PlusPlus::seed_from_u64(3);
    bencher.counter(ItemsCount::new(RUN)).bench_local(|| {
        for _ in 0..RUN {
            let mut position = moment.position;
            black_box(playout::uniform(&mut position, moment.seat, &mut chance));
        }
    });
}

/// Counts playouts of the actual deal until every seat has its place.
#[divan::bench(args = LEFT)]
fn uniform_to_the_end(bencher: Bencher, left: u32) {
    let moment = moment(left);
    let mut chance = Xoshiro256PlusPlus::seed_from_u64(4);
    bencher.counter(ItemsCount::new(RUN)).bench_local(|| {
        for _ in 0..RUN {
            let mut position = moment.position;
            while let Some(seat) = position.to_act() {
                let action =
                    playout::uniform_action(position.hand(seat), position.situation(), &mut chance);
                position.play(&action);
            }
            black_box(position.place(0));
        }
    });
}

/// Counts playouts of the actual deal with the fitted policy until the seat to act has its place.
#[divan::bench(args = LEFT)]
fn by_policy(bencher: Bencher, left: u32) {
    let moment = moment(left);
    let mut chance = Xoshiro256PlusPlus::seed_from_u64(5);
    let (policy, mut scratch) = (LightFeatures::shipped(), Scratch::default());
    bencher.counter(ItemsCount::new(RUN)).bench_local(|| {
        for _ in 0..RUN {
            let mut position = moment.position;
            black_box(playout::by_policy(
                &mut position,
                moment.seat,
                policy,
                &mut scratch,
                &mut chance,
            ));
        }
    });
}
