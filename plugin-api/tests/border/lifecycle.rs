//! Results for a correct host, and the data that a bot receives.

use crate::bots::DROPPED;
use crate::support::{
    Driver, TestHost, block, c_text, deal, decision, descriptor, factory, result, text,
};
use crate::{HATTARI_ENTRY, NOTHING, playing};
use bytemuck::Zeroable;
use hattari_plugin::abi;
use hattari_plugin::daihinmin::{Action, Event, View, card, kind, phase};
use std::sync::atomic::Ordering;

#[test]
fn the_factory_returns_the_declared_descriptors() {
    let all: Vec<_> = (0..)
        .map_while(|index| descriptor(&HATTARI_ENTRY, index))
        .collect();
    let ids: Vec<_> = all.iter().map(|d| c_text(d.id).unwrap()).collect();
    assert_eq!(ids, ["witness", "witness-one", "fragile", "quiet"]);
    let (first, second) = (all[0], all[1]);
    assert_eq!(c_text(first.version).as_deref(), Some("1.2.3"));
    assert_eq!(c_text(first.author).as_deref(), Some("A. Nonymous"));
    assert_eq!(c_text(first.license).as_deref(), Some("MIT"));
    assert_eq!(
        c_text(first.description).as_deref(),
        Some("Logs everything")
    );
    assert_eq!(
        (c_text(second.author), c_text(second.license)),
        (None, None)
    );
    assert_eq!(first.flags, abi::BOT_LEARNS);
    assert_eq!(second.flags, abi::BOT_NONDETERMINISTIC | abi::BOT_THREADS);
    assert!(
        c_text(first.config_schema_json)
            .unwrap()
            .contains(r#""answer":{"default":0,"type":"integer"}"#)
    );
    assert_eq!(c_text(second.config_schema_json).as_deref(), Some("{}"));
}

#[test]
fn a_bot_receives_a_block_from_start_to_end() {
    let bot = Driver::create(
        &HATTARI_ENTRY,
        "witness-one",
        r#"{"word": "mine"}"#,
        TestHost::new(1500),
    )
    .unwrap();
    let info = abi::BlockInfo {
        options_json: text(r#"{"rank_reset": 1000, "later": 1}"#),
        ..block()
    };
    assert_eq!(bot.block_start(&info), abi::OK);
    let view = View {
        deal: 3,
        hand: 0xf0,
        ..playing()
    };
    assert_eq!(bot.deal_start(&deal(&view, &[Event::zeroed(); 2])), abi::OK);
    let history = [1, 2, 3].map(|seat| Event {
        seat,
        ..Event::zeroed()
    });
    let legal = [8, 9].map(|column| Action {
        column,
        ..Action::zeroed()
    });
    let turn = abi::Decision {
        budget_us: 2000,
        ..decision(&view, &history, &legal)
    };
    let choice = bot.act(&turn).unwrap();
    assert_eq!((choice.action, choice.amount), (1, 0));
    assert_eq!(
        bot.deal_end(&result(&view, &history, &[5, 4, 3, 2, 1])),
        abi::OK
    );
    let expected = [
        (
            1,
            "mine block player 2 of 5, 100 deals, seed 7, reset 1000, true",
        ),
        (0, "start deal 3 hand f0 after 2"),
        (
            2,
            "act [1, 2, 3] [8, 9] Some(2ms) Some(1.5ms) true [1, 2, 3] turn 1",
        ),
        (-1, "turns = 1"),
        (3, "end 3 3 [5, 4, 3, 2, 1]"),
    ];
    assert_eq!(
        bot.journal(),
        expected.map(|(level, message)| (level, message.to_owned()))
    );
    let dropped = DROPPED.load(Ordering::Relaxed);
    drop(bot);
    assert!(DROPPED.load(Ordering::Relaxed) > dropped);
}

#[test]
fn a_bot_without_deal_callbacks_reports_them_as_unused() {
    let view = View::zeroed();
    let calls = |bot: &Driver| {
        let start = bot.deal_start(&deal(&view, NOTHING));
        (start, bot.deal_end(&result(&view, NOTHING, &[0; 5])))
    };
    let quiet = Driver::started(&HATTARI_ENTRY, "quiet");
    assert_eq!(calls(&quiet), (abi::UNUSED, abi::UNUSED));
    let listening = Driver::started(&HATTARI_ENTRY, "witness");
    assert_eq!(calls(&listening), (abi::OK, abi::OK));
}

#[test]
fn the_exchange_gives_the_weakest_cards_unless_the_bot_chooses() {
    let bot = Driver::started(&HATTARI_ENTRY, "witness");
    let view = View {
        phase: phase::EXCHANGE,
        give: 1,
        ..View::zeroed()
    };
    let give = |cards| Action {
        cards: card::parse_set(cards).unwrap(),
        kind: kind::GIVE,
        ..Action::zeroed()
    };
    let legal = ["JK", "S9", "H4", "D4"].map(give);
    assert_eq!(
        bot.act(&decision(&view, NOTHING, &legal)).unwrap().action,
        3
    );
}

#[test]
fn a_bot_plays_with_a_host_without_services_and_time_limit() {
    let bot = Driver::create(&HATTARI_ENTRY, "witness", "", TestHost::bare()).unwrap();
    assert_eq!(bot.block_start(&block()), abi::OK);
    let view = playing();
    let legal = [Action::PASS; 2];
    assert_eq!(
        bot.act(&decision(&view, NOTHING, &legal)).unwrap().action,
        0
    );
    assert!(bot.journal().is_empty());

    for (left, expected) in [(i64::MAX, "None None"), (-5, "None Some(0ns)")] {
        let bot = Driver::create(&HATTARI_ENTRY, "witness", "", TestHost::new(left)).unwrap();
        assert_eq!(bot.block_start(&block()), abi::OK);
        bot.act(&decision(&view, NOTHING, &legal)).unwrap();
        assert!(bot.journal()[1].1.contains(expected), "{:?}", bot.journal());
    }
}

#[test]
fn instances_play_concurrently_on_their_own_threads() {
    std::thread::scope(|scope| {
        for answer in 0..4u32 {
            scope.spawn(move || {
                let config = format!(r#"{{"answer": {answer}}}"#);
                let bot =
                    Driver::create(&HATTARI_ENTRY, "witness", &config, TestHost::new(0)).unwrap();
                assert_eq!(bot.block_start(&block()), abi::OK);
                let view = playing();
                for _ in 0..200 {
                    let legal = [Action::PASS; 4];
                    assert_eq!(
                        bot.act(&decision(&view, NOTHING, &legal)).unwrap().action,
                        answer
                    );
                }
            });
        }
    });
}

#[test]
fn the_entry_has_the_abi_version_and_a_factory_of_four_bots() {
    assert_eq!(HATTARI_ENTRY.abi_major, abi::ABI_MAJOR);
    // SAFETY: the function may be called at any time.
    #[expect(unsafe_code, reason = "plays the host's side of the C interface")]
    let count = unsafe { factory(&HATTARI_ENTRY).count.unwrap()() };
    assert_eq!(count, 4);
}
