//! Leagues of both games with bots in Lua, Rust and C, and all commands for them.

use crate::solve::{by_stage, kuhn, trained};
use crate::support::{JsonPart, Server, folder};
use hattari_outside::cfr::Strategy;
use hattari_outside::kuhn::stage;
use serde_json::{Value, json};

/// Returns the result of `entrant` in a line-up with `other`: mean and interval.
fn won(report: &Value, entrant: &str, other: &str) -> (f64, f64, f64) {
    let is_theirs = |line_up: &&Value| {
        let names = line_up["entrants"].list();
        names.contains(&json!(entrant)) && names.contains(&json!(other))
    };
    let line_up = report["line_ups"].list().iter().find(is_theirs).unwrap();
    let bot = line_up["bots"].item("name", entrant);
    let number = |key: &str| bot["estimate"]["tested"][key].float();
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
    let run = folder.succeeds("run leagues/kuhn.yaml");
    run.tells(["0 faults", "in separate processes", "chips per deal"]);
    let report = folder.report("leagues/kuhn.yaml --confidence 0.999");
    let (solver, optimal) = trained(kuhn(), 500);
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
    let (league, shipped) = ("leagues/leduc.yaml", folder.read("leagues/leduc.yaml"));
    folder.edit(league, "rounds: 300", "rounds: 60");
    folder.edit(league, "blocks: 200", "blocks: 60");
    assert_ne!(folder.read(league), shipped);
    folder.succeeds(["run", league]).complains("0 faults");
    let report = folder.report(league);
    for other in ["bold", "pairs"] {
        let (mean, low, _) = won(&report, "optimal", other);
        println!("optimal against {other}: {mean:+.4}, at least {low:+.4}");
        assert!(low > 0.0, "{other}");
    }
    let markdown = folder.succeeds(["report", league, "--format", "markdown"]);
    markdown.says(["chips", "optimal"]);
    let replay = "replay leagues/leduc.yaml --line-up 1 --block 3 --game 5";
    folder.succeeds(replay).says([
        "leduc/1",
        "the replayed block equals the stored record",
        "round first, pot 2",
        "payoffs: optimal",
    ]);
}

#[test]
fn games_are_shown_as_text_as_pages_and_over_http() {
    let folder = folder();
    folder.succeeds("run leagues/kuhn.yaml --blocks 5 --quiet");
    let replay = "replay leagues/kuhn.yaml --block 2 --game 1";
    let text = folder
        .succeeds(replay)
        .says(["kuhn/1", "the replayed block equals the stored record"])
        .out;
    assert!(
        text.contains("seat 1 bets 1") || text.contains("seat 1 checks"),
        "{text}"
    );

    folder.succeeds((replay, "--html -o game.html"));
    let page = folder.read("game.html");
    let (_, data) = page.split_once("id=\"hattari-replays\">").unwrap();
    let (data, _) = data.split_once("</script>").unwrap();
    let data: Value = serde_json::from_str(data).unwrap();

    let server = Server::start(folder.root(), "leagues/kuhn.yaml");
    let parts = ["id=\"standings\"", "hattari-replays", "cautious"];
    server.get("/league/0").gives(200, parts);
    let game = server.get("/league/0/game?line_up=0&block=2&game=1").json();
    assert_eq!(game, data["games"][0]);
    assert!(game.to_string().contains("in the pot"));
}

/// A person joins a game of the league in the browser and plays a block to its end.
#[test]
fn a_user_can_play_in_the_browser() {
    let folder = folder();
    folder.edit("leagues/leduc.yaml", "deals: 50", "deals: 3");
    folder.edit("leagues/leduc.yaml", "blocks: 200", "blocks: 1");
    let server = Server::start(folder.root(), "leagues/leduc.yaml");
    let table = server.join().table();
    let (mut offered, mut asked) = (Vec::new(), 0);
    for message in server.events(&format!("{table}/events")) {
        let question = &message["question"];
        let answer = match message["kind"].text() {
            "ask" => {
                asked += 1;
                let words = message["offers"].texts("words").into_iter();
                offered.extend(words.map(str::to_owned));
                json!({"question": question, "action": 0, "amount": 0})
            }
            "next" => json!({"question": question}),
            _ => continue,
        };
        assert_eq!(server.post(&format!("{table}/answer"), &answer).status, 200);
    }
    assert!(asked >= 3, "{asked}");
    for words in ["Check", "Raise with 2"] {
        assert!(offered.iter().any(|offer| offer == words), "{offered:?}");
    }
}

#[test]
fn bots_in_three_languages_are_listed_and_pass_their_check() {
    let folder = folder();
    let listed = folder.succeeds("show bots --game kuhn").out;
    for bot in ["honest", "bold", "optimal", "cautious"] {
        let is_listed = |line: &str| line.starts_with(bot) && line.contains("kuhn");
        assert!(listed.lines().any(is_listed), "{bot} in {listed}");
    }
    for bot in [
        "honest",
        "bold",
        "cautious",
        "optimal",
        "optimal-leduc",
        "pairs",
    ] {
        folder
            .succeeds(format!("check {bot} --time 1 --blocks 1"))
            .tells(["no errors", "determinism"]);
    }
    let refused = folder.hattari("check optimal --time 1 --config {\"rounds\":0}");
    assert_ne!(refused.code, 0);
    refused.tells("must be 1 to 100000");
}

#[test]
fn mistakes_are_reported_with_the_available_games() {
    let folder = folder();
    folder.write("a.yaml", "game: kuhm\nentrants: [honest, bold]\n");
    folder.refuses("run a.yaml", ["kuhm", "kuhn"]);
    folder.hattari("export phh leagues/kuhn.yaml").code(2);
    folder.edit("leagues/kuhn.yaml", "seed:", "options: {ante: 0}\nseed:");
    folder.refuses("run leagues/kuhn.yaml", "ante is 0, must be 1 to 1000");
    folder
        .hattari("new lua kuhn mine")
        .tells("there is no template for kuhn");
}

/// The types for editors and for C are generated from the records.
#[test]
fn types_are_generated_for_c_and_lua() {
    let folder = folder();
    let types = folder
        .succeeds("show types lua leduc")
        .says(["raises_max: number,", "public: Card?,"])
        .out;
    folder
        .succeeds("show types c leduc")
        .says(["HATTARI_LEDUC_KIND_RAISE 3u", "} hattari_leduc_view;"]);
    folder.succeeds("show types lua leduc --into types");
    assert_eq!(folder.read("types/leduc.d.luau"), types);
    folder.refuses("show types c chess", "there is no game `chess`");
}
