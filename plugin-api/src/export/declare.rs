//! What a library says of a bot.

use super::{Failure, border};
use crate::games::Game;
use crate::{Player, abi, config};

/// A bot as a library declares it, for [`export_bots!`](crate::export_bots!). Made by the `bot`
/// function of a game's module; the methods add to it.
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
    /// Declares `B` under the name by which leagues call it.
    ///
    /// # Panics
    /// While compiling, if `id` has anything but lower case letters, digits and `-`, or if a text
    /// holds a zero byte.
    #[must_use]
    pub const fn new(id: &'static str, version: &'static str, description: &'static str) -> Self {
        assert!(
            is_id(id),
            "a bot's id has lower case letters, digits and `-`, and starts with a letter"
        );
        assert!(
            is_text(version) && is_text(description),
            "texts must not hold a zero byte"
        );
        Declared {
            id,
            version,
            description,
            author: "",
            license: "",
            schema: None,
            flags: 0,
            preset: B::Config::default,
            game: std::marker::PhantomData,
        }
    }

    /// The config that a league's keys are laid over; the default of the config's type without
    /// this.
    #[must_use]
    pub const fn preset(mut self, preset: fn() -> B::Config) -> Self {
        self.preset = preset;
        self
    }

    /// Who wrote it.
    ///
    /// # Panics
    /// While compiling, if the text holds a zero byte.
    #[must_use]
    pub const fn author(mut self, author: &'static str) -> Self {
        assert!(is_text(author), "texts must not hold a zero byte");
        self.author = author;
        self
    }

    /// Its licence, as an SPDX expression.
    ///
    /// # Panics
    /// While compiling, if the text holds a zero byte.
    #[must_use]
    pub const fn license(mut self, license: &'static str) -> Self {
        assert!(is_text(license), "texts must not hold a zero byte");
        self.license = license;
        self
    }

    /// A JSON Schema of the config, in place of the one that is made from the preset and knows
    /// kinds and defaults only.
    ///
    /// # Panics
    /// While compiling, if the text holds a zero byte.
    #[must_use]
    pub const fn schema(mut self, json: &'static str) -> Self {
        assert!(is_text(json), "texts must not hold a zero byte");
        self.schema = Some(json);
        self
    }

    /// Says that the bot keeps what it learns from deal to deal within a block.
    #[must_use]
    pub const fn learns(mut self) -> Self {
        self.flags |= abi::BOT_LEARNS;
        self
    }

    /// Says that the same seed may play differently: the bot goes by the clock or by threads of its
    /// own.
    #[must_use]
    pub const fn nondeterministic(mut self) -> Self {
        self.flags |= abi::BOT_NONDETERMINISTIC;
        self
    }

    /// Says that the bot starts threads. They must have ended when it is dropped.
    #[must_use]
    pub const fn threads(mut self) -> Self {
        self.flags |= abi::BOT_THREADS;
        self
    }

    /// Its id.
    #[must_use]
    pub const fn id(&self) -> &'static str {
        self.id
    }

    /// The config that it has where a league sets nothing.
    #[must_use]
    pub fn config(&self) -> B::Config {
        (self.preset)()
    }
}

/// The texts of a descriptor.
pub struct Description {
    pub(super) id: &'static str,
    pub(super) version: &'static str,
    pub(super) author: &'static str,
    pub(super) license: &'static str,
    pub(super) description: &'static str,
    pub(super) game: &'static str,
    pub(super) schema: Option<String>,
    pub(super) flags: u32,
}

/// A declaration whose game and type the factory need not know.
pub trait Declaration: Sync {
    /// The id alone.
    fn id(&self) -> &'static str;

    /// Everything that the library says of the bot.
    fn describe(&self) -> Description;

    /// Creates an instance with a league's config.
    ///
    /// # Errors
    /// What is wrong with the config, or with the host.
    ///
    /// # Safety
    /// `host` is null or a host's struct that outlives the instance.
    #[expect(unsafe_code, reason = "the factory hands on the host's pointer")]
    unsafe fn create(&self, host: *const abi::Host, config: &str)
    -> Result<*mut abi::Bot, Failure>;
}

impl<G: Game, B: Player<G>> Declaration for Declared<G, B> {
    fn id(&self) -> &'static str {
        self.id
    }

    fn describe(&self) -> Description {
        Description {
            id: self.id,
            version: self.version,
            author: self.author,
            license: self.license,
            description: self.description,
            game: G::ID,
            schema: self
                .schema
                .map(str::to_owned)
                .or_else(|| config::schema(&(self.preset)())),
            flags: self.flags,
        }
    }

    #[expect(unsafe_code, reason = "the factory hands on the host's pointer")]
    unsafe fn create(
        &self,
        host: *const abi::Host,
        config: &str,
    ) -> Result<*mut abi::Bot, Failure> {
        let refuse = |text| Failure::new(abi::E_CONFIG, text);
        let config = config::overlay((self.preset)(), config).map_err(refuse)?;
        B::check(&config).map_err(refuse)?;
        // SAFETY: the caller vouches for `host`.
        unsafe { border::create::<G, B>(host, config) }
    }
}

/// Refuses two bots of one id.
///
/// # Panics
/// While compiling, if an id stands twice.
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

const fn is_text(text: &str) -> bool {
    let text = text.as_bytes();
    let mut at = 0;
    while at < text.len() {
        if text[at] == 0 {
            return false;
        }
        at += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_lower_case_words() {
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
