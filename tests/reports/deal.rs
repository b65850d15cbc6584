//! `hattari calc deal`, end to end.

use crate::support::{self, Arguments, Ended, Folder, hattari, project};
use serde_json::{Value, json};
use std::io::Write;
use std::process::Stdio;

const REAL: &str = "N:KT875.AQ87.87.K6 32.T9.AQT.QJT987 J94.K432.9432.32 AQ6.J65.KJ65.A54";
const FINESSE: &str = "N:AQ... K2... 54... 63...";

fn deal(arguments: impl Arguments) -> Ended {
    hattari(project(), ("calc deal", arguments))
}

/// Solves a deal in which these cards have been played.
fn solve(cards: &str, strain_and_leader: &str, played: &str, more: &str) -> Ended {
    deal((([cards], strain_and_leader), (["--played", played], more)))
}

/// Returns keys of the result of such a deal.
#[track_caller]
fn results<const N: usize>(
    cards: &str,
    strain_and_leader: &str,
    played: &str,
    keys: [&str; N],
) -> [Value; N] {
    let json = solve(cards, strain_and_leader, played, "--json")
        .code(0)
        .json();
    keys.map(|key| json[key].clone())
}

const NT_BY_WEST: &str = "--strain NT --leader N";
const PLAYED: &str = "S7 S2 SJ";

#[test]
fn every_legal_card_of_a_deal_under_way_is_scored() {
    let keys = ["tricks", "declarer", "to_play", "won", "best"];
    assert_eq!(
        results(REAL, NT_BY_WEST, PLAYED, keys),
        [
            json!({"SA": 6, "SQ": 8, "S6": 6}),
            json!("W"),
            json!("W"),
            json!(0),
            json!(8)
        ]
    );
    solve(REAL, NT_BY_WEST, PLAYED, "")
        .code(0)
        .says(["West to play: total tricks of East-West (NT by West)", "SQ"]);
}

#[test]
fn tricks_already_won_are_counted_for_declarer() {
    let play = "S7 S2 SJ SQ D5 D7 DA D2 CQ C2 C4 CK";
    let expected = json!({
        "SK": 11, "ST": 11, "S8": 11, "S5": 11, "HA": 8, "HQ": 8, "H8": 8, "H7": 8, "D8": 11, "C6": 11
    });
    // North, a defender, is to play, so the lowest count is the best.
    assert_eq!(
        results(REAL, NT_BY_WEST, play, ["tricks", "won", "best"]),
        [expected, json!(2), json!(8)]
    );
}

#[test]
fn declarer_sits_on_the_leaders_right() {
    // North-South defend against East if South leads, and East-West against them if West leads.
    for (leader, declarer, tricks) in [
        ("--strain NT --leader S", "E", json!({"S5": 1, "S4": 1})),
        ("--strain s --leader west", "S", json!({"S6": 1, "S3": 1})),
    ] {
        let found = results(FINESSE, leader, "", ["declarer", "tricks"]);
        assert_eq!(found, [json!(declarer), tricks], "{leader}");
    }
}

#[test]
fn a_finished_deal_has_no_cards_left() {
    let (play, leader) = ("S5 S3 SA S2 SQ SK S4 S6", "--strain NT --leader S");
    assert_eq!(
        results(FINESSE, leader, play, ["tricks", "won", "to_play"]),
        [json!({}), json!(1), Value::Null]
    );
    solve(FINESSE, leader, play, "")
        .code(0)
        .says("all cards have been played");
}

#[test]
fn a_file_of_deals_is_solved_in_order_with_any_number_of_threads() {
    let folder = Folder::new();
    let lines = format!(
        "# three of them\n{REAL} NT N S7 S2 SJ\n\n{FINESSE} # with the options' strain\n{FINESSE} S W S6\n"
    );
    folder.write("deals.txt", lines);
    let solve = |jobs: &str| {
        let arguments =
            format!("calc deal --file deals.txt --strain NT --leader S --json --jobs {jobs}");
        folder.succeeds(arguments).out
    };
    let out = solve("1");
    assert_eq!(out, solve("3"));
    let tricks: Vec<Value> = out
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["tricks"].clone())
        .collect();
    let expected = [
        json!({"SA": 6, "SQ": 8, "S6": 6}),
        json!({"S5": 1, "S4": 1}),
        json!({"SA": 1, "SQ": 1}),
    ];
    assert_eq!(tricks, expected);
    folder.refuses(
        "calc deal --file deals.txt",
        ["deals.txt, line 4", "or give --strain"],
    );
}

