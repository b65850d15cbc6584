//! Tests of the line-ups of every format, and of rounds that depend on results.

mod knockout;
mod ladder;
mod round_robin;
mod simulated;
mod swiss;

use super::*;
use crate::league::{Entrant, Excluded};

fn league(names: &[&str], format: Format) -> League {
    let entrant = |name: &&str| Entrant {
        name: (*name).into(),
        bot: (*name).into(),
        config: serde_json::json!({}),
        isolation: None,
        threads: 0,
        budget: None,
        client: None,
        command: None,
        hybrid: None,
    };
    let text = r#"{"game": "highcard", "preset": "high", "options": {}, "seed": 7, "entrants": [], "blocks": 3, "deals": 1,
        "format": {"kind": "line-ups", "size": 2}, "duplicate": false, "faults": "substitute", "budget": {},
        "report": {"confidence": 0.95, "correction": "holm", "published": null}}"#;
    let league: League = serde_json::from_str(text).unwrap();
    League {
        entrants: names.iter().map(entrant).collect(),
        format,
        ..league
    }
}

fn tables_of(size: usize, sample: Option<u32>, require: Vec<Vec<String>>) -> Format {
    Format::LineUps(LineUps {
        size,
        sample,
        require,
    })
}

fn line_ups(league: &League) -> Vec<Vec<usize>> {
    check_size(league).unwrap();
    league.format.line_ups(league)
}

fn words(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}

#[test]
fn every_valid_line_up_is_scheduled_exactly_once() {
    let all = league(&["a", "b", "c", "d"], tables_of(2, None, vec![]));
    assert_eq!(
        line_ups(&all),
        [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]
    );
    // The first table of the paper has all choices of five from seven styles. The second has all
    // choices of five from fourteen that mix both kinds.
    let styles: Vec<String> = (0..14).map(|i| format!("{i:02}")).collect();
    let names: Vec<&str> = styles.iter().map(String::as_str).collect();
    let fives = |require| tables_of(5, None, require);
    assert_eq!(line_ups(&league(&names[..7], fives(vec![]))).len(), 21);
    let mixed = line_ups(&league(
        &names,
        fives(vec![styles[..7].to_vec(), styles[7..].to_vec()]),
    ));
    assert_eq!(mixed.len(), 2002 - 2 * 21);
    assert!(
        mixed
            .iter()
            .all(|line_up| line_up[0] < 7 && line_up[4] >= 7)
    );
}

