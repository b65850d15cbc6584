//! Tests of the Monte Carlo players.

use crate::support::{check_schema, legal};
use bytemuck::Zeroable;
use hattari_bots_daihinmin::bots::monte_carlo::{HATTARI, MC_ESTIMATE, MC_RANDOM, SCHEMA};
use hattari_bots_daihinmin::monte_carlo::{Config, MonteCarlo};
use hattari_plugin::daihinmin::card::{PACK, parse_set};
use hattari_plugin::daihinmin::{Block, Bot, Daihinmin, NONE, Options, PLAYERS, Turn, View, phase};
use hattari_plugin::games::Game;
use hattari_plugin::games::conformance::{play_block, random_move};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

fn player(config: Config, seed: u64) -> MonteCarlo {
    MonteCarlo::new(
        config,
        &Block::new(PLAYERS, 0, 1, seed, &Options::default()),
    )
    .unwrap()
}

fn few(config: Config) -> Config {
    Config {
        playouts: 60,
        weighed: config.weighed.min(10),
        ..config
    }
}

/// Returns a view in which the seat leads with `hand`, seat 1 holds `other`, and all others are
/// out.
fn two_left(hand: &str, other: &str) -> View {
    let (hand, other) = (parse_set(hand).unwrap(), parse_set(other).unwrap());
    let left = |hand: u64| u8::try_from(hand.count_ones()).unwrap();
    View {
        phase: phase::PLAY,
        fresh: 1,
        rules: Options::default().flags(),
        ask_last: 1,
        table_seat: NONE,
        hand,
        gone: PACK & !hand & !other,
        cards_left: [left(hand), left(other), 0, 0, 0],
        out: 0b11100,
        places: [NONE, NONE, 0, 1, 2],
        titles: [NONE; PLAYERS],
        ..View::zeroed()
    }
}

#[track_caller]
fn check(config: Config, hand: &str, other: &str, expected: &str) {
    let view = two_left(hand, other);
    let legal = legal(&view);
    let index = player(config, 1).act(&Turn::new(&view, &[], &legal));
    assert_eq!(legal[index].to_string(), expected);
}

#[test]
fn every_monte_carlo_config_finds_the_winning_lead() {
    for config in [MC_RANDOM.config(), MC_ESTIMATE.config(), HATTARI.config()] {
        // The two cannot be beaten, the five can.
        check(config.clone(), "S2 S5", "H4 D6", "S2");
        check(config, "H9 S3 C3", "D4 H2", "S3 C3");
    }
}

#[test]
fn two_player_endgames_are_solved_without_playouts() {
    let solves = Config {
        playouts: 1,
        endgame: true,
        ..Config::default()
    };
    // With one playout the first action is taken, which is the pass. The solver knows that the two
    // must be kept: it regains the lead for the five. If it were led at once, the other player
    // could play 6, 7 and 3 in a row.
    check(solves, "S2 S5 S4", "H3 D6 C7", "S4");
    check(
        Config {
            playouts: 1,
            ..Config::default()
        },
        "S2 S5 S4",
        "H3 D6 C7",
        "-",
    );
    check(
        Config {
            playouts: 1,
            sure_win: true,
            ..Config::default()
        },
        "S2 HA S4",
        "H3 D6 C7",
        "HA",
    );
}

/// If playouts make no difference, or there are almost none, a race follows its policy.
#[test]
fn a_race_with_few_playouts_follows_its_policy() {
    let lean = |level: u16| Config {
        playouts: 4,
        prior: 1e-3,
        race: true,
        lean: 1000.0,
        weights: format!("shape {} 900", 128 + level),
        ..Config::default()
    };
    // Level 3 is the five, 2 the four: columns are counted from the three.
    check(lean(3), "S2 S5 S4", "H3 D6 C7", "S5");
    check(lean(2), "S2 S5 S4", "H3 D6 C7", "S4");
}

/// Returns the choices of a player in games of random play.
fn taken(config: &Config, seed: u64, redeal: bool) -> Vec<usize> {
    let game = Daihinmin::new(Options::default()).unwrap();
    let mut chance = ChaCha8Rng::seed_from_u64(21);
    let mut taken = Vec::new();
    let mut bot = player(config.clone(), seed);
    play_block(
        &game,
        PLAYERS,
        3,
        &mut chance,
        |block, deal, seat, legal, chance| {
            if legal.len() > 1 {
                let mut shown = deal.clone();
                if redeal {
                    game.resample(&mut shown, seat, &mut ChaCha8Rng::seed_from_u64(seed));
                }
                let view = game.view_of(block, &shown, seat);
                let turn = Turn::new(&view, game.history(&shown), legal);
                let index = hattari_plugin::Player::choose(&mut bot, &turn).action;
                assert!(index < legal.len());
                taken.push(index);
            }
            random_move::<Daihinmin>(legal, chance)
        },
    );
    taken
}

#[test]
fn choices_depend_on_the_seed_but_not_on_hidden_cards() {
    for config in [MC_RANDOM.config(), MC_ESTIMATE.config(), HATTARI.config()].map(few) {
        let first = taken(&config, 1, false);
        assert!(first.len() > 60);
        assert_eq!(first, taken(&config, 1, false));
        assert_eq!(first, taken(&config, 1, true), "hidden cards change play");
        assert_ne!(first, taken(&config, 2, false));
    }
}

#[test]
fn a_time_budget_without_a_playout_budget_ends_decisions() {
    // On any machine a decision ends and is legal.
    let config = Config {
        playouts: 0,
        time_ms: 1,
        ..Config::default()
    };
    assert!(!taken(&config, 1, false).is_empty());
}

#[test]
fn invalid_settings_are_rejected() {
    let refused = |config: Config| MonteCarlo::check(&config).is_err();
    for settings in [
        r#"{"playouts": 0}"#,
        r#"{"c": -1.0}"#,
        r#"{"prior": -0.1}"#,
        r#"{"prior": 1.1}"#,
        r#"{"trust": -0.1}"#,
        r#"{"trust": 1.1}"#,
        r#"{"regret": -1.0}"#,
    ] {
        assert!(
            refused(serde_json::from_str(settings).unwrap()),
            "{settings}"
        );
    }
    for change in [
        (|config| config.c = f64::NAN) as fn(&mut Config),
        |config| config.prior = f64::NAN,
        |config| config.trust = f64::NAN,
        |config| config.lean = f64::INFINITY,
    ] {
        let mut config = Config::default();
        change(&mut config);
        assert!(refused(config.clone()), "{config:?}");
    }
    let wrong = serde_json::from_str(r#"{"playout_weights": "form 1 1"}"#).unwrap();
    let wrong = MonteCarlo::check(&wrong).unwrap_err();
    assert!(wrong.contains("`playout_weights`: line 1"), "{wrong}");
    let timed = serde_json::from_str(r#"{"playouts": 0, "time_ms": 5}"#).unwrap();
    assert!(!refused(timed));
}

#[test]
fn the_schema_lists_every_setting_with_its_default() {
    check_schema(SCHEMA, &serde_json::to_value(Config::default()).unwrap());
}
