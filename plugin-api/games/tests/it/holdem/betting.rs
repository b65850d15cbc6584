//! Rulings on betting and pots (`rulings.txt`), stacks by position, and the record.

use crate::play::{pick, play_out, seeded};
use crate::script::{check_rulings, play};
use hattari_games::Game;
use hattari_games::holdem::{Event, Holdem, Options};
use hattari_games::poker::event;

const CARDS: &str = "AsAh KdKc QsQh JsJh TsTh | 2c3d4h8c9d";

#[test]
fn every_script_of_the_rulings_has_the_expected_result() {
    check_rulings::<Options>(include_str!("rulings.txt"), CARDS);
}

#[test]
fn all_in_bets_and_returned_chips_are_recorded() {
    let moves = "0: > Raise to 3000
                 1: > Call";
    let (game, deal) = play::<Options>(("cash", "{}"), &[3000, 1000], CARDS, moves);
    let words: Vec<String> = game
        .history(&deal)
        .iter()
        .map(|event| game.line(event).to_string())
        .collect();
    assert_eq!(
        words[2..6],
        [
            "seat 1 raises to 3000, all in",
            "seat 2 calls 900, all in",
            "seat 1 takes 2000 back",
            "seat 1 shows A♠ A♥"
        ]
    );
}

#[test]
fn stacks_can_be_set_by_position() {
    let options = Options {
        stacks: vec![300, 700],
        stack: 900,
        ..Options::default()
    };
    let game = Holdem::new(options.clone()).unwrap();
    for (button, stacks) in [
        (0, [900, 300, 700]),
        (1, [700, 900, 300]),
        (2, [300, 700, 900]),
    ] {
        let mut block = game.new_block(3, 10);
        block.memory.button = button;
        let (mut deal, mut payoffs) = (game.new_deal(), [0; 3]);
        game.start(
            &block,
            &std::array::from_fn(|card| u8::try_from(card).unwrap()),
            &mut deal,
        )
        .unwrap();
        let before: Vec<i64> = (0..3)
            .map(|seat| deal.betting.stacks[seat] + deal.betting.paid[seat])
            .collect();
        assert_eq!(before, stacks);
        while game.to_act(&deal).is_some() {
            deal.apply(game.form(), hattari_games::poker::SeatMove::Fold);
        }
        game.finish(&mut block, &deal, &mut payoffs);
        assert_eq!(
            (
                payoffs.iter().sum::<i64>(),
                payoffs[usize::from(block.after(button))]
            ),
            (0, -50)
        );
    }
    assert_eq!(game.worst_payoff(), -700);
    assert!(
        Holdem::new(Options {
            carry: true,
            ..options
        })
        .unwrap_err()
        .contains("`carry` is true")
    );
}

/// The events of a deal contain all public facts: a reader of only the events gets the same chips.
#[test]
fn the_result_can_be_reconstructed_from_the_record() {
    let game = Holdem::new(Options {
        stack: 700,
        ante: 5,
        ..Options::default()
    })
    .unwrap();
    let mut chance = seeded(5);
    let (mut block, mut deal) = (game.new_block(6, 400), game.new_deal());
    for _ in 0..400 {
        game.deal(&mut block, &mut chance, &mut deal);
        play_out(&game, &mut deal, |legal| pick(&mut chance, legal.len()));
        let (mut chips, mut bets) = (block.memory.stacks, [0; 9]);
        for &Event {
            kind, seat, amount, ..
        } in game.history(&deal)
        {
            let seat = usize::from(seat);
            match kind {
                event::ANTE | event::WIN | event::RETURN => {
                    chips[seat] += if kind == event::ANTE { -amount } else { amount }
                }
                event::BLIND | event::CALL => {
                    chips[seat] -= amount;
                    bets[seat] += amount;
                }
                event::RAISE => {
                    chips[seat] -= amount - bets[seat];
                    bets[seat] = amount;
                }
                event::STREET => bets = [0; 9],
                _ => {}
            }
        }
        assert_eq!(chips, deal.betting.stacks);
        game.finish(&mut block, &deal, &mut [0; 6]);
    }
}
