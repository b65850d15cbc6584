//! Sampled deals are consistent with the information of a seat and have the right frequencies.

use crate::support::{chance, play, seen, start};
use hattari_games::daihinmin::card::{CardSet, PACK, cells, parse_set};
use hattari_games::daihinmin::{Block, Daihinmin, Deal, Options, PLAYERS, View, phase, strongest};
use hattari_games::{Game, words};
use hattari_search::daihinmin::{HandSampler, InconsistentView, Knowledge};
use std::collections::HashMap;

/// At every decision, the true hands and the sampled hands are consistent with every seat's
/// information.
#[test]
fn true_and_sampled_hands_are_consistent_with_every_view() {
    let mut random = chance(1);
    let mut decisions = 0;
    play(Options::default(), 60, 2, |game, block, deal| {
        for seat in 0..5 {
            let (view, history) = seen(game, block, deal, seat);
            if view.phase == phase::EXCHANGE && game.to_act(deal) != Some(seat) {
                assert_eq!(
                    Knowledge::new(&view, &history, true).err(),
                    Some(InconsistentView)
                );
                continue;
            }
            let knowledge = Knowledge::new(&view, &history, true).unwrap();
            assert!(
                knowledge.ways(deal.hands()) > 0,
                "{}",
                words::deal(game, block, deal)
            );
            let mut deals = HandSampler::new(&knowledge, &mut random);
            for _ in 0..3 {
                let hands = deals.draw(&mut random);
                assert!(knowledge.ways(&hands) > 0);
                assert_eq!(hands[usize::from(seat)], view.hand);
                assert_eq!(
                    hands.map(|hand| hand.count_ones()),
                    view.cards_left.map(u32::from)
                );
                assert_eq!(hands.iter().fold(view.gone, |all, hand| all | hand), PACK);
            }
            decisions += 1;
        }
    });
    assert!(decisions > 10_000, "{decisions}");
}

/// Samples depend only on view, history and the generator, not on the true hands of other seats.
#[test]
fn samples_depend_only_on_view_and_history() {
    let mut compared = 0;
    play(Options::default(), 10, 3, |game, block, deal| {
        let seat = game.to_act(deal).unwrap();
        let (view, history) = seen(game, block, deal, seat);
        let knowledge = Knowledge::new(&view, &history, true).unwrap();
        let other = HandSampler::new(&knowledge, &mut chance(4)).draw(&mut chance(5));
        // Another deal that the seat cannot distinguish from this one.
        let mut elsewhere = deal.clone();
        game.resample(&mut elsewhere, seat, &mut chance(6));
        let (same_view, same_history) = seen(game, block, &elsewhere, seat);
        assert_eq!(bytemuck::bytes_of(&same_view), bytemuck::bytes_of(&view));
        let again = Knowledge::new(&same_view, &same_history, true).unwrap();
        assert_eq!(
            HandSampler::new(&again, &mut chance(4)).draw(&mut chance(5)),
            other
        );
        compared += u32::from(elsewhere.hands() != deal.hands());
    });
    assert!(compared > 300, "{compared}");
}

/// Hands, and their numbers of ways.
type Ways = HashMap<[CardSet; PLAYERS], u64>;

fn enumerated(view: &View, knowledge: &Knowledge) -> Ways {
    let (seat, mut ways) = (usize::from(view.seat), Ways::new());
    let mut hands = [0; PLAYERS];
    hands[seat] = view.hand;
    let sizes = &view.cards_left;
    deal_others(0, view.unseen(), seat, sizes, &mut hands, &mut |hands| {
        let count = knowledge.ways(hands);
        if count > 0 {
            assert!(ways.insert(*hands, count).is_none(), "shown twice");
        }
    });
    ways
}

