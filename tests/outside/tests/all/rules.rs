//! Guarantees of all games, and rules of these two.

use hattari_outside::cfr::Small;
use hattari_outside::kuhn::{self, Kuhn};
use hattari_outside::leduc::{self, Leduc};
use hattari_plugin::Rng;
use hattari_plugin::games::{BlockState, Game, conformance};
use std::fmt::Debug;

/// Checks the guarantees of a game with its default options and with others.
fn check<G: Game<Deal: Debug>>(others: G::Options, seed: u64) {
    let run = |seed| conformance::ConformanceRun {
        players: 2,
        seed,
        deals: 500,
        payoff_sum: 0,
        is_bounded: true,
    };
    let game = G::new(G::Options::default()).unwrap();
    conformance::check_conformance(&game, run(seed), Rng::new, |_, _| {});
    conformance::check_chance_independence(&game, 50, Rng::new, |deal| format!("{deal:?}"));
    let game = G::new(others).unwrap();
    conformance::check_conformance(&game, run(seed + 1), Rng::new, |_, _| {});
}

#[test]
fn both_games_pass_the_conformance_checks() {
    check::<Kuhn>(kuhn::Options { ante: 3, bet: 7 }, 1);
    let others = leduc::Options {
        ante: 2,
        raise: [1, 5],
        raises: 4,
    };
    check::<Leduc>(others, 3);
}

/// Asserts that after these choices, resampling draws all deals that the seat cannot distinguish
/// equally often.
fn draws_evenly<G: Small<Deal: Debug>>(game: &G, choices: &[&str]) {
    let mut random = Rng::new(5);
    for (number, start) in game.deals().into_iter().enumerate().step_by(5) {
        let go_on = |mut deal: G::Deal| {
            choose(game, &mut deal, choices);
            deal
        };
        let seat = u8::from(number % 2 == 1);
        let all = game.deals().into_iter().map(go_on);
        let (block, deal) = (game.new_block(2, 1), go_on(start));
        let key = |deal: &G::Deal| format!("{deal:?}");
        let cells = conformance::check_resampling(game, &block, &deal, seat, all, key, &mut random);
        assert!(cells > 1, "the seat sees everything");
    }
}

#[test]
fn hidden_cards_are_drawn_evenly() {
    let kuhn = Kuhn::new(kuhn::Options::default()).unwrap();
    draws_evenly(&kuhn, &["Check", "Bet"]);
    draws_evenly(&kuhn, &["Bet", "Fold"]);
    let leduc = Leduc::new(leduc::Options::default()).unwrap();
    draws_evenly(&leduc, &["Check"]);
    draws_evenly(&leduc, &["Check", "Check", "Check"]);
}

#[test]
fn options_out_of_range_are_refused() {
    assert!(
        Kuhn::new(kuhn::Options { ante: 0, bet: 1 })
            .unwrap_err()
            .contains("ante is 0")
    );
    assert!(
        Kuhn::new(kuhn::Options { ante: 1, bet: 1001 })
            .unwrap_err()
            .contains("bet is 1001")
    );
    for options in [
        leduc::Options {
            raise: [2, 0],
            ..leduc::Options::default()
        },
        leduc::Options {
            raises: 9,
            ..leduc::Options::default()
        },
    ] {
        assert!(Leduc::new(options).is_err());
    }
    assert_eq!(
        (Leduc::presets(), Leduc::preset("default")),
        (&["default"][..], Some(leduc::Options::default()))
    );
    assert_eq!(Leduc::preset("other"), None);
}

/// Both players are in seat 0 equally often, and all cards are equally frequent.
#[test]
fn players_alternate_in_the_first_seat() {
    let game = Kuhn::new(kuhn::Options::default()).unwrap();
    let (mut opened, mut dealt) = ([0; 2], [0; 3]);
    for seed in 0..300 {
        let (mut random, mut block, mut deal) =
            (Rng::new(seed), game.new_block(2, 2), game.new_deal());
        let first = |block: &mut BlockState<Kuhn>, deal: &mut kuhn::Deal, random: &mut Rng| {
            game.deal(block, random, deal);
            game.player_at(deal, 0)
        };
        let opener = first(&mut block, &mut deal, &mut random);
        opened[opener] += 1;
        let mut view: kuhn::View = hattari_plugin::blank();
        game.view(&block, &deal, 0, &mut view);
        dealt[usize::from(view.card)] += 1;
        play(&game, &mut deal, &["Check", "Check"]);
        game.finish(&mut block, &deal, &mut [0; 2]);
        assert_eq!(first(&mut block, &mut deal, &mut random), 1 - opener);
    }
    assert!(
        opened.iter().all(|&deals| deals > 110) && dealt.iter().all(|&deals| deals > 65),
        "{opened:?} {dealt:?}"
    );
}

