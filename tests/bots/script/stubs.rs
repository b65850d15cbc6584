//! Type stubs for editors, `scripts/types/<game>.d.luau`: made from the descriptions of the frames, compared with the
//! committed files, and with the tables that scripts really get.
//!
//! `UPDATE=1 cargo test -p hattari --test bots script::stubs` writes them anew.

use super::table::{ask, seat, single, view};
use hattari::agent::script::decoder::{is_shown, may_be_nil};
use hattari::games::{Facts, all};
use hattari_plugin::games::daihinmin::{Action, Event};
use hattari_plugin::games::frame::{Field, Frame, Meaning, Scalar, Type};
use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

/// What a game adds to its records in Luau: fields by frame (they come before the described ones of the same name), and
/// the rest of the file.
struct Addition {
    game: &'static str,
    fields: &'static [(&'static str, &'static str, &'static str, &'static str)],
    /// What a card's name is.
    card: &'static str,
    rest: &'static [&'static str],
}

const ADDITIONS: [Addition; 5] = [DAIHINMIN, BRIDGE, HOLDEM, STUD, TANHINMIN];

/// What a card of poker is called.
const POKER_CARD: &str = "rank (2 to 9, T, J, Q, K, A) and suit (c, d, h, s), as in \"As\"";
/// An action's text.
const POKER_TEXT: &str = "The action in words: \"fold\", \"call 50\", \"raise to 200 to 9900\".";

const HOLDEM: Addition = Addition {
    game: "holdem/1",
    fields: &[
        ("holdem_action", "text", "string", POKER_TEXT),
        ("holdem_view", "seat", "number", "Your seat, from 1. Seats are numbered clockwise, and stay for the block."),
        ("holdem_view", "button", "number", "Seat with the button, from 1."),
    ],
    card: POKER_CARD,
    rest: &[include_str!("poker.d.luau"), include_str!("holdem.d.luau")],
};

const STUD: Addition = Addition {
    game: "stud/1",
    fields: &[
        ("stud_action", "text", "string", POKER_TEXT),
        ("stud_view", "seat", "number", "Your seat, from 1. Seats are numbered clockwise, and stay for the block."),
        ("stud_view", "button", "number", "The dealer's seat, from 1. In seven turns the seat that bets first."),
        ("stud_view", "street", "number", "The street, in seven turns the turn, from 1."),
    ],
    card: POKER_CARD,
    rest: &[include_str!("poker.d.luau"), include_str!("stud.d.luau")],
};

const BRIDGE: Addition = Addition {
    game: "bridge/1",
    card: "suit (S, H, D, C) and rank (2 to 9, T, J, Q, K, A), as in \"SQ\"",
    fields: &[
        ("bridge_action", "text", "string", "The card as logs and replays print it."),
        ("bridge_event", "seat", "number", "Whose call, hand or card, from 1: North, East, South, West."),
        ("bridge_view", "seat", "number", "Your seat, from 1: North, East, South, West."),
        ("bridge_view", "dealer", "number", "Who called first, from 1."),
        ("bridge_view", "declarer", "number", "Who plays the contract, from 1."),
        ("bridge_view", "dummy", "number", "Declarer's partner, whose cards declarer plays, from 1."),
        ("bridge_view", "leader", "number", "Who leads, or led, to the trick under way, from 1."),
    ],
    rest: &[include_str!("bridge.d.luau")],
};

const TANHINMIN: Addition = Addition {
    game: "tanhinmin/1",
    card: "its strength as text, from \"1\", the weakest, on",
    fields: &[
        ("tanhinmin_action", "text", "string", "The move as logs and replays print it: the card, or \"pass\"."),
        ("tanhinmin_event", "seat", "number", "Whose, from 1."),
        (
            "tanhinmin_view",
            "seat",
            "number",
            "Your seat, from 1. Seats are numbered in the order of play; seat 1 leads the deal.",
        ),
    ],
    rest: &[include_str!("tanhinmin.d.luau")],
};

