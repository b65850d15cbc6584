//! The templates: one line a game in each table, and the files that are alike for all games.

/// A file: its path, its text, what it is.
pub type Template = (&'static str, &'static str, &'static str);

/// What is particular to a game.
struct OfGame {
    name: &'static str,
    /// What the C bot does, in a line.
    about: &'static str,
    league: &'static str,
    rust: &'static str,
    /// The C bot's decision, and the positions of its test.
    c: (&'static str, &'static str),
    header: &'static str,
    /// The script and the types of what it sees.
    lua: (&'static str, &'static str),
}

macro_rules! of_game {
    ($name:literal, $about:literal) => {
        OfGame {
            name: $name,
            about: $about,
            league: include_str!(concat!("templates/league/", $name, ".yaml")),
            rust: include_str!(concat!("templates/rust/", $name, ".rs")),
            c: (
                include_str!(concat!("templates/c/decide_", $name, ".c")),
                include_str!(concat!("templates/c/test_", $name, ".c")),
            ),
            header: include_str!(concat!("../../../plugin-api/include/hattari_", $name, ".h")),
            lua: (
                include_str!(concat!("templates/lua/", $name, ".lua")),
                include_str!(concat!("../../../scripts/types/", $name, ".d.luau")),
            ),
        }
    };
}

static GAMES: [OfGame; 5] = [
    of_game!("daihinmin", "plays its weakest cards first"),
    of_game!("bridge", "wins tricks as cheaply as it can"),
    of_game!("holdem", "raises with a pair, calls where that is cheap"),
    of_game!("stud", "bets with a pair or better"),
    of_game!("tanhinmin", "keeps its weakest card for the end"),
];

fn find(game: &str) -> Option<&'static OfGame> {
    GAMES.iter().find(|of| of.name == game)
}

/// What the C bot of a game does, in a line.
pub fn about(game: &str) -> &'static str {
    find(game).map_or("", |of| of.about)
}

/// The league of a game.
pub fn league(game: &str) -> Option<&'static str> {
    find(game).map(|of| of.league)
}

/// The decision of a game's C bot, and the positions of its test.
pub fn c_parts(game: &str) -> (&'static str, &'static str) {
    find(game).map_or(("", ""), |of| of.c)
}

/// A Lua bot.
pub fn lua(game: &str) -> Option<Vec<Template>> {
    let (script, types) = find(game)?.lua;
    Some(vec![
        ("@NAME@.lua", script, "the bot and its tests"),
        ("types/@game@.d.luau", types, "what a view, an action and an event hold"),
        ("README.md", include_str!("templates/lua/README.md"), ""),
        (".luaurc", include_str!("templates/lua/luaurc"), ""),
        (".vscode/settings.json", include_str!("templates/lua/settings.json"), ""),
        (".gitignore", "/league.sqlite*\n/league.html\n", ""),
    ])
}

/// A Rust bot.
pub fn rust(game: &str) -> Option<Vec<Template>> {
    Some(vec![
        ("src/lib.rs", find(game)?.rust, "the bot and its tests"),
        ("Cargo.toml", include_str!("templates/rust/Cargo.toml"), "where the SDK comes from"),
        ("README.md", include_str!("templates/rust/README.md"), ""),
        (".gitignore", "/target\n/league.sqlite*\n/league.html\n", ""),
    ])
}

/// A C bot.
pub fn c(game: &str) -> Option<Vec<Template>> {
    Some(vec![
        ("@NAME@.c", include_str!("templates/c/bot.c"), "the bot"),
        ("test.c", include_str!("templates/c/test.c"), "its tests"),
        ("Makefile", include_str!("templates/c/Makefile"), "builds and tests it"),
        ("include/hattari.h", include_str!("../../../plugin-api/include/hattari.h"), ""),
        ("include/hattari_bot.h", include_str!("../../../plugin-api/include/hattari_bot.h"), ""),
        ("include/hattari_@game@.h", find(game)?.header, ""),
        ("compile_flags.txt", include_str!("templates/c/compile_flags.txt"), ""),
        ("README.md", include_str!("templates/c/README.md"), ""),
        (".gitignore", "/*.so\n/*.dylib\n/*.dll\n/run-tests\n/league.sqlite*\n/league.html\n", ""),
    ])
}
