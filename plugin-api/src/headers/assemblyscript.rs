//! Records for AssemblyScript, which has no structs: namespaces of offsets, `hattari.ts` and
//! `hattari_<game>.ts`.

use super::layout;
use super::name_of;
use crate::games::frame::{Meaning, Schema};
use std::collections::BTreeMap;

/// Layout of the interface's structs in WebAssembly.
const LAYOUT: &str = include_str!("../../include/layout-wasm.txt");

/// Name of the file for the interface, which all games share.
pub const SHARED: &str = "hattari.ts";

/// Returns the name of the file for a game.
#[must_use]
pub fn file_name(schema: &Schema) -> String {
    format!("hattari_{}.ts", name_of(schema))
}

/// Returns the text of `hattari.ts`: for every struct, the offset of each field, and `SIZE`.
///
/// ```
/// let text = hattari_plugin::headers::assemblyscript::shared();
/// assert!(text.contains("export namespace hattari_decision {\n  export const SIZE: i32 = 48;"));
/// ```
#[must_use]
pub fn shared() -> String {
    let mut out =
        "// Offsets of the fields of the interface's structs; add them to the address of a struct.\n"
            .to_owned();
    let lines = LAYOUT.lines().filter(|line| !line.starts_with('#'));
    for line in lines {
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            [name, "sizeof", size, _] => out.push_str(&opening(name, size)),
            [name, offset, _] => out.push_str(&offset_of(
                name.split_once('.').map_or(name, |(_, field)| field),
                offset,
            )),
            _ => out.push_str(if out.ends_with(";\n") { "}\n\n" } else { "\n" }),
        }
    }
    out + "}\n"
}

/// Returns the text of a game's file: the offsets of the fields of its records, and the values of
/// their codes.
#[must_use]
pub fn of_game(schema: &Schema) -> String {
    let mut out = format!(
        "// The records of {}: offsets of the fields, and values of the codes.\n\n",
        schema.game
    );
    out += &format!("export const GAME: string = \"{}\";\n", schema.game);
    for constant in schema.constants {
        let ty = if matches!(constant.meaning, Meaning::Cards) {
            "u64"
        } else {
            "u32"
        };
        out += &format!(
            "export const {}: {ty} = {}; // {}\n",
            constant.name, constant.value, constant.doc
        );
    }
    let mut named = BTreeMap::new();
    for field in schema.frames.iter().flat_map(|frame| frame.fields) {
        let (Meaning::Code(values) | Meaning::Flags(values)) = field.meaning else {
            continue;
        };
        for (value_name, value) in values {
            let value_name = format!(
                "{}_{}",
                field.name.to_uppercase(),
                value_name.to_uppercase()
            );
            if named.insert(value_name.clone(), *value).is_none() {
                out += &format!("export const {value_name}: u32 = {value};\n");
            }
        }
    }
    for frame in schema.frames {
        let layout = layout::of_frame(frame, schema);
        out.push('\n');
        out += &opening(&layout.name, &layout.size.to_string());
        for (field, offset, _) in &layout.fields {
            out += &offset_of(field, &offset.to_string());
        }
        out += "}\n";
    }
    out
}

fn opening(name: &str, size: &str) -> String {
    format!("export namespace {name} {{\n  export const SIZE: i32 = {size};\n")
}

fn offset_of(field: &str, offset: &str) -> String {
    format!("  export const {field}: usize = {offset};\n")
}
