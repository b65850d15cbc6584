//! Replays 600 games of contest clients on the official server with the rules.

use flate2::read::GzDecoder;
use hattari_games::Game;
use hattari_games::daihinmin::corpus::{CorpusRecord, CorpusTurn, Mismatch, Replay, replay};
use hattari_games::daihinmin::{Action, Daihinmin, Options};
use std::fs::File;
use std::io::{BufRead, BufReader};

fn records() -> Vec<CorpusRecord> {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/data/uecda-games.jsonl.gz"
    );
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
        let mismatches = texts(&replay);
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

/// The games form one match: titles are the places of the game before, every hundredth game is
/// fresh, and seats stay the same for three games.
#[test]
fn recorded_titles_resets_and_seats_follow_the_preset() {
    let options = Options::preset("uecda").unwrap();
    let records = records();
    for (number, pair) in (1_u32..).zip(records.windows(2)) {
        let [game, next] = pair else {
            unreachable!("windows of two")
        };
        assert_eq!(
            next.fresh,
            number % options.rank_reset == 0,
            "game {}",
            number + 1
        );
        if let Some(titles) = next.titles {
            for (place, &player) in (0..).zip(&game.finish) {
                assert_eq!(titles[usize::from(player)], place, "game {}", number + 1);
            }
        }
        if number % options.seat_redraw != 0 {
            assert_eq!(game.seats, next.seats, "game {}", number + 1);
        }
    }
}

/// Replays the second recorded game (titles 3 0 2 4 1) after a change.
fn mismatches(change: impl FnOnce(&mut CorpusRecord)) -> Vec<String> {
    let mut record = records().swap_remove(1);
    change(&mut record);
    texts(&replay(&rules(), &record))
}

/// Formats the mismatches of a replay, with the turn of each.
fn texts(replay: &Replay) -> Vec<String> {
    let text = |Mismatch { turn, what }: &Mismatch| match turn {
        Some(turn) => format!("turn {turn}: {what}"),
        None => what.clone(),
    };
    replay.mismatches.iter().map(text).collect()
}

#[test]
fn every_change_of_a_record_is_reported_as_a_mismatch() {
    let none: [&str; 0] = [];
    assert_eq!(mismatches(|_| ()), none);
    for (change, expected) in [
        (
            (|game| game.turns[7].lock = 1) as fn(&mut CorpusRecord),
            "turn 8: lock: recorded 1, but by the rules 0",
        ),
        (
            |game| game.turns[0].empty = 0,
            "turn 1: table empty: recorded 0, but by the rules 1",
        ),
        (
            |game| game.turns[3].revolution = 1,
            "turn 4: revolution: recorded 1, but by the rules 0",
        ),
        (
            |game| game.turns[1].player = 4,
            "turn 2: it is the turn of player 4, but by the rules it is the turn of player 0",
        ),
        (
            |game| game.turns[1].answer = 9,
            "turn 2: the answer to a pass is 9, not 8",
        ),
        (
            |game| game.turns[1].answer = 7,
            "turn 2: the answer to a pass is 7, not 8",
        ),
        (
            |game| game.turns[2].answer = 7,
            "turn 3: the answer is 7, neither 9 nor 8",
        ),
        (
            |game| game.turns[2].cards = "SK HK".into(),
            "turn 3: SK HK was accepted, but the rules refuse it: the play must have the same \
             shape and number of cards as the play on the table",
        ),
        (
            |game| game.turns[2].cards = "SK HK DK".into(),
            "turn 3: SK HK DK was accepted, but the rules refuse it: a card is not in the hand",
        ),
        (
            |game| game.turns[2].cards = "SK HK DX".into(),
            "turn 3: SK HK DX was accepted, but the rules refuse it: `DX` is not a card; write \
             suit S H D C and rank 3-9 T J Q K A 2, or JK, or JK= and the card that the joker \
             represents",
        ),
        (
            |game| game.finish.swap(0, 1),
            "the recorded finishing order is [1, 4, 2, 0, 3], but the rules give [4, 1, 2, 0, 3]",
        ),
        (
            |game| game.left = vec![2],
            "the recorded numbers of cards left are [2], but the rules give [1]",
        ),
        (|game| game.hands[0].swap_remove(0).clear(), "player 0 has"),
        (
            |game| game.given[1] = None,
            "player 1 has to give cards, but none are recorded",
        ),
        (
            |game| game.given[1] = Some(vec!["S7".into()]),
            "player 1 may not give S7",
        ),
        (
            |game| game.given[1] = Some(vec!["S7".into(), "S9".into()]),
            "player 1 may not give S7 S9",
        ),
        (
            |game| game.titles = Some([3, 0, 2, 4, 4]),
            "the titles must be 0 to 4, each once",
        ),
        (
            |game| game.titles = None,
            "a fresh game must have no titles, and any other game must have titles",
        ),
        (
            |game| game.seats[0] = 9,
            "`seats` contains a player that is not 0 to 4",
        ),
        (|game| game.before[2].clear(), "the seats have been dealt"),
        (
            |game| game.before[3][0] = "S1".into(),
            "`S1` is not a card; write suit S H D C and rank 3-9 T J Q K A 2, or JK",
        ),
    ] {
        let found = mismatches(change);
        assert!(
            found
                .first()
                .is_some_and(|first| first.starts_with(expected)),
            "{found:?}, not {expected}"
        );
    }
}

