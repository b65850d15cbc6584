//! Compiled bots through the program: each kind of broken library has its message and exit code.

use crate::support::{Arguments, Ended, Folder, JsonPart, ended, library, project};
use std::collections::BTreeSet;
use std::fs;

/// Faults of a library, and the message for each. In a module the sizes are smaller.
pub(super) const REFUSED: [(&str, &str); 17] = [
    ("NO_ENTRY", "it does not export `hattari_entry`"),
    (
        "SHORT_ENTRY",
        "its `hattari_entry` has struct_size 16; at least 32 is required",
    ),
    (
        "NULL_GET_FACTORY",
        "`get_factory` of its `hattari_entry` is null",
    ),
    (
        "NO_FACTORY",
        "its get_factory returned null for `hattari.bot-factory/1`",
    ),
    (
        "NULL_CREATE",
        "the function `create` of its factory is null",
    ),
    ("INIT", "its init function failed with HATTARI_E_NOMEM"),
    ("NO_BOTS", "it contains no bots"),
    (
        "MANY_BOTS",
        "it declares 4000000000 bots; at most 1024 are allowed",
    ),
    ("NULL_DESCRIPTOR", "descriptor 0 of 1: it is null"),
    (
        "SHORT_DESCRIPTOR",
        "descriptor 0 of 1: struct_size is 8; at least 64 is required",
    ),
    ("DUPLICATE_IDS", "two bots have the id `last`"),
    ("NULL_ID", "descriptor 0 of 1: `id` is missing"),
    ("BAD_UTF8", "descriptor 0 of 1: `id` is not UTF-8"),
    (
        "BAD_ID",
        "descriptor 0 of 1: the id `Big Bot` must consist of a-z, 0-9 and `-`, begin with a letter \
         and have at most 64 characters",
    ),
    (
        "NULL_VERSION",
        "descriptor 0 of 1: `version` is missing (bot `last`)",
    ),
    (
        "NO_GAMES",
        "descriptor 0 of 1: `games` is empty; list at least one game, for example `daihinmin/1` \
         (bot `last`)",
    ),
    (
        "BAD_GAME",
        "descriptor 0 of 1: the game `daihinmin` must have the form NAME/REVISION, for example \
         `daihinmin/1` (bot `last`)",
    ),
];

/// Builds the library with a fault and checks the bot with a few deals.
fn check(fault: &str, arguments: impl Arguments) -> Ended {
    let folder = Folder::new();
    folder.library("tests/plugins/faulty.c", "faulty", &[&format!("-D{fault}")]);
    let few = if arguments.list().contains(&"--deals") {
        ""
    } else {
        "--deals 2 --blocks 1"
    };
    folder.hattari(("check last", (few, arguments)))
}

#[test]
fn a_bot_in_c_is_listed_and_checked() {
    let folder = Folder::new();
    folder.library("tests/plugins/faulty.c", "good", &["-DTWO_BOTS"]);
    let line = folder.succeeds("show bots --game daihinmin").out;
    let line = line.lines().find(|line| line.starts_with("last ")).unwrap();
    let words: Vec<&str> = line.split_whitespace().collect();
    assert_eq!(words[..4], ["last", "daihinmin/1", "compiled", "1.2.3"]);
    assert!(
        line.contains("  Takes the last legal action  ")
            && line.ends_with(&format!("bots/{}", library("good")))
    );
    let listed = folder.succeeds("show bots --json").json();
    let ours: Vec<_> = listed["bots"]
        .list()
        .iter()
        .filter(|bot| bot["author"] == "A. Nonymous")
        .collect();
    assert_eq!(ours.len(), 1, "the second has no author");
    assert_eq!(ours[0]["name"], "last");
    assert_eq!(ours[0]["games"][0], "daihinmin/1");

    let checked = folder.succeeds("check last --deals 20 --json").json();
    let verdict = |point| &checked[0]["findings"].item("point", point)["verdict"];
    for point in [
        "library",
        "descriptor",
        "create",
        "against itself",
        "against random play",
        "determinism",
    ] {
        assert_eq!(verdict(point), "ok", "{point}");
    }
    // The bot takes no config and ignores it: this is allowed, but reported.
    assert_eq!(verdict("config"), "warning");
    assert!(checked[0]["speed"]["decisions"].natural() > 1000);
}

