//! The layout of every struct, and the rule for changes of layouts.

use crate::model::{c_type_name, parse};
use crate::{check_committed, include, package};
use hattari_plugin::abi;
use hattari_plugin::games::SCHEMAS;
use hattari_plugin::games::frame::{Meaning, Schema};
use hattari_plugin::headers::layout::{Layout, of_frame};
use std::collections::BTreeMap;
use std::fs;
use std::mem::offset_of;

fn size_of_field<S, F>(_: fn(&S) -> &F) -> usize {
    size_of::<F>()
}

macro_rules! layouts {
    ($($name:ident { $($field:ident),* $(,)? })*) => {
        [$((
            stringify!($name),
            size_of::<abi::$name>(),
            vec![$((
                stringify!($field).to_owned(),
                offset_of!(abi::$name, $field),
                size_of_field(|it: &abi::$name| &it.$field),
            )),*],
        )),*]
    };
}

/// Returns the layouts of the interface's structs, in the order of the file.
pub(crate) fn of_interface() -> Vec<Layout> {
    let layouts = layouts! {
        Text { ptr, len }
        Host { struct_size, abi_minor, host_data, name, version, get_service }
        LogService { write }
        ClockService { time_left_us }
        RngService { fill }
        NumbersService { log }
        BlockInfo { struct_size, players, player, deals, seed, game, options_json }
        DealInfo { struct_size, view_size, view, history, history_count, history_stride }
        Decision {
            struct_size, view_size, view, history, actions, history_count, history_stride, action_count, action_stride,
            budget_us,
        }
        Choice { struct_size, action, amount }
        DealResult {
            struct_size, view_size, view, history, history_count, history_stride, payoffs, payoff_count, reserved,
        }
        DaihinminSearchService { sample, playouts }
        BridgeDoubleDummyService { tricks }
        BotFunctions { block_start, deal_start, act, deal_end, get_extension, last_error, destroy }
        Bot { functions, bot_data }
        BotDescriptor {
            struct_size, flags, id, version, author, license, description, games, config_schema_json,
        }
        BotFactory { count, descriptor, create }
        Entry { struct_size, abi_major, abi_minor, reserved, init, get_factory }
    };
    let model = parse();
    let structs: Vec<_> = model.structs().collect();
    assert_eq!(
        structs.len(),
        layouts.len(),
        "the list above lacks a struct of abi.rs"
    );
    let checked = layouts
        .into_iter()
        .zip(structs)
        .map(|((name, size, fields), it)| {
            let listed: Vec<_> = fields.iter().map(|(field, ..)| field).collect();
            let real: Vec<_> = it.fields.iter().map(|field| &field.name).collect();
            assert_eq!(
                (name, listed),
                (it.name.as_str(), real),
                "the list above is not that of abi.rs"
            );
            Layout {
                name: c_type_name(name),
                size,
                grows: it.grows(),
                fields,
            }
        });
    checked.collect()
}

/// Returns the layouts of all headers.
pub(crate) fn all() -> Vec<Layout> {
    let mut schemas: Vec<&Schema> = SCHEMAS.iter().collect();
    schemas.sort_by_key(|schema| schema.game);
    let frames = schemas.into_iter().flat_map(|schema| {
        schema
            .frames
            .iter()
            .map(move |frame| of_frame(frame, schema))
    });
    of_interface().into_iter().chain(frames).collect()
}

const RULE: &str = "\
# Layout of all structs of the interface, where pointers have 8 bytes: name, offset and size of every field in bytes.
# Existing lines never change, with two exceptions: a struct marked `grows` may get new fields at its end, which increase its
# `sizeof`, and a reserved field may get a name. A struct marked `fixed` never gets new fields. A test checks these rules.
";

/// Returns the text of the golden file.
pub(crate) fn golden() -> String {
    RULE.to_owned() + &write_layouts(&all())
}

/// Formats layouts for the golden files.
pub(crate) fn write_layouts(layouts: &[Layout]) -> String {
    let mut out = String::new();
    for Layout {
        name,
        size,
        grows,
        fields,
    } in layouts
    {
        out.push_str(&format!(
            "\n{name} sizeof {size} {}\n",
            if *grows { "grows" } else { "fixed" }
        ));
        for (field, offset, size) in fields {
            out.push_str(&format!("{name}.{field} {offset} {size}\n"));
        }
    }
    out
}

