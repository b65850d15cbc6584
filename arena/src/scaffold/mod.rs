//! What `hattari new` writes: a bot that plays, its tests and a league for it, made from templates. Touches no file.

mod name;
mod templates;

pub use name::{BadName, check_name};

use hattari_hosts::agent::script::stubs;
use hattari_hosts::games::{self, Facts, Starter};
use hattari_hosts::text;
use hattari_plugin::headers;
use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};

/// What a bot is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Language {
    /// A script; nothing has to be built
    Lua,
    /// A package without unsafe code, built by cargo
    Rust,
    /// One file, built by any C compiler
    C,
}

impl Language {
    /// All of them.
    pub const ALL: [Language; 3] = [Language::Lua, Language::Rust, Language::C];

    /// The language's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Language::Lua => "Lua",
            Language::Rust => "Rust",
            Language::C => "C",
        }
    }
}

/// Where a Rust bot gets the SDK from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sdk {
    /// A folder, the package `hattari-plugin`.
    Path(String),
    /// A git repository that holds it.
    Git(String),
}

impl Sdk {
    /// The dependency on its package `hattari-plugin` as `Cargo.toml` has it, or on the one in a folder there.
    fn dependency(&self, folder: &str) -> String {
        let (key, value) = match self {
            Sdk::Path(path) => ("path", &format!("{path}{folder}")),
            Sdk::Git(address) => ("git", address),
        };
        format!("{{ {key} = {} }}", toml::Value::String(value.clone()))
    }
}

/// A file of a scaffold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Its place in the scaffold's folder, with `/` between names.
    pub path: String,
    /// Its text.
    pub text: String,
    /// What it is, in a few words; empty for files that nobody has to look at.
    pub about: &'static str,
}

/// A bot to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scaffold {
    /// The language.
    pub language: Language,
    /// The game, without its revision.
    pub game: &'static str,
    /// The bot's name, one that [`check_name`] lets pass.
    pub name: String,
    /// Where a Rust bot gets the SDK from.
    pub sdk: Sdk,
    /// It is to be a module of WebAssembly, in C or Rust.
    pub wasm: bool,
}

/// The target of Rust bots in WebAssembly.
const WASM_TARGET: &str = "wasm32-wasip1";

impl Scaffold {
    /// The file that the bot is, once it is built, within the scaffold's folder.
    #[must_use]
    pub fn bot(&self) -> String {
        match self.language {
            Language::Lua => format!("{}.lua", self.name),
            Language::Rust if self.wasm => {
                format!("target/{WASM_TARGET}/release/{}.wasm", self.name.replace('-', "_"))
            }
            Language::C if self.wasm => format!("{}.wasm", self.name),
            Language::Rust => {
                format!("target/release/{DLL_PREFIX}{}{DLL_SUFFIX}", self.name.replace('-', "_"))
            }
            Language::C => format!("{DLL_PREFIX}{}{DLL_SUFFIX}", self.name),
        }
    }

    /// All files. `None` for a game that has nothing to start from.
    #[must_use]
    pub fn files(&self) -> Option<Vec<File>> {
        let facts = Facts::find(self.game)?;
        let starter = facts.hosted.starter?;
        let (mut files, records) = match self.language {
            Language::Lua => (templates::lua(&starter), stubs::of_game(facts)),
            Language::Rust => (templates::rust(&starter, self.wasm), String::new()),
            Language::C => (templates::c(self.wasm), headers::of_game(&facts.schema)),
        };
        files.push(("league.yaml", starter.league, "who it plays against"));
        let file = |(path, text, about): templates::Template| {
            let text = self.fill(&starter, text).replace("@RECORDS@\n", &records);
            File { path: self.fill(&starter, path), text, about }
        };
        Some(files.into_iter().map(file).collect())
    }

    /// The command that builds the bot.
    fn build(&self) -> String {
        match self.language {
            Language::Lua => String::new(),
            Language::Rust if self.wasm => format!("cargo build --release --target {WASM_TARGET}"),
            Language::Rust => "cargo build --release".to_owned(),
            Language::C => "make".to_owned(),
        }
    }