#[test]
fn c_bots_of_this_and_of_the_first_release_play_whole_blocks() {
    let league = "game: daihinmin\nentrants: [{name: a, bot: random}, {name: b, bot: random}, {name: c, bot: random}, \
                  cautious, first]\nformat: {kind: line-ups, size: 5}\nblocks: 1\ndeals: 400\nfaults: stop\n";
    let folder = Folder::of(league);
    folder.library("bots/c/cautious.c", "cautious", &[]);
    // Its headers, beside it, are those of the first release.
    folder.library("tests/abi-v1/first.c", "first", &[]);
    let sum = &folder.play("x.yaml")[0].sum;
    assert_eq!(sum.iter().sum::<i64>(), 15 * 400);
    // Bots of equal strength get 3 points per deal, with a standard error of 0.07.
    assert!(sum[3] > 1400, "{sum:?}");
}

/// The bot logs 16 valid numbers and many others at every fourth decision, in a process of its own.
#[test]
fn a_report_has_the_valid_numbers_of_a_bot_in_c() {
    let league = "game: daihinmin\nentrants: [floods-numbers, random, {name: b, bot: random}, \
                  {name: c, bot: random}, {name: d, bot: random}]\n\
                  format: {kind: line-ups, size: 5}\nblocks: 2\ndeals: 8\nfaults: stop\n";
    let folder = Folder::of(league);
    folder.library("bots/faulty/floods-numbers.c", "floods", &[]);
    folder.run("x.sqlite", "--quiet");
    let report = folder.report("x.yaml --play");
    for row in report["numbers"].list() {
        let number: f64 = row["name"].text()[1..].parse().unwrap();
        assert_eq!(row["value"].float(), number / 2.0);
    }
    let names = BTreeSet::from_iter(report["numbers"].texts("name"));
    assert_eq!(names.len(), 16);
}

/// The host's look-ahead for a bot in C. The bot checks the guarantees at every decision.
#[test]
fn a_bot_in_c_can_use_look_ahead() {
    let folder = Folder::new();
    folder.library("bots/c/lookahead.c", "looks", &["-DSELF_CHECK"]);
    let checked = folder.succeeds("check lookahead --deals 2 --blocks 1 --json");
    let checked = checked.json();
    for finding in checked[0]["findings"].list() {
        assert_ne!(finding["verdict"], "wrong", "{finding}");
    }
    let league = "game: daihinmin\nentrants: [lookahead, {name: a, bot: default}, {name: b, bot: default}, \
                  {name: c, bot: default}, {name: d, bot: default}]\nformat: {kind: line-ups, size: 5}\nblocks: 1\ndeals: 5\nfaults: stop\n";
    folder.write("look.yaml", league);
    folder.succeeds("run look.yaml --quiet");
}

/// The host's bridge solver for a bot in C, which checks the guarantees at every decision, and for
/// a script.
#[test]
fn double_dummy_works_for_a_bot_in_c_and_a_script() {
    let folder = Folder::new();
    folder.library("bots/c/opendeals.c", "opendeals", &["-DSELF_CHECK"]);
    let checked = folder.succeeds("check opendeals --deals 1 --blocks 1 --json");
    for finding in checked.json()[0]["findings"].list() {
        assert_ne!(finding["verdict"], "wrong", "{finding}");
    }
    let script = project().join("scripts/bridge/looker.lua");
    let league = format!(
        "game: bridge\npreset: random\nentrants: [opendeals, {{name: looker, bot: {}}}, random]\n\
         format: {{kind: pairs, a: [opendeals, looker], b: [random]}}\noptions: {{scoring: tricks}}\nblocks: 12\n\
         duplicate: true\nfaults: stop\n",
        script.display()
    );
    folder.write("open.yaml", league);
    folder.succeeds("run open.yaml --quiet --no-report");
    let records = folder.records("open.yaml");
    for line_up in 0..2 {
        let mine = records
            .iter()
            .filter(|record| record.job.line_up == line_up);
        let tricks: i64 = mine.map(|record| record.sum[0]).sum();
        assert!(tricks > 0, "{tricks} tricks more than chance in 12 deals");
    }
}

