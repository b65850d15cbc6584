//! A position created from a view develops exactly as the deal.

use crate::play::{dealt, seeded};
use hattari_games::Game;
use hattari_games::chance::below;
use hattari_games::conformance::{play_block, random_move};
use hattari_games::daihinmin::{Daihinmin, Deal, NONE, Options, PLAYERS, Position, phase, pick};
use rand_chacha::ChaCha8Rng;

/// Plays deal and position with the same random choices, until the end or until a deadlock, whose
/// order is hidden.
fn play_on(game: &Daihinmin, mut deal: Deal, mut position: Position, chance: &mut ChaCha8Rng) {
    let mut listed = Vec::new();
    let mut passes = 0;
    while let Some(seat) = game.to_act(&deal) {
        assert_eq!(position.to_act(), Some(seat));
        assert_eq!(position.hands(), deal.hands());
        position.legal(&mut listed);
        assert_eq!(listed, game.legal_actions(&deal));
        let action = pick(position.hand(seat), position.situation(), |count| {
            below(chance, count)
        });
        passes = if action.is_pass() { passes + 1 } else { 0 };
        game.apply(&mut deal, action.into());
        position.play(&action);
    }
    assert_eq!(position.to_act(), None);
    let view = game.view_of(&game.new_block(PLAYERS, 1), &deal, 0);
    if passes == 0 {
        assert!(
            (0..5)
                .zip(view.places)
                .all(|(seat, place)| position.place(seat) == place && place != NONE)
        );
    }
}

/// Plays random games. Returns the number of turns from which play was continued.
fn goes_as_the_deal(options: Options, seed: u64) -> u32 {
    let after = options.deadlock_after();
    let game = Daihinmin::new(options).unwrap();
    let mut chance = seeded(seed);
    let mut turns = 0;
    play_block(
        &game,
        PLAYERS,
        40,
        &mut chance,
        |block, deal, seat, legal, chance| {
            let view = game.view_of(block, deal, seat);
            if view.phase == phase::PLAY {
                let position = Position::from_view(&view, game.history(deal), *deal.hands(), after);
                play_on(&game, deal.clone(), position, chance);
                turns += 1;
            }
            random_move::<Daihinmin>(legal, chance)
        },
    );
    turns
}

#[test]
fn a_position_plays_like_the_deal_under_all_rules() {
    let over = Options {
        eleven_back: true,
        five_skip: true,
        six_reverse: true,
        ask_last_player_again: false,
        deadlock_passes: 8,
        ..Options::default()
    };
    let off = Options {
        revolution: false,
        lock: false,
        sequences: false,
        eight_cut: false,
        exchange: false,
        deadlock_passes: 0,
        ..Options::default()
    };
    for (seed, options) in (1..).zip([Options::default(), over, off]) {
        let turns = goes_as_the_deal(options, seed);
        assert!(turns > 1000, "{turns}");
    }
}

/// The cards in other hands change no public fact.
#[test]
fn public_facts_of_a_position_do_not_depend_on_hidden_hands() {
    let game = Daihinmin::new(Options::default()).unwrap();
    let (block, deal) = dealt(&game, PLAYERS, &mut seeded(5));
    let seat = game.to_act(&deal).unwrap();
    let view = game.view_of(&block, &deal, seat);
    let mut hands = *deal.hands();
    let [first, second, ..] =
        std::array::from_fn::<_, 5, _>(|step| (usize::from(seat) + 1 + step) % 5);
    let position = |hands| Position::from_view(&view, game.history(&deal), hands, 20);
    let as_dealt = position(hands);
    hands.swap(first, second);
    let swapped = position(hands);
    let public = |of: &Position| {
        (
            of.to_act(),
            of.cards_played(),
            of.seats_passed(),
            of.seats_out(),
            of.last_seat(),
            of.situation().table,
        )
    };
    assert_eq!(public(&as_dealt), public(&swapped));
    assert_ne!(as_dealt.hands(), swapped.hands());
    assert_eq!(as_dealt.hand(seat), swapped.hand(seat));
}
