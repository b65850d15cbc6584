//! `hattari calc deal`, end to end.

use crate::support::{self, Arguments, Ended, Folder, hattari, json_lines, project};
use serde_json::json;

const REAL: &str = "N:KT875.AQ87.87.K6 32.T9.AQT.QJT987 J94.K432.9432.32 AQ6.J65.KJ65.A54";
const FINESSE: &str = "N:AQ... K2... 54... 63...";

fn deal(arguments: impl Arguments) -> Ended {
    hattari(project(), ("calc deal", arguments))
}

/// Solves a deal in which these cards have been played.
fn solve(cards: &str, strain_and_leader: &str, played: &str, more: &str) -> Ended {
    deal((([cards], strain_and_leader), (["--played", played], more)))
}

const NT_BY_WEST: &str = "--strain NT --leader N";
const PLAYED: &str = "S7 S2 SJ";

#[test]
fn a_deal_is_solved_at_any_point_of_its_play() {
    let twelve = "S7 S2 SJ SQ D5 D7 DA D2 CQ C2 C4 CK";
    let all = "S5 S3 SA S2 SQ SK S4 S6";
    let south_leads = "--strain NT --leader S";
    for (cards, leader, played, expected) in [
        (
            REAL,
            NT_BY_WEST,
            PLAYED,
            json!({
                "tricks": {"SA": 6, "SQ": 8, "S6": 6},
                "declarer": "W", "to_play": "W", "won": 0, "best": 8,
            }),
        ),
        // Tricks already won are counted for declarer. North, a defender, is to play, so the lowest
        // count is the best.
        (
            REAL,
            NT_BY_WEST,
            twelve,
            json!({
                "tricks": {
                    "SK": 11, "ST": 11, "S8": 11, "S5": 11,
                    "HA": 8, "HQ": 8, "H8": 8, "H7": 8, "D8": 11, "C6": 11,
                },
                "won": 2, "best": 8,
            }),
        ),
        // Declarer sits on the leader's right. North-South defend against East if South leads, and
        // East-West against them if West leads.
        (
            FINESSE,
            south_leads,
            "",
            json!({"declarer": "E", "tricks": {"S5": 1, "S4": 1}}),
        ),
        (
            FINESSE,
            "--strain s --leader west",
            "",
            json!({"declarer": "S", "tricks": {"S6": 1, "S3": 1}}),
        ),
        // No cards are left.
        (
            FINESSE,
            south_leads,
            all,
            json!({"tricks": {}, "won": 1, "to_play": null}),
        ),
    ] {
        let told = solve(cards, leader, played, "--json").code(0).json();
        for (key, value) in expected.as_object().unwrap() {
            assert_eq!(&told[key], value, "{key}: {leader} {played}");
        }
    }
    solve(REAL, NT_BY_WEST, PLAYED, "")
        .code(0)
        .says(["West to play: total tricks of East-West (NT by West)", "SQ"]);
    solve(FINESSE, south_leads, all, "")
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
    let expected = [
        json!({"SA": 6, "SQ": 8, "S6": 6}),
        json!({"S5": 1, "S4": 1}),
        json!({"SA": 1, "SQ": 1}),
    ];
    let solved = json_lines(&out);
    assert_eq!(solved.len(), expected.len());
    for (deal, tricks) in solved.iter().zip(expected) {
        assert_eq!(deal["tricks"], tricks);
    }
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
        json_lines(&folder.succeeds(arguments).out)
    };
    let told = solve("x.pbn");
    let contracts = told.iter().map(|deal| [&deal["strain"], &deal["leader"]]);
    assert_eq!(contracts.collect::<Vec<_>>(), [["NT", "N"], ["S", "S"]]);
    assert_eq!(solve("x.lin"), told[..1]);
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
    let all = solve(&format!("{played}\n{passed}")).code(0);
    let some = solve(&format!("{played}\n{bad}\n{passed}")).code(1);
    let some = some.complains("x.pbn: board 2, line 7: Deal: SA is dealt twice");
    assert_eq!([all, some].map(|told| told.out.lines().count()), [1, 1]);
    solve(&format!("{bad}\n{passed}")).code(2).complains([
        "x.pbn, read as PBN or LIN records: no deal to solve",
        "SA is dealt twice",
    ]);
}

#[test]
fn deals_can_be_read_from_a_pipe() {
    let mut command = support::command(project(), "calc deal --file - --json");
    let deal = format!("{FINESSE} NT S\n");
    let told = support::with_input(&mut command, deal.as_bytes()).json();
    assert_eq!(told["tricks"], json!({"S5": 1, "S4": 1}));
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
