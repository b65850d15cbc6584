//! `hattari new`.

use super::folders::Folders;
use super::{CommandResult, output};
use crate::scaffold::{File, Language, Scaffold, Sdk, check_name, find_game};
use crate::shipped;
use anyhow::{Context, bail, ensure};
use hattari_agents::text;
use hattari_play::catalogue::SearchPath;
use std::env::consts::EXE_SUFFIX;
use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};
use std::{env, fs};

/// Create a working bot with tests and a league
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Creates the folder NAME with a working bot, its tests, a league and a README. Existing files are \
not overwritten. The folder can be moved anywhere; leagues in other folders name the bot by its \
path.

Examples:
  hattari new lua daihinmin mine            a script: mine/mine.lua
  hattari new rust holdem bold              a package: bold/src/lib.rs
  hattari new c bridge bots/finesse         one file: bots/finesse/finesse.c
  hattari new python holdem mine            a program: mine/mine.py; node, go and java likewise
  hattari new c stud mine --wasm            a sandboxed module for every machine: mine/mine.wasm

Exit codes: 0 written, 2 unknown game or language, invalid name, or the folder exists already.")]
pub(super) struct Arguments {
    /// Programming language of the bot
    #[arg(value_enum)]
    language: Language,
    /// The game that the bot plays
    game: String,
    /// Name of the bot (lower case letters, digits and `-`), or a path that ends with the name, as
    /// in `bots/mine`
    name: String,
    /// The folder in which to create the folder of the bot (default: the current folder)
    #[arg(long, value_name = "DIR")]
    into: Option<PathBuf>,
    /// SDK of a Rust bot: the folder `plugin-api` of Hattari, or the URL of its git repository
    /// (default: the project of this program, otherwise a copy in the program)
    #[arg(long, value_name = "DIR|URL")]
    sdk: Option<String>,
    /// Build the bot as a WebAssembly module, which runs sandboxed on every machine (C or Rust
    /// only)
    #[arg(long)]
    wasm: bool,
    #[command(flatten)]
    folders: Folders,
}

pub(super) fn main(arguments: &Arguments) -> CommandResult {
    let language = arguments.language;
    let (above, name) = split_path(&arguments.name);
    let (game, starter) = find_game(&arguments.game)?;
    check_name(name, language).with_context(|| format!("`{name}`"))?;
    ensure!(
        arguments.sdk.is_none() || language == Language::Rust,
        "--sdk is for bots in Rust"
    );
    ensure!(
        !arguments.wasm || matches!(language, Language::Rust | Language::C),
        "--wasm is for bots in C and Rust; {}",
        if language == Language::Lua {
            "scripts are sandboxed anyway"
        } else {
            "programs are not compiled to WebAssembly"
        }
    );
    let folder = arguments
        .into
        .clone()
        .unwrap_or_default()
        .join(above)
        .join(name);
    // `symlink_metadata` also detects broken links.
    ensure!(
        fs::symlink_metadata(&folder).is_err(),
        "{} exists already and is not overwritten: choose another name or path",
        folder.display()
    );
    let catalogue = arguments.folders.catalogue(None)?;
    if let Ok(other) = catalogue.find(game.id, name, Path::new("")) {
        let path = output::short(&other.path);
        bail!(
            "{} already has a bot `{name}` ({path}): choose another name, because leagues refer to \
            bots by name",
            game.name()
        );
    }
    let sdk = match &arguments.sdk {
        Some(given) => Some(given_sdk(given, &folder)?),
        None if language == Language::Rust => {
            // The project that contains this program or the current folder.
            let search = SearchPath::new(None, &arguments.folders.folders)?;
            let own = search
                .roots()
                .map(|root| root.join("plugin-api"))
                .find(|path| is_sdk(path));
            own.map(|own| path_from(&folder, &own).map(Sdk::Path))
                .transpose()?
        }
        None => None,
    };
    let brings_sdk = sdk.is_none() && language == Language::Rust;
    let sdk = sdk.unwrap_or_else(|| Sdk::Path(format!("{SDK_FOLDER}/plugin-api")));
    let scaffold = Scaffold {
        language,
        game,
        starter,
        name: name.to_owned(),
        sdk,
        wasm: arguments.wasm,
    };
    let mut files = scaffold.files();
    if brings_sdk {
        files.extend(shipped::sdk().into_iter().map(|(path, content)| File {
            about: match path.as_str() {
                "plugin-api/README.md" => "the SDK and its documentation",
                _ => "",
            },
            path: format!("{SDK_FOLDER}/{path}"),
            content,
        }));
    }
    let parts = files.iter().map(|file| (&*file.path, &*file.content));
    shipped::write(&folder, parts)
        .with_context(|| format!("{} cannot be written", folder.display()))?;
    output::print(&describe(&scaffold, &folder, &files))
}

