//! Bridge leagues through the program: pairs, the same deal at two tables with sides swapped, and
//! IMPs.

use crate::support::{Folder, JsonPart, project, python};
use hattari_agents::record::{JobId, Record};
use hattari_plugin::games::bridge::{GameRecord, duplicate_score, imps, read_lin, read_pbn};
use serde_json::Value;
use std::fs;

const LEAGUE: &str = "\
game: bridge
seed: 3
entrants: [cheap, random, {name: cheap-2, bot: cheap}]
format: {kind: pairs, a: [cheap], b: [random, cheap-2]}
blocks: 40
duplicate: true
";

/// Plays a variant of the league and returns its records.
fn played(from: &str, to: &str) -> Vec<Record> {
    Folder::of(&LEAGUE.replace(from, to)).play("x.yaml")
}

#[test]
fn duplicate_deals_are_played_at_two_tables_and_scored_in_imps() {
    let folder = Folder::of(LEAGUE);
    let records = folder.play("x.yaml");
    assert_eq!(records.len(), 80);
    let (mut ahead, mut behind) = (0, 0);
    for record in &records {
        assert_eq!(record.deals, 1, "the two tables are one deal");
        let imps = record.sum[0];
        assert_eq!(
            record.sum,
            [imps, -imps, imps, -imps],
            "partners score alike, opponents the opposite"
        );
        assert!(imps.abs() <= 24);
        if record.job.line_up == 1 {
            assert_eq!(
                imps, 0,
                "the same bot at all seats does the same at both tables"
            );
        } else {
            ahead += i32::from(imps > 0);
            behind += i32::from(imps < 0);
        }
    }
    assert!(
        behind < ahead,
        "{ahead} boards won, {behind} lost against chance"
    );
    let report = folder.succeeds("report x.yaml");
    report.says([
        "each of cheap with each of random, cheap-2, as pairs",
        "IMPs: mean per deal",
    ]);
}

#[test]
fn the_bridge_score_counts_without_duplicate_deals() {
    for record in played("duplicate: true", "duplicate: false") {
        let score = record.sum[0];
        assert!(score % 10 == 0 && score != 0, "{score} is no score");
    }
}

#[test]
fn bots_of_one_table_are_compared_only_if_deals_are_duplicated() {
    let folder_of = |format: &str, more: &str| {
        Folder::of(&format!(
            "game: bridge\nseed: 3\nentrants: [random, {{name: random-2, bot: random}}, cheap, {{name: cheap-2, bot: cheap}}]\n\
             format: {format}\nblocks: 40\ndeals: 10\n{more}"
        ))
    };
    let league = |format: &str, more: &str| {
        let folder = folder_of(format, more);
        folder.succeeds("run x.yaml --no-report");
        folder.succeeds("report x.yaml --format json").json()
    };
    let kinds = |report: &Value| {
        let kind = |pair: &Value| pair["verdict"]["kind"].text().to_owned();
        report["pairs"]
            .list()
            .iter()
            .map(kind)
            .collect::<Vec<String>>()
    };
    let caution = "Players keep their seats";
    // Equal bots: the side of declarer wins most deals.
    let sides = "{kind: pairs, a: [random], b: [random-2]}";
    let report = league(sides, "");
    assert!(report["bots"][0]["mean"].float() > 50.0);
    assert!(kinds(&report).iter().all(|kind| kind == "cannot-tell"));
    assert!(report["cautions"].to_string().contains(caution), "{report}");
    let why = report["pairs"][0]["pooled"]["not_testable"].text();
    assert!(why.contains("never met in equal seats"), "{why}");
    assert!(report["ratings"].is_null() && report["congeniality"].is_null());
    // A stopping rule would decide on the seats.
    folder_of(sides, "sequential: {}\n").refuses(
        "run x.yaml",
        "use `duplicate: true` (in bridge with `format: pairs`), because players keep their seats",
    );
    // Duplicate deals do not exchange partners.
    let partners = "{kind: duel, a: [random], b: [random-2], field: [cheap, cheap-2]}";
    let report = league(partners, "duplicate: true");
    assert!(kinds(&report).iter().all(|kind| kind == "cannot-tell"));
    assert!(report["cautions"].to_string().contains(caution), "{report}");
    let report = league(sides, "duplicate: true");
    assert!(!report["cautions"].to_string().contains(caution));
    assert!(report["pairs"][0]["pooled"]["tested"]["p"].is_number());
    // Challengers play in the same seats. The first place is dummy's.
    let challenge =
        "{kind: challenge, challengers: [random, cheap], field: [random-2, cheap-2, cheap-2]}";
    let cautions = &league(challenge, "same_deals: true")["cautions"];
    let idle = "random played 40 blocks and had no decision to make";
    assert!(cautions.to_string().contains(idle), "{cautions}");
    let rivals = "{kind: pairs, a: [random, cheap], b: [random-2]}";
    let report = league(rivals, "same_deals: true");
    let kinds = kinds(&report);
    assert!(kinds.contains(&"ahead".to_owned()), "{kinds:?}");
    // The places of a tournament depend on the seats.
    let cautions = &league("{kind: swiss, rounds: 2, size: 4}", "")["cautions"];
    let decided = "The places of the format depend on such differences.";
    assert!(cautions.to_string().contains(decided), "{cautions}");
}

