//! The files that `hattari new` creates from templates: a working bot, its tests and a league. They
//! are created in memory only.

mod language;
mod name;
mod starters;
mod templates;

pub(crate) use language::Language;
pub(crate) use name::check_name;
use starters::{Starter, starter};

use anyhow::Context;
use hattari_agents::agent::script::stubs;
use hattari_agents::games::{self, GameInfo};
use hattari_agents::text;
use hattari_plugin::headers;
use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};

/// The source of the SDK for Rust bots.
pub(crate) enum Sdk {
    /// Path of the folder of the package `hattari-plugin`.
    Path(String),
    /// URL of a git repository that contains the package.
    Git(String),
}

impl Sdk {
    /// Returns the dependency for `Cargo.toml`. `folder` is a folder in the package
    /// `hattari-plugin`, as in `/sources`, or empty.
    fn dependency(&self, folder: &str) -> String {
        let (key, value) = match self {
            Sdk::Path(path) => ("path", &format!("{path}{folder}")),
            Sdk::Git(address) => ("git", address),
        };
        format!("{{ {key} = {} }}", toml::Value::String(value.clone()))
    }
}

/// A file of a new bot.
pub(crate) struct File {
    /// Path in the bot's folder, with `/` as separator.
    pub path: String,
    /// Contents of the file.
    pub content: Vec<u8>,
    /// Short description; empty for files that need no attention.
    pub about: &'static str,
}

/// The options of a new bot.
pub(crate) struct Scaffold {
    /// Programming language of the bot.
    pub language: Language,
    /// The game that the bot plays.
    pub game: &'static GameInfo,
    /// The template parts of the game.
    pub starter: Starter,
    /// Name of the bot, accepted by [`check_name`].
    pub name: String,
    /// Source of the SDK for Rust bots.
    pub sdk: Sdk,
    /// `true` for a WebAssembly module (C or Rust only).
    pub wasm: bool,
}

/// Compilation target of Rust bots in WebAssembly.
const WASM_TARGET: &str = "wasm32-wasip1";

impl Scaffold {
    /// Returns the path of the built bot in its folder.
    pub(crate) fn bot(&self) -> String {
        let (name, crate_name) = (&self.name, self.name.replace('-', "_"));
        match self.language {
            Language::Lua => format!("{name}.lua"),
            Language::Rust if self.wasm => {
                format!("target/{WASM_TARGET}/release/{crate_name}.wasm")
            }
            Language::C if self.wasm => format!("{name}.wasm"),
            Language::Rust => format!("target/release/{DLL_PREFIX}{crate_name}{DLL_SUFFIX}"),
            Language::C => format!("{DLL_PREFIX}{name}{DLL_SUFFIX}"),
            Language::Python => format!("{name}.py"),
            Language::Node => format!("{name}.js"),
            Language::Go => format!("./{name}"),
            Language::Java => format!("{name}.jar"),
        }
    }

    /// Returns all files of the bot.
    pub(crate) fn files(&self) -> Vec<File> {
        let records = match self.language {
            Language::Lua => stubs::of_game(self.game),
            Language::C => headers::of_game(&self.game.schema),
            _ => String::new(),
        };
        templates::files(self.language, self.wasm, &self.starter)
            .into_iter()
            .map(|(path, text, about)| {
                let mut text = text.to_owned();
                if self.language.is_program() {
                    // The league starts a program by its command, and so must be trusted.
                    let (command, run) = (self.command(), "hattari run league.yaml");
                    text = text
                        .replace("bot: @BOT@}", &format!("command: {command}}}"))
                        .replace(&format!("{run}\n"), &format!("{run} --trust\n"));
                }
                let text = self.fill(&text).replace("@RECORDS@\n", &records);
                File {
                    path: self.fill(path),
                    content: text.into_bytes(),
                    about,
                }
            })
            .collect()
    }

    /// Returns the command that builds the bot.
    fn build(&self) -> String {
        match self.language {
            Language::Lua | Language::Python | Language::Node => String::new(),
            Language::Go => "go build".to_owned(),
            Language::Java => format!("javac Bot.java && jar cfe {} Bot *.class", self.bot()),
            Language::Rust if self.wasm => format!("cargo build --release --target {WASM_TARGET}"),
            Language::Rust => "cargo build --release".to_owned(),
            Language::C => "make".to_owned(),
        }
    }

