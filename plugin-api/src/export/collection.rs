//! Bots that are linked into a program.

use super::factory::Library;
use crate::abi::BotFactory;

/// The bots of a package that is linked into a program instead of loaded as a library. Only
/// [`collect_bots!`](crate::collect_bots!) creates one, so its functions satisfy the C interface.
#[derive(Clone, Copy)]
pub struct Collection {
    name: &'static str,
    factory: &'static BotFactory,
}

impl Collection {
    /// Creates the collection of the bots of `L`.
    #[doc(hidden)]
    #[must_use]
    pub const fn of<L: Library>(name: &'static str) -> Collection {
        Collection {
            name,
            factory: L::FACTORY,
        }
    }

    /// Returns the name of the package.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the table of functions that a library would provide.
    #[must_use]
    pub const fn factory(&self) -> &'static BotFactory {
        self.factory
    }
}

impl std::fmt::Debug for Collection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Collection({})", self.name)
    }
}
