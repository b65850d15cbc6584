//! Libraries as they are found. The project's own are loaded; of all others a worker tells what they hold, so that no code of
//! strangers runs in this process.

use hattari_hosts::agent::plugin::{BotInfo, Image, Library, LoadError};
use hattari_hosts::agent::worker;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// A library that can be used.
#[derive(Debug)]
pub struct Shelf {
    /// Hash of its file.
    pub hash: u64,
    /// Its bots.
    pub bots: Vec<BotInfo>,
    /// Whether it is the project's own.
    pub own: bool,
}

/// Strangers' libraries that have been looked at, by their paths without links.
static STRANGERS: LazyLock<Mutex<HashMap<PathBuf, Arc<Shelf>>>> = LazyLock::new(Mutex::default);

impl Shelf {
    /// Looks at the library at `path`, once: a path means the same library as long as the process lives.
    ///
    /// # Errors
    /// What is wrong with the file, or with what it says of its bots.
    pub fn of(path: &Path, own: bool) -> Result<Arc<Shelf>, LoadError> {
        if own {
            let library = Library::load(path)?;
            return Ok(Arc::new(Shelf { hash: library.image().hash, bots: library.bots().to_vec(), own }));
        }
        let real = super::search::real(path);
        let known = STRANGERS.lock().unwrap_or_else(PoisonError::into_inner).get(&real).cloned();
        if let Some(shelf) = known {
            return Ok(shelf);
        }
        let hash = Image::read(path)?.hash;
        let shelf = Arc::new(Shelf { hash, bots: worker::describe(path, hash)?, own });
        STRANGERS.lock().unwrap_or_else(PoisonError::into_inner).insert(real, shelf.clone());
        Ok(shelf)
    }
}
