//! Tests that the texts of the rules name the same options and defaults as the code.

use super::{GameInfo, all};
use serde_json::{Map, Value};

/// Returns the cells of a table row.
fn cells(line: &str) -> Vec<String> {
    let line = line.replace("\\|", "\0");
    line.trim_matches('|')
        .split('|')
        .map(|cell| cell.trim().replace('\0', "|"))
        .collect()
}

/// Returns the words in backquotes.
fn names(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

fn options_of(game: &GameInfo, preset: &str) -> Map<String, Value> {
    game.apply_overrides(preset, &[])
        .unwrap()
        .options
        .as_object()
        .unwrap()
        .clone()
}

/// Formats a value like the texts of the rules, but without backquotes and thousands separators.
fn told(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if !text.is_empty() => Some(text.clone()),
        Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
        Value::Array(items) => Some(format!(
            "[{}]",
            items
                .iter()
                .map(Value::to_string)
                .collect::<Vec<_>>()
                .join(", ")
        )),
        // The rules describe null values and objects in prose.
        _ => None,
    }
}

fn plain(cell: &str) -> String {
    let cell = cell.replace('`', "");
    if cell.starts_with('[') {
        cell
    } else {
        cell.replace(',', "")
    }
}

/// Returns the cells of each option in the tables of the rules, by the presets in the header.
fn columns(game: &GameInfo) -> Map<String, Value> {
    let (mut heads, mut found) = (Vec::new(), Map::new());
    for line in game.rules.lines().filter(|line| line.starts_with('|')) {
        let row = cells(line);
        if row[0] == "option" {
            heads = row[2..]
                .iter()
                .map(|head| names(head)[0].to_owned())
                .collect();
        } else if row[0] == "preset" {
            heads.clear();
        } else if !heads.is_empty() {
            let options = names(&row[0]);
            for (n, &option) in options.iter().enumerate() {
                let of_preset = heads.iter().zip(&row[2..]).map(|(head, cell)| {
                    let parts: Vec<&str> = cell.split(", ").collect();
                    let one = if parts.len() == options.len() {
                        parts[n]
                    } else {
                        cell
                    };
                    (head.clone(), Value::String(plain(one)))
                });
                found.insert(option.to_owned(), of_preset.collect());
            }
        }
    }
    found
}

#[test]
fn the_rules_contain_every_option_with_its_default() {
    for game in all() {
        let rules = game.rules;
        assert!(
            rules.starts_with("# ") && rules.contains("\n## Options\n"),
            "{rules}"
        );
        let (first, columns) = (game.presets[0], columns(game));
        let mut options = options_of(game, first);
        // The presets omit these options if they have their default.
        options
            .entry("deals")
            .or_insert_with(|| Value::Array(Vec::new()));
        if columns.contains_key("luck") {
            options.entry("luck").or_insert(Value::Null);
        }
        for (option, value) in &options {
            let cell = columns
                .get(option)
                .unwrap_or_else(|| panic!("{}: no row for `{option}`", game.name()));
            if let Some(value) = told(value) {
                assert_eq!(
                    cell[first].as_str(),
                    Some(value.as_str()),
                    "{}: `{option}`",
                    game.name()
                );
            }
        }
        let of_presets = |name: &&String| !game.presets.contains(&name.as_str());
        let known: Vec<&String> = columns.keys().filter(of_presets).collect();
        assert!(
            known.iter().all(|name| options.contains_key(*name)),
            "{}: {known:?}",
            game.name()
        );
    }
}

#[test]
fn the_rules_contain_every_preset_with_its_changes() {
    for game in all() {
        let (first, columns) = (options_of(game, game.presets[0]), columns(game));
        for &preset in game.presets {
            let line = game
                .rules
                .lines()
                .filter(|line| line.contains(&format!("`{preset}`")))
                .collect::<Vec<_>>();
            assert!(!line.is_empty(), "{}: no word of `{preset}`", game.name());
            for (option, value) in options_of(game, preset)
                .iter()
                .filter(|(option, value)| first[*option] != **value)
            {
                let in_column = columns[option].get(preset).and_then(Value::as_str);
                let says = |line: &&str| match told(value) {
                    Some(value) => line.contains(&format!("`{option}: {value}`")),
                    None => line.contains(&format!("`{option}: {{")),
                };
                let is_there = in_column.is_some_and(|cell| Some(cell.to_owned()) == told(value))
                    || line.iter().any(says);
                assert!(
                    is_there,
                    "{}: `{preset}` has {option}: {value}",
                    game.name()
                );
            }
        }
    }
}
