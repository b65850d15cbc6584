//! The mean of luck is zero for any play, in every game and with options that change the dealing.

use crate::play::{pick, seeded};
use hattari_games::bridge::{self, Bridge};
use hattari_games::daihinmin::{self, Daihinmin};
use hattari_games::holdem::{self, Holdem, kind};
use hattari_games::poker::{card, event};
use hattari_games::stud::{self, Stud};
use hattari_games::tanhinmin::{self, Tanhinmin};
use hattari_games::{Game, LUCK_PARTS, Move, chance};
use rand_chacha::ChaCha8Rng;

/// Checks the guarantees of [`Game::luck`] on `deals` deals in blocks of ten, for each kind of
/// chance event. Luck sums to zero over the players, up to rounding. Its mean is zero for each
/// player, within 4.5 standard errors, although `choose` sees all cards. Luck and payoffs correlate
/// positively.
fn check_luck<G: Game>(
    game: &G,
    players: usize,
    deals: u32,
    choose: impl Fn(&G::Deal, u8, &[G::Action], &mut ChaCha8Rng) -> usize,
) {
    let kinds = game.chances().len();
    assert_ne!(kinds, 0, "the game reports no luck: `chances` is empty");
    let (mut chance, mut play, mut drawn) = [1, 2, 3].map(seeded).into();
    let mut sums = vec![(0.0, 0.0, 0.0); kinds * players];
    let (mut deal, mut payoffs) = (game.new_deal(), vec![0; players]);
    let mut luck = vec![0; kinds * players];
    let mut block = game.new_block(players, 10);
    for number in 0..deals {
        if number % 10 == 0 || game.block_over(&block) {
            block = game.new_block(players, 10);
        }
        game.deal(&mut block, &mut chance, &mut deal);
        while let Some(seat) = game.to_act(&deal) {
            let legal = game.legal_actions(&deal);
            let action = legal[choose(&deal, seat, &legal, &mut play)];
            let amount = G::amounts(&action).map_or(0, |(lowest, _)| lowest);
            game.apply(&mut deal, Move { action, amount });
        }
        luck.fill(0);
        game.luck(&deal, &mut drawn, |event| {
            assert!(
                event.event <= game.history(&deal).len(),
                "the number of the event must not exceed the length of the history"
            );
            let of_kind = luck
                .chunks_mut(players)
                .nth(event.kind)
                .expect("the kind is in `chances`");
            of_kind
                .iter_mut()
                .zip(event.worth)
                .for_each(|(sum, worth)| *sum += worth);
        });
        game.finish(&mut block, &deal, &mut payoffs);
        let mean = payoffs.iter().sum::<i64>() as f64 / players as f64;
        for (of_kind, sums) in luck.chunks(players).zip(sums.chunks_mut(players)) {
            assert!(
                of_kind.iter().sum::<i64>().abs() <= 64,
                "luck must add up to zero over the players: {of_kind:?}"
            );
            for ((&luck, (sum, squares, products)), &payoff) in
                of_kind.iter().zip(sums).zip(&payoffs)
            {
                let luck = luck as f64 / LUCK_PARTS as f64;
                *sum += luck;
                *squares += luck * luck;
                *products += luck * (payoff as f64 - mean);
            }
        }
    }
    assert!(
        sums.iter().any(|(_, squares, _)| *squares > 0.0),
        "all luck was zero"
    );
    for (kind, sums) in sums.chunks(players).enumerate() {
        let name = game.chances()[kind];
        // Under some rules a kind of chance does not occur.
        if sums.iter().all(|(_, squares, _)| *squares == 0.0) {
            continue;
        }
        for (player, (sum, squares, _)) in sums.iter().enumerate() {
            assert!(
                sum.abs() < 4.5 * squares.sqrt(),
                "{name}, player {player}: the mean is not 0 (sum {sum}, sum of squares {squares})"
            );
        }
        assert!(
            sums.iter().map(|(.., products)| products).sum::<f64>() > 0.0,
            "{name}: luck does not correlate with payoffs"
        );
    }
}

/// Returns `true` for a pair or an ace, hands to bet on.
fn is_good(hand: u64) -> bool {
    (0..13).any(|rank| (hand >> (4 * rank) & 0xf).count_ones() > 1) || card::highest(hand) >= 48
}

#[test]
fn luck_has_mean_zero_in_holdem() {
    for (preset, players) in [
        ("cash", 2),
        ("cash", 6),
        ("acpc-limit", 2),
        ("acpc-limit", 3),
    ] {
        let options = holdem::Options::preset(preset).unwrap_or_default();
        let game = Holdem::new(options).unwrap();
        // Good hands are raised and bad ones folded two times out of three, so better hands see
        // more cards.
        check_luck(&game, players, 6000, |deal, seat, legal, play| {
            let wish = match (
                is_good(deal.hands[usize::from(seat)]),
                chance::below(play, 3),
            ) {
                (true, 0 | 1) => kind::RAISE,
                (false, 0 | 1) => kind::FOLD,
                _ => kind::CALL,
            };
            legal
                .iter()
                .position(|action| action.kind == wish)
                .unwrap_or(0)
        });
    }
}

