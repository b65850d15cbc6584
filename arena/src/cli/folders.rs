//! The option for bot search folders.

use hattari_play::catalogue::{Catalogue, SearchPath};
use std::path::{Path, PathBuf};

/// Additional folders in which commands look for bots.
#[derive(clap::Args, Debug, Default)]
pub(super) struct Folders {
    /// An additional folder with bots: libraries in DIR, scripts in DIR/GAME/. May be repeated;
    /// HATTARI_BOTS lists more folders
    #[arg(long = "bots", value_name = "DIR")]
    pub folders: Vec<PathBuf>,
}

impl Folders {
    /// Finds the bots that a league in the folder `base` can name; `None` for the current folder.
    ///
    /// # Errors
    /// Returns an error if a folder does not exist.
    pub(super) fn catalogue(&self, base: Option<&Path>) -> anyhow::Result<Catalogue> {
        Ok(Catalogue::discover(&SearchPath::new(base, &self.folders)?))
    }
}
