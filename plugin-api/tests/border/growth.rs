//! Hosts that are newer or older than the bot.

use crate::support::{Driver, TestHost, block, deal, decision, result};
use crate::{HATTARI_ENTRY, NOTHING, playing};
use bytemuck::Zeroable;
use hattari_plugin::abi::{self, E_FAIL, OK, struct_size};
use hattari_plugin::daihinmin::{Action, Event, View};
use std::ptr;

/// A record of a later release, which is 16 bytes longer.
#[repr(C)]
#[derive(Clone, Copy)]
struct Later<T> {
    known: T,
    more: [u64; 2],
}

fn later<T>(known: T) -> Later<T> {
    Later {
        known,
        more: [u64::MAX; 2],
    }
}

#[test]
fn longer_records_of_a_newer_host_are_read_with_their_stride() {
    let bot = Driver::started(&HATTARI_ENTRY, "witness");
    let view = later(View {
        deal: 9,
        ..playing()
    });
    let history = [4, 5, 6].map(|seat| {
        later(Event {
            seat,
            ..Event::zeroed()
        })
    });
    let legal = [1, 2].map(|column| {
        later(Action {
            column,
            ..Action::zeroed()
        })
    });
    assert_eq!(bot.deal_start(&deal(&view, &history)), OK);
    for _ in 0..2 {
        bot.act(&decision(&view, &history, &legal)).unwrap();
    }
    assert_eq!(bot.deal_end(&result(&view, &history, &[1])), OK);
    let mut journal = bot.journal();
    journal.retain(|(_, text)| !text.starts_with("turns = "));
    assert_eq!(journal[1].1, "start deal 9 hand 0 after 3");
    assert!(
        journal[2].1.starts_with("act [4, 5, 6] [1, 2] "),
        "{journal:?}"
    );
    assert!(journal[3].1.ends_with("turn 2"), "{journal:?}");
    assert_eq!(journal[4].1, "end 9 3 [1]");
}

#[test]
fn longer_structs_of_a_newer_host_are_accepted() {
    let bot = Driver::create(&HATTARI_ENTRY, "witness", "", TestHost::new(0)).unwrap();
    assert_eq!(
        bot.block_start(&abi::BlockInfo {
            struct_size: 4096,
            ..block()
        }),
        OK
    );
    let view = playing();
    let turn = abi::Decision {
        struct_size: 4096,
        ..decision(&view, NOTHING, &[Action::PASS; 2])
    };
    assert!(bot.act(&turn).is_ok());
}

fn check_refused(bend: impl FnOnce(&mut abi::Decision), expected: &str) {
    let bot = Driver::started(&HATTARI_ENTRY, "witness");
    let view = playing();
    let (history, legal) = ([Event::zeroed(); 3], [Action::PASS; 3]);
    let mut turn = decision(&view, &history, &legal);
    bend(&mut turn);
    assert_eq!(bot.act(&turn).unwrap_err(), E_FAIL);
    assert_eq!(bot.last_error(), expected);
    assert!(
        bot.act(&decision(&view, &history, &legal)).is_ok(),
        "the bot goes on after a refused call"
    );
}

#[test]
fn shorter_records_of_an_older_host_are_refused_with_a_message() {
    let old = |what, has, known| {
        format!(
            "the host's {what} has {has} bytes, but this bot needs {known}; the host is older than the bot"
        )
    };
    let (view, event, action) = (
        struct_size::<View>(),
        struct_size::<Event>(),
        struct_size::<Action>(),
    );
    check_refused(|d| d.view_size -= 8, &old("view", view - 8, view));
    check_refused(|d| d.history_stride = 24, &old("event", 24, event));
    check_refused(|d| d.action_stride = 0, &old("action", 0, action));
    let text = "the host's decision is null, not aligned, or shorter than in the first release";
    check_refused(|d| d.struct_size -= 8, text);
}

#[test]
fn invalid_pointers_are_refused_with_a_message() {
    check_refused(
        |d| d.view = ptr::null(),
        "the host's pointer to view is null",
    );
    check_refused(
        |d| d.actions = ptr::null(),
        "the host's pointer to action is null",
    );
    check_refused(
        |d| d.history = ptr::null(),
        "the host's pointer to event is null",
    );
    check_refused(
        |d| d.actions = d.actions.wrapping_byte_add(4),
        "the host's pointer to action is not aligned",
    );
}

#[test]
fn an_empty_list_can_have_a_null_pointer() {
    let bot = Driver::started(&HATTARI_ENTRY, "witness");
    let view = playing();
    let mut turn = decision(&view, NOTHING, &[Action::PASS; 2]);
    (turn.history, turn.history_stride) = (ptr::null(), 0);
    assert!(bot.act(&turn).is_ok());
}