/// Reports of large leagues leave out pairs, whose verdicts are only counted.
#[test]
fn large_reports_do_not_count_differences_of_seats() {
    let sides: Vec<String> = (0..64).map(|number| format!("n{number}")).collect();
    let entrants = sides
        .iter()
        .map(|name| format!("{{name: {name}, bot: random}}"));
    let folder = Folder::of(&format!(
        "game: bridge\nseed: 3\nentrants: [{{name: other, bot: random}}, {}]\n\
         format: {{kind: pairs, a: [{}], b: [other]}}\nblocks: 20\ndeals: 5\n",
        entrants.collect::<Vec<String>>().join(", "),
        sides.join(", ")
    ));
    folder.succeeds("run x.yaml --no-report");
    let report = folder
        .succeeds("report x.yaml")
        .says("Players keep their seats");
    let other = report
        .out
        .lines()
        .find(|line| line.contains("other") && line.contains("undecided"));
    let other = other.expect("the verdicts of `other` are counted");
    assert!(
        !other.contains("behind") && !other.contains("ahead"),
        "{other}"
    );
}

#[test]
fn deals_can_be_read_from_a_file_of_records() {
    let deal = "N:KT875.AQ87.87.K6 32.T9.AQT.QJT987 J94.K432.9432.32 AQ6.J65.KJ65.A54";
    let league = LEAGUE.replace(
        "seed: 3",
        "options: {dealer: W, deals: {file: boards.pbn}, played: S7 S2 SJ}",
    );
    let folder = Folder::of(&league);
    // Some editors write a byte order mark.
    let boards = format!("\u{feff}[Board \"1\"]\n[Deal \"{deal}\"]\n");
    folder.write("boards.pbn", boards);
    assert_eq!(folder.play("x.yaml").len(), 80);
    folder
        .succeeds("replay x.yaml --line-up 0 --block 0 --game 0")
        .says([
            "contract 3 no trumps by West",
            "declarer: A♠ Q♠ 6♠ J♥ 6♥ 5♥ A♣ 5♣ 4♣ K♦ J♦ 6♦ 5♦",
        ]);
    folder.write("boards.pbn", "[Deal \"N:AA... - - -\"]\n");
    folder.refuses("run x.yaml --restart", "line 1: Deal: SA is dealt twice");
    folder.write("boards.pbn", "[Event \"x\"]\n[Contract \"3NT\"]\n");
    folder.refuses("run x.yaml --restart", "game 1 has no deal");
    fs::remove_file(folder.path("boards.pbn")).unwrap();
    folder.refuses("run x.yaml", "cannot read `boards.pbn`");
}

#[test]
fn exported_pbn_and_lin_boards_read_back_with_equal_data() {
    let folder = Folder::of(&LEAGUE.replace("blocks: 40", "blocks: 3"));
    let records = folder.play("x.yaml");
    let export = |format: &str| {
        folder.succeeds(format!("export {format} x.yaml --output x.out"));
        folder.read("x.out")
    };
    let pbn = export("pbn");
    let boards = read_pbn(&pbn).into_all().unwrap();
    assert_eq!(boards.len(), 2 * records.len(), "two tables a board");
    for (number, pair) in (0..).zip(boards.chunks(2)) {
        assert_eq!(pair[0].deal, pair[1].deal, "the cards are the same");
        let tag = |board: &GameRecord, name| board.tag(name).unwrap().to_owned();
        let names = |board| ["North", "East", "South", "West"].map(|seat| tag(board, seat));
        let [north, east, south, west] = names(&pair[0]);
        assert!(north == south && east == west, "partners play the same");
        assert_eq!(
            names(&pair[1]),
            [east, north, west, south],
            "the sides are swapped"
        );
        // The league gives the same result in IMPs.
        let score = |board: &GameRecord| {
            let (contract, tricks) = (board.contract.unwrap(), board.result.unwrap());
            let vulnerable = board.vulnerable.unwrap().includes(contract.declarer.side());
            duplicate_score(&contract, vulnerable, tricks)
        };
        let [line_up, block] = ["LineUp", "Block"].map(|name| tag(&pair[0], name).parse().unwrap());
        let job = JobId { line_up, block };
        let record = records.iter().find(|record| record.job == job).unwrap();
        assert_eq!(
            record.sum[0].abs(),
            imps(score(&pair[0]) - score(&pair[1])).abs(),
            "board {number}"
        );
        assert_eq!(pair[0].play.len(), 52);
    }
    assert_eq!(
        with_players(read_lin(&export("lin")).into_all().unwrap()),
        with_players(boards)
    );
    folder
        .succeeds("export lin x.yaml --line-up 0 --block 1 --game 1")
        .says("qx|o1|");
}

