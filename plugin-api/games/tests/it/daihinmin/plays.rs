//! Shapes, notation, and which play beats which, as tables.

use hattari_games::daihinmin::card::parse_set;
use hattari_games::daihinmin::{
    Action, IllegalPlay, Options, Situation, check_play, effect, kind, notation,
};

#[test]
fn valid_shapes_are_recognised() {
    // Text, kind, count, lowest column and suits (spades 1, hearts 2, diamonds 4, clubs 8).
    for (text, kind, count, column, suits) in [
        ("S3", kind::SINGLE, 1, 1, 1),
        ("C2", kind::SINGLE, 1, 13, 8),
        ("JK", kind::SINGLE, 1, 15, 0),
        ("S7 H7", kind::GROUP, 2, 5, 3),
        ("D7 JK=C7", kind::GROUP, 2, 5, 12),
        ("S7 D7 C7", kind::GROUP, 3, 5, 13),
        ("S7 H7 D7 C7", kind::GROUP, 4, 5, 15),
        ("S7 H7 JK=D7 C7", kind::GROUP, 4, 5, 15),
        ("S7 H7 D7 C7 JK", kind::GROUP, 5, 5, 15),
        ("S3 S4 S5", kind::SEQUENCE, 3, 1, 1),
        ("HK HA H2", kind::SEQUENCE, 3, 11, 2),
        ("JK=S5 S6 S7", kind::SEQUENCE, 3, 3, 1),
        ("S5 JK=S6 S7", kind::SEQUENCE, 3, 3, 1),
        ("C5 C6 JK=C7", kind::SEQUENCE, 3, 3, 8),
        ("JK=D< D3 D4", kind::SEQUENCE, 3, 0, 4),
        ("DA D2 JK=D>", kind::SEQUENCE, 3, 12, 4),
        ("S3 S4 S5 S6 S7 S8 S9 ST SJ SQ SK", kind::SEQUENCE, 11, 1, 1),
    ] {
        let action: Action = text.parse().unwrap();
        assert_eq!(
            (action.kind, action.count, action.column, action.suits),
            (kind, count, column, suits),
            "{text}"
        );
        assert_eq!(action.to_string(), text);
        // The words can be in any order.
        let backwards = text.split(' ').rev().collect::<Vec<_>>().join(" ");
        assert_eq!(backwards.parse(), Ok(action), "{backwards}");
    }
    assert_eq!("-".parse(), Ok(Action::PASS));
    assert_eq!("JK=H9".parse::<Action>().unwrap().to_string(), "JK");
}

#[test]
fn invalid_shapes_are_refused() {
    for text in [
        "",                  // The empty text is not a pass.
        "S3 S4",             // Two in sequence.
        "S3 JK=S4",          // Two cards, one of them the joker.
        "S3 H4",             // Two ranks.
        "S3 H4 S5",          // Two suits.
        "S3 S4 S6",          // A gap.
        "S3 H3 S4 S5",       // A group and a sequence.
        "S7 JK",             // The joker without a suit, but not four suits.
        "S7 H7 D7 JK",       // The same with three suits.
        "S5 S6 JK",          // The joker without a cell in a sequence.
        "S5 JK=S5",          // The joker on the cell of a card.
        "S5 S6 JK=H7",       // The joker in another suit.
        "S5 S6 JK=S8",       // The joker beyond a gap.
        "SK SA S2 S3",       // Wrap-around.
        "SA S2 JK=S3",       // Wrap-around with the joker.
        "S3 S4 JK=S2",       // Wrap-around downwards.
        "S3 JK=S< C3",       // Below the threes without a sequence.
        "S7 H7 D7 C7 S8 JK", // A group of five with another card.
    ] {
        assert_eq!(
            text.parse::<Action>(),
            Err(IllegalPlay::Shape.into()),
            "{text}"
        );
    }
    for (text, word) in [
        ("S1", "S1"),
        ("S3 X4", "X4"),
        ("S3 S<", "S<"),
        ("JK=JK", "JK=JK"),
        ("JK=", "JK="),
        ("- S3", "-"),
    ] {
        assert_eq!(
            text.parse::<Action>(),
            Err(notation::ParseError::Word(word.into())),
            "{text}"
        );
    }
    for (text, word) in [("S3 S3", "S3"), ("JK JK", "JK"), ("JK=S3 JK", "JK")] {
        assert_eq!(
            text.parse::<Action>(),
            Err(notation::ParseError::Twice(word.into())),
            "{text}"
        );
    }
}

