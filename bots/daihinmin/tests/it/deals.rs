//! Properties of every bot in all positions that occur in play.

use crate::support::deals::{Chooser, play};
use crate::support::{self, STYLES, style, switches};
use hattari_bots_daihinmin::bots::sample;
use hattari_bots_daihinmin::order::{Order, takes_rank};
use hattari_plugin::daihinmin::{Action, Options, PLAYERS, View, effect, kind, phase};
use proptest::prelude::*;

/// Generates rules with any switches.
fn rules() -> impl Strategy<Value = Options> {
    prop::array::uniform8(any::<bool>()).prop_map(|on| Options {
        revolution: on[0],
        lock: on[1],
        sequences: on[2],
        eight_cut: on[3],
        eleven_back: on[4],
        five_skip: on[5],
        six_reverse: on[6],
        ask_last_player_again: on[7],
        ..Options::default()
    })
}

/// Generates the default rules or any rules.
fn some_rules() -> impl Strategy<Value = Options> {
    prop_oneof![2 => Just(Options::default()), 1 => rules()]
}

/// Plays as the style and checks each choice.
fn checked(name: &'static str) -> Chooser<'static> {
    let mut style = style(name);
    Box::new(move |view, legal| {
        let index = style.choose(view, legal);
        if view.phase == phase::PLAY {
            check_choice(name, view, legal, &legal[index]);
        }
        // The state that the bot keeps between calls must not affect its choice.
        assert_eq!(support::style(name).choose(view, legal), index);
        index
    })
}

fn check_choice(name: &str, view: &View, legal: &[Action], choice: &Action) {
    let switches = switches(name);
    let order = Order::in_force(view);
    // With groups `whole`, plays that the style does not consider are excluded.
    let considered = |play: &&Action| view.table.kind != kind::GROUP || takes_rank(play, view.hand);
    let legal: Vec<&Action> = legal.iter().filter(considered).collect();
    assert!(considered(&choice), "{name} breaks a group up: {view:?}");
    if view.table.is_pass() {
        assert!(!choice.is_pass(), "{name} gives the lead away: {view:?}");
        let weakest = order.weakest_rank(view.hand);
        assert!(
            choice.cards & weakest != 0 || switches.stairs || view.hand.count_ones() == 2,
            "{name}: {view:?}"
        );
        return;
    }
    let own = view.table_seat == view.seat
        && (0..5).all(|seat| seat == view.seat || (view.passed | view.out) >> seat & 1 == 1);
    assert!(
        !own || choice.is_pass() || view.hand.count_ones() == 2,
        "{name} answers itself: {view:?}"
    );
    if choice.is_pass() {
        assert!(
            own || switches.stairs || legal.len() == 1,
            "{name} passes although it could play: {view:?}"
        );
        return;
    }
    if view.hand.count_ones() == 2 || switches.stairs {
        return;
    }
    let strength = order.strength(choice);
    let weaker = legal
        .iter()
        .any(|play| !play.is_pass() && order.strength(play) < strength);
    let prefers = [
        (kind::SINGLE, switches.lock_single),
        (kind::GROUP, switches.lock_group),
    ]
    .contains(&(choice.kind, hattari_bots_daihinmin::style::Lock::Prefer));
    assert!(
        !weaker || (prefers && choice.effects & effect::LOCK != 0),
        "{name} plays {choice}: {view:?}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    /// The function that plays deals asserts that indices are legal.
    #[test]
    fn every_style_plays_complete_deals_legally(seed: u64, names in prop::array::uniform5(0..STYLES.len()), rules in some_rules()) {
        let mut players: [Chooser; PLAYERS] = names.map(|name| checked(STYLES[name]));
        play(rules, 20, seed, &mut players);
    }

    #[test]
    fn the_sample_client_passes_only_without_a_legal_play(seed: u64, rules in some_rules()) {
        let mut players: [Chooser; PLAYERS] = std::array::from_fn(|_| -> Chooser {
            Box::new(|view, legal| {
                let index = sample::choose(view, legal);
                assert!(view.phase == phase::EXCHANGE || !legal[index].is_pass() || legal.len() == 1);
                index
            })
        });
        play(rules, 20, seed, &mut players);
    }
}
