//! Rulings on stud: the bring-in and its completion, the first seat to act, two sizes of bets, the
//! seventh card of eight players, and odd chips. Also the limits of the fuzzy system's seven turns.

use super::script::{Script, check, play};
use hattari_games::poker::{OddChips, card, event};
use hattari_games::stud::{Block, Deal, Options, Stud, Variant};
use hattari_games::{Game, Move};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// Three hands: the first open cards are 7c of seat 0, 7d of seat 1 and Ks of seat 2.
const THREE: &str = "AcAd7c8c9cTcJc KcKd7dAs2d3d4d QcQdKs5s5h6s6h";

fn limit(stacks: &'static [i64], cards: &'static str, moves: &'static str) -> Script {
    Script {
        options: Options::default(),
        stacks,
        cards,
        moves,
    }
}

#[test]
fn the_lowest_card_brings_in_and_suits_break_ties() {
    // Sevens of clubs and diamonds: clubs are lower. The pot contains antes of 10.
    let moves = "0: bring in 15, raise 40 > bring
                 1: fold, call 15, raise 40 > call
                 2: fold, call 15, raise 40 > raise 40
                 0: fold, call 25, raise 80 > call
                 1: fold, call 25, raise 80 > raise 80
                 2: fold, call 40, raise 120 > raise 120
                 0: fold, call 80, raise 160 > raise 160
                 1: fold, call 80 > call
                 2: fold, call 40 > call";
    play(&limit(&[4000, 4000, 4000], THREE, moves));
}

#[test]
fn the_bring_in_seat_can_bet_at_once_and_has_no_turn_after_calls() {
    let moves = "0: > raise 40
                 1: fold, call 40, raise 80 > call
                 2: > fold
                 1: check, fold, raise 40";
    play(&limit(&[4000, 4000, 4000], THREE, moves));
    // All seats call the bring-in. With the fourth card, 7d and As act first.
    let moves = "0: > bring
                 1: > call
                 2: > call
                 1: check, fold, raise 40";
    play(&limit(&[4000, 4000, 4000], THREE, moves));
}

#[test]
fn the_best_hand_showing_acts_first_and_the_third_street_doubles_the_bet() {
    let moves = "0: > bring
                 1: > call
                 2: > call
                 1: > check
                 2: > check
                 0: > raise 40
                 1: > call
                 2: > call
                 2: check, fold, raise 80 > raise 80
                 0: fold, call 80, raise 160";
    // Seat 2 has an open pair of fives with the fifth card.
    play(&limit(
        &[4000, 4000, 4000],
        "AcAd7c8c9cTcJc KcKd7dAs2d3d4d QcQdKs5sKh6s6h",
        moves,
    ));
    // Of equal open hands, the first after the dealer's seat acts first.
    let moves = "1: > bring
                 2: > call
                 0: > call
                 2: check, fold, raise 40";
    play(&limit(
        &[4000, 4000, 4000],
        "AcAd9cAh2c3c4c KcKd7dQs2d3d4d QcQd9sAs5h6s6h",
        moves,
    ));
}

#[test]
fn two_low_pairs_showing_act_before_one_higher_pair() {
    // With the sixth card, the open cards of seat 1 are jacks and twos; seat 0 has queens.
    let moves = "1: > bring
                 0: > call
                 1: > check
                 0: > check
                 1: > check
                 0: > check
                 1: check, fold, raise 80 > check
                 0: > check
                 1: check, fold, raise 80";
    play(&limit(
        &[4000, 4000],
        "KhTh5dQd7hQs3c 5c9s2s2dJhJd4c",
        moves,
    ));
}

#[test]
fn the_bring_in_may_take_all_chips() {
    // Seat 0 has 22: the ante and 12 of 15. The others owe 15 anyway.
    let moves = "0: bring in 12 > bring
                 1: fold, call 15, raise 40 > call
                 2: fold, call 15, raise 40 > fold";
    play(&limit(&[22, 4000, 4000], THREE, moves));
    let posted = Options {
        whole_bring_in: false,
        ..Options::default()
    };
    let moves = "0: > bring
                 1: fold, call 12, raise 40 > raise 40
                 2: fold, call 40, raise 80";
    play(&Script {
        options: posted,
        ..limit(&[22, 4000, 4000], THREE, moves)
    });
    // Seat 0 is all-in with its ante, so the next seat brings in.
    let moves = "1: bring in 15, raise 40 > bring
                 2: fold, call 15, raise 40";
    play(&limit(&[10, 4000, 4000], THREE, moves));
    // Both other seats are all-in, so there is no betting, and the straight wins the antes.
    check(
        &limit(
            &[10, 10, 4000],
            "AcAd7c8d9hTsJh KcKd7dAs2d3d4s QcQdKs5s5h6s6h",
            "",
        ),
        &[30, 0, 3990],
    );
}

