//! Tests of the bots with given cards, and of their settings.

use crate::support::bot;
use crate::table::{Seated, Table, bot_at, play};
use hattari_bots_holdem::bots::call::Call;
use hattari_bots_holdem::bots::cfr::Cfr;
use hattari_bots_holdem::bots::exploiter::{self, Exploiter};
use hattari_bots_holdem::bots::fold::Fold;
use hattari_bots_holdem::bots::honest::Honest;
use hattari_bots_holdem::bots::random::Random;
use hattari_bots_holdem::bots::small_bluff::{self, Published, SmallBluff};
use hattari_bots_holdem::sampling::Sampling;
use hattari_plugin::holdem::{Holdem, Options};
use hattari_plugin::{NoConfig, Player};

#[test]
fn invalid_bot_configs_are_rejected() {
    let none = Sampling {
        samples: 0,
        ..Sampling::default()
    };
    assert!(Honest::check(&none).is_err());
    for (bluff, is_valid) in [
        (0.0, true),
        (1.0, true),
        (1.01, false),
        (-0.1, false),
        (f64::NAN, false),
    ] {
        let config = small_bluff::Config {
            bluff,
            ..small_bluff::Config::default()
        };
        assert_eq!(SmallBluff::check(&config).is_ok(), is_valid, "{bluff}");
    }
    for (samples, sizes) in [(0, vec![]), (1, vec![-1.0])] {
        let config = exploiter::Config {
            samples,
            sizes,
            ..exploiter::Config::default()
        };
        assert!(Exploiter::check(&config).is_err(), "{config:?}");
    }
}

/// Heads-up, the button to act: pot 150, 50 to call.
fn heads_up(cards: &str) -> Table<Options> {
    Table::new(Options::default(), 2, cards)
}

#[test]
fn honest_plays_according_to_its_hand_strength() {
    let mut honest: Honest = bot(Sampling::default(), 2);
    for (cards, moves, expected) in [
        // Aces: 0.85 is above 0.75. A quarter of 150 is less than the big blind.
        ("AsAh 7c2d", "", "raise to 200"),
        // The worst hand has 0.35, and 4 times that is more than 0.66, the limit before the flop.
        ("7c2d AsAh", "", "call 50"),
        // Against an all-in bet the odds are 2.01, and 0.35 times that is more than 0.66 as well.
        // The same is true for two deuces.
        ("7c2d AsAh", "stay, raise 10000", "call 9900"),
        // After the flop the same odds require a win rate of one half. A pair of aces has it, seven
        // high does not.
        ("Ac2d KsKh Ad9s4c", "stay, stay, raise 9900", "call 9900"),
        ("7c2d AsAd KhJs9c", "stay, stay, raise 9900", "fold"),
        ("7c2d AsAd KhJs9c", "stay, stay, stay", "check"),
        // The nuts on the river, counted exactly: a raise by a quarter of the pot, which the rules
        // increase to the minimum raise.
        (
            "AsKs 7c2d QsJsTs2c3d",
            "stay, stay, stay, stay, stay, stay, raise 300",
            "raise to 600",
        ),
    ] {
        let table = heads_up(cards).then(moves);
        assert_eq!(table.choice(&mut honest), expected, "{cards}: {moves}");
    }
}

#[test]
fn honest_calls_when_the_raise_cap_is_reached() {
    let mut honest: Honest = bot(Sampling::default(), 2);
    let options = Options {
        raises_max: 1,
        ..Options::default()
    };
    let capped = Table::new(options, 2, "AsAh 7c2d").then("stay, raise 300");
    assert_eq!(capped.choice(&mut honest), "call 200");
    // The published small-bluff player always folds there; the repaired one calls.
    assert_eq!(
        capped.choice(&mut bot::<Published>(Sampling::default(), 2)),
        "fold"
    );
    assert_eq!(
        capped.choice(&mut bot::<SmallBluff>(small_bluff::Config::default(), 2)),
        "call 200"
    );
}

