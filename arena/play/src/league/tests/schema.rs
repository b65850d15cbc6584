//! The schema for editors beside the parser: the same keys, the same words; what is shipped fits
//! it, and what is wrong does not where a schema can see it.

use super::*;
use serde_json::Value;
use std::collections::BTreeSet;

fn validator() -> jsonschema::Validator {
    jsonschema::validator_for(&schema()).expect("a schema")
}

#[test]
fn shipped_leagues_fit_the_schema() {
    let (validator, mut seen) = (validator(), 0);
    for file in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../leagues")).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_none_or(|ending| ending != "yaml") {
            continue;
        }
        let league: Value = serde_yaml::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        let errors: Vec<String> = validator
            .iter_errors(&league)
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        assert!(errors.is_empty(), "{}: {errors:?}", path.display());
        seen += 1;
    }
    assert!(20 < seen, "{seen} leagues");
}

/// An unknown key, a value of a wrong kind, a word that there is not: a schema sees them without
/// knowing bots or files.
#[test]
fn bad_leagues_do_not_fit_where_a_schema_can_see_it() {
    hattari_agents::table::add::<crate::mock::HighCard>();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/bad-leagues.txt");
    let golden = fs::read_to_string(path).unwrap();
    let (validator, mut seen, mut refused) = (validator(), 0, 0);
    for case in golden.split("\n== ").skip(1) {
        let (name, rest) = case.split_once('\n').unwrap();
        let (text, message) = rest.split_once("\n--\n").unwrap();
        let Ok(league) = serde_yaml::from_str::<Value>(text) else {
            continue;
        };
        let is_seen = [
            " has no key `",
            "`: found ",
            " cannot be `",
            "the league lacks the key `",
            "there is no game `",
        ];
        let fits = validator.is_valid(&league);
        refused += usize::from(!fits);
        if is_seen.iter().any(|words| message.contains(words)) {
            seen += 1;
            assert!(!fits, "{name}:\n{text}\n{message}");
        }
    }
    assert!(30 < seen && seen <= refused, "{seen} of {refused}");
}

/// The names that stand in backquotes behind `words` in a message.
fn listed(message: &str, words: &str) -> BTreeSet<String> {
    let (_, list) = message
        .split_once(words)
        .unwrap_or_else(|| panic!("no `{words}` in {message}"));
    let line = list.lines().next().unwrap_or_default();
    line.split('`')
        .skip(1)
        .step_by(2)
        .map(str::to_owned)
        .collect()
}

fn at<'v>(schema: &'v Value, pointer: &str) -> &'v Value {
    schema
        .pointer(pointer)
        .unwrap_or_else(|| panic!("{pointer}"))
}

#[test]
fn the_schema_has_the_keys_that_the_parser_has() {
    let schema = schema();
    let entrants = |entrant: &str| RIGHT.replace("[base, all,", &format!("[{entrant}, all,"));
    let mut cases = vec![
        (format!("{RIGHT}zzz: 1\n"), "/properties".to_owned()),
        (
            entrants("{bot: base, zzz: 1}"),
            "/properties/entrants/items/then/else/properties".into(),
        ),
        (
            entrants("{name: x, kind: uecda, zzz: 1}"),
            "/properties/entrants/items/then/then/properties".into(),
        ),
        (
            format!("{RIGHT}budget: {{zzz: 1}}\n"),
            "/properties/budget/properties".into(),
        ),
        (
            format!("{RIGHT}sequential: {{zzz: 1}}\n"),
            "/properties/sequential/properties".into(),
        ),
        (
            format!("{RIGHT}report: {{zzz: 1}}\n"),
            "/properties/report/properties".into(),
        ),
        (
            format!("{RIGHT}report: {{published: {{file: tables.json, table: table1, zzz: 1}}}}\n"),
            "/properties/report/properties/published/properties".into(),
        ),
    ];
    for (number, kind) in KINDS.iter().enumerate() {
        let text = RIGHT.replace(
            "{kind: line-ups, size: 5}",
            &format!("{{kind: {kind}, zzz: 1}}"),
        );
        cases.push((
            text,
            format!("/properties/format/allOf/{number}/then/properties"),
        ));
    }
    for (text, pointer) in cases {
        let message = load(text.as_bytes()).expect_err(&text);
        let (_, message) = message
            .split_once(" has no key `zzz`")
            .unwrap_or_else(|| panic!("{message}"));
        let keys: BTreeSet<String> = at(&schema, &pointer)
            .as_object()
            .unwrap()
            .keys()
            .cloned()
            .collect();
        assert_eq!(keys, listed(message, "alid keys: "), "{pointer}");
    }
}

#[test]
fn the_schema_has_the_words_that_the_parser_has() {
    let schema = schema();
    let race = RIGHT.replace(
        "{kind: line-ups, size: 5}",
        "{kind: race, challengers: [base, all], goal: zzz}",
    );
    let race_at = KINDS.iter().position(|kind| *kind == "race").unwrap();
    for (text, pointers) in [
        (
            format!("{RIGHT}faults: zzz\n"),
            vec!["/properties/faults".to_owned()],
        ),
        (
            format!("{RIGHT}isolation: zzz\n"),
            vec!["/properties/isolation".into()],
        ),
        (
            format!("{RIGHT}sequential: {{rule: zzz}}\n"),
            vec!["/properties/sequential/properties/rule".into()],
        ),
        (
            format!("{RIGHT}report: {{correction: zzz}}\n"),
            vec!["/properties/report/properties/correction".into()],
        ),
        (
            RIGHT.replace("kind: line-ups", "kind: zzz"),
            vec!["/properties/format/properties/kind".into()],
        ),
        (
            race,
            vec![format!(
                "/properties/format/allOf/{race_at}/then/properties/goal"
            )],
        ),
        (
            RIGHT.replace("[base,", "[{name: x, kind: zzz},"),
            vec![
                "/properties/entrants/items/then/then/properties/kind".into(),
                "/properties/entrants/items/then/else/properties/kind".into(),
            ],
        ),
    ] {
        let message = load(text.as_bytes()).expect_err(&text);
        let words: BTreeSet<String> = (pointers.iter())
            .flat_map(|pointer| at(&schema, pointer)["enum"].as_array().unwrap())
            .map(|word| word.as_str().unwrap().to_owned())
            .collect();
        assert_eq!(words, listed(&message, "alid values: "), "{pointers:?}");
    }
}

#[test]
fn presets_and_options_are_those_of_the_game() {
    let validator = validator();
    let fits =
        |more: &str| validator.is_valid(&serde_yaml::from_str(&format!("{RIGHT}{more}")).unwrap());
    assert!(fits("") && fits("preset: uecda\noptions: {eight_cut: true}\n"));
    assert!(
        fits("options: {deals: [JK / S2]}\n"),
        "what presets leave empty is an option, too"
    );
    assert!(!fits("preset: acpc\n") && !fits("options: {eight_cuts: true}\n"));
}
