//! What every game promises, for daihinmin.

use hattari_games::chance::shuffle;
use hattari_games::conformance;
use hattari_games::daihinmin::card::{self, CardSet};
use hattari_games::daihinmin::{Block, Daihinmin, Deal, NONE, Options, Setup};
use hattari_games::{Game, Grant};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// Deals the cards of the other hands anew, as many to each.
fn redeal(deal: &mut Deal, seat: u8, chance: &mut ChaCha8Rng) {
    let mut hands = *deal.hands();
    let others = |hand: &(usize, CardSet)| hand.0 != usize::from(seat);
    let mut pool: Vec<u8> = hands
        .into_iter()
        .enumerate()
        .filter(others)
        .flat_map(|(_, hand)| card::cells(hand))
        .collect();
    shuffle(&mut pool, chance);
    for (_, hand) in (0_u8..).zip(&mut hands).filter(|&(other, _)| other != seat) {
        let size = hand.count_ones() as usize;
        *hand = pool.drain(..size).fold(0, |hand, card| hand | 1 << card);
    }
    deal.set_hands(hands).unwrap();
}

fn cards_are_conserved(block: &Block, deal: &Deal) {
    let public = deal.public(block);
    let gone = public.gone;
    let held = deal.hands().iter().fold(0, |union, hand| {
        assert_eq!(union & hand, 0, "a card in two hands");
        union | hand
    });
    assert_eq!((held | gone, held & gone), (card::PACK, 0));
    for (hand, &left) in deal.hands().iter().zip(&public.cards_left) {
        assert_eq!(hand.count_ones(), u32::from(left));
    }
}

fn conforms(seed: u64, options: Options) {
    let game = Daihinmin::new(options).unwrap();
    let run = conformance::Run {
        players: 5,
        seed,
        deals: 60,
        payoff_sum: 15,
        is_bounded: true,
    };
    conformance::conforms(
        &game,
        run,
        ChaCha8Rng::seed_from_u64,
        redeal,
        cards_are_conserved,
    );
}

#[test]
fn conforms_as_uecda() {
    conforms(1, Options::default());
}

#[test]
fn conforms_with_everything_switched_over() {
    let options = Options {
        eleven_back: true,
        five_skip: true,
        six_reverse: true,
        ask_last_player_again: false,
        seat_redraw: 1,
        rank_reset: 7,
        deadlock_passes: 8,
        ..Options::default()
    };
    conforms(2, options);
}

#[test]
fn conforms_with_everything_off() {
    let options = Options {
        revolution: false,
        lock: false,
        sequences: false,
        eight_cut: false,
        exchange: false,
        seat_redraw: 0,
        deadlock_passes: 0,
        ..Options::default()
    };
    conforms(3, options);
}

#[test]
fn cards_do_not_depend_on_what_was_played() {
    let all_fresh = Daihinmin::new(Options {
        rank_reset: 1,
        ..Options::default()
    })
    .unwrap();
    conformance::chance_is_free_of_play(&all_fresh, 30, ChaCha8Rng::seed_from_u64, |deal| {
        let players = [0, 1, 2, 3, 4].map(|seat| all_fresh.player_at(deal, seat));
        format!("{players:?} {:?}", deal.hands())
    });
    // With titles the daifugo's seat gets the first card, but the piles are the same all the same.
    let titled = Daihinmin::new(Options {
        exchange: false,
        ..Options::default()
    })
    .unwrap();
    conformance::chance_is_free_of_play(&titled, 30, ChaCha8Rng::seed_from_u64, |deal| {
        let mut piles: Vec<String> = deal
            .hands()
            .iter()
            .map(|&hand| card::describe(hand))
            .collect();
        piles.sort_unstable();
        piles.join("\n")
    });
}

/// The order that a deadlock would bring is drawn with the cards; nobody is told before it happens.
#[test]
fn the_deadlock_order_stays_hidden() {
    let game = Daihinmin::new(Options::default()).unwrap();
    let mut block = Block::new(1);
    let mut chance = ChaCha8Rng::seed_from_u64(4);
    let mut deal = game.new_deal();
    game.deal(&mut block, &mut chance, &mut deal);
    let hands = *deal.hands();
    let told = |deadlock_order: [u8; 5]| {
        let setup = Setup {
            players: [0, 1, 2, 3, 4],
            titles: [NONE; 5],
            hands,
            deadlock_order,
        };
        let (mut block, mut deal) = (Block::new(1), game.new_deal());
        game.start(&mut block, &setup, &mut deal).unwrap();
        let (mut views, mut legal) = (Vec::new(), Vec::new());
        while let Some(seat) = game.to_act(&deal) {
            let mut view = bytemuck::Zeroable::zeroed();
            game.view(&block, &deal, seat, &mut view);
            views.push((view, game.history(&deal).to_vec()));
            game.legal(&deal, &mut legal);
            game.apply(
                &mut deal,
                Grant {
                    action: legal[0],
                    amount: 0,
                },
            );
        }
        (views, deal.public(&block).places)
    };
    let (some, places) = told([0, 1, 2, 3, 4]);
    let (others, other_places) = told([4, 2, 0, 1, 3]);
    assert_eq!(some.len(), 20);
    assert_eq!(some, others);
    assert_eq!((places, other_places), ([0, 1, 2, 3, 4], [2, 3, 1, 4, 0]));
}
