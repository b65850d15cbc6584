//! What every game promises, for bridge.

use hattari_games::bridge::{Board, Bridge, CardSet, Options, Seat, redeal};
use hattari_games::conformance;
use hattari_games::{Game, chance};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// Deals all cards anew that a seat cannot see: all hands but its own and, once it is shown,
/// dummy's.
fn redealt(game: &Bridge) -> impl Fn(&mut Board, u8, &mut ChaCha8Rng) {
    let dummy = game.contract().declarer.after(2) as usize;
    move |board, seat, chance| {
        let is_shown = board.hands().iter().map(|hand| hand.len()).sum::<u32>() < 52;
        let mut hands = *board.hands();
        let hidden =
            [0, 1, 2, 3].map(|other| other != usize::from(seat) && !(is_shown && other == dummy));
        redeal(&mut hands, &hidden, chance);
        board.set_hands(hands).unwrap();
    }
}

fn conforms(seed: u64, options: Options) {
    let game = Bridge::new(options).unwrap();
    let run = conformance::Run {
        players: 4,
        seed,
        deals: 60,
        payoff_sum: 0,
        is_bounded: true,
    };
    conformance::conforms(
        &game,
        run,
        ChaCha8Rng::seed_from_u64,
        redealt(&game),
        |_, board| {
            let held: u32 = board.hands().iter().map(|hand| hand.len()).sum();
            let all = board
                .hands()
                .iter()
                .fold(CardSet::default(), |all, hand| CardSet(all.0 | hand.0));
            assert_eq!(all.len(), held, "a card in two hands");
            assert_eq!(u32::from(board.won()[0] + board.won()[1]), (52 - held) / 4);
        },
    );
}

#[test]
fn conforms_in_every_preset() {
    for (seed, name) in (1..).zip(Options::PRESETS) {
        conforms(seed, Options::preset(name).unwrap());
    }
}

#[test]
fn conforms_whoever_plays_whatever_contract() {
    for (seed, (dealer, auction)) in (10..).zip([
        (Seat::North, "1S X XX P P P"),
        (Seat::East, "P P 1C 1H 4H P P P"),
        (Seat::West, "7NT X P P P"),
        (Seat::South, "P 1D P 2D P 3D P P P"),
    ]) {
        let random = Options::preset("random").unwrap();
        conforms(
            seed,
            Options {
                dealer,
                auction: auction.into(),
                ..random
            },
        );
    }
}

#[test]
fn conforms_when_cards_have_been_played_before() {
    let deal = "N:KT875.AQ87.87.K6 32.T9.AQT.QJT987 J94.K432.9432.32 AQ6.J65.KJ65.A54";
    conforms(
        20,
        Options {
            dealer: Seat::West,
            deals: vec![deal.into()],
            played: "S7 S2 SJ".into(),
            ..Options::preset("3nt").unwrap()
        },
    );
}

#[test]
fn cards_do_not_depend_on_what_was_played() {
    let game = Bridge::new(Options::default()).unwrap();
    conformance::chance_is_free_of_play(&game, 30, ChaCha8Rng::seed_from_u64, |board| {
        format!("{board:?}")
    });
}

/// Whoever reads the record alone comes to the same tricks, and no seat reads of a card before it
/// is played.
#[test]
fn the_record_adds_up() {
    use hattari_games::bridge::{View, event};
    let game = Bridge::new(Options::default()).unwrap();
    let mut chance = ChaCha8Rng::seed_from_u64(5);
    let (mut block, mut board, mut legal) = (game.new_block(4, 40), game.new_deal(), Vec::new());
    for _ in 0..40 {
        game.deal(&mut block, &mut chance, &mut board);
        let dealt = *board.hands();
        while game.to_act(&board).is_some() {
            game.legal(&board, &mut legal);
            let pick = chance::below(&mut chance, u32::try_from(legal.len()).unwrap());
            game.apply(
                &mut board,
                hattari_games::Grant {
                    action: legal[pick as usize],
                    amount: 0,
                },
            );
        }
        let history = game.history(&board);
        assert_eq!(
            history
                .iter()
                .filter(|event| event.kind == event::CALL)
                .count(),
            6
        );
        let cards: Vec<_> = history
            .iter()
            .filter(|event| event.kind == event::CARD)
            .collect();
        assert_eq!(cards.len(), 52);
        let mut won = [0; 2];
        for card in &cards {
            assert_eq!(
                dealt[usize::from(card.seat)].0 >> card.card & 1,
                1,
                "the card came from that hand"
            );
            if card.winner < 4 {
                won[usize::from(card.winner % 2)] += 1;
            }
        }
        assert_eq!(won, board.won());
        let mut view: View = bytemuck::Zeroable::zeroed();
        game.view(&block, &board, 0, &mut view);
        assert_eq!(view.unseen(), CardSet::default());
        assert!(view.cards.iter().eq(cards.iter().map(|event| &event.card)));
        game.finish(&mut block, &board, &mut [0; 4]);
    }
}
