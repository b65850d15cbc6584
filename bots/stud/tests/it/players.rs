//! Tests of the bots with given cards, and of their settings.

use crate::support::{bot, seven_turns};
use crate::table::{Table, bot_at, play};
use hattari_bots_stud::bots::bluffer::{self, Bluffer};
use hattari_bots_stud::bots::call::Call;
use hattari_bots_stud::bots::fold::Fold;
use hattari_bots_stud::bots::fuzzy::Fuzzy;
use hattari_bots_stud::bots::honest::{self, Honest};
use hattari_bots_stud::bots::random::Random;
use hattari_bots_stud::fuzzy::Config;
use hattari_plugin::NoConfig;
use hattari_plugin::stud::{Bot, Options};

#[test]
fn invalid_configs_and_table_sizes_are_rejected() {
    assert!(
        Fuzzy::check(&Config {
            hide: 2.0,
            ..Config::default()
        })
        .unwrap_err()
        .contains("hide")
    );
    assert!(Honest::check(&honest::Config { caution: 1.5 }).is_err());
    assert!(
        Bluffer::check(&bluffer::Config {
            bluff: f64::NAN,
            ..bluffer::Config::default()
        })
        .is_err()
    );
    let refused = bot_at::<_, Fuzzy>(Config::default(), 3, &Options::default()).unwrap_err();
    assert_eq!(
        refused,
        "the fuzzy player plays against one opponent; this table has 3 players"
    );
}

const HIGH_PAIR: &str = "2c7d9hKd4h6sTc | AcAd5hTh8cJs3d";

/// A pair of kings is visible on turn 4 and bets the pot against a hand with nothing.
fn weak() -> Table<Options> {
    let cards = "QcQdKhKsAd6sTc | 2c4dJh7s8cTs3d";
    Table::new(seven_turns(), 2, cards)
        .then("raise 10, stay, raise 30, stay, raise 10, stay, raise 110")
}

#[test]
fn honest_bets_in_proportion_to_its_winning_chances() {
    let mut honest: Honest = bot(honest::Config::default());
    let share = |cards: &str, bot: &mut Honest| {
        let words = Table::new(seven_turns(), 2, cards)
            .then("raise 10, raise 20, stay, raise 30")
            .choice(bot);
        words
            .strip_prefix("raise to ")
            .map_or(0, |total| total.parse::<i64>().unwrap())
    };
    let (quads, aces, nothing) = (
        share("2c7d9hKd4h6sTc | AcAdAhAs8cJs3d", &mut honest),
        share(HIGH_PAIR, &mut honest),
        share("9c7d9hKd4h6sTc | Ac4dJh2s8c5s3d", &mut honest),
    );
    assert!(nothing < aces && aces < quads, "{nothing} {aces} {quads}");
    // Four aces on turn 2 are almost never beaten: nearly the maximum, which is the pot of 50 on
    // top.
    assert!((75..=80).contains(&quads), "{quads}");
    // A hand that is not worth its price is given up, unless that is free.
    let weak = weak();
    assert_eq!(weak.choice(&mut honest), "fold");
    let mut bold: Honest = bot(honest::Config { caution: -1.0 });
    assert_eq!(weak.choice(&mut bold), "call 110");
}

#[test]
fn a_bluffer_bets_the_most_with_weak_hands() {
    let always = || {
        bot::<Bluffer>(bluffer::Config {
            bluff: 1.0,
            ..bluffer::Config::default()
        })
    };
    let weak = weak();
    assert_eq!(weak.choice(&mut always()), "raise to 220");
    let mut never: Bluffer = bot(bluffer::Config {
        bluff: 0.0,
        ..bluffer::Config::default()
    });
    assert_eq!(weak.choice(&mut never), "fold");
    let mut habitual: Bluffer = bot(bluffer::Config::default());
    let bluffs = (0..400)
        .filter(|_| weak.choice(&mut habitual) == "raise to 220")
        .count();
    assert!((200..280).contains(&bluffs), "{bluffs} of 400");
    // The bot turns up the card with the highest potential: the jack makes a straight possible.
    let bets = "raise 10, stay, ".repeat(5);
    let table = Table::new(seven_turns(), 2, "3dKs5h6s7d9c2c | Js6dQcJhTc9d2h")
        .then(&format!("{bets}open 3d"));
    assert_eq!(table.choice(&mut always()), "turn up J♠");
}

#[test]
fn baseline_bots_play_the_action_in_their_name() {
    let facing = Table::new(seven_turns(), 2, HIGH_PAIR).then("raise 10");
    assert_eq!(facing.choice(&mut bot::<Call>(NoConfig {})), "call 10");
    assert_eq!(facing.choice(&mut bot::<Fold>(NoConfig {})), "fold");
    let first = Table::new(seven_turns(), 2, HIGH_PAIR).then("raise 10, stay");
    assert_eq!(first.choice(&mut bot::<Call>(NoConfig {})), "raise to 10");
    assert_eq!(first.choice(&mut bot::<Fold>(NoConfig {})), "fold");
    let mut random: Random = bot(NoConfig {});
    let chosen: std::collections::BTreeSet<String> =
        (0..300).map(|_| facing.choice(&mut random)).collect();
    assert_eq!(
        chosen.len(),
        2 + 10,
        "fold, call, raises to 11 to 20: {chosen:?}"
    );
    let opening = Table::new(seven_turns(), 2, HIGH_PAIR).then(&"raise 10, stay, ".repeat(5));
    let chosen: std::collections::BTreeSet<String> =
        (0..100).map(|_| opening.choice(&mut random)).collect();
    assert_eq!(chosen.len(), 3);
    let free =
        Table::new(Options::default(), 2, "2c3d4hKd4d6sTc | AcAd5hTh8cJs3h").then("stay, stay");
    assert_eq!(free.choice(&mut bot::<Fold>(NoConfig {})), "check");
    assert!((0..50).all(|_| free.choice(&mut random) != "fold"));
}

#[test]
fn the_fuzzy_player_learns_only_from_revealed_cards() {
    let tendencies = |config: Config, options: Options| {
        let mut player: Fuzzy = bot(config);
        let first = &mut bot::<Call>(NoConfig {});
        play(&mut [first, &mut player], 1, 40, options);
        player.player().tendencies().0
    };
    let first = [50.0; 18];
    assert_ne!(tendencies(Config::default(), seven_turns()), first);
    assert_eq!(
        tendencies(
            Config {
                learning: false,
                ..Config::default()
            },
            seven_turns()
        ),
        first
    );
    // If the rules reveal fewer cards, the player can learn from fewer games.
    let hidden = Options {
        reveal: false,
        ..seven_turns()
    };
    let showdowns = Config {
        learn_from_drops: false,
        ..Config::default()
    };
    assert_eq!(
        tendencies(Config::default(), hidden.clone()),
        tendencies(showdowns, hidden.clone())
    );
    assert_ne!(
        tendencies(Config::default(), hidden),
        tendencies(Config::default(), seven_turns())
    );
}

/// At fixed limit the player stays in or bets the fixed amount.
#[test]
fn the_fuzzy_player_bets_the_fixed_amount_at_fixed_limit() {
    let mut player: Fuzzy = bot_at(Config::default(), 2, &Options::default()).unwrap();
    let table = Table::new(Options::default(), 2, "2c7d2hKd4h6sTc | AcAdAhTh8cJs3d").then("stay");
    let chosen: std::collections::BTreeSet<String> =
        (0..200).map(|_| table.choice(&mut player)).collect();
    assert_eq!(
        chosen.into_iter().collect::<Vec<_>>(),
        ["call 15", "raise to 40"]
    );
}
