//! Tests of valid leagues, and of the messages for invalid ones.

mod exclusion;
mod reference;
mod schema;

use super::*;
use crate::mock::has;
use crate::schedule::Schedule;
use std::fs;

/// A valid league; test cases replace some of its lines.
const RIGHT: &str = "\
game: daihinmin
seed: 1
entrants: [base, all, pair, single, plain]
format: {kind: line-ups, size: 5}
blocks: 10
";

/// Checks `text` as the league file `x.yaml`, in a folder with published tables. The bot `nobody`
/// does not exist.
fn load(text: &str) -> Result<League, String> {
    let folder = folder_with(&[("tables.json", r#"{"table1": {}, "table2": {}}"#)]);
    let missing = Problem::of_file("no bot `nobody`", "`hattari show bots` lists them");
    let exists = |bot: &str| {
        if bot == "nobody" {
            Err(missing.clone())
        } else {
            Ok(())
        }
    };
    parse(folder.path(), text, &exists)
}

/// Creates a folder with these files and contents.
fn folder_with(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (file, content) in files {
        let path = folder.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    folder
}

/// Checks `text` as the league file `x.yaml` in a folder. `exists` looks for bots.
fn parse(
    folder: &Path,
    text: &str,
    exists: &dyn Fn(&str) -> Result<(), Problem>,
) -> Result<League, String> {
    let resolve = &mut |_: &GameInfo, entrant: &Entrant| exists(&entrant.bot);
    League::parse(&folder.join("x.yaml"), text.as_bytes(), resolve)
        .map(|(league, _)| league)
        .map_err(|error| {
            error
                .to_string()
                .replace(&format!("{}/", folder.display()), "")
        })
}

/// The margin 0 is the default and may be given explicitly.
#[test]
fn a_race_without_a_margin_equals_a_race_with_margin_zero() {
    let race = |margin: &str| {
        let format = "{kind: race, challengers: [base, all], field: [pair, pair, pair, pair]";
        let text = RIGHT.replace("{kind: line-ups, size: 5}", &format!("{format}{margin}}}"));
        load(&text.replace("10", "30")).map(|league| league.format)
    };
    let without = race("").unwrap();
    for margin in ["0", "0.0"] {
        assert_eq!(race(&format!(", margin: {margin}")).unwrap(), without);
    }
    has(
        &race(", margin: -1").unwrap_err(),
        "`margin`: found the number -1",
    );
}

#[test]
fn bridge_allows_luck_adjustment_only_without_duplicate_deals() {
    let bridge = |more: &str| load(&format!("{BRIDGE}{more}"));
    assert!(bridge("options: {luck: double-dummy}\nreport: {without_luck: true}\n").is_ok());
    for (more, words) in [
        (
            "report: {without_luck: true}\n",
            "luck is not measured in bridge",
        ),
        (
            "options: {luck: double-dummy}\nduplicate: true\n",
            "with duplicate deals luck sums to zero",
        ),
        (
            "options: {luck: dds}\n",
            "use one of these values, or remove the option",
        ),
    ] {
        has(&bridge(more).unwrap_err(), words);
    }
}

/// A valid league of bridge.
const BRIDGE: &str = "\
game: bridge
entrants: [cheap, random]
format: {kind: pairs, a: [cheap], b: [random]}
blocks: 50
";

#[test]
fn errors_in_league_files_match_the_golden_messages() {
    // Other tests add this game to the list, and messages contain all games.
    table::add::<crate::mock::HighCard>();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/bad-leagues.txt");
    let golden = fs::read_to_string(&path).unwrap();
    let (head, cases) = golden.split_once("== ").unwrap();
    let mut written = head.to_owned();
    for case in cases.split("\n== ") {
        let (name, rest) = case.split_once('\n').unwrap();
        let (text, _) = rest.split_once("\n--\n").unwrap();
        let message = load(text).expect_err(name);
        let lines = message.lines().skip(2).map(|line| format!("{line}\n"));
        let message: String = lines.collect();
        written += &format!("== {name}\n{text}\n--\n{message}\n");
    }
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, &written).unwrap();
    }
    // Compare by line, so that differences are readable.
    for (number, (expected, found)) in golden.lines().zip(written.lines()).enumerate() {
        assert_eq!(expected, found, "{}:{}", path.display(), number + 1);
    }
    assert_eq!(golden.trim_end(), written.trim_end());
}

#[test]
fn a_sweep_creates_an_entrant_for_every_combination() {
    let sweep = "- {name: mine, bot: all, config: {depth: 2}, sweep: {greed: [0.1, 0.25], style: [bold, shy], fast: [true]}}";
    let text = RIGHT.replace(
        "[base, all, pair, single, plain]",
        &format!("\n  - base\n  {sweep}\n  - {{bot: pair, sweep: {{n: [3]}}}}"),
    );
    let league = load(&text).unwrap();
    let described = |entrant: &Entrant| {
        let Entrant {
            name, bot, config, ..
        } = entrant;
        format!("{name}; {bot}; {config}")
    };
    let entrants: Vec<String> = league.entrants.iter().map(described).collect();
    let expected = [
        "base; base; {}",
        r#"mine greed=0.1 style=bold fast=true; all; {"depth":2,"fast":true,"greed":0.1,"style":"bold"}"#,
        r#"mine greed=0.1 style=shy fast=true; all; {"depth":2,"fast":true,"greed":0.1,"style":"shy"}"#,
        r#"mine greed=0.25 style=bold fast=true; all; {"depth":2,"fast":true,"greed":0.25,"style":"bold"}"#,
        r#"mine greed=0.25 style=shy fast=true; all; {"depth":2,"fast":true,"greed":0.25,"style":"shy"}"#,
        r#"pair n=3; pair; {"n":3}"#,
    ];
    assert_eq!(entrants, expected);
    // Problems of a bot's settings are reported at the item that creates the entrant. Line 5
    // creates entrants 1 to 4, line 6 the last one.
    let position = |entrant| entrants::position_of(Path::new(""), &text, entrant);
    let line = |entrant: usize| position(&league.entrants[entrant]).unwrap().line;
    assert_eq!([0, 1, 3, 4, 5].map(line), [4, 5, 5, 5, 6]);
    assert_eq!(position(&Entrant::of_bot("nobody")), None);
}

#[test]
fn entrants_of_a_table_have_equal_chances_if_the_rotations_exchange_them() {
    let mut league = load(BRIDGE).unwrap();
    for (duplicate, line_up, expected) in [
        (false, [0, 1, 0, 1], false),
        (true, [0, 1, 0, 1], true),
        // The entrants are not both in partnership with themselves.
        (true, [0, 1, 0, 0], false),
        (true, [0, 0, 1, 1], false),
        (true, [0, 1, 2, 3], false),
        (true, [0, 1, 2, 1], false),
        (false, [2, 2, 2, 2], true),
    ] {
        league.duplicate = duplicate;
        assert_eq!(league.equal_chances()(&line_up), expected, "{line_up:?}");
    }
    // Players of daihinmin change seats.
    assert!(load(RIGHT).unwrap().equal_chances()(&[0, 1, 2, 3, 4]));
}

#[test]
fn a_rule_that_stops_by_results_never_counts_a_deal_twice() {
    let boards = include_str!("../../../../leagues/bridge-example-any.pbn");
    let boards = boards
        .lines()
        .filter_map(|line| line.strip_prefix("[Deal "));
    let boards: Vec<&str> = boards.map(|board| board.trim_end_matches(']')).collect();
    let race = |deals: usize, blocks: u32| {
        let deals = boards[..deals].join(", ");
        load(&format!(
            "game: bridge\npreset: 3nt\noptions: {{deals: [{deals}]}}\ndeals: 2\n\
             entrants: [cheap, random, {{name: x, bot: random}}]\n\
             format: {{kind: race, challengers: [cheap, x], field: [random, random, random]}}\n\
             blocks: {blocks}\n"
        ))
    };
    let refused = race(30, 16).unwrap_err();
    for words in [
        "x.yaml:6:9: a race needs new deals in every block, but the given deals repeat after 15 \
         blocks",
        "give at most `blocks: 15`, more deals, or another format",
    ] {
        has(&refused, words);
    }
    // Values that replace those of the file are checked too.
    let mut league = race(30, 15).unwrap();
    assert_eq!(check_settings(&league), Ok(()));
    for (blocks, words) in [
        (16, "repeat after 15 blocks"),
        (BLOCKS_MAX + 1, "at most 10,000,000"),
    ] {
        league.blocks = blocks;
        has(&check_settings(&league).unwrap_err().message, words);
    }
    // If every block plays the same deals, only the bots are random.
    assert!(race(2, 16).is_ok());
}

#[test]
fn values_of_options_on_the_command_line_are_checked_like_those_in_the_file() {
    for (text, more, option, words) in [
        (
            "game: holdem\npreset: acpc\nentrants: [a, {name: b, kind: acpc}]\n\
         format: {kind: line-ups, size: 2}\nblocks: 10\n",
            "",
            "limit=no-limit,pot-limit",
            "`b` does not support these options",
        ),
        (
            BRIDGE,
            "duplicate: true\n",
            "luck=none,double-dummy",
            "with duplicate deals luck sums to zero",
        ),
        (
            BRIDGE,
            "options: {luck: double-dummy}\nreport: {without_luck: true}\n",
            "luck=double-dummy,none",
            "luck is not measured in bridge",
        ),
    ] {
        let league = load(&format!("{text}{more}")).unwrap();
        let swept = OptionSweep::parse(option).unwrap();
        let mut leagues = swept.leagues(&league);
        let problem = leagues.find_map(|league| check_settings(&league.unwrap()).err());
        has(&problem.unwrap().message, words);
    }
}

#[test]
fn the_limit_of_a_sweep_holds_beside_an_empty_list() {
    let values: Vec<String> = (0..257).map(|value| value.to_string()).collect();
    let sweep = format!("sweep: {{depth: [], greed: [{}]}}", values.join(", "));
    let entrants = format!("\n  - {{name: mine, bot: all, {sweep}}}\n  - base");
    let refused = load(&RIGHT.replace("[base, all, pair, single, plain]", &entrants)).unwrap_err();
    has(
        &refused,
        "this sweep makes 257 entrants; at most 256 are allowed",
    );
}

/// The text of a league of hold'em with the key `sweep`.
fn swept(sweep: &str) -> String {
    format!(
        "game: holdem\nseed: 5\nentrants: [a, b]\nformat: {{kind: line-ups, size: 2}}\n\
         blocks: 10\nsweep: {sweep}\n"
    )
}

#[test]
fn a_sweep_over_an_option_makes_the_leagues_of_its_values() {
    let folder = folder_with(&[("x.y.yaml", &swept("{stack: [1000, 5000, 20000]}"))]);
    let path = folder.path().join("x.y.yaml");
    let found = LeagueDefinition::load(&path, &mut |_, _| Ok(())).unwrap();
    let sweep = found.sweep.unwrap();
    assert_eq!(sweep.option, "stack");
    let leagues = |sweep: &OptionSweep| -> Vec<League> {
        sweep.leagues(&found.league).map(Result::unwrap).collect()
    };
    let of_words = OptionSweep::parse("stack=1000,5000,20000").unwrap();
    let leagues = (leagues(&sweep), leagues(&of_words));
    assert_eq!(leagues.0, leagues.1);
    for (league, (seed, stack)) in leagues.0.iter().zip([(5, 1000), (6, 5000), (7, 20_000)]) {
        let text = swept("").replace("sweep: ", &format!("options: {{stack: {stack}}}"));
        let text = text.replace("seed: 5", &format!("seed: {seed}"));
        assert_eq!(*league, load(&text).unwrap());
    }
    let file = |name| folder.path().join(name);
    assert_eq!(sweep.stores(&path)[1], file("x.y.stack=5000.sqlite"));
    assert_eq!(sweep.report_path(&path), file("x.y.stack.html"));
    // A caller that needs one league gets an error that names the stores.
    let refused = load(&swept("{limit: [no-limit, pot-limit]}")).unwrap_err();
    for words in [
        "x.yaml:6:8: `sweep` makes 2 leagues",
        "give one of their stores (`x.limit=no-limit.sqlite`, `x.limit=pot-limit.sqlite`)",
    ] {
        has(&refused, words);
    }
}

#[test]
fn errors_of_a_sweep_over_an_option_name_their_place() {
    let cases = [
        ("3", "6:8: `sweep`: found the number 3"),
        ("{}", "6:8: `sweep` must name exactly one option"),
        (
            "{stack: [1000, 2000], ante: [0, 1]}",
            "6:8: `sweep` must name exactly one option",
        ),
        ("{stak: [1000, 2000]}", "6:9: holdem has no option `stak`"),
        ("{stak: [1000, 2000]}", "did you mean `stack`?"),
        ("{stack: 1000}", "6:16: `stack`: found the number 1000"),
        ("{stack: [1000]}", "6:16: `sweep` has 1 value"),
        (
            "{stack: [1000, 1000]}",
            "6:23: `stack` lists the value `1000` twice",
        ),
        (
            "{stacks: [[1000, 500], [500, 1000]]}",
            "6:18: `stacks` cannot be swept over a list",
        ),
        (
            "{stack: [1000, -5]}",
            "6:23: stack is -5, must be 100 to 1000000000000 chips",
        ),
        (
            "{stack: [1000, many]}",
            "6:23: option `stack`: invalid type: string",
        ),
        (
            "{limit: [no-limit, ../x]}",
            "6:27: `../x` cannot be part of the name of a store",
        ),
        (
            "{stack: [1000, 2000]}\noptions: {stack: 500}",
            "6:9: `stack` is both in `options` and in `sweep`",
        ),
    ];
    for (sweep, expected) in cases {
        has(&load(&swept(sweep)).unwrap_err(), expected);
    }
    // The entrants are checked with every value.
    let acpc = swept("{limit: [no-limit, pot-limit]}\npreset: acpc");
    let acpc = acpc.replace("[a, b]", "[a, {name: b, kind: acpc}]");
    has(
        &load(&acpc).unwrap_err(),
        "`b` does not support these options",
    );
    for words in ["stack", "stack=", "stack=1,1", "stack=1,,2", "stack=a/b,c"] {
        assert!(OptionSweep::parse(words).is_err(), "{words}");
    }
}

#[test]
fn unreadable_league_files_are_reported_with_the_reason() {
    let folder = folder_with(&[
        ("table1.yaml", RIGHT),
        ("large.yaml", &"#".repeat((1 << 20) + 1)),
    ]);
    let path = |name: &str| folder.path().join(name);
    fs::write(path("latin.yaml"), b"game: daihinmin\n# caf\xe9\n").unwrap();
    fs::write(path("x.sqlite"), b"SQLite format 3\0\x10\0\xff").unwrap();
    for (name, words) in [
        ("tabel1.yaml", "there is no such file"),
        (
            "tabel1.yaml",
            &format!("did you mean `{}`?", path("table1.yaml").display()),
        ),
        ("none/x.yaml", "there is no folder"),
        ("", "the path is a folder"),
        ("latin.yaml", "latin.yaml:2:6: the file is not valid UTF-8"),
        ("x.sqlite", "x.sqlite: the file is a store"),
        ("large.yaml", "1,048,576 bytes"),
    ] {
        has(&League::load(&path(name)).unwrap_err().to_string(), words);
    }
}

#[test]
fn very_deep_nesting_is_refused_quickly() {
    let cases = [
        (
            "[".repeat(40_000),
            "x.yaml:1:1001: the YAML is too deeply nested or too large: more than 1000 brackets are open here",
        ),
        (
            format!(
                "{RIGHT}options: {}1{}",
                "[".repeat(40_000),
                "]".repeat(40_000)
            ),
            "more than 1000 brackets",
        ),
        (
            format!("# \u{5927}\n{}", "{a: ".repeat(20_000)),
            "x.yaml:2:4001: the YAML is too deeply nested or too large: more than 1000 brackets are open here",
        ),
        (
            format!("options: {}1{}", "[".repeat(900), "]".repeat(900)),
            "recursion limit",
        ),
        ("- ".repeat(40_000) + "1", "recursion limit"),
        ("? ".repeat(40_000) + "1", "recursion limit"),
    ];
    for (text, expected) in cases {
        let start = std::time::Instant::now();
        let message = load(&text).unwrap_err();
        assert!(message.contains(expected), "{:.300}", message);
        assert!(message.len() < 2_000, "{} bytes of message", message.len());
        assert!(
            start.elapsed().as_secs() < 2,
            "{:?} for {expected}",
            start.elapsed()
        );
    }
}

#[test]
fn missing_settings_come_from_the_game_and_its_preset() {
    let league = load(RIGHT).unwrap();
    assert_eq!(
        (league.preset.as_str(), league.deals, league.duplicate),
        ("uecda", 100, false)
    );
    assert_eq!(league.faults, FaultPolicy::Substitute);
    assert_eq!(league.report, ReportSettings::default());
    assert_eq!(league.options["seat_redraw"], 3);
    assert_eq!(league.block_plan().budget_us, 0);

    let changed = RIGHT.replace(
        "seed: 1",
        "preset: uecda-2007\noptions: {eight_cut: false}\nbudget: {decision_ms: 0.5}",
    );
    let league = load(&changed).unwrap();
    assert_eq!((league.seed, league.deals), (1, 1000));
    assert_eq!(
        (&league.options["eight_cut"], &league.options["lock"]),
        (&false.into(), &true.into())
    );
    assert_eq!(league.block_plan().budget_us, 500);
}

#[test]
fn yaml_anchors_merge_keys_and_aliases_are_accepted() {
    let text = "\
game: daihinmin
entrants:
  - base
  - &bold {name: bold, bot: all, config: {greed: 0.9, words: [a, b]}}
  - {<<: *bold, name: bolder, config: {greed: 1}}
format:
  kind: challenge
  challengers: [bold, bolder]
  field: [base, base, base, base]
blocks: 10
report: {confidence: 0.99, correction: holm, published: {file: tables.json, table: table2}}
";
    let league = load(text).unwrap();
    assert_eq!(league.entrants[2].bot, "all");
    assert_eq!(
        league.entrants[1].config,
        serde_json::json!({"greed": 0.9, "words": ["a", "b"]})
    );
    assert_eq!(league.report.correction, Correction::Holm);
    let line_ups = league.format.line_ups(&league);
    assert_eq!(line_ups, [[1, 0, 0, 0, 0], [2, 0, 0, 0, 0]]);
    let text = serde_json::to_string(&league).unwrap();
    assert_eq!(serde_json::from_str::<League>(&text).unwrap(), league);
}

#[test]
fn a_byte_order_mark_is_ignored() {
    assert_eq!(
        load(&format!("\u{feff}{RIGHT}")).unwrap(),
        load(RIGHT).unwrap()
    );
}

/// Checks a league in a folder with these files. Bots with `bad` in the path do not exist.
fn in_folder(folder: &tempfile::TempDir, text: &str) -> Result<League, String> {
    parse(folder.path(), text, &|bot| match bot.contains("bad") {
        true => Err(Problem::of_file(
            format!("`{bot}` does not parse"),
            "mend it",
        )),
        false => Ok(()),
    })
}

fn named(league: &League) -> Vec<String> {
    let named = |entrant: &Entrant| format!("{}={}", entrant.name, entrant.bot);
    league.entrants.iter().map(named).collect()
}

#[test]
fn a_pattern_creates_an_entrant_for_every_matching_file() {
    let folder = folder_with(
        &"in/b.lua in/a.lua in/.c.lua in/a.lua~ in/d.txt in/e.lua/x in/x/bot.lua in/y/bot.lua"
            .split(' ')
            .map(|file| (file, ""))
            .collect::<Vec<_>>(),
    );
    let right = |entrants: &str| {
        let text = RIGHT
            .replace("daihinmin", "tanhinmin")
            .replace("size: 5", "size: 2");
        text.replace("[base, all, pair, single, plain]", entrants)
    };
    let load = |entrants: &str| in_folder(&folder, &right(entrants));
    for (entrants, expected) in [
        (
            "[{bot: \"in/*.lua\"}, base]",
            "a=in/a.lua, b=in/b.lua, base=base",
        ),
        (
            "[{name: guest, bot: \"in/?.lua\"}]",
            "guest a=in/a.lua, guest b=in/b.lua",
        ),
        (
            "[{bot: \"in/*/b*.lua\"}]",
            "x/bot=in/x/bot.lua, y/bot=in/y/bot.lua",
        ),
        (
            "[{bot: \"in/*.lua\", sweep: {n: [1, 2]}, budget: {lua_steps: 5000}}]",
            "a n=1=in/a.lua, a n=2=in/a.lua, b n=1=in/b.lua, b n=2=in/b.lua",
        ),
    ] {
        assert_eq!(named(&load(entrants).unwrap()).join(", "), expected);
    }
    // Problems of the settings of one entrant are reported at the item that creates it.
    let entrants = "\n  - base\n  - {bot: \"in/*.lua\"}\n";
    let last = &load(entrants).unwrap().entrants[2];
    let position = entrants::position_of(folder.path(), &right(entrants), last);
    assert_eq!(position.map(|position| position.line), Some(5));
    for (entrants, words) in [
        ("[{bot: \"in/*.wasm\"}]", "`bot`: no file in the folder "),
        (
            "[{bot: \"none/*.lua\"}]",
            "cannot read the folder of `none/*.lua`",
        ),
        (
            "[{name: a, bot: base}, {bot: \"in/*.lua\"}]",
            "two entrants are called `a`",
        ),
        (
            "[base, {name: \"a\u{200b}\", bot: base}, {name: \"a \", bot: base}]",
            "two entrants are called `a `",
        ),
        (
            "[base, {name: \"a\\e\", bot: base}]",
            "the name `a\\u{1b}` contains a control character",
        ),
    ] {
        has(&load(entrants).unwrap_err(), words);
    }
}

/// An entrant with its own budget is another version. The versions of the other entrants do not
/// change.
#[test]
fn an_entrant_budget_changes_only_the_version_of_that_entrant() {
    use crate::store::{BotContent, LeagueIdentity};
    let text = RIGHT.replace(
        "[base,",
        "[{name: base, bot: base, budget: {decision_ms: 0.5, lua_steps: 5000}},",
    );
    let text = format!("{text}budget: {{decision_ms: 2, memory_mb: 64}}\n");
    let own = load(&text).unwrap();
    let plain = text.replace(", budget: {decision_ms: 0.5, lua_steps: 5000}", "");
    let plain = load(&plain).unwrap();
    let budget = own.budget_of(&own.entrants[0]).to_string();
    assert_eq!(budget, "decision_ms 0.5, memory_mb 64, lua_steps 5000");
    assert_eq!(own.budget_of(&own.entrants[1]), own.budget);
    let identity = |league: &League| {
        let contents = vec![BotContent::default(); league.entrants.len()];
        LeagueIdentity::new(league.clone(), contents)
    };
    let (own, plain) = (identity(&own), identity(&plain));
    assert_eq!(own.conditions(), plain.conditions());
    let changed = own.differences(&plain, "here", "there");
    assert_eq!(changed.len(), 1, "{changed:?}");
    assert!(
        changed[0].starts_with("entrant base.budget: "),
        "{changed:?}"
    );
}