    /// Returns commands to try the bot, with descriptions. They are run in the bot's folder.
    pub(crate) fn next_steps(&self, hattari: &str) -> Vec<(String, &'static str)> {
        let (bot, build, language) = (self.bot(), self.build(), self.language);
        let is_program = language.is_program();
        let trust = if is_program { " --trust" } else { "" };
        let mut steps = Vec::new();
        match language {
            Language::Rust => steps.push(("cargo test".to_owned(), "runs its tests")),
            Language::C => steps.push(("make test".to_owned(), "runs its tests")),
            _ => {}
        }
        // Only the source file of a compiled program names the game.
        let mut game = String::new();
        if !build.is_empty() {
            if is_program {
                game = format!(" --game {}", self.game.name());
            }
            let purpose = match (language, self.wasm) {
                _ if is_program => "builds the program",
                (Language::Rust, true) => {
                    "builds the module, which runs on every machine; the first build takes about \
                     half a minute"
                }
                (Language::Rust, false) => {
                    "builds the library; the first build takes about half a minute"
                }
                (_, true) => "builds the module, which runs on every machine",
                (_, false) => "builds the library",
            };
            steps.push((build.clone(), purpose));
        }
        let checks = match language {
            Language::Lua => "runs its tests, checks faults, speed, determinism",
            _ if is_program => "checks faults, speed",
            _ => "checks faults, speed, determinism",
        };
        steps.push((format!("{hattari} check {bot}{game}{trust}"), checks));
        if build.is_empty() {
            let watch = format!("{hattari} watch {bot}{trust}");
            steps.push((watch, "replays the same deals after every save"));
        }
        steps.push((
            format!("{hattari} run league.yaml{trust}"),
            "plays the league: is the bot better, and is the difference significant?",
        ));
        steps
    }

    /// Returns the tools that build, test or run the bot, and the command that installs them on
    /// Debian and Ubuntu.
    pub(crate) fn tools(&self) -> (&'static [&'static str], &'static str) {
        match self.language {
            Language::Lua => (&[], ""),
            Language::Rust if self.wasm => (
                &["cargo"],
                "apt-get install rustup && rustup default stable && rustup target add wasm32-wasip1",
            ),
            Language::Rust => (
                &["cargo"],
                "apt-get install rustup && rustup default stable",
            ),
            Language::C if self.wasm => (
                &["clang", "wasm-ld", "cc", "make"],
                "apt-get install clang lld wasi-libc libclang-rt-dev-wasm32 gcc make",
            ),
            Language::C => (&["cc", "make"], "apt-get install gcc make"),
            Language::Python => (&["python3"], "apt-get install python3"),
            Language::Node => (&["node"], "apt-get install nodejs"),
            Language::Go => (&["go"], "apt-get install golang-go"),
            Language::Java => (&["java", "javac", "jar"], "apt-get install default-jdk"),
        }
    }

    /// Returns the source file of a program.
    fn source(&self) -> String {
        match self.language {
            Language::Go => format!("{}.go", self.name),
            Language::Java => "Bot.java".to_owned(),
            _ => self.bot(),
        }
    }

    /// Returns the start command of a program, in league syntax.
    fn command(&self) -> String {
        let bot = self.bot();
        match self.language {
            Language::Python => format!("[python3, {bot}]"),
            Language::Node => format!("[node, {bot}]"),
            Language::Java => {
                format!("[java, -XX:+UseSerialGC, -XX:TieredStopAtLevel=1, -jar, {bot}]")
            }
            _ => format!("[{bot}]"),
        }
    }

    /// Replaces the placeholders of a template, such as `@NAME@`.
    fn fill(&self, text: &str) -> String {
        // These parts contain placeholders themselves, so they are inserted first.
        let decision = self.starter.file(match self.language {
            Language::Python => "decide.py",
            Language::Node => "decide.js",
            Language::Go => "decide.go",
            Language::Java => "Decide.java",
            Language::Lua | Language::Rust | Language::C => "decide.c",
        });
        let mut text = text
            .replace("@DECIDE@\n", decision)
            .replace("@POSITIONS@\n", self.starter.file("positions.c"));
        let mut steps = self.next_steps("hattari");
        let next = aligned(&steps);
        if matches!(self.language, Language::Rust | Language::C) {
            let watch = format!("hattari watch {}", self.bot());
            steps.push((watch, "replays the same deals after every build"));
        }
        let report = "hattari report league.yaml";
        steps.extend([
            (report.to_owned(), "prints tiers, differences and verdicts"),
            (
                format!("{report} --versions {}", self.name),
                "compares versions of the bot on the same deals",
            ),
            (
                format!("{report} --format json"),
                "prints all results: `tiers`, `pairs[].verdict`",
            ),
            (
                "hattari replay league.yaml --block 0 --game 0".to_owned(),
                "prints a game with all cards",
            ),
        ]);
        for (mark, value) in [
            ("@STEPS@", next),
            ("@ALL_STEPS@", aligned(&steps)),
            ("@SOURCE@", self.source()),
            ("@LANGUAGE@", self.language.name().to_owned()),
            ("@NAME@", self.name.clone()),
            ("@TYPE@", name::type_name(&self.name)),
            ("@game@", self.game.name().to_owned()),
            ("@GAME@", self.game.name().to_uppercase()),
            ("@ABOUT@", self.starter.about.to_owned()),
            ("@BOT@", self.bot()),
            ("@LIBRARY@", self.bot()),
            ("@BUILD@", self.build()),
            ("@SDK@", self.sdk.dependency("")),
            ("@SOURCES@", self.sdk.dependency("/sources")),
        ] {
            text = text.replace(mark, &value);
        }
        text
    }
}

