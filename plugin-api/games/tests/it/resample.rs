//! `resample` draws all deals that a seat cannot distinguish equally often. All possible deals are
//! played with the same choices and compared with its results.

use crate::play::{dealt, pick, play, seeded};
use hattari_games::bridge::{self, Bridge, CardSet};
use hattari_games::cards::members;
use hattari_games::chance::shuffle;
use hattari_games::conformance::{check_resampling, replayed};
use hattari_games::daihinmin::{self, Daihinmin, Setup};
use hattari_games::holdem;
use hattari_games::poker::{Phase, Poker, Strength, Variant, card};
use hattari_games::stud::{self, Stud};
use hattari_games::tanhinmin::{self, Tanhinmin};
use hattari_games::{Game, GameTypes};

/// Returns all ways to divide cards into hands of these sizes.
fn partitions(cards: u64, sizes: &[u32]) -> Vec<Vec<u64>> {
    let Some((&size, others)) = sizes.split_first() else {
        return vec![Vec::new()];
    };
    let mut all = Vec::new();
    for hand in subsets(cards, size) {
        for mut hands in partitions(cards & !hand, others) {
            hands.insert(0, hand);
            all.push(hands);
        }
    }
    all
}

fn subsets(cards: u64, size: u32) -> Vec<u64> {
    if size == 0 || cards == 0 {
        return if size == 0 { vec![0] } else { Vec::new() };
    }
    let first = cards & cards.wrapping_neg();
    let with = subsets(cards & !first, size - 1).into_iter();
    with.map(|set| set | first)
        .chain(subsets(cards & !first, size))
        .collect()
}

#[test]
fn tanhinmin_hands_are_drawn_evenly() {
    let game = Tanhinmin::new(tanhinmin::Options::default()).unwrap();
    for seed in 0..4 {
        let mut chance = seeded(seed);
        let (block, mut deal) = dealt(&game, 3, &mut chance);
        // The deal with these hands and the same seats.
        let start_with = |hands: &[u64]| {
            let hand = |&hand: &u64| {
                let names = members(hand).filter_map(Tanhinmin::card_name);
                names.collect::<Vec<_>>().join(" ")
            };
            let hands: Vec<String> = hands.iter().map(hand).collect();
            let deals = vec![hands.join("/")];
            let options = tanhinmin::Options::default();
            let given = Tanhinmin::new(tanhinmin::Options { deals, ..options }).unwrap();
            dealt(&given, 3, &mut seeded(seed)).1
        };
        let choices = play(
            &game,
            &mut deal,
            |legal| pick(&mut chance, legal.len()),
            |deal| game.history(deal).len() > 1,
        );
        let all = partitions((1 << 9) - 1, &[3, 3, 3]).into_iter();
        let all = all.filter_map(|hands| replayed(&game, start_with(&hands), &choices));
        let key = |deal: &tanhinmin::Deal| deal.hands().to_vec();
        let seat = u8::try_from(seed % 3).unwrap();
        check_resampling(&game, &block, &deal, seat, all, key, &mut chance);
    }
}

