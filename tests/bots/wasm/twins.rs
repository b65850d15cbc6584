//! Compares the same source as a library in this process and as a module.

use crate::support::{Folder, no_faults, project_module};

/// Returns a league of the bot among random bots, so that many situations occur.
fn league(game: &str, bot: &str, players: usize, size: &str) -> String {
    let isolation = if bot.contains(".wasm") {
        ""
    } else {
        ", isolation: none"
    };
    let mine = format!("  - {{name: mine, bot: {bot}{isolation}}}\n");
    let others: String = (1..players)
        .map(|number| format!("  - {{name: p{number}, bot: random}}\n"))
        .collect();
    let format = if game == "bridge" {
        "{kind: pairs, a: [mine], b: [p1]}".to_owned()
    } else {
        format!("{{kind: line-ups, size: {players}}}")
    };
    format!("game: {game}\nseed: 5\nentrants:\n{mine}{others}format: {format}\n{size}\n")
}

/// Compares the C source as a library and as a module.
#[track_caller]
fn check_c(source: &str, game: &str, players: usize, size: &str) {
    let folder = Folder::new().trusting();
    let native = folder
        .library(source, "native", &["-O2"])
        .display()
        .to_string();
    let module = folder.module(source, "module", &[]).display().to_string();
    check_twins(&folder, &native, &module, game, players, size);
}

/// Compares a Rust bot of the project as a built-in bot and as a module.
#[track_caller]
fn check_rust(bot: &str) {
    let module = format!("'{}#{bot}'", project_module().display());
    check_twins(
        &Folder::new(),
        bot,
        &module,
        "daihinmin",
        5,
        "blocks: 8\ndeals: 40",
    );
}

/// Asserts that both play equally, and that the module plays equally on one and two threads.
#[track_caller]
fn check_twins(
    folder: &Folder,
    native: &str,
    module: &str,
    game: &str,
    players: usize,
    size: &str,
) {
    folder.write("native.yaml", league(game, native, players, size));
    folder.write("module.yaml", league(game, module, players, size));
    let expected = folder.play("native.yaml");
    let played = |threads: &str| {
        let store = format!("{threads}.sqlite");
        folder.succeeds(format!(
            "run module.yaml --no-report --jobs {threads} --store {store}"
        ));
        folder.records(&format!("{threads}.yaml"))
    };
    let (one, two) = (played("1"), played("2"));
    assert_eq!(one, two, "the number of threads makes no difference");
    no_faults(&one);
    assert_eq!(one, expected, "{module}");
}

#[test]
#[ignore = "needs clang for WebAssembly (apt-get install clang lld wasi-libc libclang-rt-dev-wasm32)"]
fn c_bots_play_the_same_in_webassembly_and_natively() {
    for (bot, game, players, size) in [
        ("cautious", "daihinmin", 5, "blocks: 12\ndeals: 50"),
        ("template", "daihinmin", 5, "blocks: 12\ndeals: 50"),
        ("pairs", "holdem", 2, "blocks: 12\ndeals: 100"),
        ("lookahead", "daihinmin", 5, "blocks: 4\ndeals: 5"),
        ("opendeals", "bridge", 2, "blocks: 2\ndeals: 2"),
    ] {
        check_c(&format!("bots/c/{bot}.c"), game, players, size);
    }
}

#[test]
#[ignore = "needs the Rust target wasm32-wasip1 (rustup target add wasm32-wasip1)"]
fn wasip1_rust_bots_play_the_same_in_webassembly_and_natively() {
    check_rust("base");
    check_rust("all-k");
}
