//! `hattari review`: exact sums, the same on any number of threads, for bots of all kinds.

use crate::support::{Arguments, Folder, JsonPart, has, project};
use serde_json::Value;

/// A league in which two challengers meet the same field on the same deals.
fn league(game: &str, [of, by]: [&str; 2], field: &str, more: &str) -> Folder {
    let folder = game.lines().next().unwrap();
    let entrant = |name: &str, bot: &str| {
        let script = project().join(format!("scripts/{folder}/{bot}.lua"));
        let bot = if script.is_file() {
            script.display().to_string()
        } else {
            bot.to_owned()
        };
        format!("{{name: {name}, bot: {bot:?}}}")
    };
    let entrants = [(of, of), (by, by), ("other", field)].map(|(name, bot)| entrant(name, bot));
    let folder = Folder::of(&format!(
        "game: {game}\nseed: 39\nentrants: [{}]\nformat: {{kind: challenge, challengers: [{of}, {by}], field: {more}\n\
         blocks: 24\nsame_deals: true\n",
        entrants.join(", ")
    ));
    folder.succeeds("run x.yaml --no-report --quiet");
    folder
}

fn review(folder: &Folder, [of, by]: [&str; 2], more: impl Arguments) -> Value {
    let arguments = format!("review x.yaml --of {of} --by {by} --format json");
    folder.succeeds((&arguments, more)).json()
}

/// Asserts that the classes without subclasses add up to the class of all decisions.
#[track_caller]
fn adds_up_in_classes(report: &Value) {
    let classes = report["classes"].list();
    let value = classes[0]["value"].float();
    let leaves = classes.iter().filter(|class| class["is_leaf"] == true);
    let sum: f64 = leaves.map(|class| class["value"].float()).sum();
    assert!(
        (sum - value).abs() < 1e-9 * (1.0 + value.abs()),
        "{sum} {value}"
    );
}

/// Asserts that classes and components add up to the difference in the league's own games.
#[track_caller]
pub(super) fn adds_up(report: &Value) {
    let is_near = |a: f64, b: f64| (a - b).abs() < 1e-9 * (1.0 + a.abs());
    adds_up_in_classes(report);
    let root = &report["classes"][0];
    let value = root["value"].float();
    for order in 0..2 {
        assert!(is_near(root["orders"][order].float(), value), "{root}");
    }
    let identity = &report["identity"];
    let part = |name: &str| identity[name]["value"].float();
    let sum = part("decisions") + part("carried_over") + part("memory");
    assert!(is_near(sum, part("difference")), "{identity}");
    // On common deals there is no luck: the league's own games say exactly the same.
    assert!(identity["luck"].float().abs() < 1e-9, "{identity}");
}

#[test]
fn fork_values_sum_to_the_difference_in_the_league_for_every_game() {
    let more = "[other]}\ndeals: 3\nduplicate: true";
    let four = "[other, other, other, other]}\ndeals: 3";
    let three = "[other, other]}\ndeals: 3";
    let cases = [
        ("daihinmin", ["all", "all-k"], "base", four),
        (
            "daihinmin\npreset: uecda-2007",
            ["default", "base"],
            "random",
            four,
        ),
        ("daihinmin", ["minimal", "base"], "tactician", four),
        ("holdem", ["call", "honest"], "small-bluff", more),
        ("holdem\npreset: serial", ["random", "honest"], "call", more),
        (
            "holdem\npreset: limit",
            ["honest", "honest-lua"],
            "random",
            more,
        ),
        ("holdem\npreset: acpc", ["call", "random"], "honest", more),
        ("stud", ["random", "honest"], "call", more),
        ("stud", ["minimal", "honest"], "call", more),
        (
            "stud\npreset: fuzzy-2002",
            ["call", "bluffer"],
            "fuzzy",
            "[other]}\ndeals: 3",
        ),
        ("tanhinmin", ["eager", "saver"], "boss", three),
        ("tanhinmin", ["random", "counter"], "saver", three),
    ];
    for (game, bots, field, more) in cases {
        let folder = league(game, bots, field, more);
        let report = review(&folder, bots, "--check-all --forks 1");
        adds_up(&report);
        assert_eq!(report["identity"]["warning"], Value::Null);
        assert!(0 < report["forks_played"].natural(), "{game}");
        // Another store, so that the blocks are played again.
        let again = "--forks 0 --jobs 4 --store again";
        let again = review(&folder, bots, again);
        assert_eq!(
            (&again["digest"], &again["classes"][0]["value"]),
            (&report["digest"], &report["classes"][0]["value"]),
            "{game}"
        );
    }
}

