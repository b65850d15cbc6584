//! Tests of the JSON schema for editors: example leagues are valid, and errors that a schema can
//! express are found.

use super::*;
use serde_json::Value;

fn validator() -> jsonschema::Validator {
    jsonschema::validator_for(&schema()).expect("a schema")
}

#[test]
fn shipped_leagues_conform_to_the_schema() {
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

/// A schema finds unknown keys, values of a wrong type and unknown keywords without access to bots
/// or files.
#[test]
fn the_schema_rejects_errors_that_it_can_express() {
    table::add::<crate::mock::HighCard>();
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

#[test]
fn the_schema_accepts_only_presets_and_options_of_the_game() {
    let validator = validator();
    let fits =
        |more: &str| validator.is_valid(&serde_yaml::from_str(&format!("{RIGHT}{more}")).unwrap());
    assert!(fits("") && fits("preset: uecda\noptions: {eight_cut: true}\n"));
    assert!(
        fits("options: {deals: [JK / S2]}\n"),
        "an option that is empty in the presets is allowed"
    );
    assert!(!fits("preset: acpc\n") && !fits("options: {eight_cuts: true}\n"));
}
