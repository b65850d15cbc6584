//! The page of a report, made by the program: it is parsed, and its values are those of
//! `--format json`.

use crate::support::page::{elements, games, parse, text_with_id, with_id};
use crate::support::{Folder, JsonPart, has, project};
use hattari_agents::games::GameInfo;
use roxmltree::{Document, Node};
use serde_json::Value;
use std::fs;
use std::path::Path;

const LEAGUE: &str = "# A league & its <comments>\ngame: daihinmin\nseed: 7\n\
                      entrants: [base, random, plain, default, {name: all <or> none & \"so\", bot: all}]\n\
                      format: {kind: line-ups, size: 5}\nblocks: 14\ndeals: 10\n";

/// Parts that every page of a played league has. Their texts are tested in `report.rs`.
const PARTS: [&str; 13] = [
    "verdicts",
    "standings",
    "pairs",
    "distributions",
    "course",
    "placements",
    "checks",
    "ratings",
    "congeniality",
    "replays",
    "faults",
    "timing",
    "again",
];

/// Reads a page and passes it parsed to `look`. Every page must be well-formed and self-contained.
fn page<T>(path: &Path, look: impl FnOnce(&Document<'_>) -> T) -> T {
    let text = fs::read_to_string(path).unwrap();
    let document = parse(&text);
    for outside in ["http:", "https:", "url(", "@import", "file:"] {
        assert!(
            !text.contains(outside),
            "the page refers to something outside: {outside}"
        );
    }
    for node in document.descendants() {
        for name in ["src", "href", "action", "srcset", "data"] {
            let target = node.attribute(name).unwrap_or("#");
            let Some(id) = target.strip_prefix('#') else {
                panic!("{name} goes to {target}")
            };
            assert!(
                id.is_empty() || with_id(&document, id).is_some(),
                "{target} leads nowhere"
            );
        }
    }
    let mut ids: Vec<&str> = document
        .descendants()
        .filter_map(|node| node.attribute("id"))
        .collect();
    let all = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), all, "an id stands twice");
    accessible(&document);
    look(&document)
}

fn has_one(part: Node<'_, '_>, name: &'static str) -> bool {
    elements(part, name).next().is_some()
}

/// Checks the features for people who cannot see figures or use a pointer.
fn accessible(document: &Document<'_>) {
    let elements = |name| elements(document.root(), name);
    assert!(elements("html").all(|html| html.attribute("lang") == Some("en")));
    for svg in elements("svg") {
        assert_eq!(svg.attribute("role"), Some("img"));
        assert!(
            svg.attribute("aria-label")
                .is_some_and(|label| label.len() > 10),
            "a figure says what it shows"
        );
    }
    for section in elements("section").filter(|section| has_one(*section, "figure")) {
        assert!(
            has_one(section, "tbody"),
            "{:?} has a table behind its figures",
            section.attribute("id")
        );
    }
    for table in elements("table") {
        assert!(has_one(table, "caption"));
        let columns = table
            .descendants()
            .filter(|node| node.attribute("scope") == Some("col"))
            .count();
        for row in self::elements(table, "tr") {
            assert_eq!(row.children().filter(Node::is_element).count(), columns);
        }
        let region = table.parent().unwrap();
        assert_eq!(
            (region.attribute("tabindex"), region.attribute("role")),
            (Some("0"), Some("region"))
        );
    }
}

#[test]
fn the_page_has_all_parts_and_the_data_of_the_report() {
    let folder = Folder::of(LEAGUE);
    folder
        .succeeds("run x.yaml")
        .complains("x.html: report with figures");
    let json = folder.report("x.yaml");

    page(&folder.path("x.html"), |document| {
        let parts: Vec<_> = elements(document.root(), "section")
            .filter_map(|node| node.attribute("id"))
            .filter(|id| PARTS.contains(id))
            .collect();
        assert_eq!(parts, PARTS);
        for part in [
            "standings",
            "pairs",
            "distributions",
            "course",
            "placements",
            "ratings",
            "timing",
        ] {
            let section = with_id(document, part).unwrap();
            assert!(has_one(section, "svg"), "{part} has a figure");
        }

        // The JSON in the page is that of the report, except for the command that made it.
        let within: Value =
            serde_json::from_str(&text_with_id(document, "hattari-report")).unwrap();
        for key in [
            "format",
            "bots",
            "pairs",
            "ratings",
            "relation",
            "family",
            "progress",
            "congeniality",
            "line_ups",
        ] {
            assert_eq!(within[key], json[key], "{key}");
        }

        let spoken = text_with_id(document, "verdicts");
        for pair in json["pairs"].list() {
            let verdict = pair["verdict"]["text"].text();
            assert!(spoken.contains(verdict), "{verdict} in {spoken}");
        }

        // All data needed to play the league again.
        let again = text_with_id(document, "again");
        assert!(
            again.contains(LEAGUE)
                && again.contains("hattari run x.yaml")
                && again.contains("seed, 7"),
            "{again}"
        );
        for entrant in json["about"]["league"]["entrants"].list() {
            assert!(again.contains(entrant["hash"].text()));
        }
    });

    let piped = folder.succeeds("report x.sqlite --format html");
    assert!(piped.out.starts_with("<!DOCTYPE html>"));
    folder.hattari("report x.yaml --html --format json").code(2);
    // The file extension gives the format if no option does.
    for (file, begins) in [
        ("w.html", "<!DOCTYPE html>"),
        ("w.md", "# "),
        ("w.json", "{"),
    ] {
        folder.succeeds(format!("report x.yaml --output {file}"));
        let written = folder.read(file);
        assert!(written.starts_with(begins), "{file}: {}", &written[..40]);
    }
    // No page is written if no report is wanted.
    folder.write("z.yaml", LEAGUE);
    folder.succeeds("run z.yaml --blocks 1 --no-report");
    assert!(!folder.path("z.html").exists());
}

