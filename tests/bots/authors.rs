//! Tests of the guides for authors of bots: every command and file in these tests is cut out of the
//! guides.

use crate::support::{
    Folder, assemblyscript, has, hattari, link, no_faults, project, share_builds, shell, target,
    zig,
};
use std::fs;
use std::path::{Path, PathBuf};

/// Returns the code blocks in a language under a heading of a guide, in order.
fn blocks(guide: &str, heading: &str, language: &str) -> Vec<String> {
    let text = fs::read_to_string(project().join(guide)).unwrap();
    let (_, section) = text
        .split_once(&format!("\n{heading}\n"))
        .unwrap_or_else(|| panic!("no {heading} in {guide}"));
    let level = heading.split(' ').next().unwrap();
    let section = section.split(&format!("\n{level} ")).next().unwrap();
    let opening = format!("```{language}\n");
    section
        .split(&opening)
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap().to_owned())
        .collect()
}

/// Plays a short league of a bot and built-in bots. Asserts that there are no faults.
fn play(folder: &Path, entrant: &str) {
    let league = format!(
        "game: daihinmin\nseed: 5\nentrants: [{entrant}, base, all-k, default, random]\nblocks: 2\ndeals: 30\n\
         format: {{kind: line-ups, size: 5}}\n"
    );
    fs::write(folder.join("league.yaml"), league).unwrap();
    hattari(folder, "run league.yaml --no-report")
        .code(0)
        .complains("0 faults");
    let records = hattari(folder, "store records league.yaml").code(0).out;
    assert_eq!(records.lines().count(), 2, "{records}");
}

#[test]
#[ignore = "long: builds a package with the SDK; `scaffold` builds one in each run"]
fn nightly_following_the_rust_guide_gives_a_bot_that_plays() {
    const GUIDE: &str = "plugin-api/README.md";
    let folder = Folder::new();
    let commands = blocks(GUIDE, "## In Rust", "sh");
    // The guide expects a clone of the project next to the bot.
    link(project(), &folder.path("hattari"));
    shell(folder.root(), &commands[0]).code(0);
    let package: PathBuf = folder.path("mybots");
    for (file, language) in [("Cargo.toml", "toml"), ("src/lib.rs", "rust")] {
        let text = &blocks(GUIDE, "## In Rust", language)[0];
        folder.write(&format!("mybots/{file}"), text);
    }
    let _turn = share_builds(&package);

    let (build, check): (Vec<&str>, Vec<&str>) = commands[1]
        .lines()
        .partition(|line| line.starts_with("cargo "));
    shell(&package, &build.join("\n")).code(0);
    shell(folder.root(), &check.join("\n")).code(0).says([
        "against itself",
        "identical records",
        "refuses invalid ones",
        "no errors",
    ]);
    play(
        folder.root(),
        "{name: mine, bot: mybots/target/release/libmybots.so#greedy}",
    );
    // By id only, from a folder that is given.
    let found = folder.succeeds("show bots --bots mybots/target/release");
    assert!(
        found.out.lines().any(|line| line.starts_with("greedy ")),
        "{}",
        found.out
    );
}

/// Returns a folder with the headers and the C bots of the guide.
fn with_c_bots() -> Folder {
    let folder = Folder::new();
    for path in [
        "plugin-api/include",
        "bots/c/template.c",
        "bots/c/cautious.c",
    ] {
        link(&project().join(path), &folder.path(path));
    }
    folder
}

#[test]
fn following_the_c_guide_gives_a_bot_that_plays() {
    let folder = with_c_bots();
    let commands = &blocks("plugin-api/README.md", "## In C", "sh")[0];
    shell(folder.root(), commands)
        .code(0)
        .says(["exports only hattari_entry", "identical records"]);
    play(folder.root(), "{name: mine, bot: libmine.so#template}");
}

