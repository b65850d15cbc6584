//! Leagues of both games with bots in Lua, Rust and C, and all commands for them.

use crate::server::Server;
use crate::solve::by_stage;
use crate::support::{folder, hattari};
use hattari_outside::cfr::{Solver, Strategy, Tree};
use hattari_outside::kuhn::{self, Kuhn, stage};
use hattari_plugin::games::Game;
use serde_json::{Value, json};
use std::fs;

/// Returns the result of `entrant` in a line-up with `other`: mean and interval.
fn won(report: &Value, entrant: &str, other: &str) -> (f64, f64, f64) {
    let line_ups = report["line_ups"].as_array().unwrap();
    let is_theirs = |line_up: &&Value| {
        let names = line_up["entrants"].as_array().unwrap();
        names.contains(&json!(entrant)) && names.contains(&json!(other))
    };
    let line_up = line_ups.iter().find(is_theirs).unwrap();
    let bot = line_up["bots"]
        .as_array()
        .unwrap()
        .iter()
        .find(|bot| bot["name"] == entrant)
        .unwrap();
    let number = |key: &str| bot["estimate"]["tested"][key].as_f64().unwrap();
    (number("value"), number("low"), number("high"))
}

/// Returns the strategy that a bot of the league implements.
pub(crate) fn strategy(bot: &str) -> Strategy {
    let (bold, king, king_and_queen) = ([1.0; 3], [0.0, 0.0, 1.0], [0.0, 1.0, 1.0]);
    let (bets, calls) = match bot {
        "bold" => (bold, bold),
        "cautious" => (king, king),
        _ => (king, king_and_queen),
    };
    by_stage([
        (stage::OPEN, bets),
        (stage::CHECKED, bets),
        (stage::BET, calls),
        (stage::CHECK_BET, calls),
    ])
}

/// The measured gains of all pairs agree with those computed from the strategies.
#[test]
fn scores_of_bots_in_three_languages_match_exact_values() {
    let folder = folder();
    let run = hattari(folder.path(), "run leagues/kuhn.yaml").well();
    run.says("0 faults")
        .says("in separate processes")
        .says("chips per deal");
    let report = hattari(
        folder.path(),
        "report leagues/kuhn.yaml --format json --confidence 0.999",
    );
    let report: Value = serde_json::from_str(&report.well().out).unwrap();

    let mut solver = Solver::new(Tree::of(&Kuhn::new(kuhn::Options::default()).unwrap()));
    solver.train(500);
    let optimal = solver.strategy();
    let tree = solver.tree();
    let names = ["optimal", "bold", "honest", "cautious"];
    let of = |name: &str| {
        if name == "optimal" {
            optimal.clone()
        } else {
            strategy(name)
        }
    };
    for (number, a) in names.iter().enumerate() {
        for b in &names[number + 1..] {
            // Each player is first in half of the deals.
            let exact = (tree.value(&of(a), &of(b)) - tree.value(&of(b), &of(a))) / 2.0;
            let (mean, low, high) = won(&report, a, b);
            println!("{a} against {b}: {mean:+.4} ({low:+.4} to {high:+.4}), exactly {exact:+.4}");
            assert!((low..=high).contains(&exact), "{a} against {b}");
            assert!(high - low < 0.06, "{a} against {b}: the interval is no use");
            if *a == "optimal" {
                assert!(
                    exact > -tree.exploitability(&optimal) - 1e-12,
                    "the equilibrium loses to {b}"
                );
            }
        }
    }
}

#[test]
fn leduc_is_played_and_reported_and_the_equilibrium_wins() {
    let folder = folder();
    // Every block trains anew.
    let league = folder.path().join("leagues/leduc.yaml");
    let shipped = fs::read_to_string(&league).unwrap();
    let short = shipped
        .replace("rounds: 300", "rounds: 60")
        .replace("blocks: 200", "blocks: 60");
    assert_ne!(short, shipped);
    fs::write(league, short).unwrap();
    hattari(folder.path(), "run leagues/leduc.yaml")
        .well()
        .says("0 faults");
    let report = hattari(folder.path(), "report leagues/leduc.yaml --format json").well();
    let report: Value = serde_json::from_str(&report.out).unwrap();
    for other in ["bold", "pairs"] {
        let (mean, low, _) = won(&report, "optimal", other);
        println!("optimal against {other}: {mean:+.4}, at least {low:+.4}");
        assert!(low > 0.0, "{other}");
    }
    let markdown = hattari(folder.path(), "report leagues/leduc.yaml --format markdown").well();
    markdown.says("chips").says("optimal");
    let replay = "replay leagues/leduc.yaml --line-up 1 --block 3 --game 5";
    let replay = hattari(folder.path(), replay)
        .well()
        .says("leduc/1")
        .says("the replayed block equals the stored record");
    assert!(
        replay.out.contains("round first, pot 2") && replay.out.contains("payoffs: optimal"),
        "{}",
        replay.out
    );
}

