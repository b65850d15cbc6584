//! Tests of players that act by a policy.

use crate::support::{check_schema, legal};
use bytemuck::Zeroable;
use hattari_bots_daihinmin::bots::policy::{POLICY, SCHEMA};
use hattari_bots_daihinmin::by_policy::{ByPolicy, Giving, PolicyKind, Settings, Skill};
use hattari_plugin::daihinmin::card::parse_set;
use hattari_plugin::daihinmin::{
    Action, Block, Bot, Daihinmin, NONE, Options, PLAYERS, Turn, View, effect, kind, phase,
};
use hattari_plugin::games::Game;
use hattari_plugin::games::conformance::play_block;
use hattari_plugin::games::daihinmin::legal_gifts;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

fn set(cards: &str) -> u64 {
    parse_set(cards).unwrap()
}

fn player(settings: Settings, seed: u64) -> ByPolicy {
    ByPolicy::new(
        settings,
        &Block::new(PLAYERS, 0, 1, seed, &Options::default()),
    )
    .unwrap()
}

/// Plays some deals with five players of these settings. Returns views, legal actions and choices.
fn played(settings: &Settings, seed: u64) -> Vec<(View, Vec<Action>, usize)> {
    let game = Daihinmin::new(Options::default()).unwrap();
    let mut chance = ChaCha8Rng::seed_from_u64(5);
    let mut players: Vec<ByPolicy> = (0..5)
        .map(|number| player(settings.clone(), 10 * seed + number))
        .collect();
    let mut taken = Vec::new();
    play_block(
        &game,
        PLAYERS,
        6,
        &mut chance,
        |block, deal, seat, legal, _| {
            let view = game.view_of(block, deal, seat);
            let bot = &mut players[game.player_at(deal, seat)];
            let turn = Turn::new(&view, game.history(deal), legal);
            let index = hattari_plugin::Player::choose(bot, &turn).action;
            taken.push((view, legal.to_vec(), index));
            legal[index].into()
        },
    );
    taken
}

#[test]
fn choices_are_legal_deterministic_and_seeded_if_random() {
    for look in [PolicyKind::Light, PolicyKind::Full] {
        for skill in [Skill::Fitted, Skill::Learned] {
            let settings = Settings {
                look,
                skill,
                ..Settings::default()
            };
            let indices = |settings: &Settings, seed| -> Vec<usize> {
                played(settings, seed)
                    .into_iter()
                    .map(|(_, _, index)| index)
                    .collect()
            };
            assert_eq!(
                indices(&settings, 1),
                indices(&settings, 2),
                "{look:?} {skill:?}"
            );
            let by_chance = Settings {
                by_chance: true,
                gifts_by_chance: true,
                ..settings
            };
            assert_eq!(indices(&by_chance, 1), indices(&by_chance, 1));
            assert_ne!(indices(&by_chance, 1), indices(&by_chance, 2));
        }
    }
}

#[test]
fn the_policy_bot_never_passes_on_lead_and_gives_valid_gifts() {
    let bare = Settings {
        sure_win: false,
        endgame: false,
        by_chance: true,
        ..Settings::default()
    };
    let mut gifts = 0;
    for (view, legal, index) in played(&bare, 3) {
        let action = &legal[index];
        if view.phase == phase::EXCHANGE {
            gifts += 1;
            assert_eq!(action.kind, kind::GIVE);
        } else if view.table.is_pass() {
            assert!(!action.is_pass(), "{view:?}");
        }
    }
    assert_eq!(gifts, 10);
}

/// The learned exchange keeps weak cards that belong to combinations.
#[test]
fn the_gift_settings_determine_the_given_cards() {
    let hand = set("S3 H3 D3 H5 S9 H9 DJ CJ SK HK HA DA S2");
    let view = View {
        phase: phase::EXCHANGE,
        give: 2,
        rules: Options::default().flags(),
        hand,
        table_seat: NONE,
        cards_left: [13, 11, 11, 9, 9],
        titles: [0, 1, 2, 3, 4],
        places: [NONE; PLAYERS],
        ..View::zeroed()
    };
    let mut legal = Vec::new();
    legal_gifts(hand, view.give, &mut legal);
    let turn = Turn::new(&view, &[], &legal);
    let given = |giving| {
        legal[player(
            Settings {
                giving,
                ..Settings::default()
            },
            1,
        )
        .exchange(&turn)]
        .cards
    };
    assert_eq!(given(Giving::Weakest), set("H3 D3"));
    assert!(given(Giving::Learned) & set("S2 HA DA SK HK") == 0);
    assert_ne!(given(Giving::Learned), given(Giving::Weakest));
}

#[test]
fn a_sure_win_with_an_eight_cut_is_played_without_the_policy() {
    // The eight clears the trick, and the remaining pair wins.
    let view = View {
        phase: phase::PLAY,
        fresh: 1,
        rules: Options::default().flags(),
        ask_last: 1,
        table_seat: NONE,
        hand: set("H8 S4 D4"),
        gone: 0,
        cards_left: [3, 10, 10, 10, 10],
        titles: [NONE; PLAYERS],
        places: [NONE; PLAYERS],
        ..View::zeroed()
    };
    let legal = legal(&view);
    let index = player(Settings::default(), 1).act(&Turn::new(&view, &[], &legal));
    assert!(legal[index].effects & effect::CUT != 0, "{}", legal[index]);
}

#[test]
fn invalid_weights_are_rejected_with_their_line() {
    let refused = |settings: Settings| ByPolicy::check(&settings).unwrap_err();
    let wrong = |text: &str| Settings {
        weights: text.to_owned(),
        ..Settings::default()
    };
    assert!(refused(wrong("shape 1 2\nform 1 1")).contains("`weights`: line 2: `form 1 1`"));
    let gift = Settings {
        gift_weights: "ranks 1 0".to_owned(),
        ..Settings::default()
    };
    assert!(refused(gift).contains("`gift_weights`: line 1"));
    assert!(ByPolicy::check(&wrong("shape 1 2\nplan 3 0.5")).is_ok());
    // A weight against all singles is effective: none is played if there is another legal action.
    let pairs = (0..16)
        .map(|level| format!("shape {} 0.001\nshape {} 0.001\n", level, 128 + level))
        .collect::<String>();
    let bare = Settings {
        sure_win: false,
        endgame: false,
        ..wrong(&pairs)
    };
    let plays: Vec<_> = played(&bare, 1)
        .into_iter()
        .filter(|(view, _, _)| view.phase == phase::PLAY)
        .collect();
    for (view, legal, index) in &plays {
        let idle = usize::from(view.table.is_pass());
        if legal[idle..]
            .iter()
            .any(|action| action.kind != kind::SINGLE)
        {
            assert!(
                legal[*index].kind != kind::SINGLE,
                "{} of {legal:?}",
                legal[*index]
            );
        }
    }
    assert!(plays.len() > 100);
}

#[test]
fn the_schema_lists_every_setting_with_its_default() {
    check_schema(SCHEMA, &serde_json::to_value(POLICY.config()).unwrap());
}