/// Follows the guide of a language that compiles to WebAssembly. `compiler` is the name of the
/// compiler in the guide and the command to use. The bot must play like the C template.
fn follow_module_guide(heading: &str, compiler: (&str, &str), files: &[(&str, &str)]) {
    const GUIDE: &str = "arena/site/webassembly.md";
    let folder = Folder::new().trusting();
    for (name, language) in files {
        folder.write(name, &blocks(GUIDE, heading, language)[0]);
    }
    let (name, command) = compiler;
    let cache = target().join("authors");
    let path = "PATH=\"$PWD/bin:$PATH\"";
    folder.write(
        &format!("bin/{name}"),
        format!("#!/bin/sh\nexec {command} \"$@\"\n"),
    );
    let lines = blocks(GUIDE, heading, "sh")[0].clone();
    let lines = format!(
        "chmod +x bin/{name}\n{path}\nexport ZIG_GLOBAL_CACHE_DIR='{}'\n{lines}",
        cache.display()
    );
    let ended = shell(folder.root(), &lines).code(0);
    ended.says([
        "refuses invalid ones",
        "against itself",
        "identical records",
        "no errors",
    ]);
    let native = folder
        .library("bots/c/template.c", "template", &[])
        .display()
        .to_string();
    let league = |bot: &str, isolation: &str| {
        format!(
            "game: daihinmin\nseed: 5\nentrants:\n  - {{name: mine, bot: {bot}{isolation}}}\n  - {{name: a, bot: random}}\n  - \
             {{name: b, bot: random}}\n  - {{name: c, bot: random}}\n  - {{name: d, bot: random}}\nformat: {{kind: line-ups, \
             size: 5}}\nblocks: 4\ndeals: 30\n"
        )
    };
    folder.write("native.yaml", league(&native, ", isolation: none"));
    folder.write("module.yaml", league("mine.wasm", ""));
    let records = folder.play("module.yaml");
    no_faults(&records);
    assert_eq!(records, folder.play("native.yaml"));
}

#[test]
#[ignore = "needs Zig (pip install ziglang)"]
fn following_the_zig_guide_gives_a_bot_that_plays() {
    follow_module_guide(
        "## In Zig",
        ("zig", &zig()),
        &[("border.c", "c"), ("mine.zig", "zig")],
    );
}

#[test]
#[ignore = "needs AssemblyScript (npm install assemblyscript; HATTARI_ASC names its asc)"]
fn following_the_assemblyscript_guide_gives_a_bot_that_plays() {
    follow_module_guide(
        "## In AssemblyScript",
        ("asc", &assemblyscript()),
        &[("mine.ts", "ts")],
    );
}

#[test]
fn the_bot_of_the_c_guide_is_found_by_its_id() {
    let folder = with_c_bots();
    let commands = &blocks("plugin-api/README.md", "## In C", "sh")[1];
    shell(folder.root(), commands)
        .code(0)
        .says(["cautious (bots/c/libcautious.so), daihinmin/1", "no faults"]);
    play(folder.root(), "cautious");
}

#[test]
fn the_bot_of_the_lua_guide_plays_the_league_of_the_guide() {
    const GUIDE: &str = "scripts/README.md";
    const HEADING: &str = "## By hand";
    let folder = Folder::new();
    for (file, language) in [
        ("scripts/daihinmin/mine.lua", "lua"),
        ("leagues/mine.yaml", "yaml"),
    ] {
        folder.write(file, &blocks(GUIDE, HEADING, language)[0]);
    }
    let told = folder.succeeds("check scripts/daihinmin/mine.lua --time 1");
    told.says(["no faults", "identical records"])
        .never_says("WARNING");
    folder
        .succeeds("run leagues/mine.yaml --no-report --blocks 2")
        .complains("0 faults");
}

#[test]
fn the_first_steps_of_the_guide_lead_to_a_verdict() {
    const GUIDE: &str = "arena/site/write-a-bot.md";
    const HEADING: &str = "## From nothing to a verdict";
    let folder = Folder::new();
    let steps = blocks(GUIDE, HEADING, "sh");
    let [demo, replay, new, watch, league] = &steps[..] else {
        panic!("{steps:#?}")
    };
    // A reader plays the whole demo; a few blocks are enough here.
    shell(folder.root(), &format!("{} --blocks 12", demo.trim_end()))
        .code(0)
        .says("tactician beats");
    assert!(folder.read("hattari-demo/demo.html").contains("tactician"));
    let told = shell(folder.root(), replay).code(0);
    let sample = &blocks(GUIDE, HEADING, "text")[0];
    assert!(
        told.out.contains(sample),
        "the page has another game:\n{sample}\n{}",
        told.out
    );
    shell(folder.root(), new)
        .code(0)
        .says(["own tests", "no errors"]);
    // Sends Ctrl-C after the score is printed.
    let watching = format!(
        "{} --blocks 4 > out.txt & pid=$!\nfor i in $(seq 600); do grep -q score out.txt && break; sleep 0.2; done\n\
         kill -INT $pid\nwait $pid\ncat out.txt",
        watch.trim_end()
    );
    let watched = shell(folder.root(), &watching).code(0).out;
    for text in [
        "version 1",
        "3 tests passed",
        "against base, all-k, default, random",
    ] {
        has(&watched, text);
    }
    let verdict = shell(folder.root(), &format!("{} --blocks 12", league.trim_end())).code(0);
    verdict.complains("0 faults").says("mine beats random by");
    assert!(folder.path("mine/league.html").is_file());
}