#[test]
fn a_record_that_ends_early_or_late_is_a_mismatch() {
    let early = mismatches(|game| game.turns.truncate(50));
    assert_eq!(
        early,
        ["the record ends, but by the rules the game continues"]
    );
    let late = mismatches(|game| {
        let turn = game.turns[1].clone();
        game.turns.push(turn);
    });
    assert_eq!(late.len(), 1);
    assert!(
        late[0].ends_with("the record continues, but by the rules the game is over"),
        "{late:?}"
    );
}

#[test]
fn a_wrong_tribute_is_a_mismatch() {
    // Player 3 is daihinmin and loses two queens to player 1. The change replaces one of them by a
    // three.
    let found = mismatches(|game| {
        let (daifugo, daihinmin) = (1, 3);
        let tribute = game.before[daifugo]
            .iter()
            .position(|card| game.before[daihinmin].contains(card))
            .unwrap();
        let weakest = game.before[daihinmin]
            .iter()
            .position(|card| card == "D3")
            .unwrap();
        game.before[daifugo][tribute] = game.before[daihinmin][weakest].clone();
    });
    assert!(found[0].starts_with("player 1 got"), "{found:?}");
}

/// A play that the server refused counts as a pass. Refusing a legal play is a mismatch.
#[test]
fn plays_refused_by_the_server_count_as_passes() {
    let refused = |cards: &str| {
        mismatches(|game| {
            assert_eq!(
                (game.turns[1].cards.as_str(), game.turns[1].answer),
                ("-", 8)
            );
            game.turns[1].cards = cards.into();
        })
    };
    // Player 0 holds H6, C6 and D6, too low for three sevens. Then cards of other players, and text
    // that is not a play.
    for cards in ["H6 D6 C6", "SK HK DK", "H6 S7", "nonsense"] {
        assert!(refused(cards).is_empty(), "{cards}");
    }
    let legal = mismatches(|game| game.turns[2].answer = 8);
    assert_eq!(
        legal[0],
        "turn 3: SK HK JK=DK was refused, but by the rules it is legal"
    );
}

/// The official server answers 9 to a pass on an empty table, but a corpus may also have 8.
#[test]
fn both_answers_to_a_pass_on_an_empty_table_are_accepted() {
    for answer in [7, 8, 9] {
        let found = mismatches(|game| {
            game.turns.truncate(1);
            (game.turns[0].cards, game.turns[0].answer) = ("-".into(), answer);
        });
        assert_eq!(found.len(), if answer == 7 { 2 } else { 1 }, "{found:?}");
    }
}

/// The two illegal plays that the official server accepts are reported and not replayed.
#[test]
fn illegal_plays_accepted_by_the_server_are_reported() {
    let hands = [
        "D3 D4 D5 D6 D7 D8 D9 DT DJ DQ JK",
        "S3 S4 S5 S6 S7 S8 S9 ST SJ SQ SK",
        "H3 H4 H5 H6 H7 H8 H9 HT HJ HQ HK",
        "C3 C4 C5 C6 C7 C8 C9 CT CJ CQ",
        "CK DK SA HA DA CA S2 H2 D2 C2",
    ]
    .map(|hand| hand.split(' ').map(String::from).collect::<Vec<_>>());
    let turn = |player, cards: &str, empty| CorpusTurn {
        player,
        cards: cards.into(),
        answer: 9,
        empty,
        lock: 0,
        revolution: 0,
    };
    for (answer, why) in [
        ("S3 S4 S5", "only the three of spades beats a single joker"),
        ("JK", "a card is not in the hand"),
    ] {
        let record = CorpusRecord {
            fresh: true,
            titles: None,
            seats: [0, 1, 2, 3, 4],
            before: hands.clone(),
            given: [const { None }; 5],
            hands: hands.clone(),
            turns: vec![turn(0, "JK", 1), turn(1, answer, 0)],
            finish: vec![],
            left: vec![],
        };
        let found = texts(&replay(&rules(), &record));
        assert_eq!(
            found,
            [format!(
                "turn 2: {answer} was accepted, but the rules refuse it: {why}"
            )]
        );
    }
}
