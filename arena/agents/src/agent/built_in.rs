//! Bots that are linked into this program. The program's `main` registers them. Workers run the
//! same program and find them by the name of their package.

use super::LoadError;
use super::plugin::Library;
use crate::agent::lock;
use hattari_plugin::Collection;
use std::sync::Mutex;

/// The bots of a linked package.
#[derive(Clone, Copy, Debug)]
pub struct BuiltIn {
    /// Name of the package.
    pub package: &'static str,
    /// Bots of the package, used like the bots of a loaded library.
    pub library: &'static Library,
}

impl PartialEq for BuiltIn {
    fn eq(&self, other: &BuiltIn) -> bool {
        self.package == other.package
    }
}

impl Eq for BuiltIn {}

struct RegisteredPackage {
    bots: &'static Collection,
    looked: Option<Result<BuiltIn, LoadError>>,
}

static REGISTERED: Mutex<Vec<RegisteredPackage>> = Mutex::new(Vec::new());

/// Registers the bots of a package. A package that is already registered is ignored.
pub fn add(bots: &'static Collection) {
    let mut added = lock(&REGISTERED);
    if added.iter().all(|known| known.bots.name() != bots.name()) {
        added.push(RegisteredPackage { bots, looked: None });
    }
}

/// Returns the registered packages in order of registration, with an error in place of a package
/// whose descriptors are not valid.
pub fn all() -> Vec<Result<BuiltIn, LoadError>> {
    lock(&REGISTERED)
        .iter_mut()
        .map(RegisteredPackage::inspect)
        .collect()
}

/// Returns the linked package with this name.
pub(super) fn find(package: &str) -> Option<Result<BuiltIn, LoadError>> {
    let mut added = lock(&REGISTERED);
    added
        .iter_mut()
        .find(|known| known.bots.name() == package)
        .map(RegisteredPackage::inspect)
}

impl RegisteredPackage {
    /// Returns the package. Reads the descriptors only at the first use: a worker needs the
    /// descriptors of only one package, and most commands need none.
    fn inspect(&mut self) -> Result<BuiltIn, LoadError> {
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
