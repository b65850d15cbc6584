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
fn load(text: &[u8]) -> Result<League, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.yaml");
    fs::write(&path, text).unwrap();
    fs::write(
        folder.path().join("tables.json"),
        r#"{"table1": {}, "table2": {}}"#,
    )
    .unwrap();
    let mut resolve = |_: &GameInfo, entrant: &Entrant| match entrant.bot.as_str() {
        "nobody" => Err(MissingBot {
            message: "no bot `nobody`".into(),
            remedy: "`hattari show bots` lists them".into(),
        }),
        _ => Ok(()),
    };
    let prefix = format!("{}/", folder.path().display());
    LeagueDefinition::load(&path, &mut resolve)
        .and_then(|definition| definition.into_single(&path))
        .map(|(league, _)| league)
        .map_err(|error| error.to_string().replace(&prefix, ""))
}

/// The margin 0 is the default and may be given explicitly.
#[test]
fn a_race_without_a_margin_equals_a_race_with_margin_zero() {
    let race = |margin: &str| {
        let format = format!(
            "{{kind: race, challengers: [base, all], field: [pair, pair, pair, pair]{margin}}}"
        );
        load(
            RIGHT
                .replace("{kind: line-ups, size: 5}", &format)
                .replace("10", "30")
                .as_bytes(),
        )
    };
    assert_eq!(
        race(", margin: 0").unwrap().format,
        race("").unwrap().format
    );
    assert_eq!(
        race(", margin: 0.0").unwrap().format,
        race("").unwrap().format
    );
    let refused = race(", margin: -1").unwrap_err();
    has(&refused, "`margin`: found the number -1");
}

#[test]
fn bridge_allows_luck_adjustment_only_without_duplicate_deals() {
    let bridge = |more: &str| {
        load(
            format!(
                "game: bridge\nentrants: [cheap, random]\nformat: {{kind: pairs, a: [cheap], b: [random]}}\nblocks: 50\n{more}"
            )
            .as_bytes(),
        )
    };
    assert!(bridge("options: {luck: double-dummy}\nreport: {without_luck: true}\n").is_ok());
    let refused = |more: &str, words: &str| {
        let message = bridge(more).unwrap_err();
        has(&message, words);
    };
    refused(
        "report: {without_luck: true}\n",
        "luck is not measured in bridge",
    );
    refused(
        "options: {luck: double-dummy}\nduplicate: true\n",
        "with duplicate deals luck sums to zero",
    );
    refused(
        "options: {luck: dds}\n",
        "use one of these values, or remove the option",
    );
}