/// Plays actions, given by their labels, to the end of the deal. Returns the history as text.
fn play<G: Game>(game: &G, deal: &mut G::Deal, actions: &[&str]) -> Vec<String> {
    choose(game, deal, actions);
    assert_eq!(game.to_act(deal), None);
    game.history(deal)
        .iter()
        .map(|event| game.line(event).to_string())
        .collect()
}

fn choose<G: Game>(game: &G, deal: &mut G::Deal, actions: &[&str]) {
    let mut legal = Vec::new();
    for words in actions {
        game.legal(deal, &mut legal);
        let offers: Vec<_> = legal
            .iter()
            .map(|action| game.offer(action).words)
            .collect();
        let index = offers
            .iter()
            .position(|offer| offer == words)
            .unwrap_or_else(|| panic!("{words} of {offers:?}"));
        game.apply(deal, legal[index].into());
    }
}

/// Returns the payoff of seat 0 in the deal with these cards: those of the seats, then the public
/// card.
fn ruling<G: Small<Deal: Debug>>(game: &G, cards: &str, actions: &[&str]) -> (i64, Vec<String>) {
    let number = |name| (0..6).find(|&card| G::card_name(card) == Some(name));
    let numbers: Vec<u8> = cards.split(' ').filter_map(number).collect();
    let cards = format!("cards: {numbers:?}");
    let deal = game
        .deals()
        .into_iter()
        .find(|deal| format!("{deal:?}").contains(&cards));
    let (mut deal, mut payoffs) = (deal.expect("the cards are a deal"), [0; 2]);
    let words = play(game, &mut deal, actions);
    game.finish(&mut game.new_block(2, 1), &deal, &mut payoffs);
    (payoffs[0], words)
}

#[test]
fn kuhn_pots_go_to_the_higher_card_or_the_remaining_player() {
    let game = Kuhn::new(kuhn::Options::default()).unwrap();
    let (queen, jack) = ("Q K", "J Q");
    for (cards, actions, wins) in [
        (queen, &["Check", "Check"][..], -1),
        (queen, &["Check", "Bet", "Fold"], -1),
        (queen, &["Check", "Bet", "Call"], -2),
        (queen, &["Bet", "Fold"], 1),
        (queen, &["Bet", "Call"], -2),
        ("K J", &["Check", "Bet", "Call"], 2),
        (jack, &["Bet", "Fold"], 1),
    ] {
        assert_eq!(ruling(&game, cards, actions).0, wins, "{cards} {actions:?}");
    }
    let (_, words) = ruling(&game, queen, &["Check", "Bet", "Call"]);
    let record = "seat 1 checks, seat 2 bets 1, seat 1 calls 1, seat 1 shows Q, seat 2 shows K, seat 2 wins 2";
    assert_eq!(words.join(", "), record);
}

#[test]
fn leduc_pairs_beat_ranks_and_equal_ranks_split() {
    let game = Leduc::new(leduc::Options::default()).unwrap();
    let checked = &["Check", "Check", "Check", "Check"][..];
    // All raises: 1 + 2 * 2 + 2 * 4 chips from each player.
    let raised = &[
        "Raise with 2",
        "Raise with 4",
        "Call 2",
        "Check",
        "Raise with 4",
        "Raise with 8",
        "Call 4",
    ][..];
    for (cards, actions, wins) in [
        ("Js Ks Jh", checked, 1),
        ("Js Ks Kh", checked, -1),
        ("Qs Js Kh", raised, 13),
        ("Qs Qh Kh", raised, 0),
        ("Qs Kh Js", raised, -13),
    ] {
        assert_eq!(ruling(&game, cards, actions).0, wins, "{cards} {actions:?}");
    }
    assert_eq!(ruling(&game, "Ks Qh Qs", &["Raise with 2", "Fold"]).0, 1);
    let folded = [
        "Check",
        "Raise with 2",
        "Call 2",
        "Raise with 4",
        "Raise with 8",
        "Fold",
    ];
    let (wins, words) = ruling(&game, "Ks Qh Qs", &folded);
    assert_eq!(wins, -7);
    let record = "seat 1 checks, seat 2 raises with 2, seat 1 calls 2, Q♠ is turned up, seat 1 raises with 4, \
                  seat 2 raises with 8, seat 1 folds, seat 2 wins 7";
    assert_eq!(words.join(", "), record);
}
