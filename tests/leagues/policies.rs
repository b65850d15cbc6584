//! `hattari analyse fit-policy`, `learn-policy`, `cns` and `budget` through the program, on small
//! leagues.

use crate::support::Folder;
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
fn a_policy_is_fitted_the_same_on_any_number_of_threads() {
    let folder = Folder::new();
    folder.write("small.yaml", SELF_PLAY);
    let fit = |output: &str, more: &[&str]| {
        let arguments = [
            "analyse",
            "fit-policy",
            "small.yaml",
            "--rounds",
            "5",
            "--hold-out",
            "4",
            "--output",
            output,
        ];
        folder.hattari(&[&arguments, more].concat()).code(0);
        folder.read(output)
    };
    let light = fit("light.txt", &["--jobs", "1"]);
    assert!(
        light.starts_with("# hattari analyse fit-policy small.yaml --policy light --rounds 5"),
        "{light}"
    );
    assert!(
        light.contains("held out")
            && light.lines().filter(|line| !line.starts_with('#')).count() > 50
    );
    assert_eq!(light, fit("again.txt", &["--jobs", "2"]));
    let one = fit("one.txt", &["--policy", "full", "--learn", "all-k"]);
    assert!(
        one.contains("--learn all-k") && one.contains("\nplan "),
        "{one}"
    );

    // What was fitted can be played by.
    let weights: String = light
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|l| format!("        {l}\n"))
        .collect();
    let entrant = format!(
        "name: b\n    bot: policy\n    config:\n      look: light\n      weights: |\n{weights}"
    );
    let league = SELF_PLAY.replace("{name: b, bot: policy, config: {look: light}}", &entrant);
    folder.write("played.yaml", league);
    folder.hattari(&["run", "played.yaml", "--quiet"]).code(0);

    folder
        .hattari(&["analyse", "fit-policy", "small.yaml", "--learn", "al-k"])
        .code(2)
        .complains("all-k");
}

#[test]
fn a_policy_learns_the_same_on_any_number_of_threads() {
    let folder = Folder::new();
    folder.write("small.yaml", SELF_PLAY);
    let learn = |output: &str, more: &[&str]| {
        let arguments = [
            "analyse",
            "learn-policy",
            "small.yaml",
            "--learn",
            "a,b",
            "--rounds",
            "3",
            "--output",
            output,
        ];
        folder.hattari(&[&arguments, more].concat()).code(0);
        folder.read(output)
    };
    let deep = learn("deep.txt", &["--jobs", "1"]);
    assert!(
        deep.starts_with(
            "# hattari analyse learn-policy small.yaml --learn a,b --policy deep --rounds 3"
        ),
        "{deep}"
    );
    assert!(
        deep.contains("# round 3: 20 deals") && deep.contains("worth of a title"),
        "{deep}"
    );
    assert_eq!(deep, learn("again.txt", &["--jobs", "2"]));
    let units = |weights: &str| {
        weights
            .lines()
            .filter(|line| !line.starts_with('#') && line.split(' ').count() == 3 + 32)
            .count()
    };
    assert!(
        units(&deep) > 300,
        "numbers of the hidden units of every feature that was met"
    );
    let gift = learn("gift.txt", &["--policy", "gift", "--blocks", "2"]);
    assert!(gift.contains("\nranks "), "{gift}");
    let more = learn("more.txt", &["--start", "deep.txt"]);
    assert!(more.contains("--start deep.txt") && more != deep);

    // Moves and the exchange in the same games: each has weights of its own, and the moves meet
    // other gifts.
    let both = learn("both.txt", &["--gifts", "with.txt"]);
    assert!(
        both.contains("--policy deep --gifts with.txt --rounds 3") && both != deep,
        "{both}"
    );
    assert!(folder.read("with.txt").contains("\nranks "));
    assert_eq!(
        both,
        learn("both-again.txt", &["--gifts", "with.txt", "--jobs", "2"])
    );
    let full = learn("full.txt", &["--policy", "full"]);
    assert!(full.contains("\ntable ") && units(&full) == 0, "{full}");

    let refused = |arguments: &[&str]| {
        folder.hattari(&[&["analyse", "learn-policy", "small.yaml"], arguments].concat())
    };
    refused(&["--learn", "default"])
        .code(2)
        .complains("the bot `policy` alone learns");
    refused(&["--learn", "a", "--rate", "0"])
        .code(2)
        .complains("above 0");
    refused(&["--learn", "a", "--start", "small.yaml"])
        .code(2)
        .complains("line 1");
    folder.write(
        "weakest.yaml",
        SELF_PLAY.replace("skill: fitted", "giving: weakest"),
    );
    let weakest = [
        "analyse",
        "learn-policy",
        "weakest.yaml",
        "--learn",
        "a",
        "--policy",
        "gift",
    ];
    folder
        .hattari(&weakest)
        .code(2)
        .complains("`a` gives its weakest cards");
    refused(&["--learn", "a", "--policy", "gift", "--gifts", "x.txt"])
        .code(2)
        .complains("leave `--gifts` out");
}