#[test]
fn errors_in_league_files_match_the_golden_messages() {
    // Other tests add this game to the list, and messages contain all games.
    hattari_agents::table::add::<crate::mock::HighCard>();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/bad-leagues.txt");
    let golden = fs::read_to_string(&path).unwrap();
    let (head, cases) = golden.split_once("== ").unwrap();
    let mut written = head.to_owned();
    for case in cases.split("\n== ") {
        let (name, rest) = case.split_once('\n').unwrap();
        let (text, _) = rest.split_once("\n--\n").unwrap();
        let message = load(text.as_bytes()).expect_err(name);
        let message: String = message
            .lines()
            .skip(2)
            .map(|line| format!("{line}\n"))
            .collect();
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
    let league = load(text.as_bytes()).unwrap();
    let messages: Vec<(&str, &str, String)> = league
        .entrants
        .iter()
        .map(|entrant| (&*entrant.name, &*entrant.bot, entrant.config.to_string()))
        .collect();
    let expected = [
        ("base", "base", "{}"),
        (
            "mine greed=0.1 style=bold fast=true",
            "all",
            r#"{"depth":2,"fast":true,"greed":0.1,"style":"bold"}"#,
        ),
        (
            "mine greed=0.1 style=shy fast=true",
            "all",
            r#"{"depth":2,"fast":true,"greed":0.1,"style":"shy"}"#,
        ),
        (
            "mine greed=0.25 style=bold fast=true",
            "all",
            r#"{"depth":2,"fast":true,"greed":0.25,"style":"bold"}"#,
        ),
        (
            "mine greed=0.25 style=shy fast=true",
            "all",
            r#"{"depth":2,"fast":true,"greed":0.25,"style":"shy"}"#,
        ),
        ("pair n=3", "pair", r#"{"n":3}"#),
    ];
    assert_eq!(
        messages,
        expected.map(|(name, bot, config)| (name, bot, config.to_owned()))
    );
    // Problems of a bot's settings are reported at the item that creates the entrant. Line 5
    // creates entrants 1 to 4, line 6 the last one.
    let line = |entrant: usize| {
        entrants::position_of(&text, &league.entrants[entrant])
            .unwrap()
            .line
    };
    assert_eq!([0, 1, 3, 4, 5].map(line), [4, 5, 5, 5, 6]);
    let nobody = Entrant {
        name: "nobody".into(),
        ..league.entrants[0].clone()
    };
    assert_eq!(entrants::position_of(&text, &nobody), None);
}

/// The text of a league of hold'em with the key `sweep`.
#[test]
fn a_rule_that_stops_by_results_never_counts_a_deal_twice() {
    let deal = r#""N:KT875.AQ87.87.K6 32.T9.AQT.QJT987 J94.K432.9432.32 AQ6.J65.KJ65.A54""#;
    let race = |deals: u32, blocks: u32| {
        let deals = vec![deal; deals as usize].join(", ");
        load(
            format!(
                "game: bridge\npreset: 3nt\noptions: {{deals: [{deals}]}}\ndeals: 2\n\
                 entrants: [cheap, random, {{name: x, bot: random}}]\n\
                 format: {{kind: race, challengers: [cheap, x], field: [random, random, random]}}\n\
                 blocks: {blocks}\n"
            )
            .as_bytes(),
        )
    };
    let refused = race(30, 16).unwrap_err();
    has(
        &refused,
        "x.yaml:6:9: a race needs new deals in every block, but the given deals repeat after 15 \
         blocks",
    );
    has(
        &refused,
        "give at most `blocks: 15`, more deals, or another format",
    );
    // Values that replace those of the file are checked too.
    let mut league = race(30, 15).unwrap();
    assert_eq!(check_settings(&league), Ok(()));
    league.blocks = 16;
    has(
        &check_settings(&league).unwrap_err().message,
        "repeat after 15 blocks",
    );
    league.blocks = BLOCKS_MAX + 1;
    has(
        &check_settings(&league).unwrap_err().message,
        "at most 10,000,000",
    );
    // If every block plays the same deals, only the bots are random.
    assert!(race(2, 16).is_ok());
}

#[test]
fn values_of_options_on_the_command_line_are_checked_like_those_in_the_file() {
    let check = |league: &League, option: &str| {
        let swept = OptionSweep::parse(option).unwrap();
        let mut leagues = swept.leagues(league);
        leagues.find_map(|league| check_settings(&league.unwrap()).err())
    };
    let refused = |text: &str, option: &str, words: &str| {
        let league = load(text.as_bytes()).unwrap();
        has(&check(&league, option).unwrap().message, words);
    };
    refused(
        "game: holdem\npreset: acpc\nentrants: [a, {name: b, kind: acpc}]\n\
         format: {kind: line-ups, size: 2}\nblocks: 10\n",
        "limit=no-limit,pot-limit",
        "`b` does not support these options",
    );
    let bridge = "game: bridge\nentrants: [cheap, random]\n\
         format: {kind: pairs, a: [cheap], b: [random]}\nblocks: 50\n";
    refused(
        &format!("{bridge}duplicate: true\n"),
        "luck=none,double-dummy",
        "with duplicate deals luck sums to zero",
    );
    refused(
        &format!("{bridge}options: {{luck: double-dummy}}\nsequential: {{without_luck: true}}\n"),
        "luck=double-dummy,none",
        "luck is not measured in bridge",
    );
}

fn swept(sweep: &str) -> String {
    format!(
        "game: holdem\nseed: 5\nentrants: [a, b]\nformat: {{kind: line-ups, size: 2}}\n\
         blocks: 10\nsweep: {sweep}\n"
    )
}

#[test]
fn a_sweep_over_an_option_makes_the_leagues_of_its_values() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.y.yaml");
    fs::write(&path, swept("{stack: [1000, 5000, 20000]}")).unwrap();
    let found = LeagueDefinition::load(&path, &mut |_, _| Ok(())).unwrap();
    let sweep = found.sweep.unwrap();
    assert_eq!(sweep.option, "stack");
    let (of_file, of_words) = (
        sweep.leagues(&found.league),
        OptionSweep::parse("stack=1000,5000,20000").unwrap(),
    );
    let of_words = of_words.leagues(&found.league);
    let leagues: Vec<League> = of_file.map(Result::unwrap).collect();
    assert_eq!(leagues, of_words.map(Result::unwrap).collect::<Vec<_>>());
    for (league, (seed, stack)) in leagues.iter().zip([(5, 1000), (6, 5000), (7, 20_000)]) {
        let text = swept("").replace("sweep: ", &format!("options: {{stack: {stack}}}"));
        let text = text.replace("seed: 5", &format!("seed: {seed}"));
        assert_eq!(*league, load(text.as_bytes()).unwrap());
    }
    assert_eq!(
        sweep.stores(&path)[1],
        folder.path().join("x.y.stack=5000.sqlite")
    );
    assert_eq!(
        sweep.report_path(&path),
        folder.path().join("x.y.stack.html")
    );
    // A caller that needs one league gets an error that names the stores.
    let refused = load(swept("{limit: [no-limit, pot-limit]}").as_bytes()).unwrap_err();
    has(&refused, "x.yaml:6:8: `sweep` makes 2 leagues");
    has(
        &refused,
        "give one of their stores (`x.limit=no-limit.sqlite`, `x.limit=pot-limit.sqlite`)",
    );
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
        has(&load(swept(sweep).as_bytes()).unwrap_err(), expected);
    }
    // The entrants are checked with every value.
    let acpc = swept("{limit: [no-limit, pot-limit]}\npreset: acpc");
    let acpc = acpc.replace("[a, b]", "[a, {name: b, kind: acpc}]");
    let refused = load(acpc.as_bytes()).unwrap_err();
    has(&refused, "`b` does not support these options");
    for words in ["stack", "stack=", "stack=1,1", "stack=1,,2", "stack=a/b,c"] {
        assert!(OptionSweep::parse(words).is_err(), "{words}");
    }
}