#[test]
fn bridge_pairs_are_reviewed_with_both_seats() {
    for preset in ["3nt", "1nt", "random"] {
        let folder = Folder::of(&format!(
            "game: bridge\npreset: {preset}\nseed: 3\nentrants: [cheap, random, {{name: other, bot: cheap}}]\n\
             format: {{kind: pairs, a: [cheap, random], b: [other]}}\nblocks: 4\ndeals: 3\nduplicate: true\nsame_deals: true\n"
        ));
        folder.succeeds("run x.yaml --no-report --quiet");
        let more = "--check-all --forks 1 --samples 3";
        let report = review(&folder, ["random", "cheap"], more);
        adds_up(&report);
        assert!(report["total"]["value"].float() > 0.0, "{report}");
        // Both rotations of a deal give one score, from -24 to 24 IMPs for each seat of the pair.
        assert_eq!(report["unit"], "IMPs");
        for fork in report["forks"].list() {
            let gain = fork["sampled"]["gain"]["value"].float();
            assert!(gain.abs() <= 96.0, "{fork}");
        }
    }
}

#[test]
fn a_class_lists_all_words_that_its_forks_share() {
    let folder = Folder::of(
        "game: daihinmin\nseed: 1\nentrants:\n- {name: of, bot: fault.lua}\n- {name: by, bot: original.lua}\n\
         - {name: o1, bot: base}\n- {name: o2, bot: all}\n- {name: o3, bot: default}\n- {name: o4, bot: random}\n\
         format: {kind: challenge, challengers: [of, by], field: [o1, o2, o3, o4]}\n\
         blocks: 40\ndeals: 20\nsame_deals: true\n",
    );
    for (from, to) in [
        ("scripts/daihinmin/styles.lua", "original.lua"),
        ("tests/reviews/faults/daihinmin/gives-twos.lua", "fault.lua"),
    ] {
        folder.copy(from, to);
    }
    let report = review(&folder, ["of", "by"], "--deals 800 --forks 0");
    let lists_all = |class: &Value| {
        let conditions = class["conditions"].list();
        let expected = ["type: gift → gift", "strength: lower", "turn: exchange"].map(Value::from);
        expected.iter().all(|text| conditions.contains(text))
    };
    assert!(report["classes"].list().iter().any(lists_all), "{report}");
}

#[test]
fn a_review_is_printed_as_text_or_page_and_invalid_requests_are_refused() {
    let folder = league(
        "daihinmin",
        ["random", "base"],
        "base",
        "[other, other, other, other]}\ndeals: 10",
    );
    let base = "review x.yaml --of random --by base";
    let told = folder.succeeds((base, "--forks 2"));
    told.says([
        "in the same seats",
        "sum: the difference as in a league",
        "after base: ",
        "after random: ",
    ]);
    folder.succeeds((base, "--forks 2 --format html --output page.html"));
    let page = folder.read("page.html");
    has(&page, "<details class=\"class\" open=\"open\">");
    has(&page, "hattari-replays");
    // In class 0, all decisions, the hybrid is the other bot.
    let proof = folder.succeeds((base, "--prove 0 --format json")).json();
    let (hybrid, root) = (&proof["proof"]["hybrid"], &proof["classes"][0]);
    assert!(
        (hybrid["value"].float() - root["value"].float()).abs() < 1e-9,
        "{hybrid} {root}"
    );
    // Every printed class is a condition that the program reads, with the same decisions.
    for (number, class) in proof["classes"].list().iter().enumerate().skip(1) {
        let conditions = class["conditions"].list();
        let conditions: Vec<&str> = conditions.iter().filter_map(Value::as_str).collect();
        let prove = |class: &str| {
            let more = ["--forks", "0", "--prove", class, "--format", "json"];
            folder.succeeds((base, more)).json()["proof"]["hybrid"].clone()
        };
        let named = prove(&conditions.join(", "));
        assert_eq!(prove(&number.to_string()), named);
    }
    folder.refuses((base, ["--prove", "trun: lead"]), "did you mean `turn`?");
    folder.refuses((base, "--forks 2 --prove 99"), "there is no class 99");
    folder.refuses(
        "review x.yaml --of randon --by base",
        "there is no entrant `randon`",
    );
    folder.refuses(
        "review x.yaml --of base --by base",
        "cannot be compared with itself",
    );
}

