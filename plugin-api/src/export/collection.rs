//! Bots that are linked into a program.

use super::factory::{Library, factory};
use crate::abi::BotFactory;

/// Bots of a package that a program links, in place of loading them from a library. Only
/// [`collect_bots!`](crate::collect_bots!) makes one, so its functions are what the C interface
/// says of them.
#[derive(Clone, Copy)]
pub struct Collection {
    name: &'static str,
    factory: &'static BotFactory,
}

impl Collection {
    /// The bots of `L`.
    #[doc(hidden)]
    #[must_use]
    pub const fn of<L: Library>(name: &'static str) -> Collection {
        Collection {
            name,
            factory: factory::<L>(),
        }
    }

    /// Name of the package.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The table of functions that a library would have given a host.
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