/// Compares the frequencies of draws with the expected ones (60 per set of hands) by chi-squared.
fn draws_are_fair(view: &View, knowledge: &Knowledge, seed: u64) {
    let ways = enumerated(view, knowledge);
    let mut random = chance(seed);
    let mut deals = HandSampler::new(knowledge, &mut random);
    let draws = 60 * ways.len();
    let mut drawn: HashMap<[CardSet; PLAYERS], u64> = HashMap::new();
    for _ in 0..draws {
        *drawn.entry(deals.draw(&mut random)).or_default() += 1;
    }
    assert!(drawn.keys().all(|hands| ways.contains_key(hands)));
    let total: u64 = ways.values().sum();
    let (mut statistic, mut cells) = (0.0_f64, 0.0_f64);
    for (hands, &count) in &ways {
        let expected = draws as f64 * count as f64 / total as f64;
        if expected >= 5.0 {
            let observed = drawn.get(hands).copied().unwrap_or(0) as f64;
            statistic += (observed - expected) * (observed - expected) / expected;
            cells += 1.0;
        }
    }
    // For independent draws, the mean is the number of cells and the variance twice that number.
    // Successive draws of a chain are correlated, which increases the variance.
    assert!(cells > 20.0, "{cells} cells");
    assert!(
        statistic < 1.5 * (cells + 6.0 * (2.0 * cells).sqrt()),
        "{statistic} of {cells} cells"
    );
}

/// Cards by seat, before and without an exchange.
const TITLED: [&str; PLAYERS] = ["S3 H9 DK", "D3 S5 C2", "H4 SK CA", "S6 DT JK", "CJ HQ S9"];
const UNTITLED: [&str; PLAYERS] = ["S3 H9 DK", "D3 S5 C2", "H4 C7 JK", "S6 DT", "CJ HQ"];

fn dealt(by_seat: [&str; PLAYERS], fresh: bool) -> (Daihinmin, Block, Deal) {
    start(by_seat.map(|hand| parse_set(hand).unwrap()), fresh)
}

/// Plays the first actions of the list, also gifts.
fn go_on(game: &Daihinmin, deal: &mut Deal, actions: usize, choose: usize) {
    for _ in 0..actions {
        let legal = game.legal_actions(deal);
        let action = legal[choose.min(legal.len() - 1)];
        game.apply(deal, action.into());
    }
}

#[test]
fn without_an_exchange_all_hands_are_equally_likely() {
    let (game, block, mut deal) = dealt(UNTITLED, true);
    go_on(&game, &mut deal, 2, 1);
    let (view, history) = seen(&game, &block, &deal, 0);
    let knowledge = Knowledge::new(&view, &history, true).unwrap();
    let ways = enumerated(&view, &knowledge);
    assert!(ways.values().all(|&count| count == 1));
    // The leader played one of ♦3 ♠5 ♣2. Nine cards are unseen; ♦3 was played or is held by seat 1.
    let holds_d3 =
        |hands: &[CardSet; PLAYERS]| (hands[1] | view.gone) & parse_set("D3").unwrap() != 0;
    assert!(ways.keys().all(holds_d3));
    draws_are_fair(&view, &knowledge, 6);
}

/// Returns all subsets of `count` cards.
fn sets(of: CardSet, count: u32) -> Vec<CardSet> {
    let cards: Vec<u8> = cells(of).collect();
    let subset = |bits: u32| {
        (0..cards.len())
            .filter(|i| bits >> i & 1 == 1)
            .fold(0, |set, i| set | 1 << cards[i])
    };
    (0_u32..1 << cards.len())
        .filter(|bits| bits.count_ones() == count)
        .map(subset)
        .collect()
}

/// Returns the ways after `gifts` gifts (at most 2) by trying all ways to deal three cards each and
/// to give cards. Titles equal the numbers of seats.
fn by_trial(view: &View, gifts: usize) -> Ways {
    let seat = usize::from(view.seat);
    let all = PACK & !view.gone;
    let mut ways = Ways::new();
    // Own hand before the exchange: without the cards received, with the cards given.
    let own = sets((view.hand | view.given) & !view.received, 3);
    for dealt in own {
        let mut hands = [0; PLAYERS];
        hands[seat] = dealt;
        deal_others(
            0,
            all & !dealt,
            seat,
            &[3; PLAYERS],
            &mut hands,
            &mut |dealt| {
                let tribute = [strongest(dealt[4], 2), strongest(dealt[3], 1)];
                let mut hands = *dealt;
                (hands[0], hands[4]) = (hands[0] | tribute[0], hands[4] & !tribute[0]);
                (hands[1], hands[3]) = (hands[1] | tribute[1], hands[3] & !tribute[1]);
                // The upper seat's cards and gifts must be all cards that it ever had.
                if seat < 2 && hands[seat] != view.hand | view.given {
                    return;
                }
                let given_by = |giver: usize, count: u32| {
                    let all = if giver < gifts {
                        sets(hands[giver], count)
                    } else {
                        vec![0]
                    };
                    let is_own = move |gift: &CardSet| seat != giver || *gift == view.given;
                    all.into_iter().filter(is_own)
                };
                for first in given_by(0, 2) {
                    for second in given_by(1, 1) {
                        let now = [
                            hands[0] & !first,
                            hands[1] & !second,
                            hands[2],
                            hands[3] | second,
                            hands[4] | first,
                        ];
                        let received = [0, 0, 0, second, first];
                        if now[seat] == view.hand && received[seat] == view.received {
                            *ways.entry(now).or_default() += 1;
                        }
                    }
                }
            },
        );
    }
    ways
}