const DAIHINMIN: Addition = Addition {
    game: "daihinmin/1",
    fields: &[
        (
            "daihinmin_action",
            "rank",
            "number",
            "Rank of the play: 3 to 13, 14 the ace, 15 the two, 16 a lone joker; 0 for a pass. Of a sequence the\nlowest, of cards to give away that of the weakest.",
        ),
        (
            "daihinmin_action",
            "suits",
            "string",
            "Suits covered, as letters in the order \"SHDC\"; \"\" for a lone joker, a pass and cards to give away.",
        ),
        (
            "daihinmin_action",
            "text",
            "string",
            "The move as logs and replays print it: \"S7 H7\", \"JK=S5 S6 S7\", \"pass\".",
        ),
        ("daihinmin_event", "seat", "number", "Whose, from 1."),
        ("daihinmin_view", "seat", "number", "Your seat, from 1. Seats are numbered in the order of play."),
    ],
    card: "suit (S, H, D, C) and rank (3 to 9, T, J, Q, K, A, 2), as in \"S3\"; or \"JK\", the joker",
    rest: &[include_str!("daihinmin.d.luau")],
};

/// The name of a type in the stubs: `Action` for `daihinmin_action`.
fn type_name(frame: &Frame) -> String {
    let word = frame.name.rsplit('_').next().unwrap_or(frame.name);
    let (first, rest) = word.split_at(1);
    first.to_uppercase() + rest
}

fn field_type(field: &Field) -> String {
    let one = match (field.ty, field.meaning) {
        (Type::Frame(frame), _) => type_name(frame),
        (_, Meaning::Flag) => "boolean".into(),
        (_, Meaning::Cards) => "{ Card }".into(),
        (_, Meaning::Card) => "Card".into(),
        (_, Meaning::Seats) => "{ boolean }".into(),
        (_, Meaning::Code(codes)) => codes.iter().map(|(text, _)| format!("{text:?}")).collect::<Vec<_>>().join(" | "),
        (_, Meaning::Flags(flags)) => {
            let names: Vec<_> = flags.iter().map(|(name, _)| format!("{name}: boolean")).collect();
            format!("{{ {} }}", names.join(", "))
        }
        (Type::Scalar(Scalar::U8 | Scalar::U16 | Scalar::U32 | Scalar::U64 | Scalar::I32 | Scalar::I64), _) => {
            "number".into()
        }
    };
    let may_be_none = may_be_nil(field.meaning) || matches!(field.ty, Type::Frame(_));
    match (field.array.is_some(), may_be_none) {
        (true, true) => format!("{{ {one} | false }}"),
        (true, false) => format!("{{ {one} }}"),
        (false, true) => format!("{one}?"),
        (false, false) => one,
    }
}

/// How a value reads here where that differs from the bytes that the description speaks of.
fn note(field: &Field) -> Option<&'static str> {
    Some(match (field.meaning, field.array.is_some()) {
        (Meaning::Flag, _) => "As true and false.",
        (Meaning::Seat | Meaning::Ordinal, false) => {
            "Scripts count from 1: what is 0 above is 1 here, and none is nil."
        }
        (Meaning::Seat | Meaning::Ordinal, true) => {
            "Scripts count from 1: what is 0 above is 1 here, and none is false."
        }
        (Meaning::Seats, _) => "By seat, from 1.",
        (Meaning::Card, _) => "As the card's name; none is nil.",
        (Meaning::Record, false) => "What is all zero above is nil here.",
        _ => return None,
    })
}

fn comment(text: &mut String, indent: &str, lines: impl IntoIterator<Item = impl AsRef<str>>) {
    for line in lines {
        writeln!(text, "{indent}--- {}", line.as_ref().trim()).unwrap();
    }
}

fn frame_type(text: &mut String, frame: &Frame, added: &[&(&str, &str, &str, &str)], more: &str) {
    writeln!(text).unwrap();
    comment(text, "", frame.doc);
    writeln!(text, "export type {} = {{", type_name(frame)).unwrap();
    for (_, name, ty, doc) in added {
        comment(text, "    ", doc.lines());
        writeln!(text, "    {name}: {ty},").unwrap();
    }
    let is_added = |field: &&Field| added.iter().any(|added| added.1 == field.name);
    for field in frame.fields.iter().filter(|field| is_shown(field) && !is_added(field)) {
        comment(text, "    ", field.doc);
        comment(text, "    ", note(field));
        writeln!(text, "    {}: {},", field.name, field_type(field)).unwrap();
    }
    writeln!(text, "{more}}}").unwrap();
}