/// Tests a deal of poker against all deals that differ only in the cards at `places` of the deck.
fn poker<V: Variant, K: Ord + std::fmt::Debug>(
    options: V,
    players: usize,
    places: &[usize],
    is_enough: impl Fn(&hattari_games::poker::Deal) -> bool,
    key: impl Fn(&hattari_games::poker::Deal) -> K,
    weight: impl Fn(&[u8; card::DECK_SIZE]) -> u32,
    to_win: [u32; 2],
) {
    let game = Poker::<V>::new(options).unwrap();
    let mut chance = seeded(1);
    let (mut block, mut deal) = (game.new_block(players, 1), game.new_deal());
    block.memory.to_win = to_win;
    game.deal(&mut block, &mut chance, &mut deal);
    let deck = *deal.deck();
    // Stays in with the fewest chips: a call, a check or the only action.
    let least = |legal: &[V::Action]| {
        let kind = |action: &V::Action| bytemuck::bytes_of(action)[0];
        let calls = |action: &V::Action| matches!(kind(action), 1 | 2);
        legal.iter().position(calls).unwrap_or(legal.len() - 1)
    };
    let choices = play(&game, &mut deal, least, is_enough);
    let unseen = card::DECK & !deal.seen_by(0);
    let size = u32::try_from(places.len()).unwrap();
    let all = subsets(unseen, size).into_iter().flat_map(|cards| {
        let mut other = deck;
        for (&place, card) in places.iter().zip(card::cards(cards)) {
            hattari_games::given::place_cards(&mut other, place, &[card]);
        }
        let mut start = game.new_deal();
        game.start(&block, &other, &mut start).unwrap();
        let weight = weight(&other) as usize;
        let deal = replayed(&game, start, &choices);
        std::iter::repeat_n(deal, weight).flatten()
    });
    let cells = check_resampling(&game, &block, &deal, 0, all, key, &mut chance);
    assert!(cells > 10, "{cells}");
}

#[test]
fn poker_cards_are_drawn_evenly() {
    let hand = |deal: &holdem::Deal| deal.hands[1];
    let flop = |deal: &holdem::Deal| deal.street == 1;
    let holdem = holdem::Options::default;
    poker(holdem(), 2, &[2, 3], flop, hand, |_| 1, [0; 2]);
    // The turn is after both hands and the flop in the deck.
    let turn = |deal: &holdem::Deal| deal.deck()[7];
    poker(holdem(), 2, &[7], flop, turn, |_| 1, [0; 2]);
    let hidden = |deal: &stud::Deal| deal.hidden(1);
    let first = |deal: &stud::Deal| deal.street == 0;
    poker(
        stud::Options::default(),
        3,
        &[7, 8],
        first,
        hidden,
        |_| 1,
        [0; 2],
    );
}

/// With balanced decks, if one seat is to win three more deals and the other one, decks of the
/// first seat are three times as likely.
#[test]
fn balanced_decks_are_drawn_in_proportion_to_their_probability() {
    let options = stud::Options::preset("fuzzy-2002").unwrap();
    let game = Stud::new(options.clone()).unwrap();
    let last = |deal: &stud::Deal| deal.street == 6 && deal.phase == Phase::Bet;
    // The places of the second seat's cards that stay hidden until the end.
    let mut chance = seeded(1);
    let (mut block, mut deal) = (game.new_block(2, 1), game.new_deal());
    block.memory.to_win = [3, 1];
    game.deal(&mut block, &mut chance, &mut deal);
    play(&game, &mut deal, |legal| legal.len() - 1, last);
    let places: Vec<usize> = (7..14)
        .filter(|&place| deal.hidden(1) >> deal.deck()[place] & 1 == 1)
        .collect();
    let weight = |deck: &[u8; card::DECK_SIZE]| {
        let strength = |seat: usize| Strength::of(card::set_of(&deck[7 * seat..7 * seat + 7]));
        match strength(0).cmp(&strength(1)) {
            std::cmp::Ordering::Greater => 3,
            std::cmp::Ordering::Equal => 2,
            std::cmp::Ordering::Less => 1,
        }
    };
    poker(
        options,
        2,
        &places,
        last,
        |deal| deal.hidden(1),
        weight,
        [3, 1],
    );
}

