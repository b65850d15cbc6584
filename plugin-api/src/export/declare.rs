//! The declaration of a bot in a library.

use super::{Failure, instance};
use crate::games::Game;
use crate::{Player, abi, config};
use core::ffi::c_char;
use core::ptr;
use std::ffi::CString;

/// The declaration of a bot for [`export_bots!`](crate::export_bots!). Created by the `bot`
/// function of a game's module; the methods add details.
pub struct Declared<G: Game, B: Player<G>> {
    id: &'static str,
    version: &'static str,
    description: &'static str,
    author: &'static str,
    license: &'static str,
    schema: Option<&'static str>,
    flags: u32,
    preset: fn() -> B::Config,
    game: std::marker::PhantomData<fn() -> (G, B)>,
}

impl<G: Game, B: Player<G>> Declared<G, B> {
    /// Declares `B` under the id that leagues use.
    ///
    /// # Panics
    /// Panics at compile time if `id` does not consist of lower-case letters, digits and `-` with a
    /// letter first, or if a text contains a zero byte.
    #[must_use]
    pub const fn new(id: &'static str, version: &'static str, description: &'static str) -> Self {
        assert!(
            is_id(id),
            "a bot's id consists of lower-case letters, digits and `-` and starts with a letter"
        );
        Declared {
            id,
            version: checked(version),
            description: checked(description),
            author: "",
            license: "",
            schema: None,
            flags: 0,
            preset: B::Config::default,
            game: std::marker::PhantomData,
        }
    }

    /// Sets the config into which a league's keys are merged. Without a preset, it is the default
    /// value of the config's type.
    #[must_use]
    pub const fn preset(mut self, preset: fn() -> B::Config) -> Self {
        self.preset = preset;
        self
    }

    /// Sets the author.
    ///
    /// # Panics
    /// Panics at compile time if the text contains a zero byte.
    #[must_use]
    pub const fn author(mut self, author: &'static str) -> Self {
        self.author = checked(author);
        self
    }

    /// Sets the licence, an SPDX expression.
    ///
    /// # Panics
    /// Panics at compile time if the text contains a zero byte.
    #[must_use]
    pub const fn license(mut self, license: &'static str) -> Self {
        self.license = checked(license);
        self
    }

    /// Sets a JSON Schema of the config. The default schema is derived from the preset and contains
    /// only types and defaults.
    ///
    /// # Panics
    /// Panics at compile time if the text contains a zero byte.
    #[must_use]
    pub const fn schema(mut self, json: &'static str) -> Self {
        self.schema = Some(checked(json));
        self
    }

    /// Declares that the bot uses information from earlier deals of the block.
    #[must_use]
    pub const fn learns(mut self) -> Self {
        self.flags |= abi::BOT_LEARNS;
        self
    }

    /// Declares that the bot may play differently with the same seed, because it uses the clock or
    /// threads.
    #[must_use]
    pub const fn nondeterministic(mut self) -> Self {
        self.flags |= abi::BOT_NONDETERMINISTIC;
        self
    }

    /// Declares that the bot starts threads. The threads must have ended when the bot is dropped.
    #[must_use]
    pub const fn threads(mut self) -> Self {
        self.flags |= abi::BOT_THREADS;
        self
    }

    /// Returns the id under which leagues name the bot.
    #[must_use]
    pub const fn id(&self) -> &'static str {
        self.id
    }

    /// Returns the config that the bot has if a league sets no keys.
    #[must_use]
    pub fn config(&self) -> B::Config {
        (self.preset)()
    }
}

/// A [`Declared`] bot of any game and type, as the factory uses it.
pub trait Declaration: Sync {
    /// Returns the id of the bot.
    fn id(&self) -> &'static str;

    /// Returns the descriptor of the bot. Its texts are in memory that is never freed.
    fn describe(&self) -> abi::BotDescriptor;

    /// Creates an instance with a league's config.
    ///
    /// # Errors
    /// Returns an error if the config or the host is not valid.
    ///
    /// # Safety
    /// `host` must be null or a host's struct that outlives the instance.
    #[expect(unsafe_code, reason = "the factory passes on the host's pointer")]
    unsafe fn create(&self, host: *const abi::Host, config: &str)
    -> Result<*mut abi::Bot, Failure>;
}

impl<G: Game, B: Player<G>> Declaration for Declared<G, B> {
    fn id(&self) -> &'static str {
        self.id
    }

    fn describe(&self) -> abi::BotDescriptor {
        let schema = self.schema.map(str::to_owned);
        let schema = schema.or_else(|| config::schema(&(self.preset)()));
        let games: &'static [*const c_char] = Box::leak(Box::new([text(G::ID), ptr::null()]));
        abi::BotDescriptor {
            struct_size: abi::struct_size::<abi::BotDescriptor>(),
            flags: self.flags,
            id: text(self.id),
            version: text(self.version),
            author: optional_text(self.author),
            license: optional_text(self.license),
            description: text(self.description),
            games: games.as_ptr(),
            config_schema_json: optional_text(&schema.unwrap_or_default()),
        }
    }

    #[expect(unsafe_code, reason = "the factory passes on the host's pointer")]
    unsafe fn create(
        &self,
        host: *const abi::Host,
        config: &str,
    ) -> Result<*mut abi::Bot, Failure> {
        let refuse = |text| Failure::new(abi::E_CONFIG, text);
        let config = config::merge_config((self.preset)(), config).map_err(refuse)?;
        B::check(&config).map_err(refuse)?;
        // SAFETY: the caller guarantees `host`.
        unsafe { instance::create::<G, B>(host, config) }
    }
}

fn text(text: &str) -> *const c_char {
    // Declarations contain no zero bytes (checked at compile time), and JSON escapes them in
    // schemas.
    CString::new(text).unwrap_or_default().into_raw()
}

fn optional_text(words: &str) -> *const c_char {
    if words.is_empty() {
        ptr::null()
    } else {
        text(words)
    }
}

/// Checks that all ids differ.
///
/// # Panics
/// Panics at compile time if an id occurs twice.
pub const fn assert_distinct(ids: &[&str]) {
    let mut first = 0;
    while first < ids.len() {
        let mut second = first + 1;
        while second < ids.len() {
            assert!(
                !is_same(ids[first], ids[second]),
                "two bots of this library have the same id"
            );
            second += 1;
        }
        first += 1;
    }
}

const fn is_same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    at == a.len() && at == b.len()
}

const fn is_id(id: &str) -> bool {
    let id = id.as_bytes();
    let mut at = 0;
    while at < id.len() {
        let fits =
            id[at].is_ascii_lowercase() || (at > 0 && (id[at].is_ascii_digit() || id[at] == b'-'));
        if !fits {
            return false;
        }
        at += 1;
    }
    !id.is_empty()
}

/// Returns a text for C.
///
/// # Panics
/// Panics if the text contains a zero byte.
const fn checked(text: &'static str) -> &'static str {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        assert!(bytes[at] != 0, "texts must not contain a zero byte");
        at += 1;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_must_be_distinct_lower_case_words() {
        for id in ["a", "all-sk", "b2"] {
            assert!(is_id(id), "{id}");
        }
        for id in ["", "2b", "-a", "A", "a b", "ä", "a_b"] {
            assert!(!is_id(id), "{id}");
        }
        assert_distinct(&["a", "ab", "b"]);
        assert!(std::panic::catch_unwind(|| assert_distinct(&["a", "b", "a"])).is_err());
    }
}
