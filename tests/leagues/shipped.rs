//! Tests that every shipped league plays the same games as before: digests of some of its blocks
//! are in `tests/data/league-digests.txt`. A changed digest makes stored results stale. It
//! therefore requires a new version of a bot or a new generation of a game's rules.

use crate::support::{Folder, at_once, project};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::{env, fs};

const GOLDEN: &str = "tests/data/league-digests.txt";
/// Last word of a line whose blocks are too slow for `cargo test` in the dev profile.
const NIGHTLY: &str = "nightly";

/// A line of the golden file.
struct Line {
    league: String,
    /// Option of `hattari run` with its value, which selects the part of the league.
    part: [String; 2],
    /// Digest of the records, and their number.
    digest: String,
    is_nightly: bool,
}

impl Line {
    fn parse(text: &str) -> Line {
        match *text.split(' ').collect::<Vec<_>>() {
            [league, option, value, digest, blocks, ref end @ ..]
                if matches!(end, [] | [NIGHTLY]) =>
            {
                Line {
                    league: league.to_owned(),
                    part: [option.to_owned(), value.to_owned()],
                    digest: format!("{digest} {blocks}"),
                    is_nightly: !end.is_empty(),
                }
            }
            _ => panic!("{GOLDEN}: `{text}` is not LEAGUE OPTION VALUE DIGEST BLOCKS [{NIGHTLY}]"),
        }
    }

    /// Plays the part of the league and returns the digest.
    fn play(&self, folder: &Folder, number: usize) -> String {
        let league = project().join("leagues").join(&self.league);
        let store = folder.path(&format!("{number}.sqlite"));
        let (league, store) = (league.to_str().unwrap(), store.to_str().unwrap());
        let [option, value] = &self.part;
        let part = ["run", league, option, value, "--store", store];
        folder.succeeds((part, "--jobs 1 --quiet --no-report --trust"));
        folder.digest(store).trim().to_owned()
    }
}

fn lines() -> (String, Vec<Line>) {
    let text = fs::read_to_string(project().join(GOLDEN)).unwrap();
    let (comments, lines): (Vec<&str>, Vec<&str>) =
        text.lines().partition(|line| line.starts_with('#'));
    (
        comments.iter().map(|line| format!("{line}\n")).collect(),
        lines.into_iter().map(Line::parse).collect(),
    )
}

/// Compares the digests, or rewrites them with `UPDATE=1`.
fn compare(test: &str, are_nightly: bool) {
    let (comments, mut lines) = lines();
    let update = env::var_os("UPDATE").is_some();
    let files = fs::read_dir(project().join("leagues"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name());
    let leagues: BTreeSet<String> = files
        .map(|name| name.into_string().unwrap())
        .filter(|name| name.ends_with(".yaml"))
        .collect();
    let named: BTreeSet<String> = lines.iter().map(|line| line.league.clone()).collect();
    let mut wrong = String::new();
    if update {
        lines.retain(|line| leagues.contains(&line.league));
        let new = leagues
            .difference(&named)
            .map(|league| Line::parse(&format!("{league} --blocks 1 none 0")));
        lines.extend(new);
    } else {
        for league in leagues.symmetric_difference(&named) {
            let what = if named.contains(league) {
                "has a line and is no shipped league"
            } else {
                "has no line"
            };
            writeln!(wrong, "  {league} {what}").unwrap();
        }
    }
    let folder = Folder::new();
    let digests = at_once(lines.len(), |number| {
        let line = &lines[number];
        (line.is_nightly == are_nightly).then(|| line.play(&folder, number))
    });
    for (line, digest) in lines.iter_mut().zip(digests) {
        if let Some(digest) = digest.filter(|digest| *digest != line.digest) {
            let [option, value] = &line.part;
            writeln!(
                wrong,
                "  {} {option} {value}: {digest}, recorded is {}",
                line.league, line.digest
            )
            .unwrap();
            line.digest = digest;
        }
    }
    if update {
        let line = |Line {
                        league,
                        part: [option, value],
                        digest,
                        is_nightly,
                    }: &Line| {
            let end = if *is_nightly {
                format!(" {NIGHTLY}")
            } else {
                String::new()
            };
            format!("{league} {option} {value} {digest}{end}\n")
        };
        let mut texts: Vec<String> = lines.iter().map(line).collect();
        texts.sort();
        fs::write(project().join(GOLDEN), comments + &texts.concat()).unwrap();
    } else {
        assert!(
            wrong.is_empty(),
            "{GOLDEN}:\n{wrong}other digests make stored results stale: raise the version of the bot that plays differently, or the generation \
             of the rules. Record with\n  UPDATE=1 cargo test -p hattari --test leagues {test} -- --include-ignored\na new league with one block \
             of every line-up; where that is long give it a line with a part, such as `x.yaml --unit 0-9 none 0`"
        );
    }
}

#[test]
fn shipped_leagues_play_the_recorded_games() {
    compare("shipped_leagues_play", false);
}

#[test]
#[ignore = "long: some ten seconds a block"]
fn nightly_shipped_leagues_with_long_blocks_play_the_recorded_games() {
    compare("nightly_shipped_leagues", true);
}
