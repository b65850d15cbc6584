//! Bots at a table, called through the C interface: C bots from libraries that `cc` builds, and
//! Rust bots in process. This is a minimal version of the arena's host.

mod bots;
#[path = "../support/build.rs"]
mod build;
#[path = "../support/mod.rs"]
mod support;
mod table;

use bots::HATTARI_ENTRY;
use hattari_plugin::abi;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use support::{c_text, descriptor};
use table::{Played, play};

/// Returns the folder of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Libraries built so far. The lock is held during a build, because parallel tests share the
/// libraries.
static BUILT: Mutex<BTreeMap<&str, &abi::Entry>> = Mutex::new(BTreeMap::new());

/// Builds a C bot once with the headers in `include`. The library stays loaded.
fn build_and_load(source: &'static str, include: &str) -> &'static abi::Entry {
    let mut built = BUILT.lock().expect("no build failed");
    if let Some(&entry) = built.get(source) {
        return entry;
    }
    let compiler = &build::c_compilers()[0];
    let library = build::scratch(&format!("play-{}.so", source.replace('/', "-")));
    let include = format!("-I{}", root().join(include).display());
    let (output, path) = (
        library.display().to_string(),
        root().join(source).display().to_string(),
    );
    let flags = ["-O2", "-std=c11", "-fPIC", "-shared", "-fvisibility=hidden"];
    build::run(
        compiler,
        flags
            .into_iter()
            .chain([include.as_str(), "-o", &output, &path]),
    );
    let entry = support::load(&library);
    built.insert(source, entry);
    entry
}

fn shares(played: &Played) -> Vec<f64> {
    let deals = f64::from(played.deals);
    played
        .points
        .iter()
        .map(|&points| f64::from(i32::try_from(points).unwrap()) / deals)
        .collect()
}

#[test]
fn the_template_plays_whole_blocks() {
    let template = build_and_load("bots/c/template.c", "plugin-api/include");
    assert_eq!(
        c_text(descriptor(template, 0).unwrap().id).as_deref(),
        Some("template")
    );
    let played = play(&[(template, "template"); 5], 1, 100);
    assert_eq!(played.points.iter().sum::<i64>(), 15 * 100);
}

#[test]
fn a_bot_of_the_first_release_plays_whole_blocks() {
    let first = build_and_load("tests/abi-v1/first.c", "tests/abi-v1");
    let played = play(
        &[
            (first, "first"),
            (&HATTARI_ENTRY, "weakest"),
            (first, "first"),
            (first, "first"),
            (first, "first"),
        ],
        2,
        100,
    );
    assert_eq!(played.points.iter().sum::<i64>(), 15 * 100);
    assert_eq!(played.logged[0], "block of 100 deals");
}

#[test]
fn cautious_beats_bots_that_play_their_weakest() {
    let cautious = build_and_load("bots/c/cautious.c", "plugin-api/include");
    let weakest: (&abi::Entry, _) = (&HATTARI_ENTRY, "weakest");
    let field = [(cautious, "cautious"), weakest, weakest, weakest, weakest];
    let played = play(&field, 3, 2000);
    let shares = shares(&played);
    // A bot of equal strength would get 3 points per deal, with a standard error of 0.03.
    assert!(shares[0] > 3.5, "{shares:?}");
    assert_eq!(played.logged[0], "ready");
}

#[test]
fn a_loaded_rust_library_shows_one_symbol_and_plays() {
    let test = std::env::current_exe().expect("a program knows its path");
    let file = format!(
        "{}shedder{}",
        std::env::consts::DLL_PREFIX,
        std::env::consts::DLL_SUFFIX
    );
    let library = test.with_file_name("..").join("examples").join(file);
    assert!(
        library.exists(),
        "{} is missing: `cargo test -p hattari-plugin` builds it",
        library.display()
    );
    assert_eq!(build::exported_symbols(&library), ["hattari_entry"]);
    let shedder = support::load(&library);
    let ids: Vec<_> = (0..)
        .map_while(|index| descriptor(shedder, index))
        .map(|it| c_text(it.id).unwrap())
        .collect();
    assert_eq!(ids, ["shedder", "moody", "first"]);
    let field = [
        (shedder, "shedder"),
        (shedder, "moody"),
        (shedder, "first"),
        (shedder, "moody"),
        (shedder, "first"),
    ];
    let shares = shares(&play(&field, 6, 400));
    assert!(shares[0] > shares[1] && shares[1] > shares[2], "{shares:?}");
}

#[test]
fn the_same_seed_gives_the_same_play() {
    let cautious = build_and_load("bots/c/cautious.c", "plugin-api/include");
    let field = [
        (cautious, "cautious"),
        (&HATTARI_ENTRY, "weakest"),
        (cautious, "cautious"),
        (&HATTARI_ENTRY, "any"),
        (cautious, "cautious"),
    ];
    assert_eq!(play(&field, 4, 50).choices, play(&field, 4, 50).choices);
    assert_ne!(play(&field, 4, 50).choices, play(&field, 5, 50).choices);
}

#[test]
fn c_bots_refuse_unknown_ids_and_settings() {
    let cautious = build_and_load("bots/c/cautious.c", "plugin-api/include");
    let refused = |id, config| {
        support::Driver::create(cautious, id, config, support::TestHost::new(0))
            .err()
            .unwrap()
    };
    assert_eq!(
        refused("bold", ""),
        (
            abi::E_UNSUPPORTED,
            "this library has one bot: cautious".to_owned()
        )
    );
    assert_eq!(
        refused("cautious", r#"{"depth": 3}"#),
        (abi::E_CONFIG, "cautious has no settings".to_owned())
    );
    let bot =
        support::Driver::create(cautious, "cautious", "{}", support::TestHost::bare()).unwrap();
    let other = abi::BlockInfo {
        game: support::text("holdem/1"),
        ..support::block()
    };
    assert_eq!(bot.block_start(&other), abi::E_UNSUPPORTED);
    assert_eq!(bot.last_error(), "this bot plays daihinmin/1 only");
}