#[test]
fn an_all_in_below_half_a_bet_does_not_reopen_betting_at_fixed_limit() {
    // Seat 1 has 10 + 59, which is 19 above the completed bet of 40.
    let moves = "0: > bring
                 1: > call
                 2: > raise 40
                 0: > call
                 1: fold, call 25, raise 59 > raise 59
                 2: fold, call 19 > call
                 0: fold, call 19 > call";
    play(&limit(&[4000, 69, 4000], THREE, moves));
    // With one more chip it reopens, unless whole bets are required.
    let moves = "0: > bring
                 1: > call
                 2: > raise 40
                 0: > call
                 1: > raise 60
                 2: fold, call 20, raise 100 > raise 100
                 0: fold, call 60, raise 140";
    play(&limit(&[4000, 70, 4000], THREE, moves));
    let options = Options {
        half_bet_counts: false,
        ..Options::default()
    };
    let moves = "0: > bring
                 1: > call
                 2: > raise 40
                 0: > call
                 1: > raise 60
                 2: fold, call 20 > call";
    play(&Script {
        options,
        ..limit(&[4000, 70, 4000], THREE, moves)
    });
}

#[test]
fn upcards_are_dealt_per_street_and_hands_are_shown_at_the_end() {
    let moves = "0: > bring
                 1: > call
                 2: > fold
                 1: > check
                 0: > check
                 1: > check
                 0: > check
                 1: > check
                 0: > check
                 1: > check
                 0: > check";
    // Seat 0 makes a straight with its last, hidden card.
    let (_, deal) = check(
        &limit(&[4000, 4000, 4000], THREE, moves),
        &[4035, 3975, 3990],
    );
    let of = |kind: u8, seat: u8| {
        deal.history
            .iter()
            .filter(move |event| event.kind == kind && event.seat == seat)
            .count()
    };
    assert_eq!(
        (of(event::UP, 0), of(event::UP, 1), of(event::UP, 2)),
        (4, 4, 1)
    );
    assert_eq!(
        (of(event::SHOW, 0), of(event::SHOW, 1), of(event::SHOW, 2)),
        (1, 1, 0)
    );
    assert_eq!(
        (
            deal.up[0].count_ones(),
            deal.hands[0].count_ones(),
            deal.hands[2].count_ones()
        ),
        (4, 7, 3)
    );
}

const EIGHT: &str = "2c3c4c5c7c8c 2d3d4d5d7d8d 2h3h4h5h7h8h 2s3s4s5s7s8s 9cTcJcQcKcAc 9dTdJdQdKdAd 9hThJhQhKhAh \
                     9sTsJsQsKsAs 6c6d6h6s";

/// All seats call and check, except those in `folding`, which fold to the bring-in.
fn eight(folding: &[u8]) -> (Stud, Deal) {
    use hattari_games::stud::kind;
    let (game, mut deal) = play(&limit(&[4000; 8], EIGHT, ""));
    let mut legal = Vec::new();
    while let Some(seat) = game.to_act(&deal) {
        game.legal(&deal, &mut legal);
        let folds = folding.contains(&seat) && legal[0].kind == kind::FOLD;
        let stays = |kind: u8| [kind::CHECK, kind::CALL, kind::BRING_IN].contains(&kind);
        let action = *legal
            .iter()
            .find(|action| {
                if folds {
                    action.kind == kind::FOLD
                } else {
                    stays(action.kind)
                }
            })
            .unwrap();
        game.apply(&mut deal, Move { action, amount: 0 });
    }
    (game, deal)
}