#[test]
fn pages_with_few_blocks_many_bots_or_faults_are_complete() {
    let folder = Folder::new();
    // Forty bots, many of which never meet; a single block; and a bot with an error.
    let names = (0..40).map(|n| format!("{{name: bot-{n}, bot: {}}}", ["base", "random"][n % 2]));
    let names = names.collect::<Vec<_>>().join(", ");
    let league = format!(
        "game: daihinmin\nentrants: [{names}]\nformat: {{kind: line-ups, size: 5, sample: 30}}\nblocks: 2\ndeals: 3\n"
    );
    folder.write("many.yaml", league);
    folder.succeeds("run many.yaml --quiet");
    page(&folder.path("many.html"), |document| {
        let lines = |part| elements(with_id(document, part).unwrap(), "tr").count();
        assert!(lines("standings") > 40 && lines("pairs") > 780);
        let verdicts = text_with_id(document, "verdicts");
        has(&verdicts, "Verdicts on all 780 pairs");
    });

    let script = "return { id = \"wrong\", games = { \"daihinmin\" }, act = function(view, legal) return 99 end }";
    folder.write("wrong.lua", script);
    let league = "game: daihinmin\nentrants: [base, {name: wrong, bot: wrong.lua}, plain, default, all]\n\
                  format: {kind: line-ups, size: 5}\nblocks: 1\ndeals: 5\n";
    folder.write("few.yaml", league);
    folder.succeeds("run few.yaml --quiet");
    page(&folder.path("few.html"), |document| {
        has(&text_with_id(document, "faults"), "wrong");
        has(
            &text_with_id(document, "verdicts"),
            "undecided: too few blocks (1, 2 needed)",
        );
    });
    folder
        .succeeds("report few.yaml")
        .says("a − b: points per deal; no pair can be tested.");
}

#[test]
fn a_sequential_league_stops_early_and_its_page_gives_the_reason() {
    let league = "game: daihinmin\nseed: 3\nentrants: [base, random, plain, default, all]\n\
                  format: {kind: line-ups, size: 5}\nblocks: 500\ndeals: 20\n\
                  sequential: {rule: confidence-sequence, pairs: [[base, random]]}\n";
    let folder = Folder::of(league);
    folder
        .succeeds("run x.yaml --quiet")
        .says("Stopping rule")
        .never_says("Unfinished");
    let json = folder.report("x.yaml");
    assert_eq!(json["sequential"]["finished"], true);
    assert_eq!(json["sequential"]["decided"], 1);
    // The rule says nothing about the other pairs.
    let groups = json["tiers"]["tested"]["groups"].list();
    assert_eq!(groups.len(), 1, "{groups:?}");
    let rounds = json["sequential"]["rounds"].natural();
    assert!(
        (10..250).contains(&rounds)
            && json["progress"]["blocks"] == rounds
            && json["progress"]["blocks_played"] == rounds
    );
    let is_theirs = |pair: &&Value| pair["a"] == "base" && pair["b"] == "random";
    let pair = json["pairs"].list().iter().find(is_theirs).unwrap();
    assert_eq!(pair["verdict"]["kind"], "ahead");
    assert_eq!(pair["sequential"]["bias"], "estimate_leans");
    page(&folder.path("x.html"), |document| {
        let stopping = text_with_id(document, "stopping");
        has(&stopping, "first is ahead");
        has(&stopping, "biased away from zero");
    });
    // Another rule evaluates the same rounds again.
    folder.edit("x.yaml", "confidence-sequence", "sprt, h0: 0, h1: 0.5");
    folder
        .succeeds("run x.yaml --no-report")
        .complains("are already stored");
    folder
        .succeeds("run x.yaml --store sprt.sqlite --quiet")
        .says("biased");
    let json = folder.report("sprt.sqlite");
    let pair = json["pairs"].list().iter().find(is_theirs).unwrap();
    assert_eq!(pair["sequential"]["bias"], "biased");
    assert_eq!(pair["sequential"]["low"], Value::Null);
    let why = json["tiers"]["not_testable"].text();
    has(why, "between two given differences");
}