#[test]
fn recorded_games_are_solved_for_their_contracts() {
    let folder = Folder::new();
    let pbn = format!(
        "[Event \"x\"]\n[Deal \"{REAL}\"]\n[Declarer \"W\"]\n[Contract \"3NT\"]\n\n[Deal \"{FINESSE}\"]\n"
    );
    folder.write("x.pbn", pbn);
    let lin = "pn|a,b,c,d|md|1SJ94HK432D9432C32,SAQ6HJ65DKJ65CA54,SKT875HAQ87D87CK6,|mb|p|mb|1N|mb|p|mb|3N|mb|p|mb|p|mb|p|\n";
    folder.write("x.lin", lin);
    let solve = |file: &str| {
        let arguments = [
            "calc", "deal", "--file", file, "--strain", "S", "--leader", "S", "--played", "",
            "--json",
        ];
        folder.succeeds(arguments).out
    };
    let told: Vec<Value> = solve("x.pbn")
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(told[0]["strain"], "NT");
    assert_eq!(told[0]["leader"], "N");
    assert_eq!(told[1]["strain"], "S");
    assert_eq!(told[1]["leader"], "S");
    assert_eq!(told.len(), 2);
    let of_lin: Value = serde_json::from_str(&solve("x.lin")).unwrap();
    assert_eq!(of_lin, told[0]);
}

#[test]
fn unreadable_boards_are_reported_and_the_others_are_solved() {
    let folder = Folder::new();
    let played = format!("[Deal \"{REAL}\"]\n[Declarer \"W\"]\n[Contract \"3NT\"]\n");
    let bad = "[Board \"2\"]\n[Deal \"N:AA... - - -\"]\n";
    let passed = format!("[Board \"3\"]\n[Deal \"{REAL}\"]\n[Contract \"Pass\"]\n");
    let solve = |pbn: &str| {
        // In Latin-1, as the format requires.
        let bytes: Vec<u8> = format!("[Site \"Z\u{fc}rich\"]\n{pbn}")
            .chars()
            .map(|letter| letter as u8)
            .collect();
        folder.write("x.pbn", bytes);
        folder.hattari("calc deal --file x.pbn --json")
    };
    assert_eq!(
        solve(&format!("{played}\n{passed}"))
            .code(0)
            .out
            .lines()
            .count(),
        1
    );
    let some = solve(&format!("{played}\n{bad}\n{passed}")).code(1);
    assert_eq!(
        some.complains("x.pbn: board 2, line 7: Deal: SA is dealt twice")
            .out
            .lines()
            .count(),
        1
    );
    solve(&format!("{bad}\n{passed}"))
        .code(2)
        .complains(["x.pbn: no deal to solve", "SA is dealt twice"]);
}

#[test]
fn deals_can_be_read_from_a_pipe() {
    let mut child = support::command(project(), "calc deal --file - --json")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    writeln!(child.stdin.take().unwrap(), "{FINESSE} NT S").unwrap();
    let out = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    assert_eq!(
        serde_json::from_str::<Value>(&out).unwrap()["tricks"],
        json!({"S5": 1, "S4": 1})
    );
}

#[test]
fn errors_name_the_problem_and_its_location() {
    for (cards, played, words) in [
        ("AQ... K2... 54... 63...", "", "starts with the seat"),
        ("N:AQ... K2... 54...", "", "four hands"),
        ("N:AQ... K2... 54... A3...", "", "SA is dealt twice"),
        (
            "N:AQ... K2... 54... 6...",
            "",
            "West holds 1 cards and should hold 2",
        ),
        (
            "N:AX... K2... 54... 63...",
            "",
            "`X` in North's hand is not a rank",
        ),
        (FINESSE, "SA S9", "card 2 of the cards played"),
        (REAL, "S7 H9", "may not play H9"),
    ] {
        solve(cards, NT_BY_WEST, played, "")
            .code(2)
            .complains(words);
    }
    deal([FINESSE, "--strain", "Z", "--leader", "N"])
        .code(2)
        .complains("write S, H, D, C or NT");
    deal([FINESSE, "--leader", "N"])
        .code(2)
        .complains("--strain");
    deal("--file nowhere.txt --strain NT --leader N")
        .code(2)
        .complains("nowhere.txt");
}

#[test]
fn libdds_gives_the_same_result_or_is_reported_as_missing() {
    let engine = |name: &str| solve(REAL, NT_BY_WEST, PLAYED, &format!("--json --engine {name}"));
    let own = engine("own").code(0).json();
    assert_eq!(engine("auto").code(0).json(), own);
    let told = engine("libdds");
    if told.code == 0 {
        assert_eq!(told.json(), own);
    } else {
        told.code(2).complains("cannot open libdds");
    }
    let arguments = ("calc deal --engine libdds", ([REAL], NT_BY_WEST));
    let mut command = support::command(project(), arguments);
    support::ended(command.env("HATTARI_LIBDDS", "no-such-library.so"))
        .code(2)
        .complains("HATTARI_LIBDDS");
}
