//! Rulings on betting: the seat to act, legal raises, all-in raises that reopen, caps and limits.
//! Seat 0 has the button.

use super::script::{Script, check, play};
use hattari_games::holdem::{Event, Holdem, Options};
use hattari_games::poker::{BetLimit, event};
use hattari_games::{Game, Move};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// Returns a script with no limit and blinds of 50 and 100.
fn cash(stacks: &'static [i64], moves: &'static str) -> Script {
    Script {
        options: Options::default(),
        stacks,
        cards: "AsAh KdKc QsQh JsJh TsTh | 2c3d4h8c9d",
        moves,
    }
}

#[test]
fn heads_up_the_button_posts_the_small_blind_and_acts_last_after_the_flop() {
    let moves = "0: fold, call 50, raise 200-1000 > call
                 1: check, fold, raise 200-1000 > check
                 1: check, fold, raise 100-900 > check
                 0: > check
                 1: > raise 100
                 0: fold, call 100, raise 200-900 > call
                 1: > check
                 0: > check";
    check(&cash(&[1000, 1000], moves), &[1200, 800]);
}

#[test]
fn the_seat_after_the_big_blind_acts_first_and_the_big_blind_has_an_option() {
    let moves = "3: fold, call 100, raise 200-1000 > call
                 0: > fold
                 1: fold, call 50, raise 200-1000 > call
                 2: check, fold, raise 200-1000 > raise 300
                 3: fold, call 200, raise 500-1000 > fold
                 1: fold, call 200, raise 500-1000 > call
                 1: check, fold, raise 100-700";
    play(&cash(&[1000, 1000, 1000, 1000], moves));
}

#[test]
fn a_raise_adds_at_least_the_last_raise() {
    // A bet of 100, a raise by 250, then at least 250 more.
    let moves = "0: > raise 350
                 1: fold, call 300, raise 600-9000 > raise 1000
                 2: fold, call 900, raise 1650-9000 > call
                 0: fold, call 650, raise 1650-9000 > call
                 1: check, fold, raise 100-8000 > raise 100
                 2: fold, call 100, raise 200-8000";
    play(&cash(&[9000, 9000, 9000], moves));
}

#[test]
fn a_short_all_in_raise_does_not_reopen_betting() {
    // Seat 1 has 380, which is 80 more than the bet; 200 would be whole.
    let moves = "3: > raise 300
                 0: > call
                 1: fold, call 250, raise 380 > raise 380
                 2: fold, call 280, raise 580-5000 > call
                 3: fold, call 80 > call
                 0: fold, call 80 > call
                 2: check, fold, raise 100-4620";
    play(&cash(&[5000, 380, 5000, 5000], moves));
    // With the option that any raise reopens.
    let options = Options {
        short_raise_reopens: true,
        ..Options::default()
    };
    let moves = "3: > raise 300
                 0: > call
                 1: > raise 380
                 2: > call
                 3: fold, call 80, raise 580-5000";
    play(&Script {
        options,
        ..cash(&[5000, 380, 5000, 5000], moves)
    });
}

#[test]
fn acpc_rules_derive_the_minimum_raise_from_the_short_raise_itself() {
    // All-in for 380 after 300: the minimum was 500, and 380 + 80 is less.
    let rules = || Options {
        stack: 5000,
        ..Options::preset("acpc").unwrap()
    };
    let moves = "3: > raise 300
                 0: > call
                 1: fold, call 250, raise 380 > raise 380
                 2: fold, call 280, raise 500-5000 > call
                 3: fold, call 80, raise 500-5000 > raise 500
                 0: fold, call 200, raise 620-5000";
    play(&Script {
        options: rules(),
        ..cash(&[5000, 380, 5000, 5000], moves)
    });
    // All-in for 490: 490 + 190 is more than 500.
    let moves = "3: > raise 300
                 0: > call
                 1: fold, call 250, raise 490 > raise 490
                 2: fold, call 390, raise 680-5000";
    play(&Script {
        options: rules(),
        ..cash(&[5000, 490, 5000, 5000], moves)
    });
    // The minimum bet of each street is the big blind.
    let moves = "0: > raise 200
                 1: > call
                 2: > call
                 1: check, raise 100-4800 > check
                 2: check, raise 40 > raise 40
                 0: fold, call 40, raise 100-4800";
    play(&Script {
        options: rules(),
        ..cash(&[5000, 5000, 240], moves)
    });
}