/// Returns the number of times that a bot takes each action in 400 decisions.
fn frequencies<B: Player<Holdem>>(table: &Table<Options>, config: B::Config) -> Vec<(String, u32)> {
    let mut bot: B = bot(config, 2);
    let mut counts = std::collections::BTreeMap::new();
    for _ in 0..400 {
        *counts.entry(table.choice(&mut bot)).or_insert(0) += 1;
    }
    counts.into_iter().collect()
}

fn share(frequencies: &[(String, u32)], word: &str) -> f64 {
    let of_word = |(choice, count): &(String, u32)| {
        if choice.starts_with(word) {
            f64::from(*count)
        } else {
            0.0
        }
    };
    frequencies.iter().map(of_word).sum::<f64>() / 400.0
}

#[test]
fn small_bluff_chooses_actions_with_its_table_probabilities() {
    let quick = Sampling {
        samples: 200,
        ..Sampling::default()
    };
    let repaired = |bluff| small_bluff::Config {
        samples: 200,
        bluff,
        ..small_bluff::Config::default()
    };
    // Aces: x = 1.7. The standard error is 0.015.
    let aces = frequencies::<SmallBluff>(&heads_up("AsAh 7c2d"), repaired(0.0));
    assert!(
        (share(&aces, "raise") - 0.9).abs() < 0.06 && share(&aces, "fold") == 0.0,
        "{aces:?}"
    );
    // The lowest pair of the board on the river: no hand is worse, so x is below 0.5.
    let weak = || heads_up("3c2d AsAh KhJs9c8h7d").then("stay, stay, stay, stay, stay, stay, stay");
    assert_eq!(
        share(&frequencies::<Published>(&weak(), quick), "fold"),
        1.0
    );
    assert_eq!(
        share(&frequencies::<SmallBluff>(&weak(), repaired(0.0)), "check"),
        1.0
    );
    let bluffs = frequencies::<SmallBluff>(&weak(), repaired(0.3));
    assert!(
        (share(&bluffs, "raise") - 0.3).abs() < 0.1 && share(&bluffs, "fold") == 0.0,
        "{bluffs:?}"
    );
}

#[test]
fn baseline_bots_play_the_action_in_their_name() {
    let facing = heads_up("AsAh 7c2d");
    assert_eq!(facing.choice(&mut bot::<Call>(NoConfig {}, 2)), "call 50");
    assert_eq!(facing.choice(&mut bot::<Fold>(NoConfig {}, 2)), "fold");
    let free = heads_up("AsAh 7c2d").then("stay");
    assert_eq!(free.choice(&mut bot::<Call>(NoConfig {}, 2)), "check");
    assert_eq!(free.choice(&mut bot::<Fold>(NoConfig {}, 2)), "check");
    let random = frequencies::<Random>(&facing, NoConfig {});
    for word in ["fold", "call", "raise"] {
        assert!((share(&random, word) - 1.0 / 3.0).abs() < 0.1, "{random:?}");
    }
    assert!(random.len() > 100, "amounts are drawn too: {random:?}");
    let free = frequencies::<Random>(&free, NoConfig {});
    assert!(
        (share(&free, "check") - 0.5).abs() < 0.1 && share(&free, "fold") == 0.0,
        "{free:?}"
    );
}

#[test]
fn the_exploiter_infers_hands_from_raises_and_checks() {
    let mut exploiter: Exploiter = bot(exploiter::Config::default(), 2);
    for (cards, last, expected) in [
        // Seat 1 raises on the flop. An honest raise means a win rate of at least 0.75. Second pair
        // has 0.7 against random hands, but little against these.
        ("8c7d AsAh Kh8s2c", "raise 150", "fold"),
        // A set is ahead of the hands that the raise represents, so the bot raises.
        ("8c8d AsAh Kh8s2c", "raise 150", "raise"),
        // Seat 1 checks, so it has no hand of 0.75 or more. Second pair is ahead of most hands, and
        // the bot raises with the hand that it would fold to a raise.
        ("8c7d AsAh Kh8s2c", "stay", "raise"),
        ("5c4d AsAh KhJs2c", "stay", "check"),
        ("5c4d AsAh KhJs2c", "raise 150", "fold"),
    ] {
        let table = heads_up(cards).then(&format!("stay, stay, {last}"));
        let choice = table.choice(&mut exploiter);
        assert!(choice.starts_with(expected), "{cards}, {last}: {choice}");
    }
}