#[test]
fn a_deal_with_eight_players_ends_with_a_common_card() {
    let (_, deal) = eight(&[]);
    assert_eq!(deal.community.count_ones(), 1, "{deal:?}");
    assert!(deal.hands[..8].iter().all(|hand| hand.count_ones() == 6));
    let last = deal
        .history
        .iter()
        .rfind(|event| event.kind == event::STREET)
        .unwrap();
    assert_eq!(last.cards, deal.community);
    assert_eq!(deal.betting.stacks.iter().sum::<i64>(), 8 * 4000);
}

#[test]
fn undealt_cards_of_folded_seats_are_dealt_as_last_cards() {
    // Four cards after all hands and three of seat 7's: as many as players.
    let (_, deal) = eight(&[7]);
    assert_eq!(deal.community, 0, "{deal:?}");
    assert!(deal.hands[..7].iter().all(|hand| hand.count_ones() == 7));
    assert_eq!(deal.hands[7].count_ones(), 3);
}

#[test]
fn odd_chips_go_to_the_highest_card_or_left_of_the_button() {
    // Seats 1 and 2 have the same straight to the ten. Seat 0 brings in and folds, which makes the
    // pot odd.
    let cards = "AcAd2c8c9cKcJc 6c7d8dTh9d2h3c 6h7s8sTs9h2s4c";
    let options = |odd_chips| Options {
        odd_chips,
        ante: 1,
        bring_in: 15,
        ..Options::default()
    };
    let moves = "0: > bring
                 1: > raise 40
                 2: > call
                 0: > fold
                 1: > check
                 2: > check
                 1: > check
                 2: > check
                 1: > check
                 2: > check
                 1: > check
                 2: > check";
    // 3 antes, 15 and 2 x 40: 98. If each ante is 2, it is 101.
    check(
        &Script {
            options: options(OddChips::HighCard),
            ..limit(&[4000, 4000, 4000], cards, moves)
        },
        &[3984, 4008, 4008],
    );
    let two = |odd_chips| Options {
        ante: 2,
        ..options(odd_chips)
    };
    // The ten of spades is higher than the ten of hearts.
    check(
        &Script {
            options: two(OddChips::HighCard),
            ..limit(&[4000, 4000, 4000], cards, moves)
        },
        &[3983, 4008, 4009],
    );
    check(
        &Script {
            options: two(OddChips::LeftOfButton),
            ..limit(&[4000, 4000, 4000], cards, moves)
        },
        &[3983, 4009, 4008],
    );
}

/// Returns a script of the fuzzy system's game with cards in the paper's order.
fn fuzzy(cards: &'static str, moves: &'static str) -> Script {
    let options = Options {
        balanced: false,
        ..Options::preset("fuzzy-2002").unwrap()
    };
    Script {
        options,
        stacks: &[100_000, 100_000],
        cards,
        moves,
    }
}

/// The bets of the second game in the paper, turn by turn. All are within the limits, and several
/// are equal to them. The cards differ, but the limits do not depend on cards.
#[test]
fn the_published_game_is_within_the_bet_limits() {
    let cards = "AcAd7c8c9cTcJc KcKd7dAs2d3d4d";
    let moves = "0: fold, raise 10 > raise 10
                 1: fold, call 10, raise 11-20 > call
                 0: fold, raise 10-30 > raise 10
                 1: fold, call 10, raise 11-40 > call
                 0: fold, raise 10-50 > raise 50
                 1: fold, call 50, raise 51-100 > call
                 0: fold, raise 10-150 > raise 100
                 1: fold, call 100, raise 101-250 > raise 181
                 0: fold, call 81 > call
                 0: fold, raise 10-512 > raise 512
                 1: fold, call 512, raise 513-1024 > raise 1024
                 0: fold, call 512 > call";
    let (_, deal) = play(&fuzzy(cards, moves));
    assert_eq!((deal.street, deal.betting.pot), (5, 2560), "{deal:?}");
    let moves = "0: > raise 10
                 1: > call
                 0: > raise 10
                 1: > call
                 0: > raise 50
                 1: > call
                 0: > raise 100
                 1: > raise 181
                 0: > call
                 0: > raise 512
                 1: > raise 1024
                 0: > call
                 0: open Jc, open Ac, open Ad > open Ad
                 1: open 4d, open Kc, open Kd > open 4d
                 0: fold, raise 10-2560 > raise 1000
                 1: fold, call 1000, raise 1001-3560 > raise 2420
                 0: fold, call 1420 > call
                 0: open Jc, open Ac > open Jc
                 1: open Kc, open Kd > open Kd
                 0: fold, raise 10-7400 > raise 7000
                 1: fold, call 7000, raise 7001-14400 > raise 12015
                 0: fold, call 5015 > call";
    let (_, deal) = check(&fuzzy(cards, moves), &[115_715, 84_285]);
    assert_eq!(deal.up[0].count_ones(), 6);
}

