//! Type definitions of a game's script API, for editors. They are generated from the descriptions
//! of the frames.

use super::decoder::{may_be_nil, shown};
use crate::games::GameInfo;
use crate::text::joined;
use hattari_plugin::games::frame::{Field, Frame, Meaning, Type};

/// Returns the name of a frame's type, for example `Action` for `daihinmin_action`.
pub(crate) fn type_name(frame: &Frame) -> String {
    let (_, word) = frame.name.rsplit_once('_').unwrap_or(("", frame.name));
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
        (_, Meaning::Code(codes)) => {
            joined(codes.iter().map(|(text, _)| format!("{text:?}")), " | ")
        }
        (_, Meaning::Flags(flags)) => {
            let names = flags.iter().map(|(name, _)| format!("{name}: boolean"));
            format!("{{ {} }}", joined(names, ", "))
        }
        (Type::Scalar(_), _) => "number".into(),
    };
    match (field.array.is_some(), may_be_nil(field)) {
        (true, true) => format!("{{ {one} | false }}"),
        (true, false) => format!("{{ {one} }}"),
        (false, true) => format!("{one}?"),
        (false, false) => one,
    }
}

/// Returns a note if scripts see another value than the field's description says.
fn note(field: &Field) -> Option<&'static str> {
    Some(match (field.meaning, field.array.is_some()) {
        (Meaning::Flag, _) => "true or false in scripts.",
        (Meaning::Seat | Meaning::Ordinal, false) => {
            "In scripts, numbers start at 1 (0 above is 1); a missing value is nil."
        }
        (Meaning::Seat | Meaning::Ordinal, true) => {
            "In scripts, numbers start at 1 (0 above is 1); a missing value is false."
        }
        (Meaning::Seats, _) => "Indexed by seat, from 1.",
        (Meaning::Card, _) => "The name of the card; nil if there is none.",
        (Meaning::Record, false) => "A record of zeros is nil in scripts.",
        _ => return None,
    })
}

fn comment(text: &mut String, indent: &str, lines: impl IntoIterator<Item = impl AsRef<str>>) {
    for line in lines {
        *text += &format!("{indent}--- {}\n", line.as_ref().trim());
    }
}

fn frame_type(text: &mut String, frame: &Frame, added: &[&(&str, &str, &str, &str)], more: &str) {
    text.push('\n');
    comment(text, "", frame.doc);
    *text += &format!("export type {} = {{\n", type_name(frame));
    for (_, name, ty, doc) in added {
        comment(text, "    ", doc.lines());
        *text += &format!("    {name}: {ty},\n");
    }
    let is_added = |field: &Field| added.iter().any(|added| added.1 == field.name);
    for field in shown(frame).filter(|field| !is_added(field)) {
        comment(text, "    ", field.doc);
        comment(text, "    ", note(field));
        *text += &format!("    {}: {},\n", field.name, field_type(field));
    }
    *text += &format!("{more}}}\n");
}

/// Returns the type definition file of a game's script API, for editors that support Luau.
pub fn of_game(game: &GameInfo) -> String {
    let addition = &game.hosted;
    let mut text = format!(
        "-- Luau types for {} scripts, for editors with Luau support (luau-lsp). Generated \
         with:\n-- hattari show types lua {}\n\n--- A card: {}.\nexport type Card = string\n",
        game.id,
        game.name(),
        addition.card
    );
    for frame in [&game.action, &game.event, &game.view] {
        let added: Vec<_> = addition
            .fields
            .iter()
            .filter(|field| field.0 == frame.name)
            .collect();
        let is_view = frame.name == game.view.name;
        let history = "    --- The public record of the deal so far, oldest first. It is created at \
            the first access, and read-only.\n    history: { Event },\n";
        frame_type(&mut text, frame, &added, if is_view { history } else { "" });
    }
    text.push('\n');
    text += "--- Keeps finite numbers of the decision for reports and replays: log{win = 0.7}. \
        Elsewhere it has no effect.\n";
    text += "declare function log(numbers: { [string]: number })\n\n";
    text + &addition.types.concat()
}