/// Declarer and defenders do not see two hands; dummy does not see three. Suits that a seat failed
/// to follow are public.
#[test]
fn bridge_hands_are_drawn_evenly() {
    let game = Bridge::new(bridge::Options::preset("3nt").unwrap()).unwrap();
    let mut cells = [0; 4];
    for seed in 0..4 {
        let mut chance = seeded(seed);
        let (block, mut deal) = dealt(&game, 4, &mut chance);
        let is_late = |deal: &bridge::Board| deal.tricks_won().iter().sum::<u8>() == 9;
        let choices = play(
            &game,
            &mut deal,
            |legal| pick(&mut chance, legal.len()),
            is_late,
        );
        let hands = *deal.hands();
        let view = game.view_of(&block, &deal, 0);
        // North is dummy.
        for (seat, hidden) in [
            (0, &[1, 2, 3][..]),
            (1, &[2, 3]),
            (2, &[1, 3]),
            (3, &[1, 2]),
        ] {
            let cards = hidden.iter().fold(0, |all, &at: &usize| all | hands[at].0);
            let all = partitions(cards, &[4, 4, 4][..hidden.len()]);
            let all = all.into_iter().filter_map(|others| {
                let mut dealt = bridge::Deal { hands };
                for (&at, hand) in hidden.iter().zip(others) {
                    dealt.hands[at] = CardSet(hand);
                }
                for (hand, (played, holding)) in
                    (dealt.hands.iter_mut()).zip(view.played.iter().zip(&game.setup().holdings))
                {
                    hand.0 |= played;
                    if !holding.fits(*hand) {
                        return None;
                    }
                }
                let mut deal = game.new_deal();
                game.start(&dealt, &mut deal);
                replayed(&game, deal, &choices)
            });
            let key = |deal: &bridge::Board| deal.hands()[hidden[0]].0;
            let at = u8::try_from(seat).unwrap();
            cells[seat] += check_resampling(&game, &block, &deal, at, all, key, &mut chance);
        }
    }
    assert!(cells.iter().all(|&cells| cells > 10), "{cells:?}");
}

/// The daifugo does not know which of its cards were dealt and which are tribute, nor the cards of
/// the other exchange.
#[test]
fn daihinmin_exchanges_are_drawn_evenly() {
    let game = Daihinmin::new(daihinmin::Options::default()).unwrap();
    let mut chance = seeded(3);
    let mut pack: Vec<u8> = (4..56).step_by(4).chain([5, 9]).collect();
    // The holder of the three of diamonds leads.
    pack[0] = 6;
    shuffle(&mut pack, &mut chance);
    let hand = |cards: &[u8]| cards.iter().fold(0, |hand, card| hand | 1 << card);
    let hands: Vec<u64> = pack.chunks(3).map(hand).collect();
    let begin = |hands: &[u64]| {
        let setup = Setup {
            players: [0, 1, 2, 3, 4],
            titles: [0, 1, 2, 3, 4],
            hands: hands.try_into().unwrap(),
            deadlock_order: [0, 1, 2, 3, 4],
        };
        let (mut block, mut deal) = (game.new_block(5, 1), game.new_deal());
        game.start(&mut block, &setup, &mut deal).unwrap();
        (block, deal)
    };
    // After the exchange. Each gives its weakest cards, except the fugo, which gives one of four
    // cards.
    let exchanged = |mut deal: daihinmin::Deal, fugo: usize| {
        for index in [9, fugo] {
            let action = game.legal_actions(&deal)[index];
            game.apply(&mut deal, action.into());
        }
        deal
    };
    let (block, deal) = begin(&hands);
    let tributed = deal.hands()[0];
    let deal = exchanged(deal, 1);
    let rest = hands.iter().fold(0, |all, hand| all | hand) & !tributed;
    let all = subsets(tributed, 2).into_iter().flat_map(|tribute| {
        partitions(rest, &[3, 3, 3, 1])
            .into_iter()
            .flat_map(move |others| {
                let mut hands = vec![tributed & !tribute];
                hands.extend(others);
                hands[4] |= tribute;
                (0..4).map(move |fugo| (hands.clone(), fugo))
            })
    });
    let all = all.filter_map(|(hands, fugo)| {
        let (_, deal) = begin(&hands);
        (deal.hands()[0] == tributed).then(|| exchanged(deal, fugo))
    });
    let key = |deal: &daihinmin::Deal| (deal.dealt()[0], deal.dealt()[3] ^ deal.hands()[3]);
    let cells = check_resampling(&game, &block, &deal, 0, all, key, &mut chance);
    assert!(cells > 100, "{cells}");
}