#[test]
fn an_all_in_of_half_a_bet_reopens_betting_at_fixed_limit() {
    // Bets of 100; all-in for 50 more, and for 49 more.
    let rules = |half_bet_counts| Options {
        half_bet_counts,
        ..Options::preset("limit").unwrap()
    };
    let moves = "3: > raise 200
                 0: > call
                 1: fold, call 150, raise 250 > raise 250
                 2: fold, call 150, raise 350 > call
                 3: fold, call 50, raise 350 > raise 350
                 0: fold, call 150, raise 450";
    play(&Script {
        options: rules(true),
        ..cash(&[5000, 250, 5000, 5000], moves)
    });
    let moves = "3: > raise 200
                 0: > call
                 1: > raise 249
                 2: fold, call 149, raise 349 > call
                 3: fold, call 49 > call
                 0: fold, call 49 > call";
    play(&Script {
        options: rules(true),
        ..cash(&[5000, 249, 5000, 5000], moves)
    });
    let moves = "3: > raise 200
                 0: > call
                 1: > raise 250
                 2: > call
                 3: fold, call 50 > call";
    play(&Script {
        options: rules(false),
        ..cash(&[5000, 250, 5000, 5000], moves)
    });
}

#[test]
fn a_straddle_counts_as_a_bet_and_its_seat_acts_last() {
    let options = Options {
        posts: vec![50, 100, 200],
        ..Options::default()
    };
    let moves = "0: fold, call 200, raise 300-5000 > call
                 1: fold, call 150, raise 300-5000 > call
                 2: fold, call 100, raise 300-5000 > fold
                 3: check, fold, raise 300-5000 > check
                 1: check, fold, raise 100-4800";
    play(&Script {
        options: options.clone(),
        ..cash(&[5000, 5000, 5000, 5000], moves)
    });
    // A straddle on the button: the small blind is next. If posted short, it has no influence.
    let button = Options {
        posts: vec![50, 100, 0, 200],
        ..options.clone()
    };
    let script = |stacks, moves| Script {
        options: button.clone(),
        ..cash(stacks, moves)
    };
    play(&script(
        &[5000, 5000, 5000, 5000],
        "1: fold, call 150, raise 300-5000",
    ));
    play(&script(
        &[80, 5000, 5000, 5000],
        "3: fold, call 200, raise 300-5000",
    ));
    // A post after the big blind that does not influence the turn, as for a new player.
    let options = Options {
        posts: vec![50, 100, 0, -100],
        ..options
    };
    let moves = "3: fold, call 100, raise 200-5000 > fold
                 0: check, fold, raise 200-5000 > check
                 1: fold, call 50, raise 200-5000";
    play(&Script {
        options,
        ..cash(&[5000, 5000, 5000, 5000], moves)
    });
}