/// Returns the league that a new bot of a game starts with. The first of the game's usual opponents
/// plays in place of the bot.
fn first_league(game: &GameInfo) -> String {
    let usual = game.hosted.watch_defaults.unwrap().opponents[0];
    let template = format!(
        "arena/src/scaffold/templates/games/{}/league.yaml",
        game.name()
    );
    let text = fs::read_to_string(project().join(template)).unwrap();
    text.replace("@NAME@", "mine").replace("@BOT@", usual)
}

/// Applies a JSON merge patch (RFC 7396) to a state.
pub(super) fn apply_patch(state: &mut Value, patch: &Value) {
    let Value::Object(changes) = patch else {
        *state = patch.clone();
        return;
    };
    if !state.is_object() {
        *state = Value::Object(serde_json::Map::new());
    }
    for (key, change) in changes {
        let fields = state.as_object_mut().unwrap();
        if change.is_null() {
            fields.remove(key);
        } else {
            apply_patch(fields.entry(key.clone()).or_insert(Value::Null), change);
        }
    }
}

#[test]
fn games_of_all_kinds_are_shown_as_in_their_replay() {
    let folder = Folder::new();
    for game in hattari_agents::games::all() {
        let text = first_league(game);
        let game = game.name();
        let file = format!("{game}.yaml");
        folder.write(&file, text);
        folder.succeeds(format!("run {file} --quiet --blocks 4"));
        let games = page(&folder.path(&format!("{game}.html")), games);
        assert!(games.len() >= 4, "{game} shows {} games", games.len());
        let swings: Vec<f64> = games.iter().map(|game| game["swing"].float()).collect();
        assert!(
            swings.is_sorted_by(|a, b| a >= b) && swings[0] > 0.0,
            "{swings:?}"
        );
        games.iter().for_each(steps_are_told);
        // The game is the one that the command prints: equally many choices, and the same payoffs.
        let shown = &games[0];
        let [line_up, block, number] = ["line_up", "block", "game"].map(|name| &shown[name]);
        let replay = format!("replay {file} --line-up {line_up} --block {block} --game {number}");
        let told = folder.succeeds((&replay, "--json")).json();
        assert_eq!(shown["steps"].list().len(), told["moves"].list().len());
        let sorted = |value: &Value| {
            let mut numbers: Vec<_> = value.list().iter().map(Value::as_i64).collect();
            numbers.sort_unstable();
            numbers
        };
        assert_eq!(sorted(&shown["payoffs"]), sorted(&told["payoffs"]));
        // The page of this game alone shows the same.
        folder
            .succeeds((replay, "--html -o one.html"))
            .complains("written");
        let alone = page(&folder.path("one.html"), self::games);
        assert_eq!(alone.len(), 1);
        assert_eq!(
            (&alone[0]["steps"], &alone[0]["start"]),
            (&shown["steps"], &shown["start"])
        );
    }
}

/// Checks that every step has a text, and that a choice that is shown to one seat only was made by
/// that seat. The cards of scenes are checked in `plugin-api/games/conformance.rs`.
fn steps_are_told(game: &Value) {
    let steps = game["steps"].list();
    for step in steps {
        assert!(!step["text"].list().is_empty());
        let told = step["told"].as_object().map_or(0, serde_json::Map::len);
        assert!(told == 0 || (told == 1 && step["told"].get(step["by"].to_string()).is_some()));
    }
    let last = steps.last().unwrap()["text"].list().last().unwrap().text();
    assert!(last.starts_with("The game is over."), "{last}");
}

#[test]
fn pages_without_games_give_the_reason() {
    let folder = Folder::of(LEAGUE);
    folder.succeeds("run x.yaml --quiet --blocks 2");
    folder.succeeds("report x.yaml --html --replays 0 --output none.html");
    page(&folder.path("none.html"), |document| {
        assert!(
            with_id(document, "viewer").is_none() && with_id(document, "hattari-replays").is_none()
        );
        has(&text_with_id(document, "replays"), "hattari serve x.yaml");
    });
    // Bots that play differently than before: no game of theirs is shown.
    let lua = "return { act = function(view, legal) return #legal end }";
    folder.write("mine.lua", lua);
    let league = "game: daihinmin\nseed: 7\nentrants: [base, random, plain, default, {name: mine, bot: mine.lua}]\n\
                  format: {kind: line-ups, size: 5}\nblocks: 2\ndeals: 6\n";
    folder.write("y.yaml", league);
    folder.succeeds("run y.yaml --quiet");
    page(&folder.path("y.html"), |document| {
        assert!(!games(document).is_empty())
    });
    folder.write("mine.lua", lua.replace("#legal", "1"));
    folder.succeeds("report y.sqlite --html");
    page(&folder.path("y.html"), |document| {
        assert!(with_id(document, "viewer").is_none());
        has(
            &text_with_id(document, "replays"),
            "differ from the stored records",
        );
    });
    // A bot that no longer exists.
    fs::remove_file(folder.path("mine.lua")).unwrap();
    folder
        .succeeds("report y.sqlite --html")
        .complains("the page contains no games");
    page(&folder.path("y.html"), |document| {
        assert!(with_id(document, "viewer").is_none())
    });
}