#[test]
fn a_library_of_several_bots_needs_an_id() {
    let folder = Folder::new();
    folder.library("tests/plugins/faulty.c", "two", &["-DTWO_BOTS"]);
    let path = format!("bots/{}", library("two"));
    folder.refuses(
        ["check", &path],
        ["(last, second); choose one, as in", "#last`"],
    );
    folder.refuses(
        ["check", &format!("{path}#third")],
        "it contains last, second",
    );
    folder.succeeds(["check", &format!("{path}#last"), "--deals", "2"]);
}

#[test]
fn invalid_libraries_are_distinguished_from_missing_files() {
    let folder = Folder::new();
    let [text, object] = ["text", "object"].map(|name| format!("bots/{}", library(name)));
    folder.write(&text, "I am a text");
    folder.library("tests/plugins/faulty.c", "object", &["-c"]);
    folder.hattari("show bots").code(1).says([
        &*format!("{text}: it is not a dynamic library; link the bot with"),
        &format!("{object}: it is an object file, not a dynamic library; "),
    ]);
    let path = format!("bots/{}", library("none"));
    folder.refuses(["check", &path], "no such file, tried");
    folder.write("mine/mine.lua", "return { act = function() return 1 end }");
    folder.refuses("check mine.lua", "did you mean `mine/mine.lua`?");
}

#[test]
fn a_truncated_library_is_reported_and_does_not_affect_others() {
    const CUTS: usize = 50;
    let folder = Folder::new();
    let path = folder.library("tests/plugins/faulty.c", "cut", &[]);
    let whole = fs::read(&path).unwrap();
    fs::remove_file(&path).unwrap();
    let name = |cut: usize| library(&format!("cut{cut}"));
    for cut in 0..CUTS {
        fs::write(
            path.with_file_name(name(cut)),
            &whole[..whole.len() * cut / CUTS],
        )
        .unwrap();
    }
    let told = folder.hattari("show bots").code(1);
    for cut in 0..CUTS {
        assert!(
            told.out.contains(&format!("bots/{}: it ", name(cut))),
            "{cut}\n{}",
            told.out
        );
    }
}

#[test]
fn a_version_is_refused_before_any_code_of_the_library_runs() {
    for (fault, remedy) in [
        ("NEWER", "update Hattari"),
        ("OLDER", "build the bot again"),
    ] {
        let folder = Folder::new();
        let flags = [&format!("-DFAULT_{fault}") as &str, "-DFAULT_CONSTRUCTOR"];
        folder.library("tests/plugins/faulty.c", "other", &flags);
        folder
            .hattari("show bots")
            .code(1)
            .says(["of the C interface; this host supports version 1;", remedy])
            .never_says("the constructor ran");
    }
    // The test can detect this: with a matching version the library runs, and its last output is
    // reported.
    let folder = Folder::new();
    folder.library("tests/plugins/faulty.c", "fits", &["-DFAULT_CONSTRUCTOR"]);
    folder
        .hattari("show bots")
        .code(1)
        .says(["was terminated by signal 6", "the constructor ran"]);
}

#[test]
fn libraries_that_violate_the_interface_are_refused() {
    let folder = Folder::new();
    let build = |fault: &str| {
        let flag = format!("-DFAULT_{fault}");
        folder.library("tests/plugins/faulty.c", fault, &[&flag]);
    };
    REFUSED.iter().for_each(|(fault, _)| build(fault));
    build("BAD_SCHEMA");
    build("UNDEFINED_SYMBOL");
    folder.library("tests/plugins/entry_function.c", "function", &[]);
    folder.library("tests/plugins/small_entry.c", "small", &[]);
    let mut told = folder.hattari("show bots").code(1);
    for (fault, message) in REFUSED {
        told = told.says(&format!("bots/{}: {message}; ", library(fault)));
    }
    told.says([
        "descriptor 0 of 1: config_schema_json is not JSON (",
        "the system cannot load it",
        "hattari_test_defined_nowhere",
        "its `hattari_entry` is a function; define it",
        "its `hattari_entry` has only 12 bytes; define it",
    ]);
}

