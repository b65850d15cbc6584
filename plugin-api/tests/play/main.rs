//! Bots in libraries, called through the C interface: a C bot that `cc` builds, and Rust bots.
//! `tests/bots/plugins.rs` plays whole blocks with such bots in the arena's host.

#[path = "../support/build.rs"]
mod build;
#[path = "../support/mod.rs"]
mod support;

use hattari_plugin::abi;
use std::path::{Path, PathBuf};
use support::{c_text, descriptor};

/// Returns the folder of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Builds a C bot and loads the library.
fn build_and_load(source: &str) -> &'static abi::Entry {
    let library = build::scratch("play-c.so").display().to_string();
    let include = format!("-I{}", root().join("plugin-api/include").display());
    let source = root().join(source).display().to_string();
    let flags = ["-O2", "-std=c11", "-fPIC", "-shared", "-fvisibility=hidden"];
    let files = [include.as_str(), "-o", &library, &source];
    build::run(&build::c_compilers()[0], flags.into_iter().chain(files));
    support::load(Path::new(&library))
}

#[test]
fn a_rust_library_exports_one_symbol_and_starts_its_bots() {
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
    for id in ids {
        support::Driver::started(shedder, &id);
    }
}

#[test]
fn c_bots_refuse_unknown_ids_and_settings() {
    let cautious = build_and_load("bots/c/cautious.c");
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
