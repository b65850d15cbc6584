//! A table of five that plays a block of daihinmin.

use crate::support::{Driver, TestHost, block, deal, decision, result, text};
use hattari_plugin::games::daihinmin::{Daihinmin, Options, View};
use hattari_plugin::games::{Game, Move};
use hattari_plugin::{Rng, abi};

/// The results of a block.
pub(crate) struct Played {
    /// Number of deals played.
    pub deals: u32,
    /// Points of each player.
    pub points: [i64; 5],
    /// All answers in order.
    pub choices: Vec<u32>,
    /// Log messages of the first player.
    pub logged: Vec<String>,
}

/// Plays a block of `deals` deals with the default rules.
///
/// # Panics
/// Panics if a bot fails or returns an illegal answer.
pub(crate) fn play(bots: &[(&abi::Entry, &str); 5], seed: u64, deals: u32) -> Played {
    let game = Daihinmin::new(Options::default()).expect("the default rules are in order");
    let options = serde_json::to_string(game.options()).expect("options are plain data");
    let drivers: Vec<Driver> = (0u32..)
        .zip(bots)
        .map(|(player, (entry, id))| {
            let driver =
                Driver::create(entry, id, "", TestHost::new(i64::MAX)).expect("the bot is created");
            let info = abi::BlockInfo {
                player,
                deals,
                seed: seed ^ u64::from(player),
                options_json: text(&options),
                ..block()
            };
            assert_eq!(
                driver.block_start(&info),
                abi::OK,
                "{}",
                driver.last_error()
            );
            driver
        })
        .collect();
    let mut chance = Rng::new(seed);
    let (mut state, mut current) = (game.new_block(5, deals), game.new_deal());
    let (mut view, mut legal): (View, _) = (bytemuck::Zeroable::zeroed(), Vec::new());
    let mut played = Played {
        deals,
        points: [0; 5],
        choices: Vec::new(),
        logged: Vec::new(),
    };
    for _ in 0..deals {
        game.deal(&mut state, &mut chance, &mut current);
        for (player, driver) in drivers.iter().enumerate() {
            game.view(&state, &current, game.seat_of(&current, player), &mut view);
            start(driver, &deal(&view, game.history(&current)));
        }
        while let Some(seat) = game.to_act(&current) {
            game.legal(&current, &mut legal);
            let mut action = 0;
            if legal.len() > 1 {
                let driver = &drivers[game.player_at(&current, seat)];
                game.view(&state, &current, seat, &mut view);
                let choice = driver.act(&decision(&view, game.history(&current), &legal));
                action = choice
                    .unwrap_or_else(|status| panic!("{status}: {}", driver.last_error()))
                    .action;
                played.choices.push(action);
            }
            game.apply(
                &mut current,
                Move {
                    action: legal[action as usize],
                    amount: 0,
                },
            );
        }
        let mut payoffs = [0; 5];
        game.finish(&mut state, &current, &mut payoffs);
        for (player, driver) in drivers.iter().enumerate() {
            game.view(&state, &current, game.seat_of(&current, player), &mut view);
            end(driver, &result(&view, game.history(&current), &payoffs));
            played.points[player] += payoffs[player];
        }
    }
    played.logged = drivers[0]
        .journal()
        .into_iter()
        .map(|(_, message)| message)
        .collect();
    played
}

fn start(driver: &Driver, info: &abi::DealInfo) {
    if driver.functions.deal_start.is_some() {
        assert!(
            abi::OK <= driver.deal_start(info),
            "{}",
            driver.last_error()
        );
    }
}

fn end(driver: &Driver, info: &abi::DealResult) {
    if driver.functions.deal_end.is_some() {
        assert!(abi::OK <= driver.deal_end(info), "{}", driver.last_error());
    }
}
