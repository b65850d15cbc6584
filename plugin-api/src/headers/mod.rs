//! C headers `hattari_<game>.h`, generated from the description of a game's records.

pub mod assemblyscript;
#[doc(hidden)]
pub mod comment;
#[doc(hidden)]
pub mod layout;

use crate::games::frame::{Field, Frame, Meaning, Scalar, Schema, Type};
use comment::{block, define, paragraphs};
use std::collections::BTreeMap;

/// Returns the name of the game without its revision.
fn name_of(schema: &Schema) -> &'static str {
    schema
        .game
        .split_once('/')
        .expect("a game's id ends with its revision")
        .0
}

/// Returns the file name of the game's header.
#[must_use]
pub fn file_name(schema: &Schema) -> String {
    format!("hattari_{}.h", name_of(schema))
}

/// The names and texts of the headers that all games share: the interface, and the entry point of a
/// library with one bot.
pub const SHARED: [(&str, &str); 2] = [
    ("hattari.h", include_str!("../../include/hattari.h")),
    ("hattari_bot.h", include_str!("../../include/hattari_bot.h")),
];

/// Returns the text of a game's header, for [`GameTypes::SCHEMA`](crate::games::GameTypes::SCHEMA).
///
/// ```
/// use hattari_plugin::games::{GameTypes, holdem::Holdem};
/// let header = hattari_plugin::headers::of_game(&Holdem::SCHEMA);
/// assert!(header.contains("} hattari_holdem_view;"));
/// ```
///
/// # Panics
/// Panics if the records are not named `<game>_view`, `<game>_event` and `<game>_action`. Panics if
/// fields of the same name in two records give the same code name different values.
#[must_use]
pub fn of_game(schema: &Schema) -> String {
    let game = name_of(schema);
    let prefix = format!("HATTARI_{}", game.to_uppercase());
    let mut opening = vec![
        format!(
            "{}: the records of {}, as plain structs. C11, C++11 and later.",
            file_name(schema),
            schema.game
        ),
        "Generated from the description of the game's records; changes to this file are lost."
            .to_owned(),
    ];
    opening.extend(paragraphs(schema.doc, &|target| target.to_owned()));
    let mut out = block(&opening, "");
    out += &format!("#ifndef {prefix}_H\n#define {prefix}_H\n\n#include \"hattari.h\"\n\n");
    out += "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
    out += "/* Name and revision of the game, as in hattari_block_info.game. */\n";
    out += &format!("#define {prefix}_GAME \"{}\"\n", schema.game);
    if !schema.constants.is_empty() {
        out.push('\n');
    }
    for constant in schema.constants {
        let value = match constant.meaning {
            Meaning::Cards => format!("UINT64_C({:#018x})", constant.value),
            _ => format!("{}u", constant.value),
        };
        out += &define(
            &format!("{prefix}_{}", constant.name),
            &value,
            &[constant.doc.to_owned()],
        );
    }
    let mut named = BTreeMap::new();
    for frame in schema.frames {
        out.push('\n');
        out += &codes(frame, &prefix, &mut named);
        out += &structure(frame, &prefix);
    }
    out += &accessors(schema);
    // Records contain no pointers, so their layout is the same everywhere.
    let layouts: Vec<_> = schema
        .frames
        .iter()
        .map(|frame| layout::of_frame(frame, schema))
        .collect();
    let asserts = layout::asserts(&format!("{} || {}", layout::WIDE, layout::WASM), &layouts);
    out + "\n/* Checks that the library is built with the layout of the host. */\n"
        + &asserts
        + &format!("\n#ifdef __cplusplus\n}}\n#endif\n\n#endif /* {prefix}_H */\n")
}

/// Returns the C constants for the codes and flags of all fields. If fields of two records have the
/// same name, a code name must have the same value in both.
fn codes(frame: &Frame, prefix: &str, named: &mut BTreeMap<String, u64>) -> String {
    let mut out = String::new();
    for field in frame.fields {
        let (Meaning::Code(values) | Meaning::Flags(values)) = field.meaning else {
            continue;
        };
        out += &format!("/* Values of hattari_{}.{}. */\n", frame.name, field.name);
        for (name, value) in values {
            let name = format!(
                "{prefix}_{}_{}",
                field.name.to_uppercase(),
                name.to_uppercase()
            );
            if let Some(other) = named.insert(name.clone(), *value) {
                assert_eq!(
                    other, *value,
                    "{name} would have two values: rename one of the fields"
                );
                continue;
            }
            out += &format!("#define {name} {value}u\n");
        }
        out.push('\n');
    }
    out
}

fn structure(frame: &Frame, prefix: &str) -> String {
    let plain = |target: &str| target.to_owned();
    let mut out = block(&paragraphs(frame.doc, &plain), "");
    out += &format!("typedef struct hattari_{} {{\n", frame.name);
    for field in frame.fields {
        let codes = format!("{prefix}_{}_*.", field.name.to_uppercase());
        let mut doc = field.doc.to_vec();
        if matches!(field.meaning, Meaning::Code(_) | Meaning::Flags(_)) {
            doc.push(&codes);
        }
        out += &block(&paragraphs(&doc, &plain), "    ");
        let array = field
            .array
            .map(|elements| format!("[{elements}]"))
            .unwrap_or_default();
        out += &format!("    {} {}{array};\n", c_type(field), field.name);
    }
    out + &format!("}} hattari_{};\n", frame.name)
}

fn c_type(field: &Field) -> String {
    match field.ty {
        Type::Frame(frame) => format!("hattari_{}", frame.name),
        Type::Scalar(scalar) => match scalar {
            Scalar::U8 => "uint8_t",
            Scalar::U16 => "uint16_t",
            Scalar::U32 => "uint32_t",
            Scalar::U64 => "uint64_t",
            Scalar::I32 => "int32_t",
            Scalar::I64 => "int64_t",
        }
        .to_owned(),
    }
}

/// Returns functions for access to records without pointer arithmetic.
fn accessors(schema: &Schema) -> String {
    let game = name_of(schema);
    let has = |what: &str| {
        schema
            .frames
            .iter()
            .any(|frame| frame.name == format!("{game}_{what}"))
    };
    assert!(
        has("view") && has("event") && has("action"),
        "{game} must have a view, an event and an action"
    );
    let (view, event, action) = (
        format!("hattari_{game}_view"),
        format!("hattari_{game}_event"),
        format!("hattari_{game}_action"),
    );
    format!(
        "\n/* The view of a decision. */
static inline const {view} *
{view}_of(const hattari_decision *decision)
{{
    return (const {view} *)decision->view;
}}

/* Action number `index` of a decision; `index` is less than its action_count. */
static inline const {action} *
{action}_at(const hattari_decision *decision, uint32_t index)
{{
    const unsigned char *actions = (const unsigned char *)decision->actions;
    return (const {action} *)(const void *)(actions + (size_t)index * decision->action_stride);
}}

/* Event number `index` of a history whose events are `stride` bytes apart. */
static inline const {event} *
{event}_at(const void *history, uint32_t stride, uint32_t index)
{{
    const unsigned char *events = (const unsigned char *)history;
    return (const {event} *)(const void *)(events + (size_t)index * stride);
}}
"
    )
}
