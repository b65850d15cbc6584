//! Positions in text notation, and the choices of bots in them.
#![allow(dead_code, reason = "every test file uses its part")]

pub(crate) mod deals;

use bytemuck::Zeroable;
use hattari_bots_daihinmin::style::{Groups, Lock, Style, Switches};
use hattari_plugin::daihinmin::card::{self, parse_set};
use hattari_plugin::daihinmin::{Action, Options, View, phase};
use hattari_plugin::games::daihinmin::moves::legal_plays;
use hattari_plugin::games::daihinmin::{NONE, Situation};

/// The view of a seat; it is always seat 0.
pub(crate) struct Position {
    pub view: View,
}

impl Position {
    /// Parses a position; `it/positions.txt` explains the notation.
    pub(crate) fn of(text: &str) -> Position {
        let cards = |text: &str| parse_set(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let seats = |text: &str| {
            let seats = text.split(' ').map(|seat| seat.parse::<u8>().unwrap());
            seats.fold(0, |set, seat| set | 1 << seat)
        };
        let mut parts = text.split(", ");
        let held = parts.next().unwrap();
        let (hand, table) = held.split_once(" on ").unwrap_or((held, "-"));
        let mut view = View {
            phase: phase::PLAY,
            rules: Options::default().flags(),
            ask_last: 1,
            table_seat: if table == "-" { NONE } else { 1 },
            table: table
                .parse()
                .unwrap_or_else(|error| panic!("{table}: {error}")),
            hand: cards(hand),
            places: [NONE; 5],
            ..View::zeroed()
        };
        for part in parts {
            match part.split_once(' ').unwrap_or((part, "")) {
                ("locked", _) => view.lock = 1,
                ("revolution", _) => view.revolution = 1,
                ("own", _) => view.table_seat = 0,
                ("gone", gone) => view.gone = cards(gone),
                ("unseen", unseen) => view.gone = card::PACK & !view.hand & !cards(unseen),
                ("passed", passed) => view.passed = seats(passed),
                ("out", out) => view.out = seats(out),
                (word, rule) => {
                    let (rule, is_on) = if word == "no" {
                        (rule, false)
                    } else {
                        (word, true)
                    };
                    let options = format!("{{\"{rule}\": {is_on}}}");
                    view.rules = serde_json::from_str::<Options>(&options)
                        .expect(part)
                        .flags();
                }
            }
        }
        Position { view }
    }

    /// Returns the legal actions of the seat.
    pub(crate) fn legal(&self) -> Vec<Action> {
        legal(&self.view)
    }
}

/// Returns the legal actions of the seat of a view.
pub(crate) fn legal(view: &View) -> Vec<Action> {
    let mut legal = Vec::new();
    legal_plays(view.hand, &Situation::from(view), &mut legal);
    legal
}

/// Returns the style with this name.
pub(crate) fn style(name: &str) -> Style {
    Style::of(switches(name))
}

/// Returns the switches of a published style, derived from its name.
pub(crate) fn switches(name: &str) -> Switches {
    let (stem, end) = name.split_once('-').unwrap_or((name, ""));
    let lock = if end.starts_with('s') {
        Lock::Prefer
    } else {
        Lock::Weakest
    };
    let locks = |kinds: [&str; 2]| {
        if kinds.contains(&stem) {
            lock
        } else {
            Lock::None
        }
    };
    Switches {
        history: stem != "plain",
        lock_single: locks(["single", "all"]),
        lock_group: locks(["pair", "all"]),
        stairs: end.ends_with('k'),
        groups: Groups::Whole,
    }
}

/// All named styles.
pub(crate) const STYLES: [&str; 15] = [
    "plain",
    "base",
    "single",
    "pair",
    "all",
    "single-s",
    "pair-s",
    "all-s",
    "base-k",
    "single-k",
    "pair-k",
    "all-k",
    "single-sk",
    "pair-sk",
    "all-sk",
];

/// Asserts that a schema lists every setting with its default. A default of the schema may be left
/// out.
pub(crate) fn check_schema(schema: &str, defaults: &serde_json::Value) {
    let schema: serde_json::Value = serde_json::from_str(schema).unwrap();
    let properties = schema["properties"].as_object().unwrap();
    assert_eq!(properties.len(), defaults.as_object().unwrap().len());
    for (key, property) in properties {
        let (stated, default) = (&property["default"], &defaults[key]);
        assert!(
            !default.is_null() && (stated.is_null() || stated == default),
            "{key}"
        );
    }
}