#[test]
fn unreadable_league_files_are_reported_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("table1.yaml"), RIGHT).unwrap();
    let say = |path: &Path| League::load(path).unwrap_err().to_string();

    let missing = say(&path("tabel1.yaml"));
    has(&missing, "there is no such file");
    assert!(
        missing.contains(&format!(
            "did you mean `{}`?",
            path("table1.yaml").display()
        )),
        "{missing}"
    );
    assert!(
        say(&path("none/x.yaml")).contains("there is no folder"),
        "{}",
        say(&path("none/x.yaml"))
    );
    assert!(say(folder.path()).contains("the path is a folder"));
    fs::write(path("latin.yaml"), b"game: daihinmin\n# caf\xe9\n").unwrap();
    let latin = say(&path("latin.yaml"));
    has(&latin, "latin.yaml:2:6: the file is not valid UTF-8");
    fs::write(path("x.sqlite"), b"SQLite format 3\0\x10\0\xff").unwrap();
    has(&say(&path("x.sqlite")), "x.sqlite: the file is a store");
    fs::write(path("large.yaml"), vec![b'#'; (1 << 20) + 1]).unwrap();
    assert!(say(&path("large.yaml")).contains("1,048,576 bytes"));
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
        let message = load(text.as_bytes()).unwrap_err();
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
    let league = load(RIGHT.as_bytes()).unwrap();
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
    let league = load(changed.as_bytes()).unwrap();
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
    let league = load(text.as_bytes()).unwrap();
    assert_eq!(league.entrants[2].bot, "all");
    assert_eq!(
        league.entrants[1].config,
        serde_json::json!({"greed": 0.9, "words": ["a", "b"]})
    );
    assert_eq!(league.report.correction, Correction::Holm);
    let line_ups: Vec<Vec<usize>> = Schedule::of(&league)
        .line_ups
        .into_iter()
        .map(|l| l.entrants)
        .collect();
    assert_eq!(line_ups, [[1, 0, 0, 0, 0], [2, 0, 0, 0, 0]]);
    let text = serde_json::to_string(&league).unwrap();
    assert_eq!(serde_json::from_str::<League>(&text).unwrap(), league);
}

#[test]
fn a_byte_order_mark_is_ignored() {
    let text = format!("\u{feff}{RIGHT}");
    assert_eq!(
        load(text.as_bytes()).unwrap(),
        load(RIGHT.as_bytes()).unwrap()
    );
}

