//! Tricks and deals of tanhinmin, move by move.

use crate::play::{dealt, seeded};
use hattari_games::Game;
use hattari_games::tanhinmin::{Action, Deal, LeadRule, Options, PassRule, Tanhinmin};

/// Plays moves: the strength of a card, or 0 for a pass. Returns the records of the deals.
fn played(options: Options, hands: &str, moves: &[u8]) -> (Tanhinmin, Deal, Vec<String>) {
    let deals = vec![hands.to_owned()];
    let game = Tanhinmin::new(Options { deals, ..options }).unwrap();
    let (_, mut deal) = dealt(&game, hands.split('/').count(), &mut seeded(1));
    for &card in moves {
        let wanted = card.checked_sub(1).map_or(Action::PASS, Action::play);
        assert!(
            game.legal_actions(&deal).contains(&wanted),
            "{card}: {deal:?}"
        );
        game.apply(&mut deal, wanted.into());
    }
    let record = game.history(&deal).iter();
    let record = record.map(|event| game.line(event).to_string()).collect();
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
    let hands = "1 5/2 6/3 4";
    let options = options(PassRule::Permanent, LeadRule::Next);
    let (game, deal, record) = played(options, hands, &[1, 2, 3, 5, 6]);
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
    for (pass, moves, next, last) in [
        (PassRule::Permanent, &[3, 0, 4][..], 0, "seat 3 plays 4"),
        (PassRule::Free, &[3, 0, 4], 0, "seat 3 plays 4"),
        (
            PassRule::Permanent,
            &[3, 0, 4, 0],
            2,
            "seat 3 leads: the trick is over",
        ),
        (PassRule::Free, &[3, 0, 4, 0], 1, "seat 1 passes"),
    ] {
        let (game, deal, record) = played(options(pass, LeadRule::Next), "3 1/6 2/4 5", moves);
        let reached = (game.to_act(&deal), record.last().map(String::as_str));
        assert_eq!(reached, (Some(next), Some(last)));
    }
}

/// Seat 1 plays its last card in the trick, and all others pass.
#[test]
fn the_lead_rule_selects_the_leader_after_a_player_is_out() {
    // Seat 1 wins the first trick with its 4, so the 8 is its last card.
    let moves = [1, 4, 0, 0, 0, 8, 0, 0, 0];
    for (lead, leader) in [(LeadRule::Next, 2), (LeadRule::Lowest, 0)] {
        let options = options(PassRule::Permanent, lead);
        let (game, deal, record) = played(options, "1 2/4 8/3 5/6 7", &moves);
        assert_eq!(game.to_act(&deal), Some(leader), "{record:?}");
    }
}

#[test]
fn the_leader_cannot_pass_and_pass_is_the_first_action_of_others() {
    let hands = "2 3/1 4";
    for (moves, expected) in [
        (&[][..], vec![Action::play(1), Action::play(2)]),
        (&[2][..], vec![Action::PASS, Action::play(3)]),
    ] {
        let options = options(PassRule::Permanent, LeadRule::Next);
        let (game, deal, _) = played(options, hands, moves);
        assert_eq!(game.legal_actions(&deal), expected);
    }
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
        let mut chance = seeded(5);
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
