//! The files of a league: in its own folder, or unpacked from a pack.

use super::{EXTENSION, Manifest, PackError, archive, cache, machine};
use crate::catalogue::{Catalogue, FolderError, PinnedBot, SearchPath};
use crate::league::{League, LeagueError};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// A league given by its YAML file or a pack. Relative paths in the league are resolved against
/// [`LeagueFile::base`], and its bots are in [`LeagueFile::catalogue`]. Output files are placed
/// next to the given file.
#[derive(Clone, Debug)]
pub struct LeagueFile {
    /// Path of the league file or pack, as given.
    pub given: PathBuf,
    /// Path of the league's YAML file.
    pub yaml: PathBuf,
    /// The folder of an unpacked pack, and its file list; `None` for a league file.
    pack: Option<(PathBuf, Manifest)>,
}

impl LeagueFile {
    /// Opens the league file or pack `given`, and unpacks a pack. An invalid or missing league file
    /// is reported when it is read.
    ///
    /// # Errors
    /// Returns an error if a pack cannot be read, is damaged, or has disallowed content.
    pub fn open(given: &Path) -> Result<LeagueFile, PackError> {
        let given = given.to_owned();
        // The first bytes of a gzip file.
        if !is_kind(&given, EXTENSION, &[0x1f, 0x8b]) {
            return Ok(LeagueFile {
                yaml: given.clone(),
                given,
                pack: None,
            });
        }
        let contents = archive::read(&given)?;
        let folder = cache::unpack(&contents, &given)?;
        let yaml = folder.join(&contents.manifest.league);
        Ok(LeagueFile {
            given,
            yaml,
            pack: Some((folder, contents.manifest)),
        })
    }

    /// Returns the folder to which the paths in the league are relative.
    pub fn base(&self) -> &Path {
        self.yaml.parent().unwrap_or(Path::new(""))
    }

    /// Returns the list of files and bots of a pack; `None` for a league file.
    pub(crate) fn manifest(&self) -> Option<&Manifest> {
        self.pack.as_ref().map(|(_, manifest)| manifest)
    }

    /// Reads and checks the league, without looking for its bots.
    ///
    /// # Errors
    /// Returns all problems of the file, with their places.
    pub fn load(&self) -> Result<League, LeagueError> {
        League::load(&self.yaml)
    }

    /// Returns the bots that the league can use. For a league file, these are the bots in
    /// `folders`, in the usual folders and in this program; for a pack, the bots in the pack and in
    /// this program.
    ///
    /// # Errors
    /// Returns an error if a folder does not exist, or if folders are given for a pack.
    pub fn catalogue(&self, folders: &[PathBuf]) -> Result<Catalogue, FolderError> {
        let Some((folder, manifest)) = &self.pack else {
            let search = SearchPath::new(Some(self.base()), folders)?;
            return Ok(Catalogue::discover(&search));
        };
        if let Some(first) = folders.first() {
            return Err(FolderError(format!(
                "--bots {}: the pack {} contains its bots; remove the option",
                first.display(),
                self.given.display()
            )));
        }
        let bots = manifest.bots.iter().filter_map(|(name, bot)| {
            let pinned = PinnedBot {
                file: folder.join(bot.file.as_ref()?),
                id: bot.bot.clone(),
            };
            Some((name.clone(), pinned))
        });
        Ok(Catalogue::pinned(bots.collect()))
    }

    /// Returns warnings about bots of a pack that cannot run on this machine, or that have another
    /// version in this program.
    pub fn warnings(&self, catalogue: &Catalogue) -> Vec<String> {
        let this_machine = machine();
        let bots = self
            .manifest()
            .into_iter()
            .flat_map(|manifest| &manifest.bots);
        let warning = |(name, bot): (&String, &super::PackedBot)| {
            if let Some(machine) = &bot.machine
                && *machine != this_machine
            {
                return Some(format!(
                    "`{name}` is compiled for {machine}, but this machine is {this_machine}: pack \
                    a WebAssembly module (.wasm) of it, which runs on every machine"
                ));
            }
            let mut namesakes: Vec<_> = catalogue.bots().iter().collect();
            namesakes.retain(|other| other.name == bot.bot && other.built_in.is_some());
            let has_other_version =
                !namesakes.is_empty() && namesakes.iter().all(|other| other.version_id != bot.hash);
            (bot.file.is_none() && has_other_version).then(|| {
                format!(
                    "`{name}` has another version in this Hattari than in the one that packed the \
                    league: blocks played here cannot be merged with blocks played there"
                )
            })
        };
        bots.filter_map(warning).collect()
    }
}

/// Returns `true` if a file begins with the bytes `start`, or has the `extension`.
pub(crate) fn is_kind(path: &Path, extension: &str, start: &[u8]) -> bool {
    let mut head = vec![0; start.len()];
    let has_start = path.is_file()
        && File::open(path)
            .and_then(|mut file| file.read_exact(&mut head))
            .is_ok_and(|()| head == start);
    has_start || path.extension().is_some_and(|ending| ending == extension)
}
