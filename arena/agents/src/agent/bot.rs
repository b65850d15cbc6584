//! What a compiled bot says of itself, checked, wherever its descriptor lies.

use crate::text::harmless;
use hattari_plugin::abi;
use serde::{Deserialize, Serialize};

/// Bots that one file may offer.
pub(crate) const BOTS_MAX: u32 = 1024;
/// Games that one bot may play.
const GAMES_MAX: usize = 64;
/// Letters of an id.
const ID_MAX: usize = 64;
/// Bytes of a descriptor's text.
const TEXT_MAX: usize = 4096;
/// Bytes of a config schema.
const SCHEMA_MAX: usize = 1 << 18;

/// What a bot says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BotInfo {
    /// Name by which leagues call it.
    pub id: String,
    /// Its version.
    pub version: String,
    /// Who wrote it; may be empty.
    pub author: String,
    /// Its licence, as an SPDX expression; may be empty.
    pub license: String,
    /// What it does, in a line; may be empty.
    pub description: String,
    /// Games that it plays, as in `daihinmin/1`.
    pub games: Vec<String>,
    /// JSON Schema of its config, if it takes one.
    pub config_schema: Option<serde_json::Value>,
    /// It keeps what it learns from deal to deal within a block.
    pub learns: bool,
    /// The same seed may play differently.
    pub nondeterministic: bool,
    /// It starts threads.
    pub threads: bool,
}

impl BotInfo {
    /// What is not as a descriptor must be, if anything is not.
    pub(super) fn check(&self) -> Result<(), String> {
        let id = &self.id;
        if !well_named(id) {
            return Err(format!(
                "the id `{}` is not of lower case letters, digits and `-`, a letter first, at most {ID_MAX}",
                harmless(id)
            ));
        }
        self.check_rest()
            .map_err(|what| format!("{what} (bot `{id}`)"))
    }

    fn check_rest(&self) -> Result<(), String> {
        let BotInfo {
            version,
            author,
            license,
            description,
            games,
            ..
        } = self;
        let texts = [
            ("version", version),
            ("author", author),
            ("license", license),
            ("description", description),
        ];
        for (name, text) in texts {
            if text.len() > TEXT_MAX {
                return Err(format!("`{name}` is longer than {TEXT_MAX} bytes"));
            }
            if text.chars().any(char::is_control) {
                return Err(format!(
                    "`{name}` holds a control character: `{}`; it is one line of text",
                    harmless(text)
                ));
            }
        }
        if version.is_empty() {
            return Err("`version` is missing".into());
        }
        if games.is_empty() {
            return Err("`games` lists none".into());
        }
        if games.len() > GAMES_MAX {
            return Err(format!(
                "`games` lists more than {GAMES_MAX}; a null ends the list"
            ));
        }
        let revised = |game: &str| {
            game.split_once('/')
                .is_some_and(|(name, revision)| well_named(name) && revision.parse::<u32>().is_ok())
        };
        match games.iter().find(|game| !revised(game)) {
            Some(game) => Err(format!(
                "the game `{}` is not of the form `daihinmin/1`",
                harmless(game)
            )),
            None => Ok(()),
        }
    }
}

/// Reads the descriptors of the bots that a file offers, of which `read` gives one by its index.
///
/// # Errors
/// The file offers none or too many, a descriptor is wrong, or two have the same id.
pub(crate) fn offered(
    count: u32,
    read: impl Fn(u32) -> Result<BotInfo, String>,
) -> Result<Vec<BotInfo>, String> {
    if count == 0 {
        return Err("it offers no bots".into());
    }
    if count > BOTS_MAX {
        return Err(format!(
            "it says that it offers {count} bots, at most {BOTS_MAX} are allowed"
        ));
    }
    let mut bots: Vec<BotInfo> = Vec::new();
    for index in 0..count {
        let info = read(index).map_err(|what| format!("descriptor {index} of {count}: {what}"))?;
        if bots.iter().any(|other| other.id == info.id) {
            return Err(format!("two bots have the id `{}`", info.id));
        }
        bots.push(info);
    }
    Ok(bots)
}

/// A descriptor as it lies in the bot's memory: flags, and where its texts are.
pub(crate) struct Told<P> {
    pub flags: u32,
    pub id: P,
    pub version: P,
    pub author: P,
    pub license: P,
    pub description: P,
    pub config_schema_json: P,
    pub has_games: bool,
}

/// Reads and checks what a descriptor says. `text` reads a text of at most so many bytes by its
/// name, `None` where it points nowhere; `game` gives where number `index` of the list of games is.
///
/// # Errors
/// What is missing or wrong.
pub(crate) fn check_told<P: Copy>(
    told: &Told<P>,
    text: impl Fn(P, &str, usize) -> Result<Option<String>, String>,
    game: impl Fn(u32) -> Result<P, String>,
) -> Result<BotInfo, String> {
    let required = |at: P, name: &str| {
        let text = text(at, name, TEXT_MAX)?;
        text.filter(|text| !text.is_empty())
            .ok_or_else(|| format!("`{name}` is missing"))
    };
    let id = required(told.id, "id")?;
    let of_bot = |what: String| format!("{what} (bot `{}`)", harmless(&id));
    let optional = |at: P, name: &str| {
        text(at, name, TEXT_MAX)
            .map(Option::unwrap_or_default)
            .map_err(of_bot)
    };
    let config_schema =
        text(told.config_schema_json, "config_schema_json", SCHEMA_MAX).map_err(of_bot)?;
    let config_schema = config_schema
        .map(|text| serde_json::from_str(&text))
        .transpose();
    let config_schema = config_schema
        .map_err(|error| of_bot(format!("config_schema_json is not JSON ({error})")))?;
    let info = BotInfo {
        version: required(told.version, "version").map_err(of_bot)?,
        author: optional(told.author, "author")?,
        license: optional(told.license, "license")?,
        description: optional(told.description, "description")?,
        games: games(told.has_games, |index| {
            text(game(index)?, "games", TEXT_MAX)
        })
        .map_err(of_bot)?,
        config_schema,
        learns: told.flags & abi::BOT_LEARNS != 0,
        nondeterministic: told.flags & abi::BOT_NONDETERMINISTIC != 0,
        threads: told.flags & abi::BOT_THREADS != 0,
        id,
    };
    info.check()?;
    Ok(info)
}

/// Reads the list of games.
fn games(
    is_there: bool,
    game: impl Fn(u32) -> Result<Option<String>, String>,
) -> Result<Vec<String>, String> {
    let mut games = Vec::new();
    if !is_there {
        return Err("`games` is missing".into());
    }
    for index in 0.. {
        let Some(game) = game(index)? else { break };
        games.push(game);
        if games.len() > GAMES_MAX {
            return Err(format!(
                "`games` lists more than {GAMES_MAX}; a null ends the list"
            ));
        }
    }
    Ok(games)
}

fn well_named(name: &str) -> bool {
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    name.len() <= ID_MAX
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(fits)
}
