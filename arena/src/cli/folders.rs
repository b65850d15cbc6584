//! Where commands look for bots.

use hattari_play::catalogue::{Catalogue, SearchPath};
use std::path::{Path, PathBuf};

/// Folders in which commands look for bots, besides the usual places.
#[derive(clap::Args, Clone, Debug, Default)]
pub(super) struct Folders {
    /// A folder with more bots: libraries in it, scripts in DIR/GAME/. May be repeated;
    /// HATTARI_BOTS lists more
    #[arg(long = "bots", value_name = "DIR")]
    pub(super) folders: Vec<PathBuf>,
}

impl Folders {
    /// Finds the bots for something in the folder `base`.
    ///
    /// # Errors
    /// A folder that is not there.
    pub(super) fn catalogue(&self, base: Option<&Path>) -> anyhow::Result<Catalogue> {
        Ok(Catalogue::discover(&SearchPath::new(base, &self.folders)?))
    }
}