#[test]
fn sensitivity_is_measured_resumed_and_drawn() {
    let folder = Folder::new();
    let league = SELF_PLAY
        .replace("blocks: 4", "blocks: 2")
        .replace("deals: 10", "deals: 1");
    folder.write("small.yaml", &league);
    let cns = |more: &[&str]| {
        let arguments = [
            "analyse",
            "cns",
            "small.yaml",
            "--output",
            "out",
            "--deals",
            "4",
            "--playouts",
            "3",
            "--json",
        ];
        folder.hattari(&[&arguments, more].concat())
    };
    let one = cns(&["--blocks", "1"]).code(0).json();
    let two = cns(&[]).code(0).json();
    let decisions = |curves: &serde_json::Value| -> u64 {
        curves["all"]
            .as_array()
            .unwrap()
            .iter()
            .map(|curve| curve["decisions"].as_u64().unwrap())
            .sum()
    };
    assert!(
        decisions(&one) > 10 && decisions(&two) > decisions(&one),
        "{one} {two}"
    );
    // Nothing is measured twice, and from nothing it comes to the same.
    let read = |name: &str| fs::read_to_string(folder.path("out").join(name)).unwrap();
    let (log, table) = (read("cns.jsonl"), read("figure-4.csv"));
    cns(&[]).code(0);
    assert_eq!(
        (read("cns.jsonl"), read("figure-4.csv")),
        (log, table.clone())
    );
    fs::remove_dir_all(folder.path("out")).unwrap();
    cns(&["--jobs", "2"]).code(0);
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
    // Another effort does not go on where this one stopped.
    cns(&["--fitted"])
        .code(2)
        .complains("cns.jsonl holds measures of another league");
}

#[test]
fn a_budget_is_drawn_from_what_a_league_has_played() {
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
    let budget =
        |more: &[&str]| folder.hattari(&[&["analyse", "budget", "small.yaml"], more].concat());
    budget(&[]).code(2).complains("small.sqlite");
    folder.hattari(&["run", "small.yaml", "--quiet"]).code(0);
    assert!(
        budget(&["--json"]).code(0).json()["points"][0]["seconds"]
            .as_f64()
            .unwrap()
            > 0.0
    );
    let found = budget(&["--measure", "2", "--output", "out", "--json"])
        .code(0)
        .json();
    let points = found["points"].as_array().unwrap();
    let order: Vec<_> = points
        .iter()
        .map(|point| point["setting"].as_f64().unwrap())
        .collect();
    assert_eq!(order, [5.0, 40.0]);
    for point in points {
        let (own, other) = (
            point["points"].as_f64().unwrap(),
            point["rival_points"].as_f64().unwrap(),
        );
        assert!(
            (point["share"].as_f64().unwrap() - own / (own + other)).abs() < 1e-9,
            "{point}"
        );
    }
    // Forty playouts take longer than five, whatever else the machine does: these are processor
    // times.
    let seconds = |point: &serde_json::Value| point["seconds"].as_f64().unwrap();
    assert!(
        seconds(&points[1]) > seconds(&points[0]) && found["measured"] == 2,
        "{found}"
    );
    for name in ["share.svg", "seconds.svg"] {
        assert!(
            fs::read_to_string(folder.path("out").join(name))
                .unwrap()
                .contains("figure")
        );
    }
    assert_eq!(folder.read("out/points.csv").lines().count(), 3);
    budget(&[])
        .code(0)
        .says("a / (a + b)")
        .says("seconds a deal");
    budget(&["--setting", "weighed"])
        .code(2)
        .complains("`more` has no number above 0 for `weighed`");
}