#[test]
fn luck_has_mean_zero_in_stud() {
    for (preset, players) in [("fixed-limit", 2), ("fixed-limit", 6), ("fuzzy-2002", 2)] {
        let options = stud::Options {
            balanced: false,
            ..stud::Options::preset(preset).unwrap_or_default()
        };
        let game = Stud::new(options).unwrap();
        check_luck(&game, players, 4000, |deal, seat, legal, play| {
            if is_good(deal.hands[usize::from(seat)]) {
                legal.len() - 1
            } else {
                pick(play, legal.len())
            }
        });
    }
}

#[test]
fn luck_has_mean_zero_in_daihinmin() {
    let game = Daihinmin::new(daihinmin::Options::default()).unwrap();
    check_luck(&game, 5, 6000, |_, _, legal, play| pick(play, legal.len()));
}

#[test]
fn luck_has_mean_zero_in_tanhinmin() {
    for players in [2, 4] {
        let game = Tanhinmin::new(tanhinmin::Options {
            cards: 5,
            ..Default::default()
        })
        .unwrap();
        check_luck(&game, players, 6000, |_, _, legal, _| {
            legal.len().min(2) - 1
        });
    }
}

/// Counts only high cards, for any strain. A weak solver is enough to test fairness.
fn tricks_by_points(deal: &bridge::Deal, contract: &bridge::Contract) -> u8 {
    let declarer = contract.declarer as usize;
    let points: u8 = [declarer, (declarer + 2) % 4]
        .map(|seat| deal.hands[seat].high_card_points())
        .iter()
        .sum();
    (points / 3).min(13)
}

#[test]
fn luck_has_mean_zero_in_bridge() {
    bridge::set_solver(tricks_by_points);
    for (preset, auction) in [
        ("3nt", "1NT Pass 3NT Pass Pass Pass"),
        ("random", "1S Pass Pass Pass"),
    ] {
        let preset = bridge::Options::preset(preset).unwrap();
        let options = bridge::Options {
            luck: bridge::Luck::DoubleDummy,
            auction: auction.into(),
            ..preset
        };
        let game = Bridge::new(options.clone()).unwrap();
        assert_eq!(
            game.visible_options().luck,
            bridge::Luck::None,
            "bots are told the same"
        );
        // The lowest or the highest card.
        check_luck(&game, 4, 6000, |_, _, legal, play| {
            if chance::below(play, 2) == 0 {
                0
            } else {
                legal.len() - 1
            }
        });
        let given = vec![
            "N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3".to_owned(),
        ];
        let refused = Bridge::new(bridge::Options {
            deals: given,
            ..options
        })
        .unwrap_err();
        assert!(refused.contains("given"), "{refused}");
    }
    let plain = bridge::Options::preset("3nt").unwrap();
    assert!(
        Bridge::new(plain.clone()).unwrap().chances().is_empty(),
        "nothing is measured where nobody asks"
    );
    assert!(
        serde_json::to_value(plain).unwrap().get("luck").is_none(),
        "stores know the options by what they were"
    );
}

/// A deal in which only bets before the river are called. The luck of the river is the change of
/// the pot shares, relative to the mean over 44 possible cards.
#[test]
fn luck_of_a_river_card_matches_a_count_over_all_cards() {
    let game = Holdem::new(holdem::Options::default()).unwrap();
    let named = card::parse_list("As Ac Kd Kh 2c 7d 9h Jc Ks").unwrap();
    let mut deck = named.clone();
    deck.extend((0..52).filter(|card| !named.contains(card)));
    let deck: [u8; 52] = deck.try_into().unwrap();
    let (block, mut deal) = (game.new_block(2, 1), game.new_deal());
    game.start(&block, &deck, &mut deal).unwrap();
    while game.to_act(&deal).is_some() {
        let legal = game.legal_actions(&deal);
        // Checks and calls; on the turn a bet of 40 that is called.
        let bets = deal.street == 2 && deal.betting.level == 0;
        let wish = if bets { kind::RAISE } else { kind::CALL };
        let action = *legal
            .iter()
            .find(|action| action.kind == wish)
            .unwrap_or(&legal[0]);
        let amount = if bets { 40 } else { 0 };
        game.apply(&mut deal, Move { action, amount });
    }
    let mut of_river = Vec::new();
    let river_event = game
        .history(&deal)
        .iter()
        .rposition(|event| event.kind == event::STREET)
        .unwrap();
    game.luck(&deal, &mut seeded(1), |event| {
        if event.event == river_event {
            of_river.extend_from_slice(event.worth);
        }
    });
    // Before the river, the aces win with 42 of 44 cards, all but two kings.
    let paid = deal.betting.paid;
    let pot_before: i64 = 2 * paid[0] - 80;
    assert_eq!(paid, [paid[0], paid[0], 0, 0, 0, 0, 0, 0, 0]);
    let river = -(42 * (pot_before + 80)) * 1_000_000 / 44;
    assert!(
        (of_river[0] - river).abs() <= 2 && (of_river[0] + of_river[1]).abs() <= 2,
        "{of_river:?}, {river}"
    );
}
