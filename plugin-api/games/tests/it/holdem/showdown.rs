//! Pots, cards and chips after the betting; rulings on pots are in `rulings.txt`.

use crate::script::play;
use hattari_games::Game;
use hattari_games::features::{FeatureValue, Features};
use hattari_games::holdem::{Holdem, Options};
use hattari_games::poker::betting::Betting;
use hattari_games::poker::pots::{Pot, pots};

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
fn the_whole_deck_is_fixed_before_the_first_decision() {
    let cards = "AsAh KdKc QsQh | 2c3d4h8c9d";
    let [early, late] = [
        "0: > Raise to 1000
         1: > Call
         2: > Call",
        "0: > Call
         1: > Call
         2: > Check
         1: > Check
         2: > Check
         0: > Check
         1: > Raise to 900
         2: > Fold
         0: > Call",
    ]
    .map(|moves| play::<Options>(("cash", "{}"), &[1000; 3], cards, moves).1);
    assert_eq!(early.community, late.community);
    assert_eq!(early.deck(), late.deck());
}

#[test]
fn no_hand_is_shown_when_all_others_fold() {
    let moves = "0: > Raise to 300
                 1: > Fold
                 2: > Fold";
    let (game, deal) = play::<Options>(("cash", "{}"), &[1000; 3], "AsAh KdKc QsQh", moves);
    assert_eq!(deal.betting.stacks[..3], [1150, 950, 900]);
    let block = game.new_block(3, 1);
    let view = game.view_of(&block, &deal, 1);
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
            block.memory.stacks[..2].to_vec(),
            block.totals[..2].to_vec(),
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

/// Plays a deal of three players. Returns the seats that saw the flop and those at the showdown.
fn outcomes(moves: &str) -> [Vec<u8>; 2] {
    let cards = "AsAh KdKc QsQh | 2c3d4h8c9d";
    let (game, deal) = play::<Options>(("cash", "{}"), &[1000; 3], cards, moves);
    let block = game.new_block(3, 1);
    let mut seats = [Vec::new(), Vec::new()];
    for seat in 0..3 {
        let view = game.view_of(&block, &deal, seat);
        <Holdem as Game>::Features::outcome(&view, game.history(&deal), &mut |name, value| {
            let of_name = usize::from(name == "showdown");
            if value == FeatureValue::flag(true) {
                seats[of_name].push(seat);
            }
        });
    }
    seats
}

#[test]
fn a_finished_deal_says_who_saw_the_flop_and_who_went_to_showdown() {
    let river = "0: > Call
         1: > Call
         2: > Check
         1: > Check
         2: > Check
         0: > Check
         1: > Raise to 400
         2: > Fold
         0: > Call
         1: > Check
         0: > Check";
    assert_eq!(outcomes(river), [vec![0, 1, 2], vec![0, 1]]);
    let all_in = "0: > Raise to 1000
         1: > Fold
         2: > Call";
    assert_eq!(outcomes(all_in), [vec![0, 2], vec![0, 2]]);
    let folds = "0: > Raise to 300
         1: > Fold
         2: > Fold";
    assert_eq!(outcomes(folds), [const { Vec::<u8>::new() }; 2]);
}
