//! Collects the files of a league and assigns them paths in a pack.

use super::{
    FORMAT, LeagueFile, Manifest, PACK_MAX, PackError, PackedBot, PackedFile, archive, machine,
    sha256,
};
use crate::catalogue::FoundBot;
use crate::league::{Entrant, League, LeagueDefinition, Problem};
use hattari_agents::games::GameInfo;
use hattari_agents::{agent, files};
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::{fs, iter};

/// Folder for files outside the league's folder; it has one subfolder per digest.
const OUTSIDE: &str = "outside";
/// Length of a subfolder's name, in hexadecimal digits.
const DIGITS: usize = 16;

/// A packed league.
#[derive(Debug)]
pub struct Pack {
    /// Bytes of the archive.
    pub bytes: Vec<u8>,
    /// The list of files and bots.
    pub manifest: Manifest,
    /// Notes on files and programs that the league needs and that are not in the pack.
    pub notes: Vec<String>,
}

/// Packs a league. `bots` contains the bot of each entrant or part of a hybrid, `None` for clients;
/// `more` contains additional files that bots read.
///
/// Files with a relative path in the league keep that path; the root of the pack is their common
/// folder. Other bot files get separate folders, because the file list contains the path of every
/// bot.
///
/// # Errors
/// Returns an error if a file cannot be read or cannot be in a pack. Returns an error if a league
/// starts a client program from its own folder.
pub fn pack(
    file: &LeagueFile,
    league: &League,
    bots: &[Option<&FoundBot>],
    more: &[PathBuf],
) -> Result<Pack, PackError> {
    let given = &file.given;
    if file.manifest().is_some() {
        return Err(PackError::new(given, "is already a pack", "copy it"));
    }
    let base = real_folder(file.base())?;
    let mut notes = Vec::new();
    let files = league_files(file, league, &base, more, &mut notes)?;
    let mut contents = PackContents {
        root: common_folder(&base, &files).ok_or_else(|| {
            PackError::new(
                given,
                "its files have no common folder",
                "put them into one folder",
            )
        })?,
        files: BTreeMap::new(),
    };
    for (path, bytes) in &files {
        contents.add(path, bytes.clone())?;
    }
    let is_packed = |word: &str| files.contains_key(&without_dots(&base.join(word)));
    let packed_bots = pack_bots(file, league, bots, &mut contents, &is_packed, &mut notes)?;
    notes.sort();
    notes.dedup();
    let packed_files = contents.files.iter().map(|(path, bytes)| PackedFile {
        path: path.clone(),
        size: bytes.len() as u64,
        sha256: sha256(bytes),
    });
    let manifest = Manifest {
        format: FORMAT,
        hattari: env!("CARGO_PKG_VERSION").to_owned(),
        league: contents.path_of(&base.join(file.yaml.file_name().unwrap_or_default()))?,
        bots: packed_bots,
        files: packed_files.collect(),
    };
    let contents: Vec<Vec<u8>> = contents.files.into_values().collect();
    let bytes = archive::write(&manifest, &contents).map_err(|what| {
        PackError::new(
            given,
            what,
            "make sure that its files have plain names and are not too large",
        )
    })?;
    Ok(Pack {
        bytes,
        manifest,
        notes,
    })
}

/// Adds the files of bots to `contents`. Returns the bots by their names in the league. Adds
/// requirements that are not in the pack to `notes`.
fn pack_bots(
    file: &LeagueFile,
    league: &League,
    bots: &[Option<&FoundBot>],
    contents: &mut PackContents<'_>,
    is_packed: &dyn Fn(&str) -> bool,
    notes: &mut Vec<String>,
) -> Result<BTreeMap<String, PackedBot>, PackError> {
    let mut packed_bots = BTreeMap::new();
    let entrants = league.entrants.iter().flat_map(Entrant::parts);
    for (entrant, bot) in entrants.zip(bots) {
        notes.extend(missing_file_notes(file, entrant, is_packed)?);
        // A program started by the league keeps its path, because its command names it.
        let Some(bot) = bot.filter(|_| entrant.command.is_none()) else {
            continue;
        };
        let packed_bot = contents.add_bot(bot)?;
        if let Some(machine) = &packed_bot.machine {
            notes.push(format!(
                "`{}` is compiled for {machine}; other files that it loads are not in the pack",
                entrant.bot
            ));
        }
        packed_bots.insert(entrant.bot.clone(), packed_bot);
    }
    Ok(packed_bots)
}

