//! Options of all games: presets, and the options that are refused (`options.txt`).

use crate::conformance::varied;
use hattari_games::Game;

/// Checks the presets of a game and its lines of the table. Returns the number of lines.
fn check<G: Game>(table: &str) -> usize {
    let name = G::ID.split('/').next().unwrap();
    for preset in G::presets() {
        let options = G::preset(preset).unwrap();
        let json = serde_json::to_string(&options).unwrap();
        assert_eq!(serde_json::from_str::<G::Options>(&json).unwrap(), options);
        assert_eq!(G::new(options.clone()).unwrap().options(), &options);
    }
    assert!(G::preset("no-such-preset").is_none(), "{name}");
    let cases = table.lines().filter_map(|line| line.strip_prefix(name));
    let check = |case: &str| {
        let (options, expected) = case.split_once(" > ").expect(case);
        let variation = options.trim().split_once(' ').expect(case);
        let refused = varied::<G>(variation).err().unwrap_or_default();
        assert!(refused.contains(expected), "{name}{case}: `{refused}`");
    };
    cases.map(check).count()
}

macro_rules! all {
    ($($folder:ident: $game:ident,)*) => {
        #[test]
        fn presets_are_valid_and_options_out_of_range_are_refused_with_a_message() {
            let (_, table) = include_str!("options.txt").split_once("\n\n").unwrap();
            let checked = 0 $(+ check::<hattari_games::$folder::$game>(table))*;
            assert_eq!(checked, table.lines().count());
        }
    };
}

hattari_games::every_game!(all);
