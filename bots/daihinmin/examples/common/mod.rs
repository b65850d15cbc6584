//! Bots by name, and whole blocks played by them without a host.
#![allow(dead_code, reason = "every example uses its part")]

use bytemuck::Zeroable;
use hattari_bots_daihinmin::bots::{monte_carlo, random, sample, styles};
use hattari_plugin::daihinmin::{Action, Block, Daihinmin, Event, Options, PLAYERS, Turn, View};
use hattari_plugin::games::{Game, Grant};
use hattari_plugin::{Declared, Player};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use std::time::{Duration, Instant};

/// A bot for one block, whichever it is.
pub trait Seated {
    fn choose(&mut self, turn: &Turn) -> usize;
}

impl<B: Player<Daihinmin>> Seated for B {
    fn choose(&mut self, turn: &Turn) -> usize {
        Player::choose(self, turn).action
    }
}

/// A bot of this package with its config: `name` or `name{"key": value}`.
#[derive(Clone, Debug)]
pub struct Entrant {
    pub text: String,
}

impl Entrant {
    pub fn parse(text: &str) -> Result<Entrant, String> {
        let entrant = Entrant { text: text.to_owned() };
        entrant.seat(&Block::new(PLAYERS, 0, 1, 1, &Options::default()))?;
        Ok(entrant)
    }

    /// The bot for a block.
    pub fn seat(&self, block: &Block) -> Result<Box<dyn Seated>, String> {
        let (name, config) = self.text.split_at(self.text.find('{').unwrap_or(self.text.len()));
        macro_rules! one_of {
            ($($bot:expr),+ $(,)?) => {
                $(if $bot.id() == name {
                    return make($bot, config, block);
                })+
            };
        }
        one_of!(
            sample::DEFAULT,
            random::RANDOM,
            styles::PLAIN,
            styles::BASE,
            styles::ALL,
            styles::BASE_K,
            styles::ALL_S,
            styles::ALL_K,
            styles::ALL_SK,
            monte_carlo::MC_RANDOM,
            monte_carlo::MC_ESTIMATE,
        );
        Err(format!("there is no bot `{name}` here"))
    }
}

fn make<B: Player<Daihinmin>>(
    bot: Declared<Daihinmin, B>,
    config: &str,
    block: &Block,
) -> Result<Box<dyn Seated>, String> {
    let mut merged = serde_json::to_value(bot.config()).map_err(|e| e.to_string())?;
    if !config.is_empty() {
        let keys: serde_json::Map<String, serde_json::Value> =
            serde_json::from_str(config).map_err(|e| format!("{config}: {e}"))?;
        for (key, value) in keys {
            let Some(place) = merged.get_mut(&key) else { return Err(format!("{} has no key `{key}`", bot.id())) };
            *place = value;
        }
    }
    let config = serde_json::from_value(merged).map_err(|e| e.to_string())?;
    B::check(&config)?;
    Ok(Box::new(B::new(config, block)?))
}

/// What came of a block, by player.
#[derive(Clone, Copy, Debug, Default)]
pub struct Result_ {
    pub points: [i64; PLAYERS],
    pub time: [Duration; PLAYERS],
    pub decisions: [u32; PLAYERS],
}

/// Plays a block. `decided` is shown every decision that was none of necessity: view, record, actions and the one taken.
pub fn play_block(
    entrants: &[Entrant; PLAYERS],
    options: &Options,
    deals: u32,
    seed: u64,
    mut decided: impl FnMut(usize, &View, &[Event], &[Action], usize),
) -> Result_ {
    let game = Daihinmin::new(options.clone()).expect("the options can be played");
    let mut chance = ChaCha8Rng::seed_from_u64(seed);
    let (mut block, mut deal) = (game.new_block(PLAYERS, deals), game.new_deal());
    let (mut legal, mut view) = (Vec::with_capacity(512), View::zeroed());
    let mut seats: Vec<Box<dyn Seated>> = (0..PLAYERS)
        .map(|player| {
            let own = seed.wrapping_mul(31).wrapping_add(player as u64 + 1);
            entrants[player].seat(&Block::new(PLAYERS, player, deals, own, options)).expect("it was tried")
        })
        .collect();
    let mut result = Result_::default();
    for _ in 0..deals {
        game.deal(&mut block, &mut chance, &mut deal);
        while let Some(seat) = game.to_act(&deal) {
            game.legal(&deal, &mut legal);
            let mut index = 0;
            if legal.len() > 1 {
                let player = game.player_at(&deal, seat);
                game.view(&block, &deal, seat, &mut view);
                let history = game.history(&deal);
                let start = Instant::now();
                index = seats[player].choose(&Turn::new(&view, history, &legal));
                result.time[player] += start.elapsed();
                result.decisions[player] += 1;
                decided(player, &view, history, &legal, index);
            }
            game.apply(&mut deal, Grant { action: legal[index], amount: 0 });
        }
        let mut payoffs = [0; PLAYERS];
        game.finish(&mut block, &deal, &mut payoffs);
        for (sum, payoff) in result.points.iter_mut().zip(payoffs) {
            *sum += payoff;
        }
    }
    result
}