fn stubs(game: &Facts) -> String {
    let addition = ADDITIONS.iter().find(|addition| addition.game == game.id).expect("a text for every game");
    let mut text = format!(
        "-- Types of {} for scripts, for editors that know Luau (luau-lsp). Made from the descriptions of the game's records:\n\
         -- UPDATE=1 cargo test -p hattari --test bots script::stubs\n\n\
         --- A card: {}.\n\
         export type Card = string\n",
        game.id, addition.card
    );
    for frame in [&game.action, &game.event, &game.view] {
        let added: Vec<_> = addition.fields.iter().filter(|field| field.0 == frame.name).collect();
        let is_view = frame.name == game.view.name;
        let history = "    --- The public record of the deal so far, oldest first. It is made when it is asked for.\n    \
                       history: { Event },\n";
        frame_type(&mut text, frame, &added, if is_view { history } else { "" });
    }
    text.push('\n');
    text + &addition.rest.concat()
}

#[test]
fn committed_stubs_are_what_the_frames_say() {
    for game in all() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../scripts/types/{}.d.luau", game.name()));
        let expected = stubs(game);
        if env::var_os("UPDATE").is_some() {
            fs::write(&path, expected).unwrap();
            continue;
        }
        let committed = fs::read_to_string(&path).unwrap_or_default();
        let same = committed.lines().zip(expected.lines()).take_while(|(old, new)| old == new).count();
        assert!(
            committed == expected,
            "scripts/types/{}.d.luau is not what the frames say, from line {} on: write it anew with UPDATE=1",
            game.name(),
            same + 1
        );
    }
}

/// Names of the fields of a type in the stubs.
fn names(stubs: &str, of: &str) -> String {
    let (_, rest) = stubs.split_once(&format!("export type {of} = {{\n")).unwrap();
    let (body, _) = rest.split_once("\n}").unwrap();
    let lines = body.lines().filter(|line| line.starts_with("    ") && !line.trim().starts_with("--"));
    let names = lines.map(|line| format!("{} = {:?}", line.trim().split(':').next().unwrap(), line.trim()));
    format!("{{ {} }}", names.collect::<Vec<_>>().join(", "))
}

/// A script that compares what it sees at every decision with the stubs of its game, and then does what `answer` says.
pub(super) fn checker(game: &Facts, answer: &str) -> String {
    let stubs = stubs(game);
    format!(
        r#"
        local function check(what, value, fields)
            for key in value do
                assert(fields[key], `{{what}}.{{key}} is not in the stubs`)
            end
            for key, line in fields do
                local ty = string.match(line, ": (.*),$")
                local found = value[key]
                if found == nil then
                    assert(string.sub(ty, -1) == "?", `{{what}}.{{key}} is nil, the stubs say {{ty}}`)
                else
                    local plain = string.match(ty, "^(%l+)%??$")
                    assert(plain == nil or type(found) == plain, `{{what}}.{{key}} is {{found}}, the stubs say {{ty}}`)
                end
            end
        end
        return {{ act = function(view, legal)
            check("view", view, {})
            for _, action in legal do check("action", action, {}) end
            check("event", view.history[1], {})
            {answer}
        end }}"#,
        names(&stubs, "View"),
        names(&stubs, "Action"),
        names(&stubs, "Event"),
    )
}

#[test]
fn tables_have_the_fields_that_the_stubs_name() {
    let mut agent = seat(&checker(all()[0], "return 1"));
    let event: Event = bytemuck::Zeroable::zeroed();
    let mut view = view();
    for table in [bytemuck::Zeroable::zeroed(), single("S3")] {
        view.table = table;
        let answer = ask(&mut *agent, &view, &[Event { action: table, ..event }], &[Action::PASS, single("H7")]);
        answer.unwrap_or_else(|misstep| panic!("{}", misstep.message));
    }
}