/// Reads the league file, the files that it names and the files `more`. Returns them by path below
/// the folder `base`, which is the folder of the league without symbolic links. Adds requirements
/// that are not in the pack to `notes`.
///
/// # Errors
/// Returns an error if a file cannot be read, or if the league names it by an absolute path.
fn league_files(
    file: &LeagueFile,
    league: &League,
    base: &Path,
    more: &[PathBuf],
    notes: &mut Vec<String>,
) -> Result<BTreeMap<PathBuf, Vec<u8>>, PackError> {
    let text = read(&file.yaml)?;
    // Limits apply to the league without the entrants that it excludes.
    let mut resolve = |_: &GameInfo, entrant: &Entrant| match league.entrant(&entrant.name) {
        Some(_) => Ok(()),
        None => Err(Problem::of_file("it is excluded", "")),
    };
    let definition = LeagueDefinition::load(&file.yaml, &mut resolve);
    let mut named_files = definition
        .map_err(|error| PackError::new(&file.given, error.to_string(), "correct it"))?
        .files;
    if let Some(path) = named_files.iter().find(|path| path.is_absolute()) {
        return Err(PackError::new(
            &file.given,
            format!("it names `{}` by an absolute path", path.display()),
            "give the path relative to the folder of the league",
        ));
    }
    for entrant in league.entrants.iter().flat_map(Entrant::parts) {
        named_files.extend(command_files(file, entrant, notes)?);
    }
    let yaml = base.join(file.yaml.file_name().unwrap_or_default());
    let mut files = BTreeMap::from([(yaml, text)]);
    for path in named_files {
        let bytes = read(&file.base().join(&path))?;
        files.insert(without_dots(&base.join(&path)), bytes);
    }
    for path in more {
        files.insert(path_in_real_folder(path)?, read(path)?);
    }
    Ok(files)
}

/// Returns the innermost folder that contains `base` and all files; `None` if there is none.
fn common_folder<'b>(base: &'b Path, files: &BTreeMap<PathBuf, Vec<u8>>) -> Option<&'b Path> {
    let folder = |path: &PathBuf| path.parent().unwrap_or(Path::new("")).to_owned();
    base.ancestors()
        .find(|root| files.keys().all(|path| folder(path).starts_with(root)))
}

/// The files of a pack.
struct PackContents<'r> {
    /// The folder that becomes the root of the pack.
    root: &'r Path,
    /// The files by their paths in the pack.
    files: BTreeMap<String, Vec<u8>>,
}

impl PackContents<'_> {
    /// Returns the path that a file below the root has in the pack.
    ///
    /// # Errors
    /// Returns an error if the path is not valid UTF-8.
    fn path_of(&self, path: &Path) -> Result<String, PackError> {
        let names = path.strip_prefix(self.root).ok().and_then(|path| {
            path.components()
                .map(|part| part.as_os_str().to_str())
                .collect::<Option<Vec<_>>>()
        });
        names.map(|names| names.join("/")).ok_or_else(|| {
            PackError::new(
                path,
                "its path cannot be stored in a pack",
                "use names that are valid UTF-8",
            )
        })
    }

    /// Adds a file below the root, and returns its path in the pack.
    fn add(&mut self, path: &Path, bytes: Vec<u8>) -> Result<String, PackError> {
        let path = self.path_of(path)?;
        self.files.insert(path.clone(), bytes);
        Ok(path)
    }

    /// Adds the files of a bot, if it is not built in. Files outside of the root get a folder of
    /// their own.
    fn add_bot(&mut self, bot: &FoundBot) -> Result<PackedBot, PackError> {
        let mut packed_bot = PackedBot {
            bot: bot.name.clone(),
            file: None,
            hash: bot.version_id.clone(),
            machine: None,
        };
        if bot.built_in.is_some() {
            return Ok(packed_bot);
        }
        let mut bot_files = Vec::new();
        for path in iter::once(&bot.path).chain(&bot.kind.related_files(&bot.path)) {
            bot_files.push((path_in_real_folder(path)?, read(path)?));
        }
        // Keep the files of one bot together. Another bot may use the same file with other related
        // files.
        let all: Vec<&[u8]> = bot_files.iter().map(|(_, bytes)| &bytes[..]).collect();
        let folder = self
            .root
            .join(OUTSIDE)
            .join(&sha256(&all.concat())[..DIGITS]);
        // The bot comes last. Its file replaces a related file with the same name.
        for (path, bytes) in bot_files.into_iter().rev() {
            let path = if path.starts_with(self.root) {
                path
            } else {
                folder.join(path.file_name().unwrap_or_default())
            };
            packed_bot.file = Some(self.add(&path, bytes)?);
        }
        packed_bot.machine = (bot.kind.name() == agent::BUILT_IN.name()).then(machine);
        Ok(packed_bot)
    }
}

