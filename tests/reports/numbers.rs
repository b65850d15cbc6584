//! Numbers that bots log, in reports, replays and tables.

use crate::support::page::{parse, text_with_id};
use crate::support::{Folder, JsonPart, has};
use serde_json::Value;

const BLOCKS: u32 = 6;
const DEALS: u32 = 4;

/// A hold'em bot that checks or calls, so that every deal has four turns of each bot.
const LOGS: &str = r#"
local deal, turn = 0, 0
return {
    deal_start = function() deal += 1; turn = 0 end,
    act = function(view, legal)
        turn += 1
        log{ turn = turn, odd = deal % 2 }
        log{ high = math.max(cards.rank[view.hand[1]], cards.rank[view.hand[2]]) }
        if turn == 2 then log{ second = 1e308 } end
        for i, action in legal do
            if action.kind == "check" or action.kind == "call" then return i end
        end
    end,
}
"#;

/// Returns a folder with the league, which has been played.
fn played() -> Folder {
    let folder = Folder::of(&format!(
        "game: holdem\nseed: 3\nentrants: [{{name: logs, bot: logs.lua}}, call]\n\
         format: {{kind: line-ups, size: 2}}\nblocks: {BLOCKS}\ndeals: {DEALS}\n"
    ));
    folder.write("logs.lua", LOGS);
    folder.run("x.sqlite", "--quiet");
    folder
}

/// Returns the row of a name and turn.
fn row<'a>(report: &'a Value, name: &str, turn: u64) -> &'a Value {
    let mut rows = report["numbers"].list().iter();
    let is_it = |row: &&Value| row["name"] == name && row["turn"] == turn;
    rows.find(is_it).unwrap_or_else(|| panic!("{name} {turn}"))
}

#[test]
fn a_report_has_the_means_of_logged_numbers_by_turn() {
    let folder = played();
    assert!(folder.report("x.yaml").get("numbers").is_none());
    let report = folder.report("x.yaml --play");
    let rows = report["numbers"].list();
    assert_eq!(rows.len(), 3 * 4 + 1, "{rows:?}");
    assert!(rows.iter().all(|row| row["bot"] == "logs"));
    for turn in 1..=4 {
        let count = u64::from(BLOCKS * DEALS);
        for (name, mean) in [("turn", turn as f64), ("odd", 0.5)] {
            let row = row(&report, name, turn);
            assert_eq!(row["count"].natural(), count);
            assert_eq!(row["value"].float(), mean);
            // The number is the same in every block.
            has(row["estimate"]["not_testable"].text(), "");
        }
    }
    assert_eq!(row(&report, "second", 2)["value"], Value::Null);

    // The interval is that of Student's t over the means of blocks.
    let mut means = Vec::new();
    for block in 0..BLOCKS {
        let mut sum = 0.0;
        for game in 0..DEALS {
            let replay = format!("replay x.yaml --block {block} --game {game} --json");
            let replay = folder.succeeds(replay).json();
            let mut moves = replay["moves"].list().iter();
            let first = moves.find(|made| made.get("numbers").is_some()).unwrap();
            sum += first["numbers"]["high"].float();
        }
        means.push(sum / f64::from(DEALS));
    }
    let n = f64::from(BLOCKS);
    let mean = means.iter().sum::<f64>() / n;
    let squares: f64 = means.iter().map(|one| (one - mean).powi(2)).sum();
    let row = row(&report, "high", 1);
    let se = (squares / (n - 1.0) / n).sqrt();
    let estimate = &row["estimate"]["tested"];
    for (found, expected) in [
        (row["value"].float(), mean),
        (estimate["value"].float(), mean),
        (estimate["se"].float(), se),
        // The quantile of Student's t with 5 degrees of freedom.
        (estimate["high"].float(), mean + 2.570_581_836 * se),
    ] {
        assert!((found - expected).abs() < 1e-6, "{found} {expected}");
    }
}

#[test]
fn logged_numbers_are_in_the_text_the_page_the_replay_and_a_table() {
    let folder = played();
    let text = folder.succeeds("report x.yaml --play").out;
    let line = |row: &[&str]| {
        let mut lines = text.lines().map(|line| line.split_whitespace().collect());
        lines.any(|line: Vec<&str>| line.starts_with(row))
    };
    assert!(line(&["turn", "logs", "3", "3.000"]), "{text}");
    folder.succeeds("report x.yaml --play --html --output x.html");
    let page = folder.read("x.html");
    let document = parse(&page);
    has(
        &text_with_id(&document, "numbers"),
        "Mean high by turn; the band connects the 95 %",
    );
    has(&page, "logs, turn 1: turn 1.000");
    has(&page, "logs: high = ");
    folder
        .succeeds("replay x.yaml")
        .says(["logs: high = ", ", odd = 1, turn = 1\n"]);
    // Four numbers at turn 2, three at others.
    folder
        .succeeds("export parquet x.yaml --output tables --tables numbers")
        .complains(&format!("numbers.parquet: {} rows", 13 * BLOCKS * DEALS));
}

#[test]
fn more_names_than_allowed_are_a_fault_and_are_not_shown() {
    let folder = played();
    let source = "local n = 0
        return { act = function()
            n += 1
            log{ fine = 1 }
            if n % 2 == 0 then return 1 end
            for i = 1, 17 do log{ [`n{i}`] = i } end
            return 1
        end }";
    folder.write("logs.lua", source);
    folder.run("x.sqlite", "--restart --quiet");
    let report = folder.report("x.yaml --play");
    let notes = &report["bots"].item("name", "logs")["fault_notes"];
    has(
        &notes.to_string(),
        "log: a decision can have at most 16 names of numbers (`n16` is one more)",
    );
    let rows = report["numbers"].list();
    assert!(rows.iter().all(|row| row["name"] == "fine"), "{rows:?}");
}
