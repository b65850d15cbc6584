//! Speed of daihinmin's rules without a host: games per second, and the cost of each step.
//!
//! `cargo bench -p hattari-games`. As in the host, every decision lists the legal actions, fills
//! the view if there is a choice, and applies a play.

use divan::counter::ItemsCount;
use divan::{AllocProfiler, Bencher};
use hattari_games::daihinmin::moves::legal_plays;
use hattari_games::daihinmin::{
    Action, Block, Daihinmin, Deal, NONE, Options, Situation, View, kind,
};
use hattari_games::{Game, Move};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use std::hint::black_box;

/// Counts allocations; complete games make none.
#[global_allocator]
static ALLOCATOR: AllocProfiler = AllocProfiler::system();

fn main() {
    divan::main();
}

/// Number of games per measured run.
const GAMES: u32 = 1000;

struct Table {
    game: Daihinmin,
    block: Block,
    deal: Deal,
    legal: Vec<Action>,
    view: View,
    chance: ChaCha8Rng,
}

impl Table {
    fn new() -> Table {
        let game = Daihinmin::new(Options::default()).expect("the preset can be played");
        Table {
            block: game.new_block(5, 1000),
            deal: game.new_deal(),
            game,
            legal: Vec::with_capacity(512),
            view: bytemuck::Zeroable::zeroed(),
            chance: ChaCha8Rng::seed_from_u64(1),
        }
    }

    /// Plays games with one policy at all seats. Returns the number of turns.
    fn play(&mut self, games: u32, policy: impl Fn(&[Action], &View) -> Action) -> u32 {
        let Table {
            game,
            block,
            deal,
            legal,
            view,
            chance,
        } = self;
        let mut turns = 0;
        for _ in 0..games {
            game.deal(block, chance, deal);
            while let Some(seat) = game.to_act(deal) {
                game.legal(deal, legal);
                let action = if legal.len() == 1 {
                    legal[0]
                } else {
                    game.view(block, deal, seat, view);
                    policy(legal, view)
                };
                game.apply(deal, Move { action, amount: 0 });
                turns += 1;
            }
            game.finish(block, deal, &mut [0; 5]);
        }
        turns
    }
}

/// Returns the first play of the list: singles from the three upwards.
fn first(legal: &[Action], _: &View) -> Action {
    legal[1]
}

/// Returns the weakest play without the joker; on the lead, the play with most cards that starts
/// with the weakest card. The list is sorted, so this is fast and does not distort the measurement.
fn weakest(legal: &[Action], view: &View) -> Action {
    let reversed = view.revolution != 0;
    let lead = view.table_seat == NONE;
    if !lead && !reversed {
        return legal[1];
    }
    let plain = |action: &&Action| !action.uses_joker();
    let singles = || {
        legal[1..]
            .iter()
            .take_while(|action| action.kind == kind::SINGLE)
            .filter(plain)
    };
    let weakest = match (lead, reversed) {
        (true, false) => singles().next(),
        (true, true) => singles().last(),
        (false, _) => return *legal[1..].iter().rev().find(plain).unwrap_or(&legal[1]),
    };
    let Some(weakest) = weakest else {
        return legal[1];
    };
    *legal
        .iter()
        .rev()
        .find(|action| action.column == weakest.column && plain(action))
        .unwrap_or(weakest)
}

#[divan::bench]
fn games_first_play(bencher: Bencher) {
    let mut table = Table::new();
    bencher
        .counter(ItemsCount::new(GAMES))
        .bench_local(|| table.play(GAMES, first));
}

#[divan::bench]
fn games_weakest_play(bencher: Bencher) {
    let mut table = Table::new();
    bencher
        .counter(ItemsCount::new(GAMES))
        .bench_local(|| table.play(GAMES, weakest));
}

#[divan::bench]
fn turns_weakest_play(bencher: Bencher) {
    let mut table = Table::new();
    let turns = Table::new().play(GAMES, weakest);
    bencher
        .counter(ItemsCount::new(turns))
        .bench_local(|| table.play(GAMES, weakest));
}

#[divan::bench]
fn deals(bencher: Bencher) {
    let mut table = Table::new();
    bencher.counter(ItemsCount::new(GAMES)).bench_local(|| {
        for _ in 0..GAMES {
            table
                .game
                .deal(&mut table.block, &mut table.chance, &mut table.deal);
            black_box(&table.deal);
        }
    });
}

#[divan::bench]
fn views(bencher: Bencher) {
    let mut table = Table::new();
    table
        .game
        .deal(&mut table.block, &mut table.chance, &mut table.deal);
    bencher.counter(ItemsCount::new(1000_u32)).bench_local(|| {
        for seat in 0..1000_u16 {
            table.game.view(
                &table.block,
                black_box(&table.deal),
                (seat % 5) as u8,
                &mut table.view,
            );
            black_box(&table.view);
        }
    });
}

/// Hands in the middle of a game and the table: a lead with and without the joker, and three
/// follows.
const POSITIONS: [(&str, &str, &str); 5] = [
    ("lead", "S3 H4 D4 S6 S7 S8 HT DT CK SA", "-"),
    ("lead_with_joker", "S3 H4 D4 S6 S7 S8 HT DT CK JK", "-"),
    ("single", "S3 H4 D4 S6 S7 S8 HT DT CK SA", "H7"),
    ("group", "S3 H4 D4 S6 S7 S8 HT DT CK SA", "S5 H5"),
    ("sequence", "S3 H4 D4 S6 S7 S8 HT DT CK SA", "H3 H4 H5"),
];

#[divan::bench(args = POSITIONS.map(|(name, _, _)| name))]
fn legal(bencher: Bencher, name: &str) {
    let (_, hand, table) = POSITIONS
        .into_iter()
        .find(|position| position.0 == name)
        .expect("it is one of them");
    let hand = hattari_games::daihinmin::card::parse_set(hand).expect("it is a hand");
    let table = table.parse::<Action>().expect("it is a play");
    assert!(table.kind <= kind::SEQUENCE);
    let situation = Situation {
        table,
        lock: false,
        reversed: false,
        rules: Options::default().flags(),
    };
    let mut actions = Vec::with_capacity(512);
    bencher.counter(ItemsCount::new(1000_u32)).bench_local(|| {
        for _ in 0..1000 {
            legal_plays(black_box(hand), black_box(&situation), &mut actions);
            black_box(&actions);
        }
    });
}
