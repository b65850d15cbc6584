//! Tests of `hattari replay`: a game of a league, replayed from its seed.

use crate::support::{Arguments, Ended, Folder, JsonPart, cc, has, project};
use hattari_agents::record::JobId;

const LEAGUE: &str = "game: daihinmin
seed: 20
entrants: [base, all-k, {name: wild, bot: random}, default, plain, single]
format: {kind: line-ups, size: 5}
blocks: 2
deals: 6
";

#[track_caller]
fn replay(folder: &Folder, arguments: impl Arguments) -> Ended {
    folder.succeeds(("replay x.yaml", arguments))
}

#[test]
fn all_games_of_a_block_add_up_to_its_record() {
    let folder = Folder::of(LEAGUE);
    folder.succeeds("run x.yaml --quiet --no-report");
    let records = folder.records("x.yaml");
    assert_eq!(records.len(), 12);
    for record in [&records[0], &records[7]] {
        let JobId { line_up, block } = record.job;
        let mut sum = [0; 5];
        for game in 0..6 {
            let arguments = format!("--line-up {line_up} --block {block} --game {game} --json");
            let replay = replay(&folder, arguments).json();
            assert_eq!(replay["store"]["comparison"], "same");
            for (player, payoff) in replay["payoffs"].list().iter().enumerate() {
                let place = usize::try_from(replay["entrants"][player].natural()).unwrap();
                sum[place] += payoff.as_i64().unwrap();
            }
        }
        assert_eq!(record.sum, sum);
    }
}

#[test]
fn a_game_is_printed_move_by_move() {
    let folder = Folder::of(LEAGUE);
    let arguments = ["--line-up", "single,wild,all-k,base,default", "--game", "1"];
    let told = replay(&folder, arguments);
    let head = "daihinmin/1, x.yaml: line-up 1, block 0, game 1 of 6\n";
    assert!(told.out.starts_with(head), "{}", told.out);
    let told = told.says([
        "\n  phase exchange of cards\n",
        ", daifugo: ",
        "   1  ",
        ": give ",
        " leads: the trick is over",
        "passes  (forced)",
        " comes 5th and is daihinmin\n",
        "\npayoffs: ",
    ]);
    // The first line of play follows the hands after the exchange.
    let (before, after) = told.out.split_once("\n  phase play\n").unwrap();
    assert!(
        before.contains(": give ") && !before.contains(" plays ") && !after.contains(": give "),
        "{}",
        told.out
    );
    // Without stored results nothing is compared, and no store is created.
    assert!(!told.out.contains("store") && !folder.path("x.sqlite").exists());
    // Selected by number, with identical output.
    assert_eq!(replay(&folder, "--line-up 1 --game 1").out, told.out);
    // The first game of a block has no exchange.
    replay(&folder, "--game 0").never_says("exchange");
}

#[test]
fn a_line_up_with_copies_of_an_entrant_can_be_selected_by_name() {
    let text =
        "game: daihinmin\nseed: 3\nentrants: [base, plain]\nblocks: 1\ndeals: 2\nduplicate: true
format: {kind: challenge, challengers: [base], field: [plain, plain, plain, plain]}\n";
    let folder = Folder::of(text);
    replay(&folder, "--line-up plain,plain,base,plain,plain --game 9").says("game 9 of 10");
    folder.refuses(
        "replay x.yaml --game 10",
        "there is no game 10: the league has games 0 to 9",
    );
}

#[test]
fn missing_blocks_line_ups_and_entrants_are_reported() {
    let folder = Folder::of(LEAGUE);
    let wrong = |arguments: &str, message: &str| {
        folder.refuses(("replay x.yaml", arguments), message);
    };
    wrong(
        "--block 2",
        "there is no block 2: the league has blocks 0 to 1",
    );
    wrong(
        "--line-up 6",
        "there is no line-up 6: the league has line-ups 0 to 5",
    );
    wrong(
        "--line-up basse,plain",
        "no entrant `basse`; did you mean `base`?",
    );
    wrong(
        "--line-up base,plain",
        "no line-up consists of base,plain; the first of 6 line-ups is all-k,base,default,plain,wild",
    );
    wrong("--store none.sqlite", "none.sqlite");
    folder.refuses("replay none.yaml", "there is no such file");
}

#[test]
fn faults_are_shown_where_they_happened() {
    let text = LEAGUE.replace("plain", "{name: faulty, bot: last}");
    let folder = Folder::of(&text);
    folder.library("tests/plugins/faulty.c", "faulty", &["-DFAULT_ERROR"]);
    replay(&folder, "--line-up 0").says([
        "(chosen by the host after a fault)",
        "fault: faulty, decision ",
        ": error: act: lost my \u{fffd} glasses (HATTARI_E_FAIL)",
    ]);
    // The block that stops a league can be replayed like any other.
    folder.write("x.yaml", text + "faults: stop\n");
    replay(&folder, "").says("fault: faulty, decision ");
}

