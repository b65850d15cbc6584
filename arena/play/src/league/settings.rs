//! Reads the limits of bots and the settings of reports.

use super::fields::Reader;
use super::keys::{DeferredNode, Flag, IntegerRange, OneOfCurrent, OpenInterval, Text, keys};
use super::yaml::Node;
use super::{Budget, Correction, PublishedSource, ReportSettings};
use hattari_agents::{files, text};
use serde_json::Value;
use std::io::ErrorKind;
use std::path::PathBuf;

/// Upper bound for the difference of two scores.
const LARGEST_DIFFERENCE: f64 = 1e12;
/// Maximum size in bytes of a file of published tables.
const PUBLISHED_BYTES_MAX: u64 = 16 << 20;

keys! {
    /// Limits of the bots.
    BudgetKeys = "`budget`";
    /// time limit in milliseconds per decision of a compiled bot or a program that connects;
    /// exceeding it is a fault, and results then depend on the speed of the machine. Scripts and
    /// WebAssembly modules are limited by steps and fuel instead, which are the same on every
    /// machine
    decision_ms = OpenInterval(0.0, 3_600_000.0), or "no limit";
    /// time limit in milliseconds for all decisions of an entrant in a block; afterwards the
    /// entrant gets no more calls in the block
    block_ms = OpenInterval(0.0, 604_800_000.0), or "no limit";
    /// memory limit in MiB of a compiled bot in a separate process (in addition to what hattari
    /// itself uses), of a WebAssembly bot, and of a program
    memory_mb = IntegerRange<u64>(1, 1_048_576), or "512; no limit for programs without a sandbox";
    /// number of steps per decision of a Lua bot, at least 1,000
    lua_steps = IntegerRange<u64>(1000, 4_294_967_295), or "1,000,000";
    /// memory limit in MiB of a Lua bot
    lua_memory_mb = IntegerRange<u64>(1, 65_536), or "16";
    /// fuel per decision of a WebAssembly bot, at least 100,000; an instruction uses about one
    /// unit. Fuel is counted, not timed, so a bot is stopped at the same instruction on every
    /// machine
    wasm_fuel = IntegerRange<u64>(100_000, 1_000_000_000_000), or "1,000,000,000 (about a second)";
}

keys! {
    /// Settings of the report; can be changed at any time.
    ReportKeys = "`report`";
    /// confidence level of intervals, above 0.5, below 1; tests use the significance level 1 − confidence
    confidence = OpenInterval(0.5, 1.0), or "0.95";
    /// adjustment of p values for the number of tests: `max-t` (replaced by `holm` if pairs do not
    /// share all blocks or deals) or `holm`
    correction = OneOfCurrent<Correction>(&CORRECTIONS, &OLD_CORRECTIONS, OLD_CORRECTIONS_REMEDY), or "`max-t`";
    /// also print the score ratio a / (a + b) of every pair
    score_ratio = Flag, or "false";
    /// use luck-adjusted scores ([Luck](../arena/REPORTS.md#how-it-is-computed)): the same expected
    /// values with smaller variance; the report shows both in any case
    without_luck = Flag, or "false";
    /// difference in points per deal below which two bots count as equal: verdicts are then
    /// *ahead*, *equal within* it, or *undecided*
    equal_within = OpenInterval(0.0, LARGEST_DIFFERENCE), or "no bots are called equal";
    /// a published table to print next to the results
    published = DeferredNode(|| PublishedKeys::MAPPING.schema()), or "none";
}

const CORRECTIONS: [(&str, Correction); 2] =
    [("max-t", Correction::MaxT), ("holm", Correction::Holm)];
/// Corrections of version 0.2, which are no longer available.
const OLD_CORRECTIONS: [&str; 3] = ["benjamini-hochberg", "bh", "bonferroni"];
const OLD_CORRECTIONS_REMEDY: &str =
    "use `holm`, or `max-t`, which has more power if all pairs share their blocks";

keys! {
    /// A published table to print next to the results.
    PublishedKeys = "`published`";
    /// path of a JSON file, relative to the folder of the league
    file = Text("the path of a JSON file, relative to the folder of the league"),
        needs "file: published/congeniality.json";
    /// name of the table in the file
    table = Text("the name of a table in the file"), needs "table: table1";
}

/// Reads the limits of bots.
pub(super) fn read_budget(reader: &Reader<'_>, node: &Node) -> Option<Budget> {
    let keys = BudgetKeys::read(reader, node)?;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the number is within bounds"
    )]
    let micros = |ms: f64| (ms * 1000.0).ceil() as u64;
    Some(Budget {
        decision_us: keys.decision_ms.map(micros),
        block_us: keys.block_ms.map(micros),
        memory_mb: keys.memory_mb,
        lua_steps: keys.lua_steps,
        lua_memory_mb: keys.lua_memory_mb,
        wasm_fuel: keys.wasm_fuel,
    })
}

/// Reads the limits of an entrant; `None` if the entrant has no limits of its own.
pub(super) fn read_own_budget(reader: &Reader<'_>, node: Option<&Node>) -> Option<Budget> {
    // An empty mapping sets no limit.
    read_budget(reader, node?).filter(|budget| *budget != Budget::default())
}

/// Reads the settings of reports.
pub(super) fn read_report(reader: &Reader<'_>, node: &Node) -> Option<ReportSettings> {
    let keys = ReportKeys::read(reader, node)?;
    let default = ReportSettings::default();
    Some(ReportSettings {
        confidence: keys.confidence.unwrap_or(default.confidence),
        correction: keys.correction.unwrap_or(default.correction),
        score_ratio: keys.score_ratio.unwrap_or_default(),
        without_luck: keys.without_luck.unwrap_or_default(),
        equal_within: keys.equal_within,
        published: keys.published.and_then(|node| read_published(reader, node)),
    })
}

fn read_published(reader: &Reader<'_>, node: &Node) -> Option<PublishedSource> {
    let keys = PublishedKeys::read(reader, node)?;
    let (file, table) = (keys.file?, keys.table?);
    let problem = |key: &str, message: String, remedy: &str| {
        reader.fail(keys.fields.get(key).unwrap_or(node), message, remedy)
    };
    let path = reader.base.join(&file);
    let shown = path.display();
    // Reject devices and pipes, which may be endless.
    let json = match files::read_text(&path, PUBLISHED_BYTES_MAX) {
        Ok(json) => json,
        Err(error) => {
            let message = match error.kind() {
                ErrorKind::NotFound => format!("there is no file `{shown}`"),
                _ => format!("cannot read `{shown}`: {error}"),
            };
            return problem(
                "file",
                message,
                "give its path relative to the folder of the league",
            );
        }
    };
    let message = match serde_json::from_str::<Value>(&json) {
        Ok(Value::Object(tables)) if tables.contains_key(&table) => {
            let file = PathBuf::from(file);
            reader.files.borrow_mut().push(file.clone());
            return Some(PublishedSource { file, table });
        }
        Ok(Value::Object(tables)) => {
            let remedy = text::suggestion(&table, "tables", tables.keys().map(String::as_str));
            return problem(
                "table",
                format!("`{shown}` has no table `{table}`"),
                &remedy,
            );
        }
        Ok(_) => format!("`{shown}` contains no named tables"),
        Err(error) => format!("`{shown}` is not JSON: {error}"),
    };
    problem("file", message, "give another file")
}