#[test]
fn no_card_is_chosen_on_turns_without_betting() {
    // Seat 1 has 30 left and is all-in on the second turn, so no card is turned up before the
    // showdown.
    let options = Options {
        balanced: false,
        ..Options::preset("fuzzy-2002").unwrap()
    };
    let moves = "0: fold, raise 10 > raise 10
                 1: fold, call 10, raise 11-20 > call
                 0: fold, raise 10-30 > raise 30
                 1: fold, call 15 > call";
    let script = Script {
        options,
        stacks: &[1000, 30],
        cards: "AcAd7c8c9cTcJc KcKd7dAs2d3d4d",
        moves,
    };
    let (_, deal) = check(&script, &[1030, 0]);
    assert!(deal.history.iter().all(|event| event.kind != event::OPEN));
    assert_eq!(deal.shown[1].count_ones(), 7);
}

#[test]
fn options_out_of_range_are_refused_with_a_message() {
    let refused = |options: Options| Stud::new(options).unwrap_err();
    let limit = Options::default;
    assert_eq!(
        refused(Options {
            bring_in: 0,
            ..limit()
        }),
        "bring_in is 0, must be 1 to 40 (the small bet)"
    );
    assert_eq!(
        refused(Options {
            bring_in: 41,
            ..limit()
        }),
        "bring_in is 41, must be 1 to 40 (the small bet)"
    );
    assert_eq!(
        refused(Options {
            big_bet: 39,
            ..limit()
        }),
        "big_bet is 39, must be 40 to 1000000000000 chips"
    );
    assert_eq!(
        refused(Options {
            small_bet: 0,
            ..limit()
        }),
        "small_bet is 0, must be 1 to 1000000000000 chips"
    );
    assert_eq!(
        refused(Options {
            stack: 49,
            ..limit()
        }),
        "stack is 49, must be 50 to 1000000000000 chips"
    );
    let turns = Options {
        variant: Variant::SevenTurns,
        ..limit()
    };
    assert_eq!(
        refused(turns),
        "bring_in is 15, must be 0: the variant `seven-turns` has no bring-in"
    );
    for name in Options::PRESETS {
        let options = Options::preset(name).unwrap();
        let game = Stud::new(options.clone()).unwrap();
        assert_eq!(game.options(), &options);
        let json = serde_json::to_string(&options).unwrap();
        assert_eq!(serde_json::from_str::<Options>(&json).unwrap(), options);
    }
    assert_eq!(Options::preset("razz"), None);
}

/// Plays the fuzzy system's game with a betting policy until the first choice of a card.
fn until_opening(game: &Stud, seed: u64) -> (Block, Deal) {
    let mut block = game.new_block(2, 1);
    let mut deal = game.new_deal();
    game.deal(&mut block, &mut ChaCha8Rng::seed_from_u64(seed), &mut deal);
    let mut legal = Vec::new();
    while deal.phase == hattari_games::poker::Phase::Bet {
        game.legal(&deal, &mut legal);
        let action = *legal.iter().find(|action| action.kind != 0).unwrap();
        game.apply(
            &mut deal,
            Move {
                action,
                amount: action.lowest,
            },
        );
    }
    (block, deal)
}

