//! The template files of a new bot, by language.

use super::language::Language;
use super::starters::Starter;
use hattari_plugin::headers;

/// A template file: path, text and description.
pub(super) type Template = (&'static str, &'static str, &'static str);

/// Returns the files of a bot. Bots in Rust and C are WebAssembly modules if `wasm` is true.
pub(super) fn files(language: Language, wasm: bool, starter: &Starter) -> Vec<Template> {
    let mut files = match language {
        Language::Lua => vec![
            (
                "@NAME@.lua",
                starter.file("bot.lua"),
                "the bot and its tests",
            ),
            (
                "types/@game@.d.luau",
                "@RECORDS@\n",
                "the fields of views, actions and events",
            ),
            ("README.md", include_str!("templates/lua/README.md"), ""),
            (".luaurc", include_str!("templates/lua/luaurc"), ""),
            (
                ".vscode/settings.json",
                include_str!("templates/lua/settings.json"),
                "",
            ),
            (".gitignore", "/league.sqlite*\n/league.html\n", ""),
        ],
        Language::Rust => vec![
            (
                "src/lib.rs",
                starter.file("bot.rs.txt"),
                "the bot and its tests",
            ),
            (
                "Cargo.toml",
                include_str!("templates/rust/Cargo.toml"),
                "the package, with the location of the SDK",
            ),
            ("build.rs", include_str!("templates/rust/build.rs"), ""),
            ("README.md", include_str!("templates/rust/README.md"), ""),
            (".gitignore", "/target\n/league.sqlite*\n/league.html\n", ""),
        ],
        Language::C => {
            let makefile = if wasm {
                include_str!("templates/c/Makefile.wasm")
            } else {
                include_str!("templates/c/Makefile")
            };
            vec![
                ("@NAME@.c", include_str!("templates/c/bot.c"), "the bot"),
                ("test.c", include_str!("templates/c/test.c"), "its tests"),
                ("Makefile", makefile, "builds and tests it"),
                ("include/hattari.h", headers::SHARED[0].1, ""),
                ("include/hattari_bot.h", headers::SHARED[1].1, ""),
                ("include/hattari_@game@.h", "@RECORDS@\n", ""),
                (
                    "compile_flags.txt",
                    include_str!("templates/c/compile_flags.txt"),
                    "",
                ),
                ("README.md", include_str!("templates/c/README.md"), ""),
                (
                    ".gitignore",
                    "/*.so\n/*.wasm\n/*.dylib\n/*.dll\n/run-tests\n/league.sqlite*\n/league.html\n",
                    "",
                ),
            ]
        }
        Language::Python => vec![
            (
                "@NAME@.py",
                include_str!("templates/python/bot.py"),
                "the bot",
            ),
            (
                ".gitignore",
                "/__pycache__\n/league.sqlite*\n/league.html\n",
                "",
            ),
        ],
        Language::Node => vec![
            (
                "@NAME@.js",
                include_str!("templates/node/bot.js"),
                "the bot",
            ),
            (".gitignore", "/league.sqlite*\n/league.html\n", ""),
        ],
        Language::Go => vec![
            ("@NAME@.go", include_str!("templates/go/bot.go"), "the bot"),
            (
                "hattari.go",
                include_str!("templates/go/hattari.go"),
                "the protocol of Hattari",
            ),
            ("go.mod", include_str!("templates/go/go.mod"), ""),
            (".gitignore", "/@NAME@\n/league.sqlite*\n/league.html\n", ""),
        ],
        Language::Java => vec![
            (
                "Bot.java",
                include_str!("templates/java/Bot.java"),
                "the bot",
            ),
            (
                ".gitignore",
                "/*.class\n/@NAME@.jar\n/league.sqlite*\n/league.html\n",
                "",
            ),
        ],
    };
    if language == Language::Rust && wasm {
        files.push((
            ".cargo/config.toml",
            include_str!("templates/rust/config.toml"),
            "the linker options of the module",
        ));
    }
    if language.is_program() {
        files.push(("README.md", include_str!("templates/program.md"), ""));
    }
    let league = "the league, with its opponents";
    files.push(("league.yaml", starter.file("league.yaml"), league));
    let agents = include_str!("templates/AGENTS.md");
    files.push(("AGENTS.md", agents, "notes for coding agents"));
    files
}
