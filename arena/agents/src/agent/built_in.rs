//! Bots that are linked into this program, which needs no file for them. Whoever makes the program
//! adds them; a worker, which is the same program, finds them again by the name of their package.

use super::LoadError;
use super::plugin::Library;
use crate::agent::lock::lock;
use hattari_plugin::Collection;
use std::sync::Mutex;

/// The bots of a package that this program links.
#[derive(Clone, Copy, Debug)]
pub struct BuiltIn {
    /// Name of the package.
    pub package: &'static str,
    /// Its bots, called as those of a loaded library.
    pub library: &'static Library,
}

impl PartialEq for BuiltIn {
    fn eq(&self, other: &BuiltIn) -> bool {
        self.package == other.package
    }
}

impl Eq for BuiltIn {}

/// What has been added, with what looking at it brought.
struct Added {
    bots: &'static Collection,
    looked: Option<Result<BuiltIn, LoadError>>,
}

static ADDED: Mutex<Vec<Added>> = Mutex::new(Vec::new());

/// Adds the bots of a package to those that are found by their names wherever this program runs. A
/// package is added once.
pub fn add(bots: &'static Collection) {
    let mut added = lock(&ADDED);
    if added.iter().all(|known| known.bots.name() != bots.name()) {
        added.push(Added { bots, looked: None });
    }
}

/// All that has been added, in that order, or what is wrong with a package's descriptors.
#[must_use]
pub fn all() -> Vec<Result<BuiltIn, LoadError>> {
    lock(&ADDED).iter_mut().map(Added::look).collect()
}

/// The bots of the package of that name, if this program links it.
pub(super) fn named(package: &str) -> Option<Result<BuiltIn, LoadError>> {
    let mut added = lock(&ADDED);
    added
        .iter_mut()
        .find(|known| known.bots.name() == package)
        .map(Added::look)
}

impl Added {
    /// Reads the descriptors, the first time: a worker needs those of one package, and most
    /// commands of the program none.
    fn look(&mut self) -> Result<BuiltIn, LoadError> {
        let bots = self.bots;
        let read = || {
            let library: &'static Library = Box::leak(Box::new(Library::built_in(bots)?));
            Ok(BuiltIn {
                package: bots.name(),
                library,
            })
        };
        self.looked.get_or_insert_with(read).clone()
    }
}