#[test]
fn games_are_shown_as_text_as_pages_and_over_http() {
    let folder = folder();
    let league = "leagues/kuhn.yaml";
    hattari(folder.path(), &format!("run {league} --blocks 5 --quiet")).well();
    let replay = hattari(
        folder.path(),
        &format!("replay {league} --block 2 --game 1"),
    )
    .well();
    let text = replay
        .says("kuhn/1")
        .says("the replayed block equals the stored record")
        .out;
    assert!(
        ["seat 1 bets 1", "seat 1 checks"]
            .iter()
            .any(|words| text.contains(words)),
        "{text}"
    );

    let page = &format!("replay {league} --block 2 --game 1 --html -o game.html");
    hattari(folder.path(), page).well();
    let page = fs::read_to_string(folder.path().join("game.html")).unwrap();
    let data = page
        .split("id=\"hattari-replays\">")
        .nth(1)
        .unwrap()
        .split("</script>")
        .next()
        .unwrap();
    let data: Value = serde_json::from_str(data).unwrap();

    let server = Server::start(folder.path(), league);
    let page = server.get("/league/0");
    assert!(
        page.contains("id=\"standings\"")
            && page.contains("hattari-replays")
            && page.contains("cautious")
    );
    let game = server.get("/league/0/game?line_up=0&block=2&game=1");
    let game: Value = serde_json::from_str(&game).unwrap();
    assert_eq!(game, data["games"][0]);
    assert!(game.to_string().contains("in the pot"));
}

/// A person joins a game of the league in the browser and plays a block to its end.
#[test]
fn a_user_can_play_in_the_browser() {
    let folder = folder();
    let text = fs::read_to_string(folder.path().join("leagues/leduc.yaml")).unwrap();
    let short = text
        .replace("deals: 50", "deals: 3")
        .replace("blocks: 200", "blocks: 1");
    fs::write(folder.path().join("leagues/short.yaml"), short).unwrap();
    let server = Server::start(folder.path(), "leagues/short.yaml");
    let made: Value =
        serde_json::from_str(&server.post("/league/0/play", &json!({"line_up": 0, "place": 0})))
            .unwrap();
    let table = format!("/table/{}", made["table"].as_str().unwrap());
    let (mut offered, mut kinds) = (Vec::new(), Vec::new());
    for message in server.events(&format!("{table}/events")) {
        let kind = message["kind"].as_str().unwrap().to_owned();
        let answer = match kind.as_str() {
            "ask" => {
                let words = |offer: &Value| offer["words"].as_str().unwrap().to_owned();
                offered.extend(message["offers"].as_array().unwrap().iter().map(words));
                json!({"question": message["question"], "action": 0, "amount": 0})
            }
            "next" => json!({"question": message["question"]}),
            _ => Value::Null,
        };
        if !answer.is_null() {
            server.post(&format!("{table}/answer"), &answer);
        }
        kinds.push(kind);
    }
    assert!(
        kinds.iter().filter(|kind| *kind == "ask").count() >= 3,
        "{kinds:?}"
    );
    assert!(
        offered.contains(&"Check".to_owned()) && offered.contains(&"Raise with 2".to_owned()),
        "{offered:?}"
    );
}

#[test]
fn bots_in_three_languages_are_listed_and_pass_their_check() {
    let folder = folder();
    let listed = hattari(folder.path(), "show bots --game kuhn").well();
    for bot in ["honest", "bold", "optimal", "cautious"] {
        assert!(
            listed
                .out
                .lines()
                .any(|line| line.starts_with(bot) && line.contains("kuhn")),
            "{bot} in {}",
            listed.out
        );
    }
    for bot in [
        "honest",
        "bold",
        "cautious",
        "optimal",
        "optimal-leduc",
        "pairs",
    ] {
        let check = &format!("check {bot} --time 1 --blocks 1");
        hattari(folder.path(), check)
            .well()
            .says("no errors")
            .says("determinism");
    }
    let config = "check optimal --time 1 --config {\"rounds\":0}";
    let refused = hattari(folder.path(), config);
    assert!(refused.code != 0 && refused.says("must be 1 to 100000").code != 0);
}

#[test]
fn mistakes_are_reported_with_the_available_games() {
    let folder = folder();
    fs::write(
        folder.path().join("a.yaml"),
        "game: kuhm\nentrants: [honest, bold]\n",
    )
    .unwrap();
    let told = hattari(folder.path(), "run a.yaml")
        .says("kuhm")
        .says("kuhn");
    assert_eq!(told.code, 2);
    let league = fs::read_to_string(folder.path().join("leagues/kuhn.yaml")).unwrap();
    fs::write(
        folder.path().join("b.yaml"),
        league.replace("seed:", "options: {ante: 0}\nseed:"),
    )
    .unwrap();
    let told = hattari(folder.path(), "run b.yaml").says("ante is 0, must be 1 to 1000");
    assert_eq!(told.code, 2);
    let told = hattari(folder.path(), "export phh leagues/kuhn.yaml");
    assert_eq!(told.code, 2);
    hattari(folder.path(), "new lua kuhn mine").says("there is no template for kuhn");
}

/// The types for editors and for C are generated from the records.
#[test]
fn types_are_generated_for_c_and_lua() {
    let folder = folder();
    let types = hattari(folder.path(), "show types lua leduc").well().out;
    assert!(
        types.contains("raises_max: number,") && types.contains("public: Card?,"),
        "{types}"
    );
    let header = hattari(folder.path(), "show types c leduc").well().out;
    assert!(
        header.contains("HATTARI_LEDUC_KIND_RAISE 3u") && header.contains("} hattari_leduc_view;"),
        "{header}"
    );
    hattari(folder.path(), "show types lua leduc --into types").well();
    assert_eq!(
        fs::read_to_string(folder.path().join("types/leduc.d.luau")).unwrap(),
        types
    );
    assert_eq!(
        hattari(folder.path(), "show types c chess")
            .says("there is no game `chess`")
            .code,
        2
    );
}
