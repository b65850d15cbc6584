//! The rules of every game for people contain all of its options and presets.

use hattari_games::Game;

#[track_caller]
fn check<G: Game>() {
    let rules = G::rules();
    assert!(
        rules.starts_with("# ") && rules.contains("\n## Options\n"),
        "{}: {rules}",
        G::ID
    );
    for &preset in G::presets() {
        let options = G::preset(preset).unwrap_or_else(|| panic!("{}: {preset}", G::ID));
        let options = serde_json::to_value(options).expect("options are plain data");
        let keys = options
            .as_object()
            .expect("options are a mapping")
            .keys()
            .map(String::as_str);
        for name in keys.chain([preset, "deals"]) {
            assert!(
                rules.contains(&format!("`{name}`")),
                "the rules of {} do not name `{name}`",
                G::ID
            );
        }
    }
}

macro_rules! all {
    ($($folder:ident: $game:ident,)*) => {
        #[test]
        fn printed_rules_name_every_option_and_preset() {
            $(check::<hattari_games::$folder::$game>();)*
        }
    };
}

hattari_games::every_game!(all);