    /// Commands that try the bot out, with what they do; they are for the scaffold's folder.
    #[must_use]
    pub fn next_steps(&self, hattari: &str) -> Vec<(String, &'static str)> {
        let bot = self.bot();
        let check = (format!("{hattari} check {bot}"), "faults, speed, determinism");
        let league = (format!("{hattari} run league.yaml"), "is it better than the others, and is that real?");
        let what = if self.wasm { "the module, which plays on every machine" } else { "the library" };
        let (test, build) = (|command: &str| (command.to_owned(), "its tests"), (self.build(), what));
        match self.language {
            Language::Lua => vec![
                (format!("{hattari} check {bot}"), "its tests, faults, speed, determinism"),
                (format!("{hattari} watch {bot}"), "plays the same deals again whenever you save"),
                league,
            ],
            Language::Rust => vec![test("cargo test"), build, check, league],
            Language::C => vec![test("make test"), build, check, league],
        }
    }

    /// A template's text with the names of this bot. Templates have `@NAME@` and its like, which stand in no other text.
    fn fill(&self, starter: &Starter, text: &str) -> String {
        // Parts first: they hold names themselves.
        let mut text = text.replace("@DECIDE@\n", starter.c_decision).replace("@POSITIONS@\n", starter.c_positions);
        for (mark, value) in [
            ("@NAME@", self.name.clone()),
            ("@TYPE@", name::type_name(&self.name)),
            ("@game@", self.game.to_owned()),
            ("@GAME@", self.game.to_uppercase()),
            ("@ABOUT@", starter.about.to_owned()),
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

/// The game of that name, if there are templates for it.
///
/// # Errors
/// There is no such game, or none to start from; with what there is instead.
pub fn find_game(name: &str) -> anyhow::Result<&'static Facts> {
    let facts = games::named(name)?;
    let has_template = |facts: &Facts| facts.hosted.starter.is_some();
    if has_template(facts) {
        return Ok(facts);
    }
    let others = games::all().into_iter().filter(|game| has_template(game)).map(Facts::name);
    Err(anyhow::anyhow!("{} has no template to start from; these games have: {}", facts.name(), text::quoted(others)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scaffold(language: Language, game: &'static str) -> Scaffold {
        Scaffold { language, game, name: "my-bot".into(), sdk: Sdk::Path("../hattari/plugin-api".into()), wasm: false }
    }

    #[test]
    fn every_game_has_templates_in_every_language() {
        for game in games::all().iter().filter(|game| game.name() != "highcard") {
            for language in Language::ALL {
                let files = scaffold(language, game.name()).files();
                let files = files.unwrap_or_else(|| panic!("no template: {language:?}, {}", game.name()));
                for File { path, text, .. } in files {
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
                        "@game@",
                        "@GAME@",
                    ];
                    assert!(marks.iter().all(|mark| !text.contains(mark) && !path.contains(mark)), "{path}:\n{text}");
                    assert!(text.ends_with('\n') && !text.ends_with("\n\n"), "{path} of {language:?}, {}", game.name());
                }
            }
        }
    }

    #[test]
    fn games_are_found_and_others_refused_with_what_there_is() {
        assert_eq!(find_game("holdem").unwrap().name(), "holdem");
        let refusal = find_game("hodlem").unwrap_err().to_string();
        assert!(refusal.contains("did you mean `holdem`?") && refusal.contains("`bridge`"), "{refusal}");
    }

    #[test]
    fn the_sdk_is_a_path_or_a_repository() {
        assert_eq!(Sdk::Path("../a \"b\"".into()).dependency("/c"), r#"{ path = '../a "b"/c' }"#);
        assert_eq!(Sdk::Git("https://example.org/x".into()).dependency("/c"), r#"{ git = "https://example.org/x" }"#);
    }
}