/// Returns the differences that break bots built with the layout `old`.
pub(crate) fn breaks(old: &str, new: &str) -> Vec<String> {
    let (old, new) = (entries(old), entries(new));
    let mut breaks = Vec::new();
    for (name, was) in &old {
        let Some(is) = new.get(name) else {
            // A reserved field was 0 and unused, so it may get a name if it keeps its position.
            if !(name.contains(".reserved")
                && new
                    .iter()
                    .any(|(other, is)| owner(other) == owner(name) && is == was))
            {
                breaks.push(format!("{name} was removed"));
            }
            continue;
        };
        match (was.as_slice(), is.as_slice()) {
            (["sizeof", was, "grows"], ["sizeof", is, "grows"]) if number(was) <= number(is) => {}
            (was, is) if was == is => {}
            (was, is) => breaks.push(format!("{name} was {}, is {}", was.join(" "), is.join(" "))),
        }
    }
    for (name, is) in new
        .iter()
        .filter(|(name, _)| name.contains('.') && !old.contains_key(*name))
    {
        let had_place = old.iter().any(|(other, was)| {
            other.contains(".reserved") && owner(other) == owner(name) && is == was
        });
        match old.get(owner(name)).map(Vec::as_slice) {
            _ if had_place => {}
            Some(["sizeof", _, "fixed"]) => breaks.push(format!("{name} is new in a fixed struct")),
            Some(["sizeof", size, _]) if number(is[0]) < number(size) => {
                breaks.push(format!("{name} is new, but not at the end"));
            }
            _ => {}
        }
    }
    breaks
}

/// Returns the struct of a field.
fn owner(name: &str) -> &str {
    name.split_once('.').map_or(name, |(owner, _)| owner)
}

fn entries(text: &str) -> BTreeMap<&str, Vec<&str>> {
    let lines = text
        .lines()
        .filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    lines
        .map(|line| {
            let mut words = line.split_whitespace();
            (
                words.next().expect("the line is not empty"),
                words.collect(),
            )
        })
        .collect()
}

fn number(text: &str) -> usize {
    text.parse()
        .unwrap_or_else(|_| panic!("`{text}` is not a number"))
}

#[test]
fn the_layout_is_compatible_with_existing_bots() {
    let path = include().join("layout.txt");
    let new = golden();
    let old = fs::read_to_string(&path).unwrap_or_default();
    let breaks = breaks(&old, &new);
    assert!(
        breaks.is_empty(),
        "this breaks existing bots:\n  {}\nIncrease the major version (or, before the first release, replace {}).",
        breaks.join("\n  "),
        path.display()
    );
    check_committed(&path, &new);
}

#[test]
fn the_layout_is_compatible_with_bots_of_the_first_release() {
    let path = package().join("../tests/abi-v1/layout.txt");
    let first = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    assert_eq!(breaks(&first, &golden()), [""; 0]);
}

#[test]
fn every_view_starts_with_its_size() {
    for schema in SCHEMAS {
        let view = schema
            .frames
            .iter()
            .find(|frame| frame.name.ends_with("_view"))
            .expect("every game has a view");
        assert!(
            matches!(view.fields[0].meaning, Meaning::Size),
            "{} must start with its size",
            view.name
        );
    }
}

#[test]
fn layout_growth_is_allowed_and_breaking_changes_are_found() {
    let old = "a sizeof 8 grows\na.x 0 4\na.y 4 4\nt sizeof 16 fixed\nt.f 0 8\nt.g 8 8\nr sizeof 4 fixed\nr.reserved 0 4\n";
    let check = |edit: (&str, &str), expected: &[&str]| {
        let new = old.replace(edit.0, edit.1);
        assert_ne!(new, old);
        assert_eq!(breaks(old, &new), expected, "{edit:?}");
    };
    check(("a sizeof 8 grows\n", "a sizeof 16 grows\na.z 8 8\n"), &[]);
    check(
        ("t.g 8 8\n", "t.g 8 8\nnew sizeof 4 grows\nnew.x 0 4\n"),
        &[],
    );
    check(
        ("a.x 0 4\na.y 4 4", "a.x 4 4\na.y 0 4"),
        &["a.x was 0 4, is 4 4", "a.y was 4 4, is 0 4"],
    );
    check(
        ("a.y 4 4", "a.y 4 2\na.z 6 2"),
        &["a.y was 4 4, is 4 2", "a.z is new, but not at the end"],
    );
    check(("a.y 4 4\n", ""), &["a.y was removed"]);
    check(
        ("t sizeof 16 fixed", "t sizeof 24 fixed\nt.h 16 8"),
        &[
            "t was sizeof 16 fixed, is sizeof 24 fixed",
            "t.h is new in a fixed struct",
        ],
    );
    check(("r.reserved 0 4", "r.used 0 4"), &[]);
    check(
        ("r.reserved 0 4", "r.used 0 2"),
        &["r.reserved was removed", "r.used is new in a fixed struct"],
    );
    check(
        ("a sizeof 8", "a sizeof 4"),
        &["a was sizeof 8 grows, is sizeof 4 grows"],
    );
}
