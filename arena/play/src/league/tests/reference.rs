//! Checks that the table of keys in `leagues/README.md` matches their declarations.

use crate::league::check::LeagueKeys;
use crate::league::client::ClientKeys;
use crate::league::entrants::BotKeys;
use crate::league::formats;
use crate::league::hybrid::HybridKeys;
use crate::league::mapping::{Key, Mapping};
use crate::league::sequential::SequentialKeys;
use crate::league::settings::{BudgetKeys, PublishedKeys, ReportKeys};
use std::fs;
use std::path::Path;

/// The mappings that are possible under a key, by its path.
const PARTS: [(&str, &[&Mapping]); 7] = [
    ("entrants", &[&BotKeys::MAPPING, &ClientKeys::MAPPING]),
    ("entrants.bot", &[&HybridKeys::MAPPING]),
    ("format", formats::KEYS),
    ("budget", &[&BudgetKeys::MAPPING]),
    ("sequential", &[&SequentialKeys::MAPPING]),
    ("report", &[&ReportKeys::MAPPING]),
    ("report.published", &[&PublishedKeys::MAPPING]),
];

fn row(path: &str, about: &str, default: &str) -> String {
    let space = if default.is_empty() { "" } else { " " };
    format!("| `{path}` | {about} |{space}{default} |\n")
}

/// Adds the rows of the keys of alternative mappings. Keys with the same description share a row.
fn rows(prefix: &str, mappings: &[&Mapping], table: &mut String) {
    let kind = |mapping: &&Mapping| Some(format!("`{}`: {}", mapping.kind?, mapping.about.trim()));
    let kinds: Vec<String> = mappings.iter().filter_map(kind).collect();
    if !kinds.is_empty() {
        *table += &row(&format!("{prefix}kind"), &kinds.join(". "), "");
    }
    let mut described: Vec<(&str, &str)> = Vec::new();
    for key in mappings.iter().flat_map(|mapping| mapping.keys) {
        if described.contains(&(key.name, key.about)) {
            continue;
        }
        described.push((key.name, key.about));
        let is_same = |other: &Key| (other.name, other.about) == (key.name, key.about);
        let has_it = |mapping: &&&Mapping| mapping.keys.iter().any(is_same);
        let owners = mappings
            .iter()
            .filter(has_it)
            .filter_map(|mapping| mapping.kind);
        let owners = owners.collect::<Vec<_>>().join(", ");
        let colon = if owners.is_empty() { "" } else { ": " };
        let path = format!("{prefix}{}", key.name);
        *table += &row(
            &path,
            &format!("{owners}{colon}{}", key.about.trim()),
            key.default,
        );
        if let Some((_, parts)) = PARTS.iter().find(|(part, _)| *part == path) {
            rows(&format!("{path}."), parts, table);
        }
    }
}

/// With `UPDATE=1`, writes the table.
#[test]
fn the_reference_page_lists_all_league_keys() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../leagues/README.md");
    let page = fs::read_to_string(&path).unwrap();
    let head = "| key | what | default |\n|---|---|---|\n";
    let (before, rest) = page.split_once(head).unwrap();
    let (found, after) = rest.split_once("\n\n").unwrap();
    let mut table = String::new();
    rows("", &[&LeagueKeys::MAPPING], &mut table);
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, format!("{before}{head}{table}\n{after}")).unwrap();
        return;
    }
    assert_eq!(found, table.trim_end());
}