/// Splits the argument, a name or a path, into the parent folder and the name.
fn split_path(given: &str) -> (&Path, &str) {
    let path = Path::new(given);
    let name = path.file_name().and_then(OsStr::to_str);
    path.parent().zip(name).unwrap_or((Path::new(""), given))
}

/// Parses the value of `--sdk`. `folder` is the folder of the bot.
fn given_sdk(given: &str, folder: &Path) -> anyhow::Result<Sdk> {
    let is_address = given.contains("://") || given.starts_with("git@");
    if is_address {
        return Ok(Sdk::Git(given.to_owned()));
    }
    let plugin_api = [
        Path::new(given).to_owned(),
        Path::new(given).join("plugin-api"),
    ];
    let sdk = plugin_api
        .iter()
        .find(|path| is_sdk(path))
        .with_context(|| {
            format!("--sdk {given}: the folder does not contain the package `hattari-plugin`")
        })?;
    Ok(Sdk::Path(path_from(folder, sdk)?))
}

/// Name of the folder for the embedded SDK in a bot's folder.
const SDK_FOLDER: &str = "sdk";

fn is_sdk(folder: &Path) -> bool {
    fs::read_to_string(folder.join("Cargo.toml"))
        .is_ok_and(|text| text.contains("name = \"hattari-plugin\""))
}

/// Returns the path by which a file in `folder` refers to `sdk`. The path is relative if `folder`
/// is in the folder that contains the project of the SDK, so that both can be moved together.
fn path_from(folder: &Path, sdk: &Path) -> anyhow::Result<String> {
    let real = |path: &Path| fs::canonicalize(path).with_context(|| format!("{}", path.display()));
    let sdk = real(sdk)?;
    // The folder and its parents may not exist yet.
    let folder = env::current_dir()?.join(folder);
    let existing = folder
        .ancestors()
        .find(|path| path.exists())
        .unwrap_or(Path::new("/"));
    let folder = real(existing)?.join(folder.strip_prefix(existing).unwrap_or(Path::new("")));
    let outer = sdk
        .parent()
        .and_then(Path::parent)
        .filter(|outer| outer.parent().is_some());
    let text = |path: &Path| {
        path.to_str()
            .map(str::to_owned)
            .context("the path of the SDK is not valid UTF-8")
    };
    let Some(common) = outer.filter(|outer| folder.starts_with(outer)) else {
        return text(&sdk);
    };
    let common = folder
        .ancestors()
        .find(|path| sdk.starts_with(path))
        .unwrap_or(common);
    let relative: PathBuf = folder
        .strip_prefix(common)
        .unwrap_or(Path::new(""))
        .components()
        .map(|_| Component::ParentDir)
        .chain(sdk.strip_prefix(common).unwrap_or(&sdk).components())
        .collect();
    Ok(text(&relative)?.replace('\\', "/"))
}

/// Returns a text that lists the written files and the next steps.
fn describe(scaffold: &Scaffold, folder: &Path, files: &[File]) -> String {
    let (name, game, language) = (
        &scaffold.name,
        scaffold.game.name(),
        scaffold.language.name(),
    );
    let mut out = format!("{name}, a bot for {game} in {language}:\n");
    let shown: Vec<(String, &str)> = files
        .iter()
        .filter(|file| !file.about.is_empty())
        .map(|file| (folder.join(&file.path).display().to_string(), file.about))
        .collect();
    out += &rows(&shown);
    out += "\nNext:\n";
    let program = env::args_os().next().map_or("hattari".into(), |program| {
        program.to_string_lossy().into_owned()
    });
    // A relative program path is invalid in the bot's folder.
    let is_relative = program.contains('/') && !program.starts_with('/');
    let program = if is_relative {
        env::current_exe().map_or(program, |exe| exe.display().to_string())
    } else {
        program
    };
    let mut steps = vec![(
        format!("cd {}", text::shell(&folder.display().to_string())),
        "",
    )];
    steps.extend(scaffold.next_steps(&text::shell(&program)));
    out += &rows(&steps);
    let (tools, install) = scaffold.tools();
    let missing: Vec<&str> = tools
        .iter()
        .copied()
        .filter(|tool| !is_on_path(tool))
        .collect();
    if !missing.is_empty() {
        out += &format!(
            "\nNot found on this machine: {}. Debian and Ubuntu: {install}\n",
            missing.join(", ")
        );
    }
    out
}

/// Returns `true` if `PATH` contains a program with this name.
fn is_on_path(program: &str) -> bool {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).any(|folder| folder.join(format!("{program}{EXE_SUFFIX}")).is_file())
}

/// Returns two indented columns.
fn rows(rows: &[(String, &str)]) -> String {
    let width = rows
        .iter()
        .map(|(left, _)| left.chars().count())
        .max()
        .unwrap_or(0);
    rows.iter()
        .map(|(left, right)| format!("  {left:width$}  {right}").trim_end().to_owned() + "\n")
        .collect()
}
