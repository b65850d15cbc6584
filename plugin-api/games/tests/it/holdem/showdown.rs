//! Rulings on pots: side pots, chips of folded seats, splits and odd chips. Seat 0 has the button.

use super::script::{Script, check, play};
use hattari_games::Game;
use hattari_games::holdem::{Holdem, Options};
use hattari_games::poker::betting::Betting;
use hattari_games::poker::pots::{Pot, pots};

fn all_in(stacks: &'static [i64], cards: &'static str, moves: &'static str) -> Script {
    Script {
        options: Options::default(),
        stacks,
        cards,
        moves,
    }
}

#[test]
fn each_seat_wins_only_pots_that_it_has_paid_into() {
    // The shortest stack has the best hand, the next the second best, and so on.
    let cards = "QsQh AsAh KdKc JsJh | 2c3d4h8c9d";
    let moves = "3: > raise 1000
                 0: fold, call 1000 > call
                 1: > call 250
                 2: > call 500";
    // Main pot 4 x 300 to the aces, 3 x 300 to the kings, 2 x 400 to the queens.
    let script = all_in(&[2000, 300, 600, 1000], cards, moves);
    let (_, deal) = check(&script, &[1800, 1200, 900, 0]);
    assert_eq!(deal.betting.paid[..4], [1000, 300, 600, 1000]);
}

#[test]
fn chips_of_folded_hands_stay_in_the_pots_they_paid_for() {
    let cards = "AsAh KdKc QsQh JsJh | 2c3d4h8c9d";
    // Seat 3 bets 600 and later folds to the raise: 200 of it are in the main pot, 400 in the side
    // pot.
    let moves = "3: > raise 600
                 0: > call 200
                 1: > raise 1500
                 2: > call 1400
                 3: > fold";
    // Main pot 200 + 200 + 200 + 200 to the aces, side pot 400 + 1300 + 1300 to the kings.
    check(
        &all_in(&[200, 1500, 1500, 2000], cards, moves),
        &[800, 3000, 0, 1400],
    );
}

#[test]
fn pots_with_the_same_seats_are_merged() {
    let mut betting = Betting::new();
    betting.start(4, &[1000; 9]);
    // Seats 1 and 3 have folded after 30 and 70 chips; seat 2 is all-in with 70.
    betting.paid = [100, 30, 70, 70, 0, 0, 0, 0, 0];
    betting.in_play = 0b0101;
    let pots: Vec<Pot> = pots(&betting).collect();
    assert_eq!(
        pots,
        [
            Pot {
                chips: 70 + 30 + 70 + 70,
                seats: 0b0101
            },
            Pot {
                chips: 30,
                seats: 0b0001
            }
        ]
    );
}

#[test]
fn odd_chips_go_to_the_first_winners_left_of_the_button() {
    let options = Options {
        small_blind: 1,
        big_blind: 2,
        ..Options::default()
    };
    // Seats 0 and 2 have the same pair; seat 1 folds its chip: 5 chips for two seats.
    let moves = "0: > call
                 1: > fold
                 2: > check
                 2: > check
                 0: > check
                 2: > check
                 0: > check
                 2: > check
                 0: > check";
    let script = Script {
        options: options.clone(),
        ..all_in(&[100, 100, 100], "AsKh 2c2d AhKs | 3c8d9hJcQd", moves)
    };
    check(&script, &[100, 99, 101]);
    // Three of five seats split 9 chips and the 2 of the folded big blind: one odd chip each for
    // seats 1 and 3.
    let cards = "AsKh AhKs 2c3d AdKd 2d3c | TcJdQh8c8s";
    let moves = "3: > raise 100
                 4: > fold
                 0: > call
                 1: > call
                 2: > fold";
    check(
        &Script {
            options,
            ..all_in(&[100, 100, 100, 100, 100], cards, moves)
        },
        &[100, 101, 98, 101, 100],
    );
}

#[test]
fn the_whole_deck_is_fixed_before_the_first_decision() {
    let cards = "AsAh KdKc QsQh | 2c3d4h8c9d";
    let all_in_before_the_flop = "0: > raise 1000
                                  1: > call
                                  2: > call";
    let (_, early) = play(&all_in(&[1000, 1000, 1000], cards, all_in_before_the_flop));
    let slowly = "0: > call
                  1: > call
                  2: > check
                  1: > check
                  2: > check
                  0: > check
                  1: > raise 900
                  2: > fold
                  0: > call";
    let (_, late) = play(&all_in(&[1000, 1000, 1000], cards, slowly));
    assert_eq!(early.community, late.community);
    assert_eq!(early.deck(), late.deck());
}