#[test]
fn the_big_blind_can_pay_the_ante_for_all_seats() {
    // Seat 2 pays 60 of its ante of 100 and no blind. All of it belongs to the main pot.
    let options = Options {
        antes: vec![0, 100],
        dead_antes: true,
        ..Options::default()
    };
    let moves = "0: fold, call 50 > call";
    // Seat 0 calls the amount posted. The rules require the full big blind, but seat 1 has posted
    // only 50.
    let short = |moves| Script {
        options: options.clone(),
        ..cash(&[5000, 50, 60], moves)
    };
    check(&short(moves), &[5110, 0, 0]);
    // Seat 2 has paid only an ante of 60. It can win all antes, and nothing else.
    let dealt = Script {
        cards: "KcKd QsQh AsAh | 2c3d4h8c9d",
        ..short("0: > call")
    };
    check(&dealt, &[5050, 0, 60]);
    // If its ante counts only for the same amount of the other antes, seat 2 competes for its own
    // 60 chips and gets them back.
    let options = Options {
        antes: vec![0, 100],
        ..Options::default()
    };
    let dealt = Script {
        options,
        ..cash(
            &[5000, 5000, 5000],
            "0: > call\n1: > call\n2: > check\n1: > raise 100\n2: > fold\n0: > fold",
        )
    };
    check(&dealt, &[4900, 5300, 4800]);
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
        block.button = button;
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

#[test]
fn a_seat_that_has_not_acted_can_raise_a_short_all_in() {
    let moves = "3: > raise 300
                 0: fold, call 300, raise 400 > raise 400
                 1: fold, call 350, raise 600-5000 > fold
                 2: fold, call 300, raise 600-5000 > raise 600
                 3: fold, call 300, raise 800-5000 > call";
    play(&cash(&[400, 5000, 5000, 5000], moves));
}

#[test]
fn short_all_ins_that_add_up_to_a_raise_reopen_betting() {
    // A bet of 200 on the flop and all-ins to 320 and 440: 240 more for the bettor, 120 more for a
    // caller between them.
    let moves = "3: > call
                 4: > call
                 0: > call
                 1: > call
                 2: > check
                 1: > raise 200
                 2: fold, call 200, raise 320 > raise 320
                 3: fold, call 320, raise 520-4900 > call
                 4: fold, call 320, raise 440 > raise 440
                 0: > fold
                 1: fold, call 240, raise 640-4900 > call
                 3: fold, call 120 > call";
    play(&cash(&[5000, 5000, 420, 5000, 540], moves));
}

#[test]
fn a_short_all_in_bet_is_called_at_its_amount() {
    let moves = "0: > call
                 1: > call
                 2: > check
                 1: check, fold, raise 100-4900 > check
                 2: check, fold, raise 40 > raise 40
                 0: fold, call 40, raise 140-4900 > call
                 1: fold, call 40 > call
                 1: check, fold, raise 100-4860";
    play(&cash(&[5000, 5000, 140], moves));
}

#[test]
fn a_bet_is_at_most_all_chips_and_unmatched_chips_are_returned() {
    let moves = "0: fold, call 50, raise 200-3000 > raise 3000
                 1: fold, call 900 > call";
    let (game, deal) = check(&cash(&[3000, 1000], moves), &[4000, 0]);
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
fn no_raise_is_legal_if_no_opponent_can_call_it() {
    // Both opponents are all-in.
    let moves = "0: > raise 600
                 1: fold, call 550, raise 700 > raise 700
                 2: fold, call 600, raise 1200-5000 > fold
                 0: fold, call 100 > call";
    play(&cash(&[5000, 700, 5000], moves));
    // The small blind has 20 left, the big blind nothing.
    let moves = "0: fold, call 100 > call
                 1: fold, call 20 > call";
    check(&cash(&[5000, 70, 100], moves), &[5170, 0, 0]);
}

#[test]
fn betting_ends_when_only_one_seat_has_chips_left() {
    let moves = "0: > raise 400
                 1: > call
                 2: > fold";
    // Seat 1 is all-in, so there are no decisions on later streets. Seat 0 wins with aces.
    check(&cash(&[5000, 400, 5000], moves), &[5500, 0, 4900]);
}

#[test]
fn a_short_big_blind_must_be_called_in_full() {
    let moves = "0: fold, call 100, raise 200-5000 > call
                 1: fold, call 50, raise 200-5000 > call
                 1: check, fold, raise 100-4900";
    play(&cash(&[5000, 5000, 30], moves));
    let options = Options {
        whole_blind: false,
        ..Options::default()
    };
    let moves = "0: fold, call 50, raise 150-5000 > call
                 1: check, fold, raise 150-5000";
    play(&Script {
        options,
        ..cash(&[5000, 5000, 30], moves)
    });
    // No seat owes more than an opponent has: the small blind is enough against 30.
    let moves = "0: > fold
                 1: check > check";
    check(&cash(&[5000, 5000, 30], moves), &[5000, 5030, 0]);
    check(&cash(&[5000, 30], ""), &[5030, 0]);
}

#[test]
fn antes_count_for_the_pot_but_not_as_bets() {
    let options = Options {
        ante: 20,
        ..Options::default()
    };
    let moves = "0: fold, call 100, raise 200-4980 > fold
                 1: fold, call 50, raise 200-4980 > fold";
    check(
        &Script {
            options,
            ..cash(&[5000, 5000, 5000], moves)
        },
        &[4980, 4930, 5090],
    );
}

#[test]
fn an_ante_can_use_up_the_chips_of_the_big_blind() {
    let options = Options {
        ante: 20,
        ..Options::default()
    };
    let moves = "0: fold, call 100, raise 200-980 > fold
                 1: check > check";
    // Seat 2 competes only for matched antes; its queens lose to the kings.
    let (_, deal) = check(
        &Script {
            options,
            ..cash(&[1000, 1000, 15], moves)
        },
        &[980, 1035, 0],
    );
    assert_eq!(deal.betting.paid[..3], [20, 20, 15]);
}

#[test]
fn raises_per_street_can_be_capped() {
    let options = Options {
        raises_max: 2,
        ..Options::default()
    };
    let moves = "0: fold, call 50, raise 200-5000 > raise 200
                 1: fold, call 100, raise 300-5000 > raise 500
                 0: fold, call 300 > call
                 1: check, fold, raise 100-4500 > raise 100
                 0: > raise 200
                 1: fold, call 100";
    play(&Script {
        options,
        ..cash(&[5000, 5000], moves)
    });
}

#[test]
fn pot_limit_raises_are_limited_to_the_pot_after_calling() {
    let options = Options {
        limit: BetLimit::PotLimit,
        ..Options::default()
    };
    let moves = "0: fold, call 100, raise 200-350 > raise 350
                 1: fold, call 300, raise 600-1150 > call
                 2: fold, call 250, raise 600-1400 > call
                 1: check, fold, raise 100-1050 > raise 1050
                 2: fold, call 1050, raise 2100-4200";
    play(&Script {
        options,
        ..cash(&[9000, 9000, 9000], moves)
    });
}

#[test]
fn fixed_limit_bets_are_of_one_size_and_double_from_the_turn_on() {
    let options = Options::preset("limit").unwrap();
    let moves = "0: fold, call 50, raise 200 > raise 200
                 1: fold, call 100, raise 300 > raise 300
                 0: fold, call 100, raise 400 > raise 400
                 1: fold, call 100, raise 500 > raise 500
                 0: fold, call 100 > call
                 1: check, fold, raise 100 > raise 100
                 0: fold, call 100, raise 200 > call
                 1: check, fold, raise 200 > raise 200
                 0: fold, call 200, raise 400 > fold";
    check(
        &Script {
            options,
            ..cash(&[5000, 5000], moves)
        },
        &[4400, 5600],
    );
}

#[test]
fn a_seat_can_fold_instead_of_checking_unless_it_is_the_last() {
    let moves = "0: > call
                 1: > call
                 2: > check
                 1: check, fold, raise 100-4900 > fold
                 2: check, fold, raise 100-4900 > fold";
    check(&cash(&[5000, 5000, 5000], moves), &[5200, 4900, 4900]);
}

#[test]
fn the_acpc_limit_preset_bounds_preflop_raises_and_has_no_free_folds() {
    let options = Options::preset("acpc-limit").unwrap();
    let moves = "0: fold, call 10, raise 20 > raise 20
                 1: fold, call 15, raise 30 > raise 30
                 2: fold, call 20, raise 40 > raise 40
                 0: fold, call 20 > call
                 1: fold, call 10 > call
                 1: check, raise 10 > raise 10
                 2: fold, call 10, raise 20 > raise 20
                 0: fold, call 20, raise 30 > raise 30
                 1: fold, call 20, raise 40 > raise 40
                 2: fold, call 20 > call
                 0: fold, call 10 > call
                 1: check, raise 20 > check
                 2: check, raise 20";
    play(&Script {
        options,
        ..cash(&[240, 240, 240], moves)
    });
    let options = Options::preset("acpc").unwrap();
    let moves = "0: fold, call 50, raise 200-20000 > call
                 1: check, raise 200-20000 > check
                 1: check, raise 100-19900";
    play(&Script {
        options,
        ..cash(&[20_000, 20_000], moves)
    });
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
    let mut chance = ChaCha8Rng::seed_from_u64(5);
    let (mut block, mut deal, mut legal) = (game.new_block(6, 400), game.new_deal(), Vec::new());
    for _ in 0..400 {
        game.deal(&mut block, &mut chance, &mut deal);
        while game.to_act(&deal).is_some() {
            game.legal(&deal, &mut legal);
            let pick =
                hattari_games::chance::below(&mut chance, u32::try_from(legal.len()).unwrap());
            let action = legal[pick as usize];
            game.apply(
                &mut deal,
                Move {
                    action,
                    amount: action.lowest,
                },
            );
        }
        let (mut chips, mut bets) = (block.stacks, [0; 9]);
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
