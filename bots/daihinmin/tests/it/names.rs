//! Tests of the bots' names in leagues.

use crate::support::{STYLES, check_schema, switches};
use hattari_bots_daihinmin::bots::styles;
use hattari_bots_daihinmin::style::{Groups, Lock, Switches};

#[test]
fn every_style_has_the_switches_encoded_in_its_name() {
    use styles::*;
    let declared = [
        PLAIN, BASE, SINGLE, PAIR, ALL, SINGLE_S, PAIR_S, ALL_S, BASE_K, SINGLE_K, PAIR_K, ALL_K,
        SINGLE_SK, PAIR_SK, ALL_SK,
    ];
    for (bot, name) in declared.iter().zip(STYLES) {
        assert_eq!(bot.id(), name);
        assert_eq!(bot.config(), switches(name), "{name}");
    }
    let prefer = Switches {
        history: true,
        lock_single: Lock::Prefer,
        lock_group: Lock::None,
        stairs: true,
        groups: Groups::Whole,
    };
    assert_eq!(SINGLE_SK.config(), prefer);
}

#[test]
fn the_style_schema_lists_all_switches_with_valid_values() {
    let schema: serde_json::Value = serde_json::from_str(styles::SCHEMA).unwrap();
    let defaults = serde_json::to_value(styles::STYLE.config()).unwrap();
    check_schema(styles::SCHEMA, &defaults);
    for (key, property) in schema["properties"].as_object().unwrap() {
        assert_eq!(property["default"], defaults[key], "{key}");
        for value in property["enum"].as_array().into_iter().flatten() {
            let mut switches = defaults.clone();
            switches[key] = value.clone();
            serde_json::from_value::<Switches>(switches)
                .unwrap_or_else(|error| panic!("{key}: {error}"));
        }
    }
}
