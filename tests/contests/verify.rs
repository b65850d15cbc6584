//! Tests of `hattari verify` with the recorded games and damaged copies of them.

use crate::support::{self, Arguments, Ended, Folder, JsonPart, has, hattari, project};
use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use serde_json::{Value, json};
use std::fs;
use std::io::{Read, Write};
use std::path::Path;

const CORPUS: &str = "tests/data/uecda-games.jsonl.gz";

/// Returns the first `count` recorded games.
fn games(count: usize) -> Vec<Value> {
    let mut text = String::new();
    let file = fs::File::open(project().join(CORPUS)).unwrap();
    MultiGzDecoder::new(file).read_to_string(&mut text).unwrap();
    text.lines()
        .take(count)
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn lines(games: &[Value]) -> String {
    games.iter().map(|game| game.to_string() + "\n").collect()
}

/// Verifies a corpus with these contents.
fn verify(bytes: &[u8], arguments: impl Arguments) -> Ended {
    let folder = Folder::new();
    folder.write("games.jsonl", bytes);
    folder.hattari(("verify games.jsonl", arguments))
}

/// Returns the index of the first turn of `game` for which `fits` is true.
fn turn(game: &Value, fits: impl Fn(&Value) -> bool) -> usize {
    game["turns"].list().iter().position(fits).unwrap()
}

#[test]
fn corpora_are_read_plain_compressed_and_from_a_pipe() {
    let text = lines(&games(5));
    verify(text.as_bytes(), "").code(0).says("5 games, ");
    let mut zipped = Vec::new();
    // Two gzip members in one file, as from `cat a.gz b.gz`.
    for _ in 0..2 {
        let mut encoder = GzEncoder::new(&mut zipped, Compression::fast());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap();
    }
    verify(&zipped, "").code(0).says("10 games, ");
    for input in [text.as_bytes(), &zipped] {
        let mut command = support::command(Path::new("."), "verify -");
        support::with_input(&mut command, input)
            .code(0)
            .says(" 0 mismatches");
    }
}

#[test]
fn an_accepted_illegal_play_is_reported() {
    let mut games = games(3);
    let accepted = turn(&games[1], |turn| turn[2] == 9 && turn[3] == 0);
    // The player's own card is replaced by the joker's name. The joker may be in another hand; the
    // play is rejected in any case.
    games[1]["turns"][accepted][1] = json!("S3 H3 D3 C3");
    let message = format!(
        "game 2, turn {}: S3 H3 D3 C3 was accepted, but the rules refuse it: ",
        accepted + 1
    );
    let json = verify(lines(&games).as_bytes(), "--json").code(1).json();
    assert_eq!(json["mismatches"][0]["game"], 2);
    assert_eq!(json["mismatches"][0]["turn"], json!(accepted + 1));
    verify(lines(&games).as_bytes(), "")
        .code(1)
        .says(["3 games, ", ", 1 mismatches\n", &message]);
}

#[test]
fn older_presets_are_accepted_and_presets_of_other_games_are_refused() {
    // In the older preset ranks persist longer, which these games do not show. All other rules are
    // the same.
    verify(lines(&games(50)).as_bytes(), "--preset uecda-2007").code(0);
    verify(lines(&games(1)).as_bytes(), "--preset bridge")
        .code(2)
        .complains("uecda, uecda-2007");
}

#[test]
fn malformed_lines_are_reported_with_their_number() {
    let good = lines(&games(2));
    let text = format!("{good}\nnot JSON\n{{\"fresh\": true}}\n{good}");
    verify(text.as_bytes(), "").code(1).says([
        "line 4: malformed: column 2: ",
        "line 5: malformed: column 15: missing field `",
        "4 games, ",
        " 0 mismatches, 2 malformed lines",
    ]);
    verify(text.as_bytes(), "--max 1")
        .code(1)
        .says("... and 1 more")
        .never_says("line 5");
}

#[test]
fn unreadable_files_are_errors() {
    hattari(project(), "verify tests/data/none.jsonl")
        .code(2)
        .complains("error: tests/data/none.jsonl: ");
    verify(b"", "")
        .code(2)
        .complains("the file contains no games");
    let zipped = fs::read(project().join(CORPUS)).unwrap();
    verify(&zipped[..zipped.len() / 2], "")
        .code(2)
        .complains("cannot read ");
}

/// A few compressed bytes that expand to endless lines.
#[test]
fn a_file_without_games_in_its_first_megabytes_is_not_a_corpus() {
    for (line, count, words) in [
        (
            "\n",
            2 << 20,
            "lines 1 to 1000001 contain no game: the file is not a corpus",
        ),
        (
            "x\n",
            2 << 20,
            "lines 1 to 1000001 contain no game: the file is not a corpus",
        ),
        (
            &(" ".repeat(9 << 20) + "\n"),
            9,
            "lines 1 to 4 contain no game: the file is not a corpus",
        ),
    ] {
        let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
        packer.write_all(line.repeat(count).as_bytes()).unwrap();
        let packed = packer.finish().unwrap();
        assert!(packed.len() < 1 << 20);
        verify(&packed, "").code(2).complains(words);
    }
}

/// An earlier export is kept until a new one is complete.
#[test]
fn a_failed_export_keeps_the_existing_file() {
    let league = "game: daihinmin\nentrants: [base, all-k, default, single, random]\nformat: {kind: line-ups, size: 5}\nblocks: 2\n";
    let folder = Folder::of(league);
    for file in ["games.jsonl", "games.jsonl.gz"] {
        folder.write(file, "what was there before");
        let export =
            |more: &str| folder.hattari((["export", "corpus", "x.yaml", "-o", file], more));
        export("--game 99999")
            .code(2)
            .complains("there is no such game");
        assert_eq!(folder.read(file), "what was there before");
        export("").code(0);
        folder.succeeds(["verify", file]).says("200 games, ");
    }
    assert_eq!(
        fs::read_dir(folder.root()).unwrap().count(),
        3,
        "nothing is left beside them"
    );
}

#[test]
fn exported_games_pass_verification() {
    let folder = Folder::new();
    let league = "game: daihinmin\nseed: 3\nentrants: [base, all-k, default, single, random]\nformat: {kind: line-ups, size: 5}\nblocks: 3\n";
    for (name, options, arguments) in [
        ("whole", "", &["--preset", "uecda"][..]),
        (
            "long",
            "preset: uecda-2007\ndeals: 130\n",
            &["--preset", "uecda-2007"],
        ),
    ] {
        folder.write("x.yaml", format!("{league}{options}"));
        let file = format!("{name}.jsonl.gz");
        let exported = folder.succeeds(format!("export corpus x.yaml --output {file}"));
        let count = if name == "whole" { 300 } else { 390 };
        has(&exported.err, &format!("{file}: {count} games"));
        let verified = folder.succeeds((["verify", &file], arguments));
        assert!(
            verified.out.starts_with(&format!("{count} games, ")),
            "{}",
            verified.out
        );
    }
    // A single game is the same as among the others.
    let export = |arguments: &str| folder.succeeds(("export corpus x.yaml", arguments)).out;
    let (block, game) = (export("--block 1"), export("--block 1 --game 17"));
    assert_eq!(
        (block.lines().nth(17), game.lines().count()),
        (game.lines().next(), 1)
    );
    // Records do not contain options, so games of other rules could not be verified.
    for (option, is_rule) in [
        ("eleven_back: true", true),
        ("exchange: false", true),
        ("ask_last_player_again: false", true),
        ("deadlock_passes: 19", true),
        (
            "points: [9, 4, 3, 2, 1], seat_redraw: 0, rank_reset: 2",
            false,
        ),
    ] {
        folder.write(
            "x.yaml",
            format!("{league}deals: 5\noptions: {{{option}}}\n"),
        );
        if is_rule {
            folder.refuses(
                "export corpus x.yaml",
                "this league plays by other rules than the presets; use `hattari export parquet`",
            );
        } else {
            folder.succeeds("export corpus x.yaml -o other.jsonl");
            folder.succeeds("verify other.jsonl").says(" 0 mismatches");
        }
    }
    let poker =
        "game: holdem\nentrants: [call, fold]\nformat: {kind: line-ups, size: 2}\nblocks: 1\n";
    folder.write("poker.yaml", poker);
    folder.refuses(
        "export corpus poker.yaml",
        "the corpus format supports daihinmin only",
    );
}

#[test]
fn records_are_unchanged_after_reading_and_writing() {
    use hattari_plugin::games::daihinmin::corpus::CorpusRecord;
    for game in games(600) {
        let record: CorpusRecord = serde_json::from_value(game.clone()).unwrap();
        assert_eq!(serde_json::to_value(&record).unwrap(), game);
    }
}