/// Checks a league in a folder with these files. Bots with `bad` in the path do not exist.
fn in_folder(files: &[&str], text: &str) -> Result<League, String> {
    let folder = tempfile::tempdir().unwrap();
    for file in files {
        let path = folder.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "").unwrap();
    }
    let mut resolve = |_: &GameInfo, entrant: &Entrant| match entrant.bot.contains("bad") {
        true => Err(MissingBot {
            message: format!("`{}` does not parse", entrant.bot),
            remedy: "mend it".into(),
        }),
        false => Ok(()),
    };
    let path = folder.path().join("x.yaml");
    League::parse(&path, text.as_bytes(), &mut resolve)
        .map(|(league, _)| league)
        .map_err(|error| {
            error
                .to_string()
                .replace(&format!("{}/", folder.path().display()), "")
        })
}

fn named(league: &League) -> Vec<String> {
    league
        .entrants
        .iter()
        .map(|entrant| format!("{}={}", entrant.name, entrant.bot))
        .collect()
}

#[test]
fn a_pattern_creates_an_entrant_for_every_matching_file() {
    let files = [
        "in/b.lua",
        "in/a.lua",
        "in/.c.lua",
        "in/a.lua~",
        "in/d.txt",
        "in/e.lua/x",
        "in/x/bot.lua",
        "in/y/bot.lua",
    ];
    let right = |entrants: &str| {
        let text = RIGHT
            .replace("daihinmin", "tanhinmin")
            .replace("size: 5", "size: 2");
        text.replace("[base, all, pair, single, plain]", entrants)
    };
    let load = |entrants: &str| in_folder(&files, &right(entrants));
    let expand = |entrants: &str| named(&load(entrants).unwrap());
    assert_eq!(
        expand("[{bot: \"in/*.lua\"}, base]"),
        ["a=in/a.lua", "b=in/b.lua", "base=base"]
    );
    assert_eq!(
        expand("[{name: guest, bot: \"in/?.lua\"}]"),
        ["guest a=in/a.lua", "guest b=in/b.lua"]
    );
    assert_eq!(
        expand("[{bot: \"in/*/b*.lua\"}]"),
        ["x/bot=in/x/bot.lua", "y/bot=in/y/bot.lua"]
    );
    let swept = expand("[{bot: \"in/*.lua\", sweep: {n: [1, 2]}, budget: {lua_steps: 5000}}]");
    assert_eq!(
        swept,
        [
            "a n=1=in/a.lua",
            "a n=2=in/a.lua",
            "b n=1=in/b.lua",
            "b n=2=in/b.lua"
        ]
    );
    // Problems of the settings of one entrant are reported at the item that creates it.
    let text = right("\n  - base\n  - {bot: \"in/*.lua\"}\n");
    let league = in_folder(&files, &text).unwrap();
    assert_eq!(
        entrants::position_of(&text, &league.entrants[2]).map(|position| position.line),
        Some(5)
    );
    let wrong = |entrants: &str| load(entrants).unwrap_err();
    has(
        &wrong("[{bot: \"in/*.wasm\"}]"),
        "`bot`: no file in the folder ",
    );
    has(
        &wrong("[{bot: \"none/*.lua\"}]"),
        "cannot read the folder of `none/*.lua`",
    );
    has(
        &wrong("[{name: a, bot: base}, {bot: \"in/*.lua\"}]"),
        "two entrants are called `a`",
    );
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
    let (own, plain) = (
        load(text.as_bytes()).unwrap(),
        load(
            text.replace(", budget: {decision_ms: 0.5, lua_steps: 5000}", "")
                .as_bytes(),
        )
        .unwrap(),
    );
    let budget = own.budget_of(&own.entrants[0]);
    assert_eq!(
        (budget.decision_us, budget.memory_mb, budget.lua_steps),
        (Some(500), Some(64), Some(5000))
    );
    assert_eq!(
        (budget.to_string(), own.budget_of(&own.entrants[1])),
        (
            "decision_ms 0.5, memory_mb 64, lua_steps 5000".into(),
            own.budget
        )
    );
    let identity = |league: &League| {
        LeagueIdentity::new(
            league.clone(),
            vec![BotContent::default(); league.entrants.len()],
        )
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
