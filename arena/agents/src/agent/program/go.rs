//! The records of a game in Go, for programs that ask for frames: made from their descriptions.

use crate::agent::script::decoder::{is_shown, size};
use crate::agent::script::stubs::type_name;
use crate::games::Facts;
use hattari_plugin::games::frame::{Field, Frame, Meaning, Scalar, Type};
use std::fmt::Write;

/// Words joined, each with a capital: `ToCall` for `to_call`.
fn camel(name: &str) -> String {
    name.split(['_', ' ', '-'])
        .map(|word| {
            let mut letters = word.chars();
            letters
                .next()
                .map(|first| first.to_ascii_uppercase())
                .into_iter()
                .chain(letters)
                .collect::<String>()
        })
        .collect()
}

fn scalar_type(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::U8 => "uint8",
        Scalar::U16 => "uint16",
        Scalar::U32 => "uint32",
        Scalar::U64 => "uint64",
        Scalar::I32 => "int32",
        Scalar::I64 => "int64",
    }
}

fn element_type(field: &Field) -> String {
    match (field.ty, field.meaning) {
        (Type::Frame(frame), _) => type_name(frame),
        (_, Meaning::Flag) => "bool".to_owned(),
        (Type::Scalar(scalar), _) => scalar_type(scalar).to_owned(),
    }
}

/// The expression that reads a scalar at an offset.
fn read(field: &Field, scalar: Scalar, at: &str) -> String {
    let raw = match scalar {
        Scalar::U8 => format!("b[{at}]"),
        Scalar::U16 => format!("binary.LittleEndian.Uint16(b[{at}:])"),
        Scalar::U32 => format!("binary.LittleEndian.Uint32(b[{at}:])"),
        Scalar::U64 => format!("binary.LittleEndian.Uint64(b[{at}:])"),
        Scalar::I32 => format!("int32(binary.LittleEndian.Uint32(b[{at}:]))"),
        Scalar::I64 => format!("int64(binary.LittleEndian.Uint64(b[{at}:]))"),
    };
    if matches!(field.meaning, Meaning::Flag) {
        raw + " != 0"
    } else {
        raw
    }
}

/// The statement that reads a field.
fn statement(field: &Field) -> String {
    let (name, offset) = (camel(field.name), field.offset);
    match (field.ty, field.array) {
        (Type::Frame(_), None) => format!("r.{name}.read(b[{offset}:])"),
        (Type::Frame(frame), Some(_)) => {
            format!(
                "for i := range r.{name} {{\n\t\tr.{name}[i].read(b[{offset}+{}*i:])\n\t}}",
                frame.size
            )
        }
        (Type::Scalar(scalar), None) => {
            format!("r.{name} = {}", read(field, scalar, &offset.to_string()))
        }
        (Type::Scalar(scalar), Some(_)) => {
            let value = read(field, scalar, &format!("{offset}+{}*i", size(scalar)));
            format!("for i := range r.{name} {{\n\t\tr.{name}[i] = {value}\n\t}}")
        }
    }
}

fn comment(text: &mut String, indent: &str, lines: &[&str]) {
    for line in lines {
        writeln!(text, "{indent}// {}", line.trim()).expect("text grows");
    }
}

/// Names of what a field's numbers mean.
fn constants(frame: &Frame, field: &Field) -> String {
    let (Meaning::Code(named) | Meaning::Flags(named)) = field.meaning else {
        return String::new();
    };
    let prefix = type_name(frame) + &camel(field.name);
    let lines = named
        .iter()
        .map(|(name, value)| format!("\t{prefix}{} = {value}\n", camel(name)));
    format!(
        "\n// Values of {}.{}.\nconst (\n{})\n",
        type_name(frame),
        camel(field.name),
        lines.collect::<String>()
    )
}

fn frame_type(frame: &Frame) -> String {
    let shown = || frame.fields.iter().filter(|field| is_shown(field));
    let name = type_name(frame);
    let mut text = String::from("\n");
    comment(&mut text, "", frame.doc);
    writeln!(text, "type {name} struct {{").expect("text grows");
    for field in shown() {
        comment(&mut text, "\t", field.doc);
        let array = field
            .array
            .map(|count| format!("[{count}]"))
            .unwrap_or_default();
        writeln!(
            text,
            "\t{} {array}{}",
            camel(field.name),
            element_type(field)
        )
        .expect("text grows");
    }
    let reads: String = shown()
        .map(|field| format!("\t{}\n", statement(field)))
        .collect();
    writeln!(text, "}}\n\nfunc (r *{name}) read(b []byte) {{\n{reads}}}").expect("text grows");
    text.extend(shown().map(|field| constants(frame, field)));
    text
}

/// The records of a game as Go has them, with functions that read them.
#[must_use]
pub fn of_game(game: &Facts) -> String {
    let mut text = format!(
        "// Records of {}, made from their descriptions: hattari types go {}\n// Seats, ordinals and indices count from 0 here, as in C; 255 \
         is none. Sets of cards have a bit for each.\n\npackage main\n\nimport \"encoding/binary\"\n\n// CardNames are the names of cards by \
         number.\nvar CardNames = [64]string{{",
        game.id,
        game.name()
    );
    for number in 0..64 {
        if let Some(name) = (game.card_name)(number) {
            write!(text, "{number}: {name:?}, ").expect("text grows");
        }
    }
    text = text.trim_end_matches([',', ' ']).to_owned() + "}\n";
    for frame in [&game.action, &game.event, &game.view] {
        text += &frame_type(frame);
    }
    text
}