/// The card chosen by the first seat is hidden until the second seat has chosen too.
#[test]
fn a_chosen_card_is_hidden_until_both_seats_have_chosen() {
    let game = Stud::new(Options::preset("fuzzy-2002").unwrap()).unwrap();
    let (block, deal) = until_opening(&game, 1);
    let mut legal = Vec::new();
    game.legal(&deal, &mut legal);
    assert_eq!(
        (game.to_act(&deal), legal.len(), deal.street),
        (Some(0), 3, 5)
    );
    let told: Vec<_> = (legal.iter())
        .map(|&action| {
            let mut deal = deal.clone();
            game.apply(&mut deal, Move { action, amount: 0 });
            let mut view = bytemuck::Zeroable::zeroed();
            game.view(&block, &deal, 1, &mut view);
            (game.to_act(&deal), view, game.history(&deal).to_vec())
        })
        .collect();
    assert_eq!(told[0].0, Some(1));
    assert!(
        told.windows(2).all(|pair| pair[0] == pair[1]),
        "seat 1 is told what seat 0 has chosen"
    );
    // Then both cards are open, the first seat's first.
    let mut deal = deal;
    let mut opened = Vec::new();
    for _ in 0..2 {
        game.legal(&deal, &mut legal);
        opened.push(legal[1].card);
        game.apply(
            &mut deal,
            Move {
                action: legal[1],
                amount: 0,
            },
        );
    }
    let events = game.history(&deal);
    let open: Vec<_> = events
        .iter()
        .filter(|event| event.kind == event::OPEN)
        .map(|event| (event.seat, event.cards))
        .collect();
    assert_eq!(open, [(0, 1 << opened[0]), (1, 1 << opened[1])]);
    assert_eq!(
        (
            deal.up[0].count_ones(),
            deal.hidden(0).count_ones(),
            game.to_act(&deal)
        ),
        (5, 2, Some(0))
    );
}

/// With the option, all seven cards of both seats are shown after a deal, including cards that were
/// never dealt.
#[test]
fn all_cards_are_revealed_after_a_fold_with_the_option() {
    for reveal in [true, false] {
        let game = Stud::new(Options {
            reveal,
            ..Options::preset("fuzzy-2002").unwrap()
        })
        .unwrap();
        let mut block = game.new_block(2, 1);
        let (mut deal, mut legal) = (game.new_deal(), Vec::new());
        game.deal(&mut block, &mut ChaCha8Rng::seed_from_u64(3), &mut deal);
        game.legal(&deal, &mut legal);
        game.apply(
            &mut deal,
            Move {
                action: legal[0],
                amount: 0,
            },
        );
        assert_eq!(game.to_act(&deal), None);
        for seat in 0..2 {
            let all = card::set_of(&deal.deck()[7 * seat..7 * seat + 7]);
            assert_eq!(deal.shown[seat], if reveal { all } else { deal.up[seat] });
        }
        let shows = game
            .history(&deal)
            .iter()
            .filter(|event| event.kind == event::SHOW)
            .count();
        assert_eq!(shows, if reveal { 2 } else { 0 });
    }
}

/// In a balanced block, the first seat would win half of the showdowns, independent of play.
#[test]
fn balanced_decks_split_the_showdowns_evenly() {
    let fuzzy = Options::preset("fuzzy-2002").unwrap();
    let game = Stud::new(Options {
        carry: false,
        ..fuzzy
    })
    .unwrap();
    let mut streaks = Vec::new();
    for seed in 0..20 {
        let mut block = game.new_block(2, 100);
        let mut deal = game.new_deal();
        let (mut won, mut tied) = ([0_i32; 2], 0);
        for number in 0..100 {
            let mut chance = ChaCha8Rng::seed_from_u64(seed);
            chance.set_stream(number);
            game.deal(&mut block, &mut chance, &mut deal);
            let hand = |seat: usize| {
                hattari_games::poker::Strength::of(card::set_of(
                    &deal.deck()[7 * seat..7 * seat + 7],
                ))
            };
            match hand(0).cmp(&hand(1)) {
                std::cmp::Ordering::Greater => won[0] += 1,
                std::cmp::Ordering::Less => won[1] += 1,
                std::cmp::Ordering::Equal => tied += 1,
            }
            streaks.push(hand(0) > hand(1));
            // The deal is given up at once, because balance does not depend on play.
            let mut legal = Vec::new();
            game.legal(&deal, &mut legal);
            game.apply(
                &mut deal,
                Move {
                    action: legal[0],
                    amount: 0,
                },
            );
            game.finish(&mut block, &deal, &mut [0; 2]);
        }
        assert_eq!(won[0] + won[1] + tied, 100);
        assert!((won[0] - won[1]).abs() <= tied, "{won:?} and {tied} ties");
    }
    // The order of winners is random: about 1,000 changes, as with a fair coin, with a standard
    // error of 22.
    let changes = streaks.windows(2).filter(|pair| pair[0] != pair[1]).count();
    assert!((900..1100).contains(&changes), "{changes}");
}