/// Returns commands with their descriptions as aligned comments, one line each.
fn aligned(steps: &[(String, &str)]) -> String {
    let width = steps.iter().map(|(step, _)| step.len()).max().unwrap_or(0);
    let lines = steps
        .iter()
        .map(|(step, what)| format!("{step:width$}    # {what}"));
    text::joined(lines, "\n")
}

/// Returns the game with this name, and its template parts.
///
/// # Errors
/// Returns an error that lists alternatives if there is no such game or it has no templates.
pub(crate) fn find_game(name: &str) -> anyhow::Result<(&'static GameInfo, Starter)> {
    let game = games::named(name)?;
    let starter_of = |game: &&GameInfo| starter(game.name());
    let found = starter_of(&game).with_context(|| {
        let others = games::all()
            .into_iter()
            .filter(|other| starter_of(other).is_some());
        format!(
            "there is no template for {}; games with a template: {}",
            game.name(),
            text::quoted(others.map(GameInfo::name))
        )
    })?;
    Ok((game, found))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::ValueEnum;

    fn scaffold(language: Language, game: &str) -> Scaffold {
        let (game, starter) = find_game(game).unwrap();
        Scaffold {
            language,
            game,
            starter,
            name: "my-bot".into(),
            sdk: Sdk::Path("../hattari/plugin-api".into()),
            wasm: false,
        }
    }

    #[test]
    fn every_game_has_templates_in_every_language() {
        for game in games::all().iter().filter(|game| game.name() != "highcard") {
            for &language in Language::value_variants() {
                for File { path, content, .. } in scaffold(language, game.name()).files() {
                    let text = String::from_utf8(content).unwrap();
                    let marks = [
                        "@RECORDS@",
                        "@NAME@",
                        "@TYPE@",
                        "@BOT@",
                        "@BUILD@",
                        "@SDK@",
                        "@SOURCES@",
                        "@DECIDE@",
                        "@POSITIONS@",
                        "@STEPS@",
                        "@ALL_STEPS@",
                        "@game@",
                        "@GAME@",
                    ];
                    assert!(
                        marks
                            .iter()
                            .all(|mark| !text.contains(mark) && !path.contains(mark)),
                        "{path}:\n{text}"
                    );
                    if path == "AGENTS.md" {
                        assert!(text.lines().count() <= 30, "{text}");
                        let bot = scaffold(language, game.name()).bot();
                        let watches = !matches!(language, Language::Go | Language::Java);
                        let watch = format!("hattari watch {bot}");
                        assert_eq!(text.contains(&watch), watches, "{text}");
                        for step in [
                            &format!("hattari check {bot}"),
                            "hattari run league.yaml",
                            "--versions my-bot",
                        ] {
                            assert!(text.contains(step), "{step}: {text}");
                        }
                    }
                    if path == "league.yaml" {
                        assert_eq!(
                            text.contains("hattari run league.yaml --trust\n"),
                            language.is_program(),
                            "{text}"
                        );
                    }
                    assert!(
                        text.ends_with('\n') && !text.ends_with("\n\n"),
                        "{path} of {language:?}, {}",
                        game.name()
                    );
                }
            }
        }
    }

    #[test]
    fn unknown_games_are_rejected_with_the_available_games() {
        assert_eq!(find_game("holdem").unwrap().0.name(), "holdem");
        let refusal = find_game("hodlem").err().unwrap().to_string();
        assert!(
            refusal.contains("did you mean `holdem`?") && refusal.contains("`bridge`"),
            "{refusal}"
        );
    }

    #[test]
    fn the_sdk_dependency_is_a_path_or_a_git_repository() {
        assert_eq!(
            Sdk::Path("../a \"b\"".into()).dependency("/c"),
            r#"{ path = '../a "b"/c' }"#
        );
        assert_eq!(
            Sdk::Git("https://example.org/x".into()).dependency("/c"),
            r#"{ git = "https://example.org/x" }"#
        );
    }
}
