//! What a library exports: declarations of bots, the entry, the border that C calls cross. Authors
//! use [`export_bots!`](crate::export_bots!) and the `bot` function of their game; the rest is for
//! that macro.

mod border;
mod collection;
mod declare;
mod factory;
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

/// Why a call failed: a status, and words for [`abi::BotFunctions::last_error`].
pub struct Failure {
    status: abi::Status,
    text: String,
}

impl Failure {
    /// Kept out of the way of the calls that succeed.
    #[cold]
    fn new(status: abi::Status, text: impl Into<String>) -> Failure {
        Failure {
            status,
            text: text.into(),
        }
    }
}

/// Exports bots from a library: the one line that a file of bots ends with.
///
/// Takes one or more declarations, made by the `bot` function of the game's module. One type may be
/// declared several times, with other presets of its config:
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
///     daihinmin::bot::<Fixed>("first", "1.0.0", "Plays the first action").author("A. Nonymous").license("MIT"),
///     daihinmin::bot::<Fixed>("last", "1.0.0", "Plays the last action").preset(|| Config { from_the_end: true }),
/// ];
/// # fn main() {}
/// ```
///
/// Ids are checked while compiling: lower case letters, digits and `-`, no id twice. The line
/// stands once in a library, at the level of a module, and defines the static `HATTARI_ENTRY`
/// there, exported under the name `hattari_entry`; a test can hand that static to a host without
/// loading a library.
///
/// The crate that uses it may deny or forbid `unsafe_code`: exporting a symbol counts as unsafe, as
/// two libraries might define the same one, but that stands in this macro's name. It does not
/// compile where panics abort, since a panic could not be kept from ending the league then.
/// WebAssembly is the exception: there a panic ends the instance, whose memory the host still
/// reads, and so the panic's words.
#[macro_export]
macro_rules! export_bots {
    ($($bot:expr),+ $(,)?) => {
        /// What a host finds in this library: the constant behind the symbol `hattari_entry`.
        #[unsafe(export_name = "hattari_entry")]
        pub static HATTARI_ENTRY: $crate::abi::Entry = {
            $crate::__library_of_bots![$($bot),+];
            $crate::export::entry::<Library>()
        };
        $crate::export_to_wasm!();
    };
}

/// Collects bots to be linked into a program: that of the `hattari` command, or one of your own
/// that adds them to it.
///
/// Takes what [`export_bots!`](crate::export_bots!) takes. Defines the static `BOTS`, a
/// [`Collection`](crate::Collection). Nothing is exported, so packages with such a line can be
/// linked together as they please.
///
/// Stores know each bot by its version: raise it whenever the bot plays differently, or blocks of
/// the older bot still count.
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

/// What [`export_bots!`](crate::export_bots!) and [`collect_bots!`](crate::collect_bots!) share: a
/// type `Library` with these bots.
#[doc(hidden)]
#[macro_export]
macro_rules! __library_of_bots {
    ($($bot:expr),+) => {
        #[cfg(all(panic = "abort", not(target_family = "wasm")))]
        compile_error!(
            "bots need `panic = \"unwind\"` in the profile: a panic has to stop at the border and become a fault"
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

/// What a module of WebAssembly exports beside the entry: nothing elsewhere.
#[doc(hidden)]
#[macro_export]
#[cfg(not(target_family = "wasm"))]
macro_rules! export_to_wasm {
    () => {};
}

/// What a module of WebAssembly exports beside the entry: room for the host's records, and the
/// words of a panic.
#[doc(hidden)]
#[macro_export]
#[cfg(target_family = "wasm")]
macro_rules! export_to_wasm {
    () => {
        /// Room in the module's memory for what the host hands over.
        #[unsafe(export_name = "hattari_alloc")]
        pub extern "C" fn hattari_alloc(bytes: usize) -> *mut u8 {
            $crate::export::alloc(bytes)
        }

        /// What the panic said that has ended the instance.
        #[unsafe(export_name = "hattari_panic")]
        pub extern "C" fn hattari_panic() -> &'static $crate::export::LastPanic {
            $crate::export::last_panic()
        }
    };
}
