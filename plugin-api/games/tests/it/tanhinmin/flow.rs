//! Tricks and deals of tanhinmin, move by move.

use hattari_games::tanhinmin::{Deal, LeadRule, Options, PassRule, Tanhinmin};
use hattari_games::{Game, Move};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// Plays moves: the strength of a card, or 0 for a pass. Returns the records of the deals.
fn played(options: Options, hands: &[&[u32]], moves: &[u8]) -> (Tanhinmin, Deal, Vec<String>) {
    let hand = |hand: &&[u32]| {
        let cards: Vec<String> = hand.iter().map(u32::to_string).collect();
        cards.join(" ")
    };
    let hands: Vec<String> = hands.iter().map(hand).collect();
    let deals = vec![hands.join("/")];
    let game = Tanhinmin::new(Options { deals, ..options }).unwrap();
    let (mut block, mut deal) = (game.new_block(hands.len(), 1), game.new_deal());
    game.deal(&mut block, &mut ChaCha8Rng::seed_from_u64(1), &mut deal);
    let mut legal = Vec::new();
    for &card in moves {
        game.legal(&deal, &mut legal);
        let wanted = |action: &&hattari_games::tanhinmin::Action| {
            if card == 0 {
                action.is_pass()
            } else {
                action.card == card - 1 && !action.is_pass()
            }
        };
        let action = *legal
            .iter()
            .find(wanted)
            .unwrap_or_else(|| panic!("{card}: {deal:?}"));
        game.apply(&mut deal, Move { action, amount: 0 });
    }
    let record = game
        .history(&deal)
        .iter()
        .map(|event| game.line(event).to_string())
        .collect();
    (game, deal, record)
}

fn options(pass: PassRule, lead: LeadRule) -> Options {
    Options {
        cards: 2,
        pass,
        lead,
        ..Options::default()
    }
}

#[test]
fn a_deal_is_played_to_its_end() {
    let hands: [&[u32]; 3] = [&[1, 5], &[2, 6], &[3, 4]];
    let (game, deal, record) = played(
        Options {
            cards: 2,
            ..Options::default()
        },
        &hands,
        &[1, 2, 3, 5, 6],
    );
    let expected = [
        "seat 1 plays 1",
        "seat 2 plays 2",
        "seat 3 plays 3",
        "seat 1 plays 5",
        "seat 1 comes 1st",
        "seat 2 plays 6",
        "seat 2 comes 2nd",
        "seat 3 comes 3rd",
    ];
    assert_eq!(record, expected);
    assert_eq!(game.to_act(&deal), None);
}

/// Seat 1 passes on the 3. It is out of the trick, or may play again after seat 2 has played.
#[test]
fn the_pass_rule_decides_whether_a_pass_is_permanent() {
    let hands: [&[u32]; 3] = [&[3, 1], &[6, 2], &[4, 5]];
    for (pass, next) in [(PassRule::Permanent, Some(0)), (PassRule::Free, Some(0))] {
        let (game, deal, _) = played(options(pass, LeadRule::Next), &hands, &[3, 0, 4]);
        assert_eq!(game.to_act(&deal), next);
    }
    let (game, deal, record) = played(
        options(PassRule::Permanent, LeadRule::Next),
        &hands,
        &[3, 0, 4, 0],
    );
    assert_eq!(
        (game.to_act(&deal), record.last().unwrap().as_str()),
        (Some(2), "seat 3 leads: the trick is over")
    );
    let (game, deal, _) = played(
        options(PassRule::Free, LeadRule::Next),
        &hands,
        &[3, 0, 4, 0],
    );
    assert_eq!(game.to_act(&deal), Some(1));
}

/// Seat 1 plays its last card in the trick, and all others pass.
#[test]
fn the_lead_rule_selects_the_leader_after_a_player_is_out() {
    let hands: [&[u32]; 4] = [&[1, 2], &[4, 8], &[3, 5], &[6, 7]];
    // Seat 1 wins the first trick with its 4, so the 8 is its last card.
    let moves = [1, 4, 0, 0, 0, 8, 0, 0, 0];
    let (game, deal, record) = played(options(PassRule::Permanent, LeadRule::Next), &hands, &moves);
    assert_eq!(game.to_act(&deal), Some(2), "{record:?}");
    let (game, deal, _) = played(
        options(PassRule::Permanent, LeadRule::Lowest),
        &hands,
        &moves,
    );
    assert_eq!(game.to_act(&deal), Some(0));
}

#[test]
fn the_leader_cannot_pass_and_pass_is_the_first_action_of_others() {
    let hands: [&[u32]; 2] = [&[2, 3], &[1, 4]];
    let (game, deal, _) = played(options(PassRule::Permanent, LeadRule::Next), &hands, &[]);
    let mut legal = Vec::new();
    game.legal(&deal, &mut legal);
    assert_eq!(
        legal.iter().map(|action| action.card).collect::<Vec<_>>(),
        [1, 2]
    );
    let (game, deal, _) = played(options(PassRule::Permanent, LeadRule::Next), &hands, &[2]);
    game.legal(&deal, &mut legal);
    assert!(legal[0].is_pass());
    assert_eq!(
        legal[1..]
            .iter()
            .map(|action| action.card)
            .collect::<Vec<_>>(),
        [3]
    );
}

#[test]
fn hands_have_equal_size_for_every_number_of_players() {
    for (players, cards) in [(2, 10), (3, 1), (5, 7)] {
        let game = Tanhinmin::new(Options {
            cards,
            ..Options::default()
        })
        .unwrap();
        let (mut block, mut deal) = (game.new_block(players, 200), game.new_deal());
        let mut chance = ChaCha8Rng::seed_from_u64(5);
        let mut led = vec![0; players];
        for _ in 0..200 {
            game.deal(&mut block, &mut chance, &mut deal);
            assert_eq!(deal.hands().len(), players);
            assert!(deal.hands().iter().all(|hand| hand.count_ones() == cards));
            led[game.player_at(&deal, 0)] += 1;
            assert!(
                (0..players)
                    .all(|player| game.player_at(&deal, game.seat_of(&deal, player)) == player)
            );
        }
        assert!(led.iter().all(|&deals| deals > 100 / players), "{led:?}");
    }
}