#[test]
fn no_hand_is_shown_when_all_others_fold() {
    let moves = "0: > raise 300
                 1: > fold
                 2: > fold";
    let (game, deal) = check(
        &all_in(&[1000, 1000, 1000], "AsAh KdKc QsQh", moves),
        &[1150, 950, 900],
    );
    let block = game.new_block(3, 1);
    let mut view = bytemuck::Zeroable::zeroed();
    game.view(&block, &deal, 1, &mut view);
    assert_eq!((view.shown, view.over, view.community), ([0; 9], 1, 0));
    assert_eq!((view.pot, view.in_play, view.hand.count_ones()), (0, 1, 2));
}

#[test]
fn stacks_are_carried_over_and_rebought() {
    let deal_to = |options: Options, stacks: [i64; 2]| {
        let game = Holdem::new(options).unwrap();
        let mut block = game.new_block(2, 10);
        let mut deal = game.new_deal();
        deal.betting.stacks[..2].copy_from_slice(&stacks);
        let mut payoffs = [0; 2];
        game.finish(&mut block, &deal, &mut payoffs);
        (
            payoffs,
            block.stacks[..2].to_vec(),
            block.results[..2].to_vec(),
            game.block_over(&block),
        )
    };
    let all = [20_000, 0];
    let (cash, carry) = (
        Options::default(),
        Options {
            carry: true,
            ..Options::default()
        },
    );
    assert_eq!(
        deal_to(cash, all),
        (
            [10_000, -10_000],
            vec![10_000, 10_000],
            vec![10_000, -10_000],
            false
        )
    );
    assert_eq!(
        deal_to(carry.clone(), all),
        (
            [10_000, -10_000],
            vec![20_000, 0],
            vec![10_000, -10_000],
            true
        )
    );
    let rebuy = Options {
        rebuy: 500,
        ..carry
    };
    assert_eq!(
        deal_to(rebuy.clone(), all),
        (
            [10_000, -10_000],
            vec![20_000, 500],
            vec![10_000, -10_000],
            false
        )
    );
    assert_eq!(
        deal_to(rebuy, [19_999, 1]),
        ([9_999, -9_999], vec![19_999, 1], vec![9_999, -9_999], false)
    );
}

#[test]
fn options_out_of_range_are_refused_with_a_message() {
    let refused = |options: Options| Holdem::new(options).unwrap_err();
    let cash = Options::default;
    assert_eq!(
        refused(Options {
            small_blind: 0,
            ..cash()
        }),
        "small_blind is 0, must be 1 to 100 (the big blind)"
    );
    assert_eq!(
        refused(Options {
            small_blind: 101,
            ..cash()
        }),
        "small_blind is 101, must be 1 to 100 (the big blind)"
    );
    assert_eq!(
        refused(Options {
            big_blind: 0,
            ..cash()
        }),
        "big_blind is 0, must be 1 to 1000000000000 chips"
    );
    assert_eq!(
        refused(Options { ante: -1, ..cash() }),
        "ante is -1, must be 0 to 1000000000000 chips"
    );
    assert_eq!(
        refused(Options {
            stack: 109,
            ante: 10,
            ..cash()
        }),
        "stack is 109, must be 110 to 1000000000000 chips"
    );
    let limit = Options::preset("limit").unwrap();
    assert!(
        refused(Options {
            big_bet: 99,
            ..limit
        })
        .starts_with("big_bet is 99, must be 100")
    );
    for name in Options::PRESETS {
        let options = Options::preset(name).unwrap();
        let game = Holdem::new(options.clone()).unwrap();
        assert_eq!(game.options(), &options);
        let json = serde_json::to_string(&options).unwrap();
        assert_eq!(serde_json::from_str::<Options>(&json).unwrap(), options);
    }
    assert!(serde_json::from_str::<Options>(r#"{"bigblind": 3}"#).is_err());
    assert_eq!(Options::preset("poker"), None);
}