/// Keeps only the board number and the players among the tags.
fn with_players(boards: Vec<GameRecord>) -> Vec<GameRecord> {
    let facts = |mut board: GameRecord| {
        board.tags.retain(|(name, _)| {
            ["Board", "North", "East", "South", "West"].contains(&name.as_str())
        });
        board.tags.sort();
        board
    };
    boards.into_iter().map(facts).collect()
}

#[test]
#[ignore = "needs endplay (pip install endplay)"]
fn endplay_reads_exported_boards() {
    let folder = Folder::of(&LEAGUE.replace("blocks: 40", "blocks: 3"));
    folder.play("x.yaml");
    folder.succeeds("export pbn x.yaml --output x.pbn");
    let script = project().join("plugin-api/games/tests/it/bridge/replay.py");
    let files = ["x.pbn", "y.pbn"].map(|name| folder.path(name));
    python::run(
        &python::with("endplay"),
        &script,
        &files.each_ref().map(|file| file.as_ref()),
    );
    let [ours, back] = ["x.pbn", "y.pbn"]
        .map(|name| with_players(read_pbn(&folder.read(name)).into_all().unwrap()));
    assert_eq!(back, ours);
}

/// All pairs play the same boards, each once. Compares the results of pairs in the same position.
#[test]
fn pairs_are_compared_board_by_board() {
    let league = LEAGUE.replace("duplicate: true", "same_deals: true").replace(
        "entrants: [cheap, random, {name: cheap-2, bot: cheap}]\nformat: {kind: pairs, a: [cheap], b: [random, cheap-2]}",
        "entrants: [cheap, random, {name: other, bot: cheap}]\nformat: {kind: pairs, a: [cheap, random], b: [other]}",
    );
    let folder = Folder::of(&league);
    folder.play("x.yaml");
    let text = folder.succeeds("study boards x.yaml --markdown").out;
    let row = |start: &str| -> Vec<String> {
        let line = text
            .lines()
            .find(|line| line.starts_with(start))
            .unwrap_or_else(|| panic!("{start}: {text}"));
        line.split('|').map(|cell| cell.trim().to_owned()).collect()
    };
    let value = |cell: &str| cell.split(' ').next().unwrap().parse::<f64>().unwrap();
    let (cheap, random) = (row("| cheap | other |"), row("| random | other |"));
    let difference = row("| cheap | random | against other |");
    assert_eq!(
        (&cheap[3], &difference[4]),
        (&"40".to_owned(), &"40".to_owned())
    );
    let tricks = value(&cheap[5]) - value(&random[5]);
    assert!(
        tricks > 0.0 && (value(&difference[6]) - tricks).abs() < 0.002,
        "{difference:?}"
    );
    let made = value(&cheap[4]) - value(&random[4]);
    assert!(
        (value(&difference[7]) - made).abs() < 0.002,
        "{difference:?}"
    );
    assert!(
        value(&difference[5]) > 0.0,
        "IMPs go with the tricks: {difference:?}"
    );
    // If only contracts are counted, tricks are not compared. If tables are swapped, nothing is.
    let contracts =
        Folder::of(&league.replace("seed: 3", "seed: 3\noptions: {scoring: contracts}"));
    contracts.play("x.yaml");
    let text = contracts.succeeds("study boards x.yaml --markdown").out;
    let line = text
        .lines()
        .find(|line| line.starts_with("| cheap | other |"))
        .unwrap();
    assert_eq!(
        line.split('|').nth(4).map(str::trim),
        Some(cheap[4].as_str()),
        "the same games"
    );
    assert_eq!(line.split('|').nth(5).map(str::trim), Some(""));
    let swapped = Folder::of(LEAGUE);
    swapped.play("x.yaml");
    swapped.refuses("study boards x.yaml", "without `duplicate: true`");
}

#[test]
fn invalid_bridge_leagues_are_refused_with_the_reason() {
    let wrong = |from: &str, to: &str, words: &str| {
        Folder::of(&LEAGUE.replace(from, to)).refuses("run x.yaml", words);
    };
    wrong(
        "seed: 3",
        "options: {auction: 1NT P P}",
        "there is no contract",
    );
    wrong(
        "seed: 3",
        "options: {deals: ['N:AK... - - -']}",
        "North has 2 cards",
    );
    wrong(
        "a: [cheap]",
        "a: [random]",
        "`random` is on both sides of the format of pairs",
    );
    wrong(
        "kind: pairs, a: [cheap], b: [random, cheap-2]",
        "kind: line-ups, size: 3",
        "takes 4 players",
    );
}