/// Returns notes on files and programs that an entrant needs and that are not in the pack.
/// `is_packed` returns `true` for packed files of the league's folder.
///
/// # Errors
/// Returns an error if a client is started from a program in the league's folder, because the pack
/// would not contain this program.
fn missing_file_notes(
    file: &LeagueFile,
    entrant: &Entrant,
    is_packed: &dyn Fn(&str) -> bool,
) -> Result<Vec<String>, PackError> {
    let (name, base) = (&entrant.name, file.base());
    let Some(client) = entrant
        .client
        .as_ref()
        .filter(|client| !client.command.is_empty())
    else {
        let mut words = Vec::new();
        strings(&entrant.config, &mut words);
        words.retain(|word| !word.is_empty() && base.join(word).is_file() && !is_packed(word));
        let note = |word: &&str| {
            format!(
                "the config of `{name}` names the file `{word}`, which is not in the pack; add it \
                with `--with`"
            )
        };
        return Ok(words.iter().map(note).collect());
    };
    let command = client.command_line();
    // A program without a path is installed on the machine. Words that name no file in the league's
    // folder are not files of the league.
    let is_local = |(number, word): &(usize, &String)| {
        let is_path = *number == 0 && word.contains(std::path::is_separator);
        Path::new(word).is_relative() && (is_path || base.join(word).is_file())
    };
    let local_file = client.command.iter().enumerate().find(is_local);
    if let Some(local_file) = local_file.map(|(_, word)| word).or(client.folder.as_ref()) {
        return Err(PackError::new(
            &file.given,
            format!(
                "programs are not packed: `{name}` is started by `{command}`, and `{local_file}` would \
            be missing"
            ),
            "remove the entrant, or start a program that every machine has",
        ));
    }
    Ok(vec![format!(
        "`{name}` is started by `{command}`, which must be installed on every machine"
    )])
}

/// Returns the files in a program's command, relative to the league's folder. Adds other
/// requirements to `notes`.
///
/// # Errors
/// Returns an error if the command has paths of this machine, or executes a packed file, because
/// packs do not keep file permissions.
fn command_files(
    file: &LeagueFile,
    entrant: &Entrant,
    notes: &mut Vec<String>,
) -> Result<Vec<PathBuf>, PackError> {
    let Some(command) = &entrant.command else {
        return Ok(Vec::new());
    };
    let refuse = |what: String, remedy: &str| {
        Err(PackError::new(
            &file.given,
            format!("`{}` {what}", entrant.name),
            remedy,
        ))
    };
    let interpreter = command
        .words
        .first()
        .map(String::as_str)
        .unwrap_or_default();
    if interpreter.contains(std::path::is_separator) && Path::new(interpreter).is_relative() {
        return refuse(
            format!("is started by `{command}`, but files in a pack are not executable"),
            "start it with its interpreter, as in `command: [python3, mine.py]`, or remove \
            the entrant",
        );
    }
    let paths: Vec<PathBuf> = command
        .paths(file.base())
        .into_iter()
        .skip(1)
        .flatten()
        .collect();
    if let Some(path) = paths.iter().find(|path| path.is_absolute()) {
        return refuse(
            format!("names `{}` by an absolute path", path.display()),
            "give the path relative to the folder of the league",
        );
    }
    notes.push(format!(
        "`{}` is started by `{command}`: every machine needs `{interpreter}`; other files that the \
        program reads are not in the pack",
        entrant.name
    ));
    Ok(paths)
}

/// Collects all strings in a value.
fn strings<'v>(value: &'v serde_json::Value, texts: &mut Vec<&'v str>) {
    match value {
        serde_json::Value::String(text) => texts.push(text),
        serde_json::Value::Array(values) => values.iter().for_each(|value| strings(value, texts)),
        serde_json::Value::Object(values) => {
            values.values().for_each(|value| strings(value, texts))
        }
        _ => {}
    }
}

/// Returns a path without `.` and `..`.
fn without_dots(path: &Path) -> PathBuf {
    let mut kept = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => _ = kept.pop(),
            part => kept.push(part),
        }
    }
    kept
}

/// Returns the path of a folder with symbolic links resolved.
fn real_folder(folder: &Path) -> Result<PathBuf, PackError> {
    let folder = Path::new(".").join(folder);
    fs::canonicalize(&folder)
        .map_err(|error| PackError::new(&folder, error.to_string(), "give an existing league"))
}

/// Returns the path of a file with its folder resolved and its name unchanged.
fn path_in_real_folder(path: &Path) -> Result<PathBuf, PackError> {
    Ok(real_folder(path.parent().unwrap_or(Path::new("")))?
        .join(path.file_name().unwrap_or_default()))
}

fn read(path: &Path) -> Result<Vec<u8>, PackError> {
    files::read(path, PACK_MAX).map_err(|error| {
        PackError::new(
            path,
            format!("cannot be read: {error}"),
            "make the file readable",
        )
    })
}