#[test]
fn a_bot_is_reviewed_by_all_other_entrants() {
    let folder = league(
        "daihinmin",
        ["random", "base"],
        "all-k",
        "[other, other, other, other]}\ndeals: 10",
    );
    let all = "review x.yaml --of random --by all";
    let told = folder.succeeds(all);
    told.says([
        "gains most in the seats of random",
        "4 intervals of this summary hold together",
    ]);
    let summary = folder.succeeds((all, "--format json")).json();
    let reviews = &summary["reviews"];
    assert_eq!(reviews.list().len(), 2);
    assert_eq!(summary["statements"], 4);
    let alone = review(&folder, ["random", "base"], "--forks 0");
    let same = reviews.item("by", "base");
    assert_eq!(same["digest"], alone["digest"]);
    let width =
        |review: &Value| review["total"]["ci"][1].float() - review["total"]["ci"][0].float();
    assert!(width(&alone) < width(same), "{same}");
    folder.succeeds("review x.yaml --of random --format html --output all.html");
    has(&folder.read("all.html"), "<h2>Gain in its seats</h2>");
}

#[test]
fn the_page_of_a_league_has_a_section_on_a_review() {
    let folder = league(
        "tanhinmin",
        ["eager", "saver"],
        "boss",
        "[other, other]}\ndeals: 6",
    );
    folder
        .succeeds("report x.yaml --html --review eager:saver --output x#1%.html")
        .complains("x#1%.review.html: written");
    let page = folder.read("x#1%.html");
    has(
        &page,
        "<h2 id=\"review-title\">Why eager and saver differ</h2>",
    );
    has(&page, "<a href=\"x%231%25.review.html\">");
    has(
        &folder.read("x#1%.review.html"),
        "<h2>Example decisions</h2>",
    );
    folder.refuses("report x.yaml --review eager:saver", "add --html");
    folder.refuses(
        "report x.yaml --html --review eager:savre",
        "there is no entrant `savre`",
    );
}

#[test]
fn bots_that_never_met_have_no_difference_in_the_league() {
    // The sampled line-ups are honest against random, and call against small-bluff.
    let folder = Folder::of(
        "game: holdem\nseed: 2\nentrants: [honest, small-bluff, call, random]\n\
         format: {kind: line-ups, size: 2, sample: 2}\nblocks: 12\ndeals: 10\nduplicate: true\n",
    );
    folder.succeeds("run x.yaml --no-report --quiet");
    let review = |by: &str| {
        let command = format!("review x.yaml --of honest --by {by} --format json");
        folder.succeeds(&command).json()
    };
    assert_eq!(review("call")["identity"]["league"], Value::Null);
    assert_ne!(review("random")["identity"]["league"], Value::Null);
}

#[test]
fn a_league_with_other_line_ups_than_the_review_is_not_compared() {
    // The other bot is an opponent in one of the reviewed line-ups, so the league has no games in
    // which it plays the same seats.
    let folder = Folder::of(
        "game: stud\nseed: 5\nentrants: [honest, bluffer, call, fuzzy, random]\n\
         format: {kind: line-ups, size: 2}\nblocks: 10\ndeals: 20\n",
    );
    folder.succeeds("run x.yaml --no-report --quiet");
    let report = review(&folder, ["honest", "bluffer"], "--forks 0");
    let identity = &report["identity"];
    assert_eq!(identity["league"]["is_same_seats"], false, "{identity}");
    assert_eq!(
        (&identity["luck"], &identity["warning"]),
        (&Value::Null, &Value::Null)
    );
    folder
        .succeeds("review x.yaml --of honest --by bluffer --forks 0")
        .says("at common tables (not directly comparable)");
}

#[test]
fn the_help_names_bots_and_line_ups_of_the_shipped_league() {
    let folder = Folder::new();
    let demo = project().join("leagues/demo.yaml").display().to_string();
    for (command, more) in [
        ("replay", ""),
        ("review", "--deals 1 --forks 0 --store x.sqlite"),
    ] {
        let help = folder.succeeds([command, "--help"]).out;
        let examples = help.lines().filter_map(|line| {
            let words = line.trim().strip_prefix("hattari ")?;
            let is_run = words.contains("leagues/demo.yaml") && !words.contains("--html");
            is_run.then_some(words)
        });
        let examples: Vec<&str> = examples.collect();
        assert!(!examples.is_empty(), "{help}");
        for example in examples {
            let words: Vec<&str> = example.split(' ').collect();
            let words = words.into_iter().map(|word| match word {
                "leagues/demo.yaml" => demo.as_str(),
                word => word,
            });
            folder.succeeds((words.collect::<Vec<_>>(), more));
        }
    }
}
