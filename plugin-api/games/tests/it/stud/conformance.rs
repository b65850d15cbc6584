//! What every game promises, for stud.

use hattari_games::chance::shuffle;
use hattari_games::conformance;
use hattari_games::poker::{OddChips, card, event};
use hattari_games::stud::{Block, Deal, Opener, Options, Stud, Variant};
use hattari_games::{Game, Grant};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// Puts all cards that a seat cannot see into another order: hidden cards of others, the rest of
/// the deck.
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
    for (seat, hand) in deal.hands.into_iter().enumerate() {
        assert_eq!(seen & hand, 0, "a card in two places");
        seen |= hand;
        assert_eq!(
            deal.up[seat] & !hand,
            0,
            "a card lies face up in another's hand"
        );
        assert_eq!(
            deal.shown[seat] & !hand,
            0,
            "a card is shown in another's hand"
        );
    }
    assert_eq!(seen & !card::DECK, 0);
    assert!(
        betting
            .stacks
            .iter()
            .chain(&betting.bets)
            .all(|&chips| 0 <= chips)
    );
}

fn conforms(seed: u64, players: usize, options: Options) {
    // Who is given new chips again and again may lose more than anybody began with.
    let is_bounded = !options.carry || options.rebuy == 0;
    let game = Stud::new(options).unwrap();
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
fn conforms_at_fixed_limit_and_every_size() {
    for players in 2..=8 {
        conforms(players as u64, players, Options::default());
    }
}

#[test]
fn conforms_with_short_stacks() {
    for players in [2, 3, 7, 8] {
        let short = Options {
            stack: 150,
            ..Options::default()
        };
        conforms(10, players, short.clone());
        conforms(
            11,
            players,
            Options {
                carry: true,
                rebuy: 55,
                ..short.clone()
            },
        );
        conforms(
            12,
            players,
            Options {
                carry: true,
                rebuy: 8,
                whole_bring_in: false,
                ..short.clone()
            },
        );
        conforms(
            13,
            players,
            Options {
                carry: true,
                rebuy: 60,
                short_raise_reopens: true,
                ante: 0,
                ..short
            },
        );
    }
}

#[test]
fn conforms_in_seven_turns() {
    let fuzzy = Options::preset("fuzzy-2002").unwrap();
    for players in [2, 3, 5] {
        conforms(20, players, fuzzy.clone());
        conforms(
            21,
            players,
            Options {
                carry: false,
                opener: Opener::Alternating,
                ..fuzzy.clone()
            },
        );
        conforms(
            22,
            players,
            Options {
                stack: 40,
                rebuy: 40,
                raises_max: 0,
                ..fuzzy.clone()
            },
        );
        conforms(
            24,
            players,
            Options {
                reveal: false,
                ..fuzzy.clone()
            },
        );
        conforms(
            23,
            players,
            Options {
                stack: 300,
                odd_chips: OddChips::LeftOfButton,
                ..fuzzy.clone()
            },
        );
    }
}

#[test]
fn cards_and_dealer_do_not_depend_on_what_was_played() {
    for variant in [
        Options::default(),
        Options {
            ante: 5,
            bring_in: 0,
            variant: Variant::SevenTurns,
            ..Options::default()
        },
    ] {
        let game = Stud::new(Options {
            carry: false,
            ..variant
        })
        .unwrap();
        conformance::chance_is_free_of_play(&game, 40, ChaCha8Rng::seed_from_u64, |deal| {
            format!("{:?} {}", deal.deck(), deal.button)
        });
    }
}

/// Deals of the fuzzy system's game with a policy for betting, up to the first choice of a card.
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
            Grant {
                action,
                amount: action.lowest,
            },
        );
    }
    (block, deal)
}

/// The card that the first seat has chosen is nobody's to know before the second has chosen too.
#[test]
fn cards_are_turned_up_at_the_same_time() {
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
            game.apply(&mut deal, Grant { action, amount: 0 });
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
    // Then both lie open, the first seat's and the other's.
    let mut deal = deal;
    let mut opened = Vec::new();
    for _ in 0..2 {
        game.legal(&deal, &mut legal);
        opened.push(legal[1].card);
        game.apply(
            &mut deal,
            Grant {
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

/// What a host knows is told after a deal where the rules say so: all seven cards of both, those
/// that never came too.
#[test]
fn all_cards_are_revealed_after_a_deal_that_was_given_up() {
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
            Grant {
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

/// Half of the showdowns of a balanced block would be the first seat's, whatever is played.
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
            // The deal is given up at once: balance does not hang on play.
            let mut legal = Vec::new();
            game.legal(&deal, &mut legal);
            game.apply(
                &mut deal,
                Grant {
                    action: legal[0],
                    amount: 0,
                },
            );
            game.finish(&mut block, &deal, &mut [0; 2]);
        }
        assert_eq!(won[0] + won[1] + tied, 100);
        assert!((won[0] - won[1]).abs() <= tied, "{won:?} and {tied} ties");
    }
    // The winners come in no pattern: as many changes as with a fair coin, 1,000 with a standard
    // error of 22.
    let changes = streaks.windows(2).filter(|pair| pair[0] != pair[1]).count();
    assert!((900..1100).contains(&changes), "{changes}");
}