#[test]
fn a_sample_of_line_ups_is_determined_by_the_seed() {
    let names: Vec<String> = (0..14).map(|i| format!("{i:02}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let sampled = |seed| {
        let league = league(
            &names,
            tables_of(5, Some(200), vec![words("00 01"), words("12 13")]),
        );
        line_ups(&League { seed, ..league })
    };
    let drawn = sampled(7);
    assert_eq!((drawn.len(), &drawn), (200, &sampled(7)));
    assert!(drawn != sampled(8) && drawn.is_sorted());
    assert!(
        drawn
            .iter()
            .all(|line_up| line_up[0] <= 1 && 12 <= line_up[4])
    );
    // All line-ups have the same probability: over many seeds, each of three is drawn in two of
    // three cases. A new entrant changes little: all drawn line-ups without it were drawn before.
    let sample = |names: &[&str]| {
        let format = tables_of(2, Some(20), vec![]);
        line_ups(&league(names, format))
    };
    let (before, after) = (sample(&names[..13]), sample(&names));
    assert!(
        after
            .iter()
            .filter(|line_up| !line_up.contains(&13))
            .all(|line_up| before.contains(line_up))
    );
    let mut times = [0; 3];
    for seed in 0..3000 {
        let three = league(&["a", "b", "c"], tables_of(2, Some(2), vec![]));
        for line_up in line_ups(&League { seed, ..three }) {
            times[line_up[0] + line_up[1] - 1] += 1;
        }
    }
    assert!(
        times.iter().all(|times| (1900..2100).contains(times)),
        "{times:?}"
    );
}

/// 300 entrants form 330,791,175 line-ups of four.
#[test]
fn sampling_line_ups_does_not_enumerate_all_line_ups() {
    let names: Vec<String> = (0..300).map(|i| format!("{i:03}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let format = |sample, require| LineUps {
        size: 4,
        sample: Some(sample),
        require,
    };
    let sampled = |names: &[&str], require: Vec<Vec<String>>| {
        line_ups(&league(names, Format::LineUps(format(500, require))))
    };
    let drawn = sampled(&names, vec![]);
    assert!(
        drawn.len() == 500 && drawn.is_sorted() && drawn.windows(2).all(|two| two[0] != two[1])
    );
    assert!(
        drawn
            .iter()
            .all(|line_up| line_up.is_sorted() && line_up.windows(2).all(|two| two[0] != two[1]))
    );
    // Almost no draw is wasted. The work is one number per entrant and draw.
    let league_of = |format: &LineUps| league(&names, Format::LineUps(format.clone()));
    let plain = format(500, vec![]);
    assert!(plain.draw_sample(&league_of(&plain), 500).1 <= 501);
    // All entrants have about the same number of tables: 2000 seats for 300 entrants.
    let mut seats = vec![0; 300];
    drawn
        .iter()
        .flatten()
        .for_each(|&entrant| seats[entrant] += 1);
    assert!(
        seats.iter().all(|&seats| seats < 24)
            && seats.iter().filter(|&&seats| seats == 0).count() < 5,
        "{seats:?}"
    );
    // Removing an entrant changes only its own tables.
    let fewer = sampled(&names[..299], vec![]);
    let kept = drawn
        .iter()
        .filter(|line_up| fewer.contains(line_up))
        .count();
    assert_eq!(kept, 500 - seats[299]);
    // The entrant of a group of one is at every table, and one member of each larger group.
    let with = sampled(&names, vec![words("007"), words("100 200")]);
    assert!(
        with.iter()
            .all(|line_up| line_up.contains(&7)
                && (line_up.contains(&100) || line_up.contains(&200)))
    );
    // A sample that is too rare to draw is reported.
    let rare = format(2000, vec![words("000"), words("001"), words("002 003")]);
    let message = check_size(&league_of(&rare)).unwrap_err().message;
    assert!(
        message.contains("only 5") && message.contains("had a member of every group"),
        "{message}"
    );
    let all = LineUps {
        sample: None,
        ..format(1, vec![])
    };
    let problem = check_size(&league_of(&all)).unwrap_err();
    assert!(
        problem.message.contains("330,791,175 line-ups of 4") && problem.remedy.contains("sample"),
        "{problem:?}"
    );
}

#[test]
fn line_ups_of_duels_and_gauntlets_contain_the_whole_field() {
    let names = ["a", "b", "c", "x"];
    let duel = Format::Duel(Duel {
        a: words("a"),
        b: words("b c"),
        field: words("x x"),
    });
    assert_eq!(
        line_ups(&league(&names, duel)),
        [[0, 1, 3, 3], [0, 2, 3, 3]]
    );
    let challenge = Format::Challenge(Challenge {
        challengers: words("c a"),
        field: words("x b"),
    });
    assert_eq!(line_ups(&league(&names, challenge)), [[2, 3, 1], [0, 3, 1]]);
}

#[test]
fn partners_are_copies_and_sit_opposite_each_other() {
    let pairs = Format::Pairs(Pairs {
        a: words("a x"),
        b: words("b c"),
    });
    let all = line_ups(&league(&["a", "b", "c", "x"], pairs));
    assert_eq!(
        all,
        [[0, 1, 0, 1], [0, 2, 0, 2], [3, 1, 3, 1], [3, 2, 3, 2]]
    );
}

#[test]
fn stored_formats_and_league_files_use_the_same_format_names() {
    let error = serde_json::from_value::<Format>(serde_json::json!({"kind": "zzz"}))
        .unwrap_err()
        .to_string();
    let kinds: Vec<String> = kinds().iter().map(|kind| format!("`{kind}`")).collect();
    assert_eq!(
        error,
        format!(
            "unknown variant `zzz`, expected one of {}",
            kinds.join(", ")
        )
    );
}

#[test]
fn the_seat_order_depends_on_names_only() {
    let names = ["zoe", "Ada", "bob", "ada"];
    let league = league(&names, tables_of(2, None, vec![]));
    let seated: Vec<&str> = round_builder::canonical_order(&league, vec![0, 2, 3, 1])
        .into_iter()
        .map(|at| names[at])
        .collect();
    assert_eq!(seated, ["Ada", "ada", "bob", "zoe"]);
    assert_eq!(
        round_builder::canonical_order(&league, vec![3, 1, 0, 2]),
        round_builder::canonical_order(&league, vec![0, 1, 2, 3])
    );
}

#[test]
fn adaptive_league_formats_are_loaded_and_stored_unchanged() {
    let read = |file: &str| {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../leagues")
            .join(file);
        League::load(&path).unwrap_or_else(|error| panic!("{error}"))
    };
    for (file, kind) in [
        ("swiss.yaml", "swiss"),
        ("knockout.yaml", "knockout"),
        ("ladder.yaml", "ladder"),
    ] {
        let league = read(file);
        let stored = serde_json::to_value(&league.format).unwrap();
        assert_eq!(
            (stored["kind"].as_str(), stored["size"].as_u64()),
            (Some(kind), Some(5)),
            "{file}"
        );
        assert_eq!(
            serde_json::from_value::<Format>(stored).unwrap(),
            league.format
        );
        let played = simulated::played(&league, &simulated::strengths(&[1.0; 1000]));
        assert!(!played.rounds[0].pairings.is_empty());
        assert!(check_size(&league).is_ok() && !league.format.description(&league).is_empty());
    }
    assert_eq!(
        read("demo.yaml")
            .format
            .round_schedule(&read("demo.yaml"), &simulated::strengths(&[])),
        None
    );
}

#[test]
fn an_excluded_entrant_is_removed_from_every_format() {
    let formats = [
        r#"{"kind": "line-ups", "size": 2, "require": [["west", "east"]]}"#,
        r#"{"kind": "duel", "a": ["west", "east"], "b": ["north"], "field": ["south"]}"#,
        r#"{"kind": "pairs", "a": ["west", "east"], "b": ["north"]}"#,
        r#"{"kind": "challenge", "challengers": ["west", "east"], "field": ["north"]}"#,
        r#"{"kind": "swiss", "rounds": 1, "size": 2, "late": {"east": 2}}"#,
        r#"{"kind": "knockout", "size": 2, "through": 1, "withdrawn": {"east": 1}}"#,
        r#"{"kind": "ladder", "size": 2, "entrants": ["west", "east"]}"#,
        r#"{"kind": "round-robin", "size": 2, "withdrawn": {"east": 1}}"#,
    ];
    for text in formats {
        let format = serde_json::from_str(text).unwrap();
        let mut league = league(&["north", "east", "south", "west"], format);
        let excluded = Excluded::new(&league.entrants[1], "no such bot");
        league.exclude(vec![excluded]).unwrap();
        let names: Vec<&str> = league
            .entrants
            .iter()
            .map(|entrant| &*entrant.name)
            .collect();
        assert_eq!(names, ["north", "south", "west"]);
        let remaining = serde_json::to_string(&league.format).unwrap();
        assert!(!remaining.contains("east"), "{remaining}");
    }
}
