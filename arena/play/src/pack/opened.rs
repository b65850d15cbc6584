//! Where a league's files lie: where it was written, or where its pack was unpacked.

use super::{ENDING, Manifest, PackError, archive, cache, machine};
use crate::catalogue::{Catalogue, NoFolder, SearchPath};
use crate::league::{League, LeagueError};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// A league as it was named: its YAML file, or a pack. Paths in a league start from
/// [`LeagueFile::base`], its bots are found in [`LeagueFile::catalogue`], and what is made of it
/// lies beside what was named.
#[derive(Clone, Debug)]
pub struct LeagueFile {
    named: PathBuf,
    yaml: PathBuf,
    /// Of a pack: the folder that it was unpacked into, and its list.
    pack: Option<(PathBuf, Manifest)>,
}

impl LeagueFile {
    /// The league that `named` is, unpacked if it is a pack. A file that is none, or is not there,
    /// is told when it is read.
    ///
    /// # Errors
    /// A pack that cannot be read, is damaged, or holds what no pack may.
    pub fn open(named: &Path) -> Result<LeagueFile, PackError> {
        let named = named.to_owned();
        if !is_pack(&named) {
            return Ok(LeagueFile {
                yaml: named.clone(),
                named,
                pack: None,
            });
        }
        let contents = archive::read(&named)?;
        let folder = cache::unpacked(&contents, &named)?;
        let yaml = folder.join(&contents.manifest.league);
        Ok(LeagueFile {
            named,
            yaml,
            pack: Some((folder, contents.manifest)),
        })
    }

    /// What was named.
    #[must_use]
    pub fn named(&self) -> &Path {
        &self.named
    }

    /// The league's YAML file.
    #[must_use]
    pub fn yaml(&self) -> &Path {
        &self.yaml
    }

    /// The folder that the league's paths start from.
    #[must_use]
    pub fn base(&self) -> &Path {
        self.yaml.parent().unwrap_or(Path::new(""))
    }

    /// The list of a pack; `None` of a league that is none.
    #[must_use]
    pub fn manifest(&self) -> Option<&Manifest> {
        self.pack.as_ref().map(|(_, manifest)| manifest)
    }

    /// Reads and checks the league; whether its bots are there is not looked at.
    ///
    /// # Errors
    /// Everything that is wrong, with its place in the file.
    pub fn load(&self) -> Result<League, LeagueError> {
        League::load(&self.yaml)
    }

    /// The bots that the league may name: those of `folders` and of the usual places; of a pack its
    /// own and this program's.
    ///
    /// # Errors
    /// A folder that is not there, or any for a pack, whose bots are in it.
    pub fn catalogue(&self, folders: &[PathBuf]) -> Result<Catalogue, NoFolder> {
        let Some((folder, manifest)) = &self.pack else {
            return Ok(Catalogue::discover(&SearchPath::new(
                Some(self.base()),
                folders,
            )?));
        };
        if let Some(given) = folders.first() {
            let (given, pack) = (given.display(), self.named.display());
            return Err(NoFolder(format!(
                "--bots {given}: {pack} is a pack, which brings its bots; leave it out"
            )));
        }
        let files = manifest.bots.iter().filter_map(|(name, bot)| {
            Some((
                name.clone(),
                (folder.join(bot.file.as_ref()?), bot.bot.clone()),
            ))
        });
        Ok(Catalogue::pinned(files.collect()))
    }

    /// Where this machine or this program is not what a pack was made for: what it comes to, in
    /// words.
    #[must_use]
    pub fn cautions(&self, catalogue: &Catalogue) -> Vec<String> {
        let here = machine();
        let bots = self
            .manifest()
            .into_iter()
            .flat_map(|manifest| &manifest.bots);
        let caution = |(name, bot): (&String, &super::PackedBot)| {
            if let Some(machine) = bot.machine.as_ref().filter(|machine| **machine != here) {
                return Some(format!(
                    "`{name}` is compiled for {machine} and this is {here}: pack a module (.wasm) of it, which is for all"
                ));
            }
            let mut same = catalogue
                .bots()
                .iter()
                .filter(|found| found.name == bot.bot && found.built_in.is_some());
            let others =
                same.clone().next().is_some() && !same.any(|found| found.known_by() == bot.hash);
            (bot.file.is_none() && others).then(|| {
                format!(
                    "`{name}` is part of this hattari, in another version than when the league was packed: its blocks do not count with \
                     those of the machine that packed it"
                )
            })
        };
        bots.filter_map(caution).collect()
    }
}

/// Whether a file is a pack: by what it begins with; one that cannot be read, by its name.
#[must_use]
pub fn is_pack(path: &Path) -> bool {
    const GZIP: [u8; 2] = [0x1f, 0x8b];
    let mut head = [0; GZIP.len()];
    let is_gzip = path.is_file()
        && File::open(path)
            .and_then(|mut file| file.read_exact(&mut head))
            .is_ok_and(|()| head == GZIP);
    is_gzip || path.extension().is_some_and(|ending| ending == ENDING)
}