#[test]
fn faults_of_bots_are_reported_with_their_decision_or_the_message_of_the_bot() {
    for (fault, texts) in [
        (
            "FAULT_CREATE_FAILS",
            "create failed: no glasses, no game (HATTARI_E_FAIL)",
        ),
        ("FAULT_CREATE_NULL", "create returned HATTARI_OK but no bot"),
        (
            "FAULT_NULL_FUNCTIONS",
            "the bot's table of functions is null",
        ),
        ("FAULT_NULL_ACT", "the function `act` of the bot is null"),
        (
            "FAULT_NULL_BLOCK_START",
            "the function `block_start` of the bot is null",
        ),
        (
            "FAULT_NULL_DESTROY",
            "the function `destroy` of the bot is null",
        ),
        (
            "FAULT_OUT_OF_RANGE",
            "block 0, deal 0, decision 0: illegal action: action | faults",
        ),
        (
            "FAULT_NO_ANSWER",
            "illegal action: action 4294967295 does not exist",
        ),
        (
            "FAULT_ERROR",
            "error: act: lost my \u{fffd} glasses (HATTARI_E_FAIL)",
        ),
        ("FAULT_UNKNOWN_STATUS", "error: act: status -77"),
        (
            "FAULT_PANIC",
            "panic: act: panicked: index out of bounds (HATTARI_E_PANIC)",
        ),
        (
            "FAULT_REFUSES_BLOCK",
            "refuses daihinmin/1 with these options at tables of every size | block_start: not with \
             these rules (HATTARI_E_UNSUPPORTED)",
        ),
    ] {
        let told = check(fault, "").code(1);
        texts.split(" | ").fold(told, |told, text| told.says(text));
    }
    check("FAULT_CREATE_FILLS_ERROR", ["--config", "{\"a\": 1}"])
        .code(1)
        .says([
            "create failed with config {\"a\": 1}: xxxx",
            "xxxx (HATTARI_E_CONFIG)",
        ]);
    check("FAULT_OTHER_GAME", "")
        .code(2)
        .complains("the bot declares the game `whist/1`, which does not exist");
    check("EXPORTS_MORE", "")
        .code(0)
        .says(["WARNING  library", "exports 1 other symbols (helper)"]);
}

#[test]
fn a_bot_over_its_time_limit_is_reported() {
    let slow = |budget: &str| {
        let more = format!("--budget-ms {budget} --deals 1 --blocks 1");
        check("FAULT_SLOW", more)
    };
    slow("1")
        .code(1)
        .says(["µs; 1000 µs are allowed", "identical records"]);
    slow("60000").code(0);
}

#[test]
fn a_bot_that_remembers_other_blocks_is_detected() {
    let found = check("FAULT_REMEMBERS", "--deals 10 --isolation none --trust")
        .code(1)
        .says("plays differently with the same seed");
    found.says(["in reverse order: ", "on the second of two threads: "]);
    // In the host's process all instances share memory; separate processes are restarted for every
    // block.
    check("FAULT_REMEMBERS", "--deals 10 --isolation process")
        .code(0)
        .says("identical records");
}

#[test]
fn bot_folders_are_set_by_option_and_variable() {
    let (mine, empty) = (Folder::new(), Folder::new());
    let library = mine.library("tests/plugins/faulty.c", "mine", &[]);
    let folder = library.parent().unwrap().to_str().unwrap();
    empty.succeeds("show bots").never_says("last  ");
    empty
        .succeeds(format!("show bots --bots {folder}"))
        .says("last  ");
    let mut command = empty.command("check last --deals 1");
    ended(command.env("HATTARI_BOTS", folder)).code(0);
    empty.refuses(
        "show bots --bots nowhere",
        "--bots nowhere: there is no such folder",
    );
    empty.refuses(
        format!("check lasst --bots {folder}"),
        "did you mean `last`",
    );
}