/// Parses a situation: the play on the table, then ` lock` and ` reversed` if they apply.
fn situation(text: &str) -> Situation {
    let (text, lock) = text
        .strip_suffix(" lock")
        .map_or((text, false), |text| (text, true));
    let (text, reversed) = text
        .strip_suffix(" reversed")
        .map_or((text, false), |text| (text, true));
    Situation {
        table: text.parse().unwrap(),
        lock,
        reversed,
        rules: Options::default().flags(),
    }
}

/// Table, play, and the reason of a refusal.
const BEATEN: &str = "
- | S3
S7 | H8
S7 | H7 | TooWeak
S7 | S6 | TooWeak
S7 reversed | H6
S7 reversed | H8 | TooWeak
S2 | JK
S3 reversed | JK
S7 lock | S9
S7 lock | H9 | Locked
S7 lock | JK
JK | S3
JK reversed | S3
JK | H3 | OnlySpade3
JK | S2 | OnlySpade3
JK | S3 H3 | OnlySpade3
S7 | S9 H9 | OtherShape
S7 H7 | S9 | OtherShape
S7 H7 | JK | OtherShape
S7 H7 | D9 C9
S7 H7 lock | D9 C9 | Locked
S7 H7 lock | S9 H9
S7 H7 lock | S9 JK=H9
S7 H7 lock | S9 JK=C9 | Locked
S7 H7 D7 | S9 ST SJ | OtherShape
S7 H7 D7 C7 lock | S9 H9 D9 C9
S5 S6 S7 | H8 H9 HT
S5 S6 S7 | H7 H8 H9 | TooWeak
S5 S6 S7 lock | H8 H9 HT | Locked
S5 S6 S7 | H8 H9 HT HJ | OtherShape
S8 S9 ST reversed | H5 H6 H7
S8 S9 ST reversed | H6 H7 H8 | TooWeak
SJ SQ SK | HA H2 JK=H>
SQ SK SA | HA H2 JK=H> | TooWeak
S5 S6 S7 reversed | JK=H< H3 H4
S4 S5 S6 reversed | JK=H< H3 H4 | TooWeak";

#[test]
fn plays_beat_the_table_or_are_refused_with_the_reason() {
    for line in BEATEN.trim().lines() {
        let parts: Vec<&str> = line.split(" | ").collect();
        let action: Action = parts[1].parse().unwrap();
        let refused = check_play(&action, action.cards, &situation(parts[0])).err();
        let refused = refused.map(|refused| format!("{refused:?}"));
        assert_eq!(refused.as_deref(), parts.get(2).copied(), "{line}");
    }
    let (hand, on) = (parse_set("S9 H9").unwrap(), situation("S8"));
    for not_held in ["ST", "JK"] {
        assert_eq!(
            check_play(&not_held.parse().unwrap(), hand, &on),
            Err(IllegalPlay::NotHeld),
            "{not_held}"
        );
    }
}

/// Table, play and effects.
const EFFECTS: &str = "
- | S8 | cut
S7 | S8 | cut
- | S6 S7 JK=S8 | cut
S2 | JK |
JK | S3 | cut
S4 | S5 | lock
S4 lock | S5 |
S4 | H5 |
S4 H4 | S5 JK=H5 | lock
S4 H4 | S5 JK=D5 |
- | S4 H4 D4 C4 | revolution
S4 H4 D4 C4 | S5 H5 D5 C5 | revolution lock
- | S8 H8 D8 C8 JK | revolution cut
- | S3 S4 S5 S6 |
- | S3 S4 S5 S6 S7 | revolution
- | S9 ST SJ SQ JK=SK | revolution
- | S9 H9 D9 |
- | SJ |";

#[test]
fn plays_have_the_expected_effects() {
    for line in EFFECTS.trim().lines() {
        let [table, play, words]: [&str; 3] = line
            .split('|')
            .map(str::trim)
            .collect::<Vec<_>>()
            .try_into()
            .unwrap();
        let effects = words.split_whitespace().fold(0, |effects, word| {
            effects
                | match word {
                    "cut" => effect::CUT,
                    "lock" => effect::LOCK,
                    _ => effect::REVOLUTION,
                }
        });
        let action: Action = play.parse().unwrap();
        let checked = check_play(&action, action.cards, &situation(table)).unwrap();
        assert_eq!(checked.effects, effects, "{line}");
    }
}

#[test]
fn errors_of_illegal_plays_state_the_reason() {
    let play: Action = "H9".parse().unwrap();
    let refusal = check_play(&play, play.cards, &situation("S7 lock"));
    assert_eq!(refusal.unwrap_err().to_string(), "suits are locked");
    let refusal = "S7 Q9".parse::<Action>().unwrap_err();
    assert!(refusal.to_string().starts_with("`Q9` is not a card"));
}
