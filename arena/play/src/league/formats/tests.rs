//! Tests of the line-ups of every format, and of rounds that depend on results.

mod knockout;
mod ladder;
mod round_robin;
mod simulated;
mod swiss;

use super::*;
use crate::league::{Entrant, Excluded};

fn league(names: &[impl AsRef<str>], format: Format) -> League {
    let entrant = |name: &_| Entrant::of_bot(AsRef::as_ref(name));
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

/// Returns a format as it is written in league files.
fn format(text: &str) -> Format {
    serde_yaml::from_str(text).unwrap()
}

/// Returns the names 0 to `count` − 1, with `digits` digits.
fn numbers(count: usize, digits: usize) -> Vec<String> {
    (0..count).map(|i| format!("{i:0digits$}")).collect()
}

fn line_ups(league: &League) -> Vec<Vec<usize>> {
    check_size(league).unwrap();
    league.format.line_ups(league)
}

#[test]
fn every_valid_line_up_is_scheduled_exactly_once() {
    let all = league(&["a", "b", "c", "d"], format("{kind: line-ups, size: 2}"));
    assert_eq!(
        line_ups(&all),
        [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]
    );
    // The first table of the paper has all choices of five from seven styles. The second has all
    // choices of five from fourteen that mix both kinds.
    let styles = numbers(14, 2);
    let fives = format("{kind: line-ups, size: 5}");
    assert_eq!(line_ups(&league(&styles[..7], fives)).len(), 21);
    let (old, new) = styles.split_at(7);
    let fives = format!("{{kind: line-ups, size: 5, require: [{old:?}, {new:?}]}}");
    let mixed = line_ups(&league(&styles, format(&fives)));
    assert_eq!(mixed.len(), 2002 - 2 * 21);
    assert!(
        mixed
            .iter()
            .all(|line_up| line_up[0] < 7 && line_up[4] >= 7)
    );
}

#[test]
fn a_sample_of_line_ups_is_determined_by_the_seed() {
    let names = numbers(14, 2);
    let sampled = |seed| {
        let fives = "{kind: line-ups, size: 5, sample: 200, require: [['00', '01'], ['12', '13']]}";
        line_ups(&League {
            seed,
            ..league(&names, format(fives))
        })
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
    let sample = |names: &[String]| {
        line_ups(&league(
            names,
            format("{kind: line-ups, size: 2, sample: 20}"),
        ))
    };
    let (before, mut after) = (sample(&names[..13]), sample(&names));
    after.retain(|line_up| !line_up.contains(&13));
    assert!(after.iter().all(|line_up| before.contains(line_up)));
    let mut times = [0; 3];
    for seed in 0..3000 {
        let two = format("{kind: line-ups, size: 2, sample: 2}");
        let three = league(&["a", "b", "c"], two);
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
    let names = numbers(300, 3);
    let league = |names: &[String], more: &str| {
        let fours = format!("{{kind: line-ups, size: 4, {more}}}");
        league(names, format(&fours))
    };
    let sampled =
        |names: &[String], more: &str| line_ups(&league(names, &format!("sample: 500{more}")));
    let drawn = sampled(&names, "");
    assert!(drawn.len() == 500 && drawn.is_sorted_by(|a, b| a < b));
    assert!(
        drawn
            .iter()
            .all(|line_up| line_up.is_sorted_by(|a, b| a < b))
    );
    // Almost no draw is wasted. The work is one number per entrant and draw.
    let plain = league(&names, "sample: 500");
    let Format::LineUps(all_tables) = &plain.format else {
        panic!()
    };
    assert!(all_tables.draw_sample(&plain, 500).1 <= 501);
    // All entrants have about the same number of tables: 2000 seats for 300 entrants.
    let mut seats = vec![0; 300];
    for entrant in drawn.iter().flatten() {
        seats[*entrant] += 1;
    }
    let unseated = seats.iter().filter(|&&seats| seats == 0).count();
    assert!(
        seats.iter().all(|&seats| seats < 24) && unseated < 5,
        "{seats:?}"
    );
    // Removing an entrant changes only its own tables.
    let fewer = sampled(&names[..299], "");
    let is_kept = |line_up: &&Vec<usize>| fewer.contains(line_up);
    assert_eq!(drawn.iter().filter(is_kept).count(), 500 - seats[299]);
    // The entrant of a group of one is at every table, and one member of each larger group.
    let with = sampled(&names, ", require: [['007'], ['100', '200']]");
    let has = |line_up: &Vec<usize>, entrant| line_up.contains(&entrant);
    assert!(
        with.iter()
            .all(|table| has(table, 7) && (has(table, 100) || has(table, 200)))
    );
    // A sample that is too rare to draw is reported.
    let refused = |more| check_size(&league(&names, more)).unwrap_err();
    let rare = refused("sample: 2000, require: [['000'], ['001'], ['002', '003']]");
    crate::mock::has(&rare.message, "only 5");
    crate::mock::has(&rare.message, "had a member of every group");
    let all = refused("");
    crate::mock::has(&all.message, "330,791,175 line-ups of 4");
    crate::mock::has(&all.remedy, "sample");
}

#[test]
fn line_ups_of_duels_and_gauntlets_contain_the_whole_field() {
    let line_ups = |text| line_ups(&league(&["a", "b", "c", "x"], format(text)));
    let duel = line_ups("{kind: duel, a: [a], b: [b, c], field: [x, x]}");
    assert_eq!(duel, [[0, 1, 3, 3], [0, 2, 3, 3]]);
    let challenge = line_ups("{kind: challenge, challengers: [c, a], field: [x, b]}");
    assert_eq!(challenge, [[2, 3, 1], [0, 3, 1]]);
    // Partners are copies and sit opposite each other.
    let pairs = line_ups("{kind: pairs, a: [a, x], b: [b, c]}");
    assert_eq!(
        pairs,
        [[0, 1, 0, 1], [0, 2, 0, 2], [3, 1, 3, 1], [3, 2, 3, 2]]
    );
}

#[test]
fn stored_formats_and_league_files_use_the_same_format_names() {
    let error = serde_json::from_value::<Format>(serde_json::json!({"kind": "zzz"})).unwrap_err();
    let kinds = hattari_agents::text::quoted(kinds());
    assert_eq!(
        error.to_string(),
        format!("unknown variant `zzz`, expected one of {kinds}")
    );
}

#[test]
fn the_seat_order_depends_on_names_only() {
    let names = ["zoe", "Ada", "bob", "ada"];
    let league = league(&names, format("{kind: line-ups, size: 2}"));
    for order in [[0, 2, 3, 1], [3, 1, 0, 2]] {
        let seated = round_builder::canonical_order(&league, order.to_vec());
        let seated: Vec<&str> = seated.into_iter().map(|at| names[at]).collect();
        assert_eq!(seated, ["Ada", "ada", "bob", "zoe"]);
    }
}

#[test]
fn adaptive_league_formats_are_loaded_and_stored_unchanged() {
    let read = |file: &str| {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../leagues");
        let path = folder.join(file).with_extension("yaml");
        League::load(&path).unwrap_or_else(|error| panic!("{error}"))
    };
    for kind in ["swiss", "knockout", "ladder"] {
        let league = read(kind);
        let stored = serde_json::to_value(&league.format).unwrap();
        assert_eq!(
            (&stored["kind"], &stored["size"]),
            (&kind.into(), &5.into())
        );
        assert_eq!(
            serde_json::from_value::<Format>(stored).unwrap(),
            league.format
        );
        let played = simulated::played(&league, &simulated::strengths(&[1.0; 1000]));
        assert!(!played.rounds[0].pairings.is_empty());
        assert!(check_size(&league).is_ok() && !league.format.description(&league).is_empty());
    }
    let demo = read("demo");
    let rounds = demo.format.round_schedule(&demo, &AssumedResults::Zero);
    assert_eq!(rounds, None);
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
        let mut league = league(&["north", "east", "south", "west"], format(text));
        let excluded = Excluded::new(&league.entrants[1], "no such bot");
        league.exclude(vec![excluded]).unwrap();
        let names = league.entrants.iter().map(|entrant| &*entrant.name);
        assert_eq!(names.collect::<Vec<_>>(), ["north", "south", "west"]);
        let remaining = serde_json::to_string(&league.format).unwrap();
        assert!(!remaining.contains("east"), "{remaining}");
    }
}
