//! What every game promises, for tanhinmin.

use hattari_games::Game;
use hattari_games::chance::shuffle;
use hattari_games::conformance;
use hattari_games::tanhinmin::{Block, Deal, LeadRule, Options, PassRule, Tanhinmin};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// Deals the cards of the other hands anew, as many to each.
fn redeal(deal: &mut Deal, seat: u8, chance: &mut ChaCha8Rng) {
    let mut hands = deal.hands().to_vec();
    let own = usize::from(seat);
    let hidden = (0..hands.len())
        .filter(|&other| other != own)
        .fold(0, |union, other| union | hands[other]);
    let mut pool: Vec<u8> = (0..64).filter(|card| hidden >> card & 1 == 1).collect();
    shuffle(&mut pool, chance);
    for (_, hand) in hands
        .iter_mut()
        .enumerate()
        .filter(|(other, _)| *other != own)
    {
        let size = hand.count_ones() as usize;
        *hand = pool.drain(..size).fold(0, |hand, card| hand | 1 << card);
    }
    deal.set_hands(&hands).unwrap();
}

fn conforms(seed: u64, options: Options) {
    let pack = (1_u64 << (6 * options.cards)) - 1;
    let game = Tanhinmin::new(options).unwrap();
    let conserved = |block: &Block, deal: &Deal| {
        let mut view = bytemuck::Zeroable::zeroed();
        game.view(block, deal, 0, &mut view);
        let held = deal.hands().iter().fold(0, |union, hand| {
            assert_eq!(union & hand, 0, "a card in two hands");
            union | hand
        });
        assert_eq!((held | view.gone, held & view.gone), (pack, 0));
        assert!(
            deal.hands()
                .iter()
                .zip(view.cards_left)
                .all(|(hand, left)| hand.count_ones() == u32::from(left))
        );
        assert_eq!(view.unseen() | view.hand | view.gone, pack);
    };
    let run = conformance::Run {
        players: 6,
        seed,
        deals: 60,
        payoff_sum: 21,
        is_bounded: true,
    };
    conformance::conforms(&game, run, ChaCha8Rng::seed_from_u64, redeal, conserved);
}

#[test]
fn conforms_as_in_the_paper() {
    conforms(1, Options::default());
}

#[test]
fn conforms_with_everything_switched_over() {
    conforms(
        2,
        Options {
            cards: 10,
            pass: PassRule::Free,
            lead: LeadRule::Lowest,
            ..Options::default()
        },
    );
}

#[test]
fn cards_do_not_depend_on_what_was_played() {
    let game = Tanhinmin::new(Options::default()).unwrap();
    conformance::chance_is_free_of_play(&game, 30, ChaCha8Rng::seed_from_u64, |deal| {
        let players: Vec<usize> = (0..6).map(|seat| game.player_at(deal, seat)).collect();
        format!("{players:?} {:?}", deal.hands())
    });
}

#[test]
fn tables_of_every_size_are_dealt_evenly() {
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

#[test]
fn options_out_of_range_are_refused() {
    for cards in [0, 11, u32::MAX] {
        assert!(
            Tanhinmin::new(Options {
                cards,
                ..Options::default()
            })
            .is_err(),
            "{cards}"
        );
    }
    assert_eq!(Tanhinmin::preset("paper"), Some(Options::default()));
    assert_eq!(Tanhinmin::preset("other"), None);
}
