//! Refused calls, and the state of a bot after a panic.

use crate::support::{Driver, TestHost, block, deal, decision, result, text};
use crate::{HATTARI_ENTRY, NOTHING, playing};
use bytemuck::Zeroable;
use hattari_plugin::abi::{self, E_CONFIG, E_FAIL, E_PANIC, E_UNSUPPORTED, OK, Status};
use hattari_plugin::daihinmin::{Action, View};

fn create(id: &str, config: &str) -> Result<Driver, (Status, String)> {
    Driver::create(&HATTARI_ENTRY, id, config, TestHost::new(0))
}

fn check_create_refused(id: &str, config: &str, status: Status, expected: &str) {
    let Err((got, text)) = create(id, config) else {
        panic!("{id} with {config} was created")
    };
    assert_eq!((got, text.as_str()), (status, expected));
}

fn play(bot: &Driver) -> Result<abi::Choice, Status> {
    bot.act(&decision(&playing(), NOTHING, &[Action::PASS; 2]))
}

fn check_dead(bot: &Driver, message: &str) {
    let check_text = || {
        let text = bot.last_error();
        assert!(
            text.starts_with(&format!("panicked: {message} (")) && text.contains(".rs:"),
            "{text}"
        );
    };
    check_text();
    let view = View::zeroed();
    assert_eq!(play(bot).unwrap_err(), E_PANIC);
    assert_eq!(bot.block_start(&block()), E_PANIC);
    assert_eq!(bot.deal_start(&deal(&view, NOTHING)), E_PANIC);
    assert_eq!(bot.deal_end(&result(&view, NOTHING, &[])), E_PANIC);
    check_text();
}

#[test]
fn a_wrong_config_is_refused_with_the_key_and_the_valid_keys() {
    let keys = "unknown key `anser`; keys are answer, word";
    check_create_refused("witness", r#"{"anser": 1}"#, E_CONFIG, keys);
    let kind = "`answer`: invalid type: string \"x\", expected usize";
    check_create_refused("witness", r#"{"answer": "x"}"#, E_CONFIG, kind);
    check_create_refused(
        "witness",
        r#"{"word": "forbidden"}"#,
        E_CONFIG,
        "`word`: not this one",
    );
    check_create_refused(
        "witness",
        "3",
        E_CONFIG,
        "expected keys with values, got `3`",
    );
}

#[test]
fn an_unknown_bot_is_refused_with_a_list_of_bots() {
    let text = "this library has no bot `nobody`; it has witness, witness-one, fragile, quiet";
    check_create_refused("nobody", "", E_UNSUPPORTED, text);
}

#[test]
fn unsupported_games_and_options_are_refused() {
    let bot = create("witness", "").unwrap();
    assert_eq!(
        bot.block_start(&abi::BlockInfo {
            game: text("daihinmin/2"),
            ..block()
        }),
        E_UNSUPPORTED
    );
    assert_eq!(
        bot.last_error(),
        "this bot plays daihinmin/1, not daihinmin/2"
    );

    let bot = create("witness", "").unwrap();
    let five_skip = abi::BlockInfo {
        options_json: text(r#"{"five_skip": true}"#),
        ..block()
    };
    assert_eq!(bot.block_start(&five_skip), E_UNSUPPORTED);
    assert_eq!(bot.last_error(), "does not play with five_skip");
    assert_eq!(play(&bot).unwrap_err(), E_FAIL);
    assert_eq!(
        bot.last_error(),
        "act was called after the bot had refused the block"
    );
}

#[test]
fn calls_out_of_order_are_refused() {
    let bot = create("witness", "").unwrap();
    assert_eq!(play(&bot).unwrap_err(), E_FAIL);
    assert_eq!(bot.last_error(), "act was called before block_start");
    assert_eq!(bot.block_start(&block()), OK);
    assert_eq!(bot.block_start(&block()), E_FAIL);
    assert_eq!(
        bot.last_error(),
        "block_start was called twice: an instance plays one block"
    );
    assert_eq!(
        play(&bot).unwrap().action,
        0,
        "a refused call leaves the bot as it was"
    );
}

#[test]
fn a_panic_disables_only_its_own_instance() {
    let view = View::zeroed();
    let new = create("fragile", r#"{"at": "new"}"#).unwrap();
    assert_eq!(new.block_start(&block()), E_PANIC);
    check_dead(&new, "broke in new");

    let started = |at: &str| {
        let bot = create("fragile", &format!(r#"{{"at": "{at}"}}"#)).unwrap();
        assert_eq!(bot.block_start(&block()), OK);
        bot
    };
    let healthy = started("nowhere");

    let deal_start = started("deal_start");
    assert_eq!(deal_start.deal_start(&deal(&view, NOTHING)), E_PANIC);
    check_dead(&deal_start, "broke in deal_start");

    let act = started("act");
    assert_eq!(play(&act).unwrap_err(), E_PANIC);
    check_dead(&act, "broke in act");

    let index = started("index");
    assert_eq!(play(&index).unwrap_err(), E_PANIC);
    check_dead(
        &index,
        "index out of bounds: the len is 2 but the index is 2",
    );

    let deal_end = started("deal_end");
    assert_eq!(deal_end.deal_end(&result(&view, NOTHING, &[])), E_PANIC);
    check_dead(&deal_end, "broke in deal_end");

    assert_eq!(healthy.deal_start(&deal(&view, NOTHING)), OK);
    assert!(play(&healthy).is_ok());
}

#[test]
fn a_panic_in_create_or_destroy_does_not_reach_the_host() {
    let (status, text) = create("fragile", r#"{"at": "check"}"#).err().unwrap();
    assert_eq!(status, E_PANIC);
    assert!(text.starts_with("panicked: broke in check ("), "{text}");
    let bot = create("fragile", r#"{"at": "drop"}"#).unwrap();
    assert_eq!(bot.block_start(&block()), OK);
    drop(bot);
}

#[test]
fn an_invalid_index_reaches_the_host_as_u32_max() {
    let bot = Driver::started(&HATTARI_ENTRY, "fragile");
    assert_eq!(play(&bot).unwrap().action, u32::MAX);
}
