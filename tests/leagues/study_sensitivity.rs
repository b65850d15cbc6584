//! Tests of `hattari study sensitivity` through the program, with small leagues.

use crate::support::{Folder, JsonPart, has};
use std::fs;

const SELF_PLAY: &str = "\
game: daihinmin
seed: 3
entrants:
  - {name: a, bot: policy, config: {skill: fitted}}
  - {name: b, bot: policy, config: {look: light}}
  - all-k
  - default
  - client
format: {kind: line-ups, size: 5}
blocks: 4
deals: 10
";

#[test]
fn sensitivity_is_measured_resumed_and_plotted() {
    let folder = Folder::new();
    let league = SELF_PLAY
        .replace("blocks: 4", "blocks: 2")
        .replace("deals: 10", "deals: 1");
    folder.write("small.yaml", &league);
    let cns = |more: &str| {
        let arguments =
            "study sensitivity decisions small.yaml --output out --deals 4 --playouts 3 --json";
        folder.hattari((&arguments, more))
    };
    let one = cns("--blocks 1").code(0).json();
    let two = cns("").code(0).json();
    let decisions = |curves: &serde_json::Value| -> u64 {
        curves["all"]
            .list()
            .iter()
            .map(|curve| curve["decisions"].natural())
            .sum()
    };
    assert!(
        decisions(&one) > 10 && decisions(&two) > decisions(&one),
        "{one} {two}"
    );
    // Nothing is measured twice, and starting again gives the same result.
    let read = |name: &str| folder.read(&format!("out/{name}"));
    let (log, table) = (read("cns.jsonl"), read("figure-4.csv"));
    cns("").code(0);
    assert_eq!(
        (read("cns.jsonl"), read("figure-4.csv")),
        (log, table.clone())
    );
    fs::remove_dir_all(folder.path("out")).unwrap();
    cns("--jobs 2").code(0);
    assert_eq!(read("figure-4.csv"), table);
    for name in ["figure-3", "figure-4"] {
        let picture = folder.read(&format!("out/{name}.svg"));
        assert!(picture.starts_with("<svg ") && !picture.contains("NaN"));
        let table = folder.read(&format!("out/{name}.csv"));
        assert!(
            table.starts_with("cards,decisions,deals,playouts,raw,"),
            "{table}"
        );
    }
    // A measurement with another effort does not continue this one.
    cns("--fitted")
        .code(2)
        .complains("cns.jsonl contains measurements of another league");
}

#[test]
fn the_budget_study_uses_the_played_blocks_of_a_league() {
    let folder = Folder::new();
    let league = "\
game: daihinmin
seed: 4
entrants:
  - {name: few, bot: mc-random, config: {playouts: 5}}
  - {name: more, bot: mc-random, config: {playouts: 40}}
  - {name: rival, bot: mc-estimate, config: {playouts: 20, weighed: 5}}
  - default
format: {kind: duel, a: [more, few], b: [rival], field: [default, default, default]}
blocks: 3
deals: 4
";
    folder.write("small.yaml", league);
    let budget = |more: &str| folder.hattari(("study sensitivity budget small.yaml", more));
    budget("").code(2).complains("small.sqlite");
    folder.succeeds("run small.yaml --quiet");
    assert!(budget("--json").code(0).json()["points"][0]["seconds"].float() > 0.0);
    let found = budget("--measure 2 --output out --json").code(0).json();
    let points = found["points"].list();
    let order: Vec<_> = points
        .iter()
        .map(|point| point["setting"].float())
        .collect();
    assert_eq!(order, [5.0, 40.0]);
    for point in points {
        let (own, other) = (point["points"].float(), point["rival_points"].float());
        assert!(
            (point["share"].float() - own / (own + other)).abs() < 1e-9,
            "{point}"
        );
    }
    // Forty playouts take longer than five on any machine, because processor times are measured.
    let seconds = |point: &serde_json::Value| point["seconds"].float();
    assert!(
        seconds(&points[1]) > seconds(&points[0]) && found["measured"] == 2,
        "{found}"
    );
    for name in ["share.svg", "seconds.svg"] {
        has(&folder.read(&format!("out/{name}")), "figure");
    }
    assert_eq!(folder.read("out/points.csv").lines().count(), 3);
    budget("").code(0).says(["a / (a + b)", "seconds per deal"]);
    budget("--setting weighed")
        .code(2)
        .complains("the setting `weighed` of entrant `more` must be a number above 0");
}