#[test]
fn the_host_provides_log_clock_and_random_numbers() {
    let folder = Folder::new();
    folder.library("tests/plugins/faulty.c", "talks", &["-DTALKS"]);
    let run = |variable: Option<&str>, more: &str| {
        let mut command = folder.command(("check last --deals 2 --blocks 1", more));
        variable.map(|value| command.env("HATTARI_LOG", value));
        // Randomness comes only from the seed, so the bot decides equally on every thread.
        ended(&mut command)
            .code(0)
            .says(["no faults", "identical records"])
    };
    // By default warnings and errors are printed, with the bot's name and without its colours.
    let quiet = run(None, "").complains([" WARN last: too ", "ERROR last: "]);
    assert!(
        !quiet.err.contains("a block") && !quiet.err.contains('\x1b'),
        "{}",
        quiet.err
    );
    run(None, "-v")
        .complains(" INFO last: a block")
        .never_says("a detail");
    run(None, "-vv --budget-ms 60000").complains("a detail");
    run(Some("hattari::bot=debug"), "").complains("a detail");
    run(Some("off"), "-vvv").never_says("last: a block");
    let mut command = folder.command("show bots");
    ended(command.env("HATTARI_LOG", "no such=filter=="))
        .code(2)
        .complains("HATTARI_LOG=no such=filter==");
}

#[test]
fn check_refuses_options_that_have_no_effect() {
    let folder = Folder::new();
    let script = "return { act = function() return 1 end, bot = { games = { 'stud' } } }";
    folder.write("mine.lua", script);
    for option in [
        "--budget-ms 5",
        "--threads 2",
        "--isolation process",
        "--memory-mb 9",
    ] {
        let name = option.split(' ').next().unwrap();
        folder.refuses(
            format!("check mine.lua {option}"),
            &format!("{name} has no effect on `mine`: a script (.lua) runs in a sandbox"),
        );
    }
    folder.refuses(
        "check default --budget-ms 0",
        "--budget-ms: give a number above 0 and below 3600000",
    );
    folder.refuses(
        "check mine.lua --time 1e19",
        "a number of seconds from 0 to 1000000",
    );
}

/// A bot that does not answer costs one timeout, and the verdict names the place.
#[test]
fn a_check_ends_at_the_first_call_that_hangs() {
    let folder = Folder::new();
    folder.library("bots/faulty/endless-loop.c", "loops", &[]);
    let checked = folder.hattari("check endless-loop --budget-ms 500").code(1);
    checked.says([
        "block 0, deal 0, decision ",
        "no answer within 1s",
        "the check ended early",
    ]);
}

/// A script that loops exhausts its steps quickly. Many such calls also end a check, and the
/// verdict does not say that the bot plays differently.
#[test]
fn a_check_ends_early_if_failing_calls_take_too_long() {
    let folder = Folder::new();
    let script = project().join("scripts/faulty/loops.lua");
    // So many calls that their million steps take longer on any machine.
    let checked = folder
        .hattari([
            "check",
            script.to_str().unwrap(),
            "--game",
            "stud",
            "--deals",
            "200",
        ])
        .code(1);
    let checked = checked
        .never_says("plays differently")
        .says("the check ended early, because failed calls took");
    assert_eq!(
        checked.out.matches("more than").count(),
        1,
        "{}",
        checked.out
    );
}

#[test]
fn a_check_prints_each_message_once_and_how_to_refuse_unknown_settings() {
    let folder = Folder::new();
    folder.write(
        "mine.lua",
        "return { act = function(view, legal) error('lost', 0) end }",
    );
    let checked = folder
        .hattari("check mine.lua --game tanhinmin --deals 2 --blocks 2")
        .code(1);
    assert_eq!(
        checked.out.matches("error: lost").count(),
        1,
        "{}",
        checked.out
    );
    checked.says([
        "all with messages listed above",
        "for key in config do error(`unknown setting '{key}'`, 0) end",
    ]);
}

#[test]
fn a_check_requires_the_game_if_the_file_does_not_declare_it() {
    let folder = Folder::new();
    folder.write(
        "mine.lua",
        "return { act = function(view, legal) return 1 end }",
    );
    let asked = folder.refuses("check mine.lua", "`mine.lua` does not declare its game");
    asked.complains(
        "give the game with --game, or in the script, as in `bot = { games = { \"daihinmin\" } }`",
    );
    folder.write("stud/mine.lua", folder.read("mine.lua"));
    folder
        .succeeds("check stud/mine.lua --deals 2 --blocks 1")
        .says("stud/1");
}
