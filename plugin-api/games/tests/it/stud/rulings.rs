//! Rulings on stud (`rulings.txt`), the cards that are dealt and shown, the seventh card of eight
//! players, and the balanced decks of the fuzzy system's seven turns.

use crate::play::{self, dealt, seeded};
use crate::script::{check_rulings, play};
use hattari_games::Game;
use hattari_games::poker::{Phase, Strength, card, event};
use hattari_games::stud::{Action, Block, Deal, Options, Stud};

/// Three hands: the first open cards are 7c of seat 0, 7d of seat 1 and Ks of seat 2.
const THREE: &str = "AcAd7c8c9cTcJc KcKd7dAs2d3d4d QcQdKs5s5h6s6h";

#[test]
fn every_script_of_the_rulings_has_the_expected_result() {
    check_rulings::<Options>(include_str!("rulings.txt"), THREE);
}

#[test]
fn upcards_are_dealt_per_street_and_hands_are_shown_at_the_end() {
    let checks = "\n1: > Check\n0: > Check".repeat(4);
    let moves = format!("0: > Bring in\n1: > Call\n2: > Fold{checks}");
    // Seat 0 makes a straight with its last, hidden card.
    let (_, deal) = play::<Options>(("fixed-limit", "{}"), &[4000; 3], THREE, &moves);
    assert_eq!(deal.betting.stacks[..3], [4035, 3975, 3990]);
    for (kind, expected) in [(event::UP, [4, 4, 1]), (event::SHOW, [1, 1, 0])] {
        let count = |seat: u8| {
            let events = deal.history.iter();
            let of_seat = events.filter(|event| (event.kind, event.seat) == (kind, seat));
            of_seat.count()
        };
        assert_eq!([0, 1, 2].map(count), expected);
    }
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
    let (game, mut deal) = play::<Options>(("fixed-limit", "{}"), &[4000; 8], EIGHT, "");
    while let Some(seat) = game.to_act(&deal) {
        let legal = game.legal_actions(&deal);
        let folds = folding.contains(&seat) && legal[0].kind == kind::FOLD;
        let stays = [kind::CHECK, kind::CALL, kind::BRING_IN];
        let action = *legal
            .iter()
            .find(|action| folds || stays.contains(&action.kind))
            .unwrap();
        game.apply(&mut deal, action.into());
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
fn no_card_is_chosen_on_turns_without_betting() {
    // Seat 1 has 30 left and is all-in on the second turn, so no card is turned up before the
    // showdown.
    let moves = "0: Fold, Raise to 10 > Raise to 10
                 1: Fold, Call 10, Raise to 11-20 > Call
                 0: Fold, Raise to 10-30 > Raise to 30
                 1: Fold, Call 15 > Call";
    let (cards, options) = ("AcAd7c8c9cTcJc KcKd7dAs2d3d4d", r#"{"balanced": false}"#);
    let (_, deal) = play::<Options>(("fuzzy-2002", options), &[1000, 30], cards, moves);
    assert_eq!(deal.betting.stacks[..2], [1030, 0]);
    assert!(deal.history.iter().all(|event| event.kind != event::OPEN));
    assert_eq!(deal.shown[1].count_ones(), 7);
}

/// Plays the fuzzy system's game with a betting policy until the first choice of a card.
fn until_opening(game: &Stud, seed: u64) -> (Block, Deal) {
    let (block, mut deal) = dealt(game, 2, &mut seeded(seed));
    let stay = |legal: &[Action]| legal.iter().position(|action| action.kind != 0).unwrap();
    play::play(game, &mut deal, stay, |deal| deal.phase != Phase::Bet);
    (block, deal)
}

/// The card chosen by the first seat is hidden until the second seat has chosen too.
#[test]
fn a_chosen_card_is_hidden_until_both_seats_have_chosen() {
    let game = Stud::new(Options::preset("fuzzy-2002").unwrap()).unwrap();
    let (block, deal) = until_opening(&game, 1);
    let legal = game.legal_actions(&deal);
    assert_eq!(
        (game.to_act(&deal), legal.len(), deal.street),
        (Some(0), 3, 5)
    );
    let told: Vec<_> = (legal.iter())
        .map(|&action| {
            let mut deal = deal.clone();
            game.apply(&mut deal, action.into());
            let view = game.view_of(&block, &deal, 1);
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
        let legal = game.legal_actions(&deal);
        opened.push(legal[1].card);
        game.apply(&mut deal, legal[1].into());
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
        let (_, mut deal) = dealt(&game, 2, &mut seeded(3));
        play::play_out(&game, &mut deal, |_| 0);
        assert_eq!(
            game.history(&deal)
                .iter()
                .filter(|event| event.kind == event::FOLD)
                .count(),
            1
        );
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
            let mut chance = seeded(seed);
            chance.set_stream(number);
            game.deal(&mut block, &mut chance, &mut deal);
            let hand =
                |seat: usize| Strength::of(card::set_of(&deal.deck()[7 * seat..7 * seat + 7]));
            match hand(0).cmp(&hand(1)) {
                std::cmp::Ordering::Greater => won[0] += 1,
                std::cmp::Ordering::Less => won[1] += 1,
                std::cmp::Ordering::Equal => tied += 1,
            }
            streaks.push(hand(0) > hand(1));
            // The deal is given up at once, because balance does not depend on play.
            play::play_out(&game, &mut deal, |_| 0);
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
