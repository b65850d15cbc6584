//! What every game promises, for hold'em.

use hattari_games::Game;
use hattari_games::chance::shuffle;
use hattari_games::conformance;
use hattari_games::holdem::{Block, Deal, Event, Holdem, Options};
use hattari_games::poker::{Limit, card};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// Puts all cards that a seat cannot see into another order: hands of others, the rest of the deck.
fn redeal(deal: &mut Deal, seat: u8, chance: &mut ChaCha8Rng) {
    let seen = deal.seen_by(seat);
    let mut deck = *deal.deck();
    let hidden = |card: &u8| seen & 1 << card == 0;
    let mut pool: Vec<u8> = deck.iter().copied().filter(hidden).collect();
    shuffle(&mut pool, chance);
    for card in deck.iter_mut().filter(|card| hidden(card)) {
        *card = pool.pop().unwrap();
    }
    deal.set_deck(&deck).unwrap();
}

fn chips_and_cards_are_conserved(block: &Block, deal: &Deal) {
    let betting = &deal.betting;
    assert_eq!(
        betting.stacks.iter().sum::<i64>() + betting.pot,
        block.stacks.iter().sum::<i64>()
    );
    let mut seen = deal.community;
    for hand in deal.hands {
        assert_eq!(seen & hand, 0, "a card in two places");
        seen |= hand;
    }
    assert_eq!(seen & !card::DECK, 0);
    assert!(
        betting
            .stacks
            .iter()
            .chain(&betting.bets)
            .all(|&chips| 0 <= chips)
    );
    assert_eq!(
        betting.able,
        (0..9)
            .filter(|&seat| betting.stacks[seat] != 0 && betting.in_play >> seat & 1 == 1)
            .fold(0, |able, seat| able | 1 << seat)
            & if deal.to_act == 0xff {
                betting.able
            } else {
                !0
            }
    );
}

fn conforms(seed: u64, players: usize, options: Options) {
    // Who is given new chips again and again may lose more than anybody began with.
    let is_bounded = !options.carry || options.rebuy == 0;
    let game = Holdem::new(options).unwrap();
    let run = conformance::Run {
        players,
        seed,
        deals: 300,
        payoff_sum: 0,
        is_bounded,
    };
    conformance::conforms(
        &game,
        run,
        ChaCha8Rng::seed_from_u64,
        redeal,
        chips_and_cards_are_conserved,
    );
}

#[test]
fn conforms_as_cash_at_every_size() {
    for players in 2..=9 {
        conforms(players as u64, players, Options::default());
    }
}

#[test]
fn conforms_with_short_stacks_and_antes() {
    for players in [2, 3, 6, 9] {
        conforms(
            10,
            players,
            Options {
                stack: 330,
                ante: 10,
                ..Options::default()
            },
        );
        conforms(
            11,
            players,
            Options {
                stack: 330,
                ante: 10,
                carry: true,
                rebuy: 70,
                ..Options::default()
            },
        );
        conforms(
            12,
            players,
            Options {
                carry: true,
                rebuy: 70,
                whole_blind: false,
                ..Options::default()
            },
        );
        conforms(
            13,
            players,
            Options {
                carry: true,
                short_raise_reopens: true,
                ..Options::default()
            },
        );
    }
}

#[test]
fn conforms_with_every_limit() {
    for players in [2, 6] {
        for name in Options::PRESETS {
            conforms(20, players, Options::preset(name).unwrap());
        }
        let limit = Options::preset("limit").unwrap();
        conforms(
            21,
            players,
            Options {
                carry: true,
                rebuy: 130,
                stack: 1000,
                ..limit
            },
        );
        conforms(
            22,
            players,
            Options {
                limit: Limit::PotLimit,
                carry: true,
                rebuy: 130,
                ..Options::default()
            },
        );
    }
}

#[test]
fn cards_and_button_do_not_depend_on_what_was_played() {
    let game = Holdem::new(Options::default()).unwrap();
    conformance::chance_is_free_of_play(&game, 40, ChaCha8Rng::seed_from_u64, |deal| {
        format!("{:?} {}", deal.deck(), deal.button)
    });
    // With stacks carried the chips differ, the cards and the button do not.
    let game = Holdem::new(Options {
        carry: true,
        rebuy: 10_000,
        ..Options::default()
    })
    .unwrap();
    conformance::chance_is_free_of_play(&game, 40, ChaCha8Rng::seed_from_u64, |deal| {
        format!("{:?} {}", deal.deck(), deal.button)
    });
}

/// The events of a deal tell everything that is public: who reads them alone comes to the same
/// chips.
#[test]
fn the_record_adds_up() {
    use hattari_games::Grant;
    use hattari_games::poker::event;
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
                Grant {
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
