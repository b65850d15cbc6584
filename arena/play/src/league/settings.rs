//! Reads what bots may use and how results are read.

use super::fields::{Fields, Reader};
use super::yaml::Node;
use super::{Budget, Correction, Path, Published, ReportSettings};
use hattari_agents::text;
use std::io::ErrorKind;
use std::path::PathBuf;

/// What bots may use.
pub(super) fn read_budget(reader: &Reader<'_>, node: &Node) -> Option<Budget> {
    /// An hour: longer than anybody waits for a card.
    const DECISION_MS_MAX: f64 = 3_600_000.0;
    /// A week.
    const BLOCK_MS_MAX: f64 = 604_800_000.0;
    let keys = [
        "decision_ms",
        "block_ms",
        "memory_mb",
        "lua_steps",
        "lua_memory_mb",
        "wasm_fuel",
    ];
    let fields = reader.fields(node, "`budget`", &keys)?;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the number is within bounds"
    )]
    let micros = |key: &str, most| {
        fields.get(key).map_or(Some(None), |node| {
            let ms = reader.between(node, key, 0.0, most)?;
            Some(Some((ms * 1000.0).ceil() as u64))
        })
    };
    let (decision_us, block_us) = (
        micros("decision_ms", DECISION_MS_MAX),
        micros("block_ms", BLOCK_MS_MAX),
    );
    let whole = |key: &str, range| {
        fields
            .get(key)
            .map_or(Some(None), |node| reader.whole(node, key, range).map(Some))
    };
    let memory_mb = whole("memory_mb", 1..=1_048_576);
    let lua_steps = whole("lua_steps", 1000..=u64::from(u32::MAX));
    let lua_memory_mb = whole("lua_memory_mb", 1..=65_536);
    let wasm_fuel = whole("wasm_fuel", 100_000..=1_000_000_000_000);
    Some(Budget {
        decision_us: decision_us?,
        block_us: block_us?,
        memory_mb: memory_mb?,
        lua_steps: lua_steps?,
        lua_memory_mb: lua_memory_mb?,
        wasm_fuel: wasm_fuel?,
    })
}

/// Reads the limits of an entrant; `Some(None)` where it has none of its own, `None` where they are
/// wrong.
pub(super) fn read_own_budget(reader: &Reader<'_>, fields: &Fields<'_>) -> Option<Option<Budget>> {
    let Some(node) = fields.get("budget") else {
        return Some(None);
    };
    // A mapping without a key is no limit of its own.
    Some(Some(read_budget(reader, node)?).filter(|budget| *budget != Budget::default()))
}

/// Larger than the difference of any two scores.
const LARGEST_DIFFERENCE: f64 = 1e12;

/// How results are read. `base` is the folder that paths start from.
pub(super) fn read_report(reader: &Reader<'_>, node: &Node, base: &Path) -> Option<ReportSettings> {
    const CORRECTIONS: [Correction; 2] = [Correction::MaxT, Correction::Holm];
    const INSTEAD: &str =
        "use `holm`, or `max-t`, which finds more where all pairs share their blocks";
    let fields = reader.fields(
        node,
        "`report`",
        &[
            "confidence",
            "correction",
            "score_ratio",
            "without_luck",
            "equal_within",
            "published",
        ],
    )?;
    let default = ReportSettings::default();
    let confidence = fields
        .get("confidence")
        .map_or(Some(default.confidence), |node| {
            reader.between(node, "confidence", 0.5, 1.0)
        });
    let correction = fields
        .get("correction")
        .map_or(Some(default.correction), |node| {
            let retired = ["benjamini-hochberg", "bh", "bonferroni"];
            if reader.is_retired(node, "correction", &retired, INSTEAD) {
                return None;
            }
            let found = reader.word(node, "correction", &["max-t", "holm"]);
            found.map(|i| CORRECTIONS[i])
        });
    let score_ratio = fields
        .get("score_ratio")
        .map_or(Some(false), |node| reader.flag(node, "score_ratio"));
    let without_luck = fields
        .get("without_luck")
        .map_or(Some(false), |node| reader.flag(node, "without_luck"));
    let equal_within = match fields.get("equal_within") {
        None => Some(None),
        Some(node) => reader
            .between(node, "equal_within", 0.0, LARGEST_DIFFERENCE)
            .map(Some),
    };
    let published = fields.get("published").map_or(Some(None), |node| {
        read_published(reader, node, base).map(Some)
    });
    Some(ReportSettings {
        confidence: confidence?,
        correction: correction?,
        score_ratio: score_ratio?,
        without_luck: without_luck?,
        equal_within: equal_within?,
        published: published?,
    })
}

/// Most bytes of a file of published tables.
const PUBLISHED_BYTES_MAX: u64 = 16 << 20;

/// The text of a file of published tables. Devices and pipes are none: they might never end.
fn read_tables(path: &Path) -> std::io::Result<String> {
    hattari_agents::files::read_text(path, PUBLISHED_BYTES_MAX)
}

fn read_published(reader: &Reader<'_>, node: &Node, base: &Path) -> Option<Published> {
    let fields = reader.fields(node, "`published`", &["file", "table"])?;
    let file = reader.required(
        &fields,
        "`published`",
        "file",
        "file: published/congeniality.json",
    );
    let table = reader.required(&fields, "`published`", "table", "table: table1");
    let (file_node, table_node) = (file?, table?);
    let file = reader.text(
        file_node,
        "file",
        "the path of a JSON file, relative to the league's folder",
    )?;
    let table = reader.text(table_node, "table", "the name of a table in the file")?;
    let path = base.join(file);
    let json = match read_tables(&path) {
        Ok(json) => json,
        Err(error) => {
            let cure = "give its path relative to the league's folder";
            let message = match error.kind() {
                ErrorKind::NotFound => format!("there is no file `{}`", path.display()),
                _ => format!("`{}` cannot be read: {error}", path.display()),
            };
            reader.problem(file_node, message, cure);
            return None;
        }
    };
    match serde_json::from_str::<serde_json::Value>(&json) {
        Ok(serde_json::Value::Object(tables)) if tables.contains_key(table) => Some(Published {
            file: PathBuf::from(file),
            table: table.to_owned(),
        }),
        Ok(serde_json::Value::Object(tables)) => {
            let cure = text::suggestion(table, "tables", tables.keys().map(String::as_str));
            reader.problem(
                table_node,
                format!("`{}` has no table `{table}`", path.display()),
                cure,
            );
            None
        }
        Ok(_) => {
            reader.problem(
                file_node,
                format!("`{}` holds no tables by name", path.display()),
                "give another file",
            );
            None
        }
        Err(error) => {
            reader.problem(
                file_node,
                format!("`{}` is not JSON: {error}", path.display()),
                "give another file",
            );
            None
        }
    }
}