/// Deals cards to all seats but one, in every possible way.
fn deal_others(
    to: usize,
    pool: CardSet,
    own: usize,
    sizes: &[u8; PLAYERS],
    hands: &mut [CardSet; PLAYERS],
    show: &mut impl FnMut(&[CardSet; PLAYERS]),
) {
    if to == PLAYERS {
        return show(hands);
    }
    if to == own {
        return deal_others(to + 1, pool, own, sizes, hands, show);
    }
    for hand in sets(pool, sizes[to].into()) {
        hands[to] = hand;
        deal_others(to + 1, pool & !hand, own, sizes, hands, show);
    }
}

/// Compares the ways for a seat after some gifts with those by trial, in a deal in which strong and
/// weak cards are spread over all hands.
#[track_caller]
fn ways_are_those_of_trial(seat: u8, gifts: usize) {
    let (game, block, mut deal) = dealt(TITLED, false);
    // The third choice of the daifugo gives its strongest and its third card, one of which it just
    // got.
    go_on(&game, &mut deal, gifts, 2);
    let (view, history) = seen(&game, &block, &deal, seat);
    let knowledge = Knowledge::new(&view, &history, true).unwrap();
    let (mut counted, tried) = (enumerated(&view, &knowledge), by_trial(&view, gifts));
    // Both numbers are relative: common factors may be omitted.
    let scale = tried.values().min().unwrap() / counted.values().min().unwrap();
    counted.values_mut().for_each(|count| *count *= scale);
    assert!(
        counted == tried,
        "seat {seat} after {gifts} gifts: {} and {} hands",
        counted.len(),
        tried.len()
    );
}

#[test]
fn enumerated_hands_match_a_brute_force_search_for_the_lower_titles() {
    ways_are_those_of_trial(3, 2);
    ways_are_those_of_trial(4, 2);
}

#[test]
fn enumerated_hands_match_a_brute_force_search_for_the_upper_titles() {
    ways_are_those_of_trial(0, 0);
    ways_are_those_of_trial(1, 1);
    ways_are_those_of_trial(0, 2);
    ways_are_those_of_trial(1, 2);
}

#[test]
fn enumerated_hands_match_a_brute_force_search_for_the_third_title() {
    ways_are_those_of_trial(2, 2);
}

#[test]
fn draws_after_an_exchange_have_the_correct_frequencies() {
    for (seat, actions) in [(0, 4), (1, 6), (2, 8), (3, 7), (4, 6)] {
        let (game, block, mut deal) = dealt(TITLED, false);
        go_on(&game, &mut deal, actions, 2);
        let (view, history) = seen(&game, &block, &deal, seat);
        assert_eq!(view.phase, phase::PLAY);
        draws_are_fair(
            &view,
            &Knowledge::new(&view, &history, true).unwrap(),
            7 + u64::from(seat),
        );
    }
}

#[test]
fn impossible_views_are_refused() {
    let (game, block, deal) = dealt(UNTITLED, true);
    let (view, history) = seen(&game, &block, &deal, 1);
    let refused = |change: &dyn Fn(&mut View)| {
        let mut other = view;
        change(&mut other);
        Knowledge::new(&other, &history, true).err() == Some(InconsistentView)
    };
    assert!(!refused(&|_| ()));
    assert!(refused(&|view| view.seat = 5));
    assert!(refused(&|view| view.cards_left[3] += 1));
    assert!(refused(&|view| view.hand |= 1 << 20));
    assert!(refused(&|view| view.gone |= view.hand));
    let mut titled = view;
    (titled.fresh, titled.titles) = (0, [0, 1, 2, 3, 3]);
    assert_eq!(
        Knowledge::new(&titled, &history, true).err(),
        Some(InconsistentView)
    );
}
