//! Speed of the bots: whole games without a host, and decisions alone.
//!
//! `cargo bench -p hattari-bots-daihinmin`

use bytemuck::Zeroable;
use divan::Bencher;
use divan::counter::ItemsCount;
use hattari_bots_daihinmin::bots::random::Random;
use hattari_bots_daihinmin::bots::sample;
use hattari_bots_daihinmin::style::Style;
use hattari_plugin::NoConfig;
use hattari_plugin::daihinmin::{Action, Block, Bot as _, Options, PLAYERS, Turn, View};
use hattari_plugin::games::daihinmin::Daihinmin;
use hattari_plugin::games::{Game, Move};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use support::style;

#[path = "../tests/support/mod.rs"]
mod support;

/// Number of games in a block, as in the paper's leagues.
const GAMES: u32 = 1000;
const BOTS: [&str; 7] = [
    "plain", "base", "all", "all-s", "base-k", "all-sk", "default",
];

fn main() {
    divan::main();
}

enum Player {
    Style(Style),
    Sample,
    Random(Random),
}

impl Player {
    fn new(name: &str) -> Player {
        match name {
            "default" => Player::Sample,
            "random" => {
                let block = Block::new(PLAYERS, 0, GAMES, 1, &Options::default());
                Player::Random(Random::new(NoConfig {}, &block).expect("it plays everything"))
            }
            name => Player::Style(style(name)),
        }
    }

    #[inline]
    fn choose(&mut self, view: &View, legal: &[Action]) -> usize {
        match self {
            Player::Style(style) => style.choose(view, legal),
            Player::Sample => sample::choose(view, legal),
            Player::Random(random) => random.act(&Turn::new(view, &[], legal)),
        }
    }
}

/// Plays a block with one bot in all seats. As on the host, the bot is not called for forced
/// actions. Calls `decided` for every decision.
fn play(name: &str, mut decided: impl FnMut(&View, &[Action])) {
    let game = Daihinmin::new(Options::default()).expect("the preset can be played");
    let mut chance = ChaCha8Rng::seed_from_u64(1);
    let (mut block, mut deal) = (game.new_block(PLAYERS, GAMES), game.new_deal());
    let (mut legal, mut view) = (Vec::with_capacity(512), View::zeroed());
    let mut players: [Player; PLAYERS] = std::array::from_fn(|_| Player::new(name));
    for _ in 0..GAMES {
        game.deal(&mut block, &mut chance, &mut deal);
        while let Some(seat) = game.to_act(&deal) {
            game.legal(&deal, &mut legal);
            let index = if legal.len() == 1 {
                0
            } else {
                game.view(&block, &deal, seat, &mut view);
                decided(&view, &legal);
                players[game.player_at(&deal, seat)].choose(&view, &legal)
            };
            game.apply(
                &mut deal,
                Move {
                    action: legal[index],
                    amount: 0,
                },
            );
        }
        game.finish(&mut block, &deal, &mut [0; PLAYERS]);
    }
}

/// Items are games.
#[divan::bench(args = BOTS.into_iter().chain(["random"]))]
fn games(bencher: Bencher, name: &str) {
    bencher
        .counter(ItemsCount::new(GAMES))
        .bench_local(|| play(name, |_, _| {}));
}

/// Items are decisions, taken from a block that the bot has played.
#[divan::bench(args = BOTS)]
fn decisions(bencher: Bencher, name: &str) {
    let mut decisions = Vec::new();
    play(name, |view, legal| decisions.push((*view, legal.to_vec())));
    let mut player = Player::new(name);
    bencher
        .counter(ItemsCount::new(decisions.len()))
        .bench_local(|| {
            decisions
                .iter()
                .map(|(view, legal)| player.choose(view, legal))
                .sum::<usize>()
        });
}
