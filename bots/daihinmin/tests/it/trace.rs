//! A few deals as readable text: one line per trick, each play with the name of its bot. The golden
//! file shows changes in play card by card.
//! `UPDATE=1 cargo test -p hattari-bots-daihinmin --test it trace` rewrites it.

use crate::support::deals::{Chooser, Played, play};
use crate::support::style;
use hattari_bots_daihinmin::bots::sample;
use hattari_plugin::daihinmin::{Event, Options, PLAYERS, card, effect, event};
use hattari_plugin::games::daihinmin::TITLES;
use std::fmt::Write;

const NAMES: [&str; PLAYERS] = ["all-k", "single-s", "base", "pair-sk", "default"];
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/trace.txt");

fn chooser(name: &'static str) -> Chooser<'static> {
    if name == "default" {
        return Box::new(sample::choose);
    }
    let mut style = style(name);
    Box::new(move |view, legal| style.choose(view, legal))
}

fn write_play(text: &mut String, name: &str, event: &Event) {
    if event.action.is_pass() {
        // Passes are omitted: there are many, and the line shows who played.
        return;
    }
    write!(text, "  {name} {}", event.action).unwrap();
    for (flag, word) in [
        (effect::LOCK, "lock"),
        (effect::CUT, "cut"),
        (effect::REVOLUTION, "revolution"),
    ] {
        if event.action.effects & flag != 0 {
            write!(text, " ({word})").unwrap();
        }
    }
}

fn write_deal(text: &mut String, number: u32, deal: &Played) {
    let name = |seat: u8| NAMES[deal.players[usize::from(seat)]];
    writeln!(text, "deal {number}").unwrap();
    for (seat, &hand) in (0..).zip(&deal.hands) {
        writeln!(text, "  {:<9} {}", name(seat), card::describe(hand)).unwrap();
    }
    text.push('-');
    for event in &deal.history {
        match event.kind {
            event::LEAD => text.push_str("\n-"),
            event::OUT => write!(
                text,
                "  [{} {}]",
                name(event.seat),
                TITLES[usize::from(event.place)]
            )
            .unwrap(),
            _ => write_play(text, name(event.seat), event),
        }
    }
    text.push_str("\n\n");
}

#[test]
fn recorded_deals_are_reproduced() {
    let mut text = String::new();
    let mut number = 0;
    play(
        Options::default(),
        4,
        2012,
        &mut NAMES.map(chooser),
        |deal| {
            number += 1;
            write_deal(&mut text, number, &deal);
        },
    );
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(FILE, &text).unwrap();
    }
    let expected = std::fs::read_to_string(FILE).unwrap();
    for (line, (found, expected)) in text.lines().zip(expected.lines()).enumerate() {
        assert_eq!(found, expected, "line {}", line + 1);
    }
    assert_eq!(text.len(), expected.len());
}
