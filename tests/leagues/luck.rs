//! Luck values: measured in every block, reported next to the scores, and subtracted from them if a
//! league requests it.

use crate::support::{Folder, JsonPart, same_pair};
use hattari_agents::record::JobId;
use serde_json::Value;

const HOLDEM: &str = "game: holdem
preset: limit
seed: 3
entrants: [call, random, {name: wild, bot: random}]
format: {kind: line-ups, size: 2}
blocks: 40
deals: 20
";
const KINDS: [&str; 5] = [
    "the hands dealt",
    "cards when all are in",
    "the flop",
    "the turn",
    "the river",
];

/// The sum of every kind over a table is zero. The luck of a block is determined by its deals.
#[test]
fn luck_depends_only_on_the_deals_and_sums_to_zero() {
    let folder = Folder::of(HOLDEM);
    let all = folder.play("x.yaml");
    for record in &all {
        let luck = &record.luck;
        assert_eq!(luck.len(), 2 * KINDS.len());
        assert!(
            luck.chunks(2).all(|kind| (kind[0] + kind[1]).abs() <= 200),
            "{luck:?}"
        );
    }
    let JobId { line_up, block } = all[5].job;
    let mut sums = [0.0; 2 * KINDS.len()];
    for game in 0..20 {
        let arguments = format!("replay x.yaml --line-up {line_up} --block {block} --game {game}");
        let replay = folder.succeeds((&arguments, "--json")).json();
        for chance in replay["luck"].list() {
            let kind = KINDS
                .iter()
                .position(|kind| chance["kind"] == *kind)
                .unwrap();
            for (player, luck) in chance["worth"].list().iter().enumerate() {
                let place = usize::try_from(replay["entrants"][player].natural()).unwrap();
                sums[2 * kind + place] += luck.float();
            }
        }
        if game == 0 {
            folder
                .succeeds(&arguments)
                .says(["luck of the hands dealt: ", "luck of all: "]);
        }
    }
    for (sum, stored) in sums.iter().zip(&all[5].luck) {
        assert!((sum * 1e6 - *stored as f64).abs() < 1.0, "{sums:?}");
    }
    folder
        .succeeds("calc luck x.yaml --top 1")
        .says(["the hands dealt", "Luck by block"]);
    folder
        .succeeds(format!("calc luck x.yaml --block {line_up}:{block}"))
        .says(["\n19 ", &format!("Luck in block {line_up}:{block}")]);
    folder.refuses("calc luck x.yaml --block 7:0", "there is no block 7:0");
    folder.refuses("calc luck x.yaml --top 0", "0 is not in 1..");
}

/// The luck-adjusted numbers of a league are those reported on request, with smaller errors.
#[test]
fn a_league_can_be_reported_with_luck_adjustment() {
    let folder = Folder::of(HOLDEM);
    folder.succeeds("run x.yaml --quiet --no-report");
    let played = folder.report("x.yaml");
    let without = folder.report("x.yaml --without-luck");
    folder.write(
        "x.yaml",
        format!("{HOLDEM}report: {{without_luck: true}}\n"),
    );
    let asked = folder.report("x.yaml");
    let pair = folder.report("x.yaml --pairs call,wild");
    let shown = pair["luck"]["found"]["tested"]["pairs"].list();
    assert_eq!((pair["pairs"].list().len(), shown.len()), (1, 1));
    assert_eq!(asked["pairs"], without["pairs"]);
    assert_eq!(
        [&played, &without].map(|report| report["luck"]["is_removed"].as_bool().unwrap()),
        [false, true]
    );
    let found = |report: &Value| report["luck"]["found"]["tested"].clone();
    let share = found(&played)["share"].float();
    assert!(0.3 < share && share < 1.0, "{share}");
    let mut ratios = Vec::new();
    for (number, pair) in found(&played)["pairs"].list().iter().enumerate() {
        let number_of =
            |report: &Value, key: &str| report["pairs"][number]["pooled"]["tested"][key].float();
        assert_eq!(
            pair["played"]["tested"]["difference"].float(),
            number_of(&played, "difference")
        );
        let test = &same_pair(&without, pair)["pooled"]["tested"];
        assert_eq!(pair["without"]["tested"]["se"], test["se"]);
        ratios.push(test["se"].float() / number_of(&played, "se"));
    }
    assert!(
        ratios.iter().all(|ratio| *ratio < 1.05) && ratios.iter().any(|ratio| *ratio < 0.8),
        "{ratios:?}"
    );
    folder.succeeds("report x.yaml").says([
        "All other numbers of this report are luck-adjusted, except those of single deals \
             and places.",
        "Measured luck accounts for ",
    ]);
}

/// A sequential rule with luck adjustment is more precise.
#[test]
fn a_sequential_league_can_use_luck_adjustment() {
    // Equal bots, so that no rule ends the league. The width is that of the interval of their
    // difference.
    let width = |folder: &Folder, name: &str| {
        let report = folder.report(name);
        let pairs = report["pairs"].list();
        let found = &pairs
            .iter()
            .find(|pair| !pair["sequential"].is_null())
            .unwrap()["sequential"];
        assert_eq!(found["rounds"], 400);
        found["high"].float() - found["low"].float()
    };
    let rule = "sequential: {rule: confidence-sequence, pairs: [[random, wild]]";
    let league = |end: &str| HOLDEM.replace("blocks: 40", "blocks: 400") + rule + end;
    let folder = Folder::of(&league("}\n"));
    folder.write("y.yaml", league(", without_luck: true}\n"));
    folder.play("x.yaml");
    folder.play("y.yaml");
    assert!(width(&folder, "y.yaml") < 0.97 * width(&folder, "x.yaml"));
    let bridge = "game: bridge\nentrants: [random, {name: other, bot: random}]\nformat: {kind: pairs, a: [random, random], b: [other, other]}\n\
                  blocks: 10\nreport: {without_luck: true}\n";
    folder.write("w.yaml", bridge);
    folder.refuses(
        "run w.yaml",
        "luck is not measured in bridge with these options",
    );
}

/// A request that cannot be fulfilled is reported, not ignored.
#[test]
fn unavailable_luck_adjustment_is_reported() {
    let folder = Folder::of(&HOLDEM.replace("blocks: 40", "blocks: 10"));
    folder.succeeds("run x.yaml --quiet --no-report");
    let report = folder.succeeds("report x.yaml --without-luck");
    report.says("Luck-adjusted scores are not available: too few blocks (30, 40 needed).");
}
