//! The exports of a library: declarations of bots, the entry, and the C functions. Authors use
//! [`export_bots!`](crate::export_bots!) and the `bot` function of their game; only that macro uses
//! the other items.

mod collection;
mod declare;
mod factory;
mod instance;
mod panics;
mod records;
#[cfg(target_family = "wasm")]
mod wasm;

#[cfg(target_family = "wasm")]
#[doc(hidden)]
pub use wasm::{LastPanic, alloc, last_panic};

pub use collection::Collection;
pub use declare::{Declaration, Declared, assert_distinct};
pub use factory::{Descriptors, Library, entry};

use crate::abi;

/// The failure of a call: a status, and a text for [`abi::BotFunctions::last_error`].
pub struct Failure {
    status: abi::Status,
    text: String,
}

impl Failure {
    /// Creates a failure. Marked cold to keep it out of the fast path.
    #[cold]
    fn new(status: abi::Status, text: impl Into<String>) -> Failure {
        Failure {
            status,
            text: text.into(),
        }
    }
}

/// Exports bots from a library. Use it once, at the end of the source file.
///
/// Takes one or more declarations from the `bot` function of the game's module. A type can be
/// declared several times with different presets of its config:
///
/// ```
/// use hattari_plugin::{daihinmin, daihinmin::{Block, Turn}};
///
/// #[derive(Default, serde::Serialize, serde::Deserialize)]
/// struct Config { from_the_end: bool }
///
/// struct Fixed(Config);
///
/// impl daihinmin::Bot for Fixed {
///     type Config = Config;
///     fn new(config: Config, _: &Block) -> Result<Self, String> {
///         Ok(Fixed(config))
///     }
///     fn act(&mut self, turn: &Turn) -> usize {
///         if self.0.from_the_end { turn.legal().len() - 1 } else { 0 }
///     }
/// }
///
/// hattari_plugin::export_bots![
///     daihinmin::bot::<Fixed>("first", "1.0.0", "Plays the first action")
///         .author("A. Nonymous")
///         .license("MIT"),
///     daihinmin::bot::<Fixed>("last", "1.0.0", "Plays the last action")
///         .preset(|| Config { from_the_end: true }),
/// ];
/// # fn main() {}
/// ```
///
/// Ids are checked at compile time: lower-case letters, digits and `-`, no duplicates. The macro
/// must be used once per library, at module level. It defines the static `HATTARI_ENTRY`, which is
/// exported as `hattari_entry`. Tests can pass that static to a host without loading a library.
///
/// The crate may deny or forbid `unsafe_code`. Exporting a symbol is unsafe, because two libraries
/// might define it, but the unsafe attribute is inside this macro. The macro does not compile with
/// `panic = "abort"`, because a panic would then end the league. The exception is WebAssembly:
/// there a panic ends only the instance, and the host reads the message from its memory.
#[macro_export]
macro_rules! export_bots {
    ($($bot:expr),+ $(,)?) => {
        /// The constant that a host looks up under the symbol `hattari_entry`.
        #[unsafe(export_name = "hattari_entry")]
        pub static HATTARI_ENTRY: $crate::abi::Entry = {
            $crate::__library_of_bots![$($bot),+];
            $crate::export::entry::<Library>()
        };
        $crate::export_to_wasm!();
    };
}

/// Collects bots that are linked into a program: the `hattari` command or your own.
///
/// Takes the same arguments as [`export_bots!`](crate::export_bots!). Defines the static `BOTS`, a
/// [`Collection`](crate::Collection). Exports no symbols, so any number of such packages can be
/// linked together.
///
/// Stores identify a bot by its version. Raise it whenever the bot plays differently; otherwise,
/// results of the old bot still count.
///
/// ```
/// use hattari_plugin::{NoConfig, daihinmin, daihinmin::{Block, Turn}};
///
/// struct First;
///
/// impl daihinmin::Bot for First {
///     type Config = NoConfig;
///     fn new(_: NoConfig, _: &Block) -> Result<Self, String> {
///         Ok(First)
///     }
///     fn act(&mut self, _: &Turn) -> usize {
///         0
///     }
/// }
///
/// hattari_plugin::collect_bots![daihinmin::bot::<First>("first", "1.0.0", "Plays the first action")];
///
/// # fn main() {
/// assert_eq!(BOTS.name(), env!("CARGO_PKG_NAME"));
/// # }
/// ```
#[macro_export]
macro_rules! collect_bots {
    ($($bot:expr),+ $(,)?) => {
        /// The bots of this package, to be linked into a program.
        pub static BOTS: $crate::Collection = {
            $crate::__library_of_bots![$($bot),+];
            $crate::Collection::of::<Library>(env!("CARGO_PKG_NAME"))
        };
    };
}

/// Implements the common part of [`export_bots!`](crate::export_bots!) and
/// [`collect_bots!`](crate::collect_bots!): a type `Library` with these bots.
#[doc(hidden)]
#[macro_export]
macro_rules! __library_of_bots {
    ($($bot:expr),+) => {
        #[cfg(all(panic = "abort", not(target_family = "wasm")))]
        compile_error!(
            "bots need `panic = \"unwind\"` in the profile, because a panic must not leave the library"
        );

        const _: () = $crate::export::assert_distinct(&[$($bot.id()),+]);

        struct Library;

        impl $crate::export::Library for Library {
            const BOTS: &'static [&'static dyn $crate::export::Declaration] = &[$(&$bot),+];

            fn descriptors() -> &'static ::std::sync::OnceLock<$crate::export::Descriptors> {
                static DESCRIPTORS: ::std::sync::OnceLock<$crate::export::Descriptors> = ::std::sync::OnceLock::new();
                &DESCRIPTORS
            }
        }
    };
}

/// Exports nothing, because only WebAssembly modules have additional functions.
#[doc(hidden)]
#[macro_export]
#[cfg(not(target_family = "wasm"))]
macro_rules! export_to_wasm {
    () => {};
}

/// Exports the additional functions of a WebAssembly module: memory for the host's records, and the
/// message of a panic.
#[doc(hidden)]
#[macro_export]
#[cfg(target_family = "wasm")]
macro_rules! export_to_wasm {
    () => {
        /// Allocates memory of the module for data from the host.
        #[unsafe(export_name = "hattari_alloc")]
        pub extern "C" fn hattari_alloc(bytes: usize) -> *mut u8 {
            $crate::export::alloc(bytes)
        }

        /// Returns the message of the panic that ended the instance.
        #[unsafe(export_name = "hattari_panic")]
        pub extern "C" fn hattari_panic() -> &'static $crate::export::LastPanic {
            $crate::export::last_panic()
        }
    };
}