#[test]
fn a_changed_bot_is_detected() {
    let folder = Folder::of(&LEAGUE.replace("bot: random", "bot: mine.lua"));
    folder.write(
        "mine.lua",
        "return { act = function(view, legal) return #legal end }",
    );
    folder.succeeds("run x.yaml --quiet --no-report");
    replay(&folder, "").says("the replayed block equals the stored record");
    folder.write(
        "mine.lua",
        "return { act = function(view, legal) return 1 end }",
    );
    folder
        .hattari("replay x.yaml")
        .code(1)
        .says("DIFFERS FROM THE STORED RECORD");
    // Another seed makes another league, without stored results to compare.
    folder.edit("x.yaml", "seed: 20", "seed: 21");
    replay(&folder, "")
        .says("not compared with the store: seed: 21 in the league, 20 in the store");
}

#[test]
fn output_of_bots_is_shown_at_their_moves() {
    let script = "bot = nil\nlocal n = 0\nreturn {\n\
         deal_start = function(view) print('deal', view.deal, { 'a', { deep = { 1, {} } }, x = true }) end,\n\
         act = function(view, legal) n += 1 print('choice', n, legal[1]) return 1 end,\n}";
    let folder = Folder::of(&LEAGUE.replace(
        "{name: wild, bot: random}",
        "{name: talks, bot: ./talks.lua}",
    ));
    folder.write("talks.lua", script);
    let told = replay(&folder, "--line-up talks,base,all-k,default,plain --game 1");
    let told = told.says([
        "prints: deal 1 { \"a\", { deep = { 1, {…} } }, x = true }",
        "prints: choice ",
    ]);
    // Printed text is shown before the move that was chosen with it.
    let lines: Vec<&str> = told.out.lines().collect();
    let prints = lines
        .iter()
        .enumerate()
        .filter(|(_, line)| line.contains("prints: choice"));
    for (at, line) in prints {
        assert!(
            line.trim_start().starts_with("talks") && line.contains("kind = \"pass\""),
            "{line}"
        );
        let next = lines[at + 1];
        has(next, "  talks");
        has(next, "seat ");
    }
    // Other games are not shown.
    assert!(
        !told.out.contains("deal 0") && !told.out.contains("deal 2"),
        "{}",
        told.out
    );
    let json = replay(
        &folder,
        "--line-up talks,base,all-k,default,plain --game 1 --json",
    )
    .json();
    assert_eq!(json["said"][0]["before"], 0, "{json}");
    folder
        .succeeds("check talks.lua --game daihinmin --time 0.2 --blocks 1 --deals 2")
        .says("  prints  ");
}

/// The output of a library's process is shown at its moves as well.
#[test]
fn output_of_a_c_library_is_shown_at_its_moves() {
    let folder = Folder::of(&LEAGUE.replace(
        "{name: wild, bot: random}",
        "{name: talks, bot: ./libtalks.so}",
    ));
    cc(
        &project().join("tests/plugins/prints.c"),
        &folder.path("libtalks.so"),
        &[],
    );
    let told = replay(&folder, "--line-up talks,base,all-k,default,plain --game 1");
    let told = told.says(["prints: deal 1, choice among ", "prints: and an error"]);
    assert!(
        !told.out.contains("deal 0, choice") && !told.out.contains("deal 2, choice"),
        "{}",
        told.out
    );
    folder
        .hattari("check ./libtalks.so --game daihinmin --time 0.2 --blocks 1 --deals 2")
        .says("  prints  ");
}

#[test]
fn stored_blocks_are_played_again_and_compared() {
    let folder = Folder::of(&LEAGUE.replace("bot: random", "bot: mine.lua"));
    let write_bot = |choice: &str| {
        let script = format!("return {{ act = function(view, legal) return {choice} end }}");
        folder.write("mine.lua", script);
    };
    write_bot("#legal");
    folder.refuses("verify x.yaml", "x.sqlite");
    folder.succeeds("run x.yaml --quiet --no-report");
    for file in ["x.yaml", "x.sqlite"] {
        folder
            .succeeds(format!("verify {file} --sample 5"))
            .says("5 blocks of 12 replayed: 5 equal to the stored record, 0 different\n");
    }
    let all = folder
        .succeeds("verify x.yaml --all --json --jobs 2")
        .json();
    assert_eq!(all["stored"], 12);
    assert_eq!(all["same"], 12);
    folder.succeeds("cluster pack x.yaml -o x.hattari");
    folder
        .succeeds("verify x.hattari")
        .says("12 blocks of 12 replayed: 12 equal to the stored record");

    // The changed bot plays differently; it is in five of the six line-ups.
    write_bot("1");
    let changed = folder.hattari("verify x.yaml --json").code(1);
    assert_eq!(changed.json()["different"].list().len(), 10);
    changed.complains("changed since the league was last played");
    folder.hattari("verify x.yaml").code(1).says([
        "differs from the stored record",
        "2 equal to the stored record, 10 different",
    ]);
    let export = "export parquet x.yaml --output tables --tables deals,blocks";
    folder
        .hattari(export)
        .code(1)
        .complains("differs from the stored record");
}

#[test]
fn text_json_and_page_show_the_same_game() {
    let folder = Folder::of(LEAGUE);
    let text = replay(&folder, "--game 1").out;
    let both = ["--game", "1", "--json", "--html", "--output", "game.html"];
    let json = replay(&folder, both).json();
    assert_eq!(json["text"], text);
    let page = folder.read("game.html");
    replay(&folder, "--game 1 --html --output alone.html");
    assert_eq!(folder.read("alone.html"), page);
}
