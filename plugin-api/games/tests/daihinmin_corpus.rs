//! 600 games of contest clients on the official server, replayed through the rules.

use flate2::read::GzDecoder;
use hattari_games::Game;
use hattari_games::daihinmin::corpus::{Record, replay};
use hattari_games::daihinmin::{Action, Daihinmin, Options};
use std::fs::File;
use std::io::{BufRead, BufReader};

fn records() -> Vec<Record> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/uecda-games.jsonl.gz");
    BufReader::new(GzDecoder::new(File::open(path).unwrap()))
        .lines()
        .map(|line| serde_json::from_str(&line.unwrap()).unwrap())
        .collect()
}

fn rules() -> Daihinmin {
    Daihinmin::new(Options::default()).unwrap()
}

#[test]
fn every_recorded_game_replays_without_a_mismatch() {
    let rules = rules();
    let (mut games, mut turns, mut plays) = (0, 0, 0);
    for (number, record) in (1..).zip(records()) {
        let replay = replay(&rules, &record);
        let mismatches: Vec<String> = replay.mismatches.iter().map(ToString::to_string).collect();
        assert!(mismatches.is_empty(), "game {number}: {mismatches:?}");
        assert_eq!(replay.turns, record.turns.len(), "game {number}");
        games += 1;
        turns += replay.turns;
        plays += replay.plays;
    }
    assert_eq!((games, turns, plays), (600, 48_183, 21_024));
}

#[test]
fn every_recorded_play_prints_as_it_was_recorded() {
    for record in records() {
        for turn in record.turns {
            let action: Action = turn.cards.parse().unwrap();
            assert_eq!(action.to_string(), turn.cards);
        }
    }
}