/// Returns the big blinds won per 100 deals.
fn heads_up_rate(
    one: &mut dyn Seated<Options>,
    other: &mut dyn Seated<Options>,
    deals: u64,
) -> f64 {
    let won = play(&mut [one, other], 2, deals, Options::default());
    won[0] as f64 / 100.0 / (2 * deals) as f64 * 100.0
}

#[test]
fn the_exploiter_wins_against_honest() {
    let config = exploiter::Config {
        samples: 150,
        boards: 20,
        ..exploiter::Config::default()
    };
    let honest = || {
        let samples = Sampling {
            samples: 200,
            ..Sampling::default()
        };
        bot::<Honest>(samples, 2)
    };
    let rate = heads_up_rate(&mut bot::<Exploiter>(config, 2), &mut honest(), 150);
    assert!(rate > 0.0, "{rate} big blinds per 100 deals");
    let rate = heads_up_rate(&mut honest(), &mut bot::<Random>(NoConfig {}, 2), 300);
    assert!(rate > 0.0, "{rate} big blinds per 100 deals");
}

#[test]
fn equal_seeds_give_equal_results() {
    let won = |seed| {
        let honest = Sampling {
            samples: 50,
            seed,
            ..Sampling::default()
        };
        let bluff = small_bluff::Config {
            samples: 50,
            seed,
            ..small_bluff::Config::default()
        };
        let exploiter = exploiter::Config {
            samples: 40,
            boards: 5,
            ..exploiter::Config::default()
        };
        let bots: &mut [&mut dyn Seated<Options>] = &mut [
            &mut bot::<Honest>(honest, 3),
            &mut bot::<SmallBluff>(bluff, 3),
            &mut bot::<Exploiter>(exploiter, 3),
        ];
        play(bots, 3, 20, Options::default())
    };
    assert_eq!(won(1), won(1));
    assert_ne!(won(1), won(2));
}

/// A table at fixed limit: blinds 5 and 10, bets 10 and 20.
fn at_limit(cards: &str) -> Table<Options> {
    Table::new(Options::preset("acpc-limit").unwrap(), 2, cards)
}

#[test]
fn cfr_plays_obvious_hands_correctly() {
    let mut cfr: Cfr = bot_at(NoConfig {}, 2, &Options::preset("acpc-limit").unwrap()).unwrap();
    let aces: Vec<String> = (0..50)
        .map(|_| at_limit("AsAh 7c2d").choice(&mut cfr))
        .collect();
    assert!(aces.iter().all(|choice| choice != "fold"), "{aces:?}");
    assert!(
        aces.iter()
            .filter(|choice| *choice == "raise to 20")
            .count()
            > 40,
        "{aces:?}"
    );
    for _ in 0..50 {
        // The nuts on the river always raise.
        let river = "stay, stay, stay, stay, stay, stay, raise 20";
        assert_eq!(
            at_limit("AsKs 7c2d QsJsTs2c3d")
                .then(river)
                .choice(&mut cfr),
            "raise to 40"
        );
        // The worst hand folds or bluffs, but does not call.
        let river =
            at_limit("7c2d AsAh KhQhJd9s8s").then("stay, stay, stay, stay, stay, stay, raise 20");
        assert_ne!(river.choice(&mut cfr), "call 20");
    }
}

#[test]
fn cfr_rejects_games_that_it_was_not_trained_for() {
    let refused = |players, preset: &str| {
        bot_at::<_, Cfr>(NoConfig {}, players, &Options::preset(preset).unwrap()).err()
    };
    assert!(refused(2, "cash").is_some_and(|why| why.contains("preset: acpc-limit")));
    assert!(refused(3, "acpc-limit").is_some());
    assert!(refused(2, "acpc-limit").is_none());
}
