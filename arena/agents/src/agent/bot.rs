//! The descriptors of compiled bots, and their checks, which libraries and WebAssembly modules
//! share.

use crate::text::escape_for_sentence;
use hattari_plugin::abi;
use serde::{Deserialize, Serialize};

/// Maximum number of bots in one file.
pub(crate) const BOTS_MAX: u32 = 1024;
/// Maximum number of games of one bot.
const GAMES_MAX: usize = 64;
/// Maximum length of an id in characters.
const ID_MAX: usize = 64;
/// Maximum length of each text in a descriptor, in bytes.
const TEXT_MAX: usize = 4096;
/// Maximum length of a config schema in bytes.
const SCHEMA_MAX: usize = 1 << 18;

/// The descriptor of a bot.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BotInfo {
    /// Name of the bot in league files.
    pub id: String,
    /// Version of the bot.
    pub version: String,
    /// Author; may be empty.
    pub author: String,
    /// Licence, as an SPDX expression; may be empty.
    pub license: String,
    /// Description in one line; may be empty.
    pub description: String,
    /// Games that the bot plays, for example `daihinmin/1`.
    pub games: Vec<String>,
    /// JSON Schema of the config, if the bot takes one.
    pub config_schema: Option<serde_json::Value>,
    /// `true` if the bot uses earlier deals of a block to play later ones.
    pub learns: bool,
    /// `true` if the bot may play differently when a block is repeated with the same seed.
    pub nondeterministic: bool,
    /// `true` if the bot starts threads.
    pub threads: bool,
}

impl BotInfo {
    /// Checks the values of all fields.
    ///
    /// # Errors
    /// Returns the first invalid field with the rule that it violates.
    pub(super) fn check(&self) -> Result<(), String> {
        let id = &self.id;
        if !is_valid_name(id) {
            return Err(format!(
                "the id `{}` must consist of a-z, 0-9 and `-`, begin with a letter and have at most \
                 {ID_MAX} characters",
                escape_for_sentence(id)
            ));
        }
        self.check_texts_and_games()
            .map_err(|what| format!("{what} (bot `{id}`)"))
    }

    fn check_texts_and_games(&self) -> Result<(), String> {
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
                    "`{name}` contains a control character: `{}`; it must be one line of text",
                    escape_for_sentence(text)
                ));
            }
        }
        if version.is_empty() {
            return Err("`version` is missing".into());
        }
        if games.is_empty() {
            return Err(
                "`games` is empty; list at least one game, for example `daihinmin/1`".into(),
            );
        }
        if games.len() > GAMES_MAX {
            return Err(format!(
                "`games` has more than {GAMES_MAX} entries; end the list with a null"
            ));
        }
        let revised = |game: &str| {
            game.split_once('/').is_some_and(|(name, revision)| {
                is_valid_name(name) && revision.parse::<u32>().is_ok()
            })
        };
        match games.iter().find(|game| !revised(game)) {
            Some(game) => Err(format!(
                "the game `{}` must have the form NAME/REVISION, for example `daihinmin/1`",
                escape_for_sentence(game)
            )),
            None => Ok(()),
        }
    }
}

/// Reads and checks the `count` descriptors of a file. `read` returns the descriptor with a given
/// index.
///
/// # Errors
/// Returns an error if there are no descriptors or too many, if one is invalid, or if two have the
/// same id.
pub(crate) fn read_descriptors(
    count: u32,
    read: impl Fn(u32) -> Result<BotInfo, String>,
) -> Result<Vec<BotInfo>, String> {
    if count == 0 {
        return Err("it contains no bots".into());
    }
    if count > BOTS_MAX {
        return Err(format!(
            "it declares {count} bots; at most {BOTS_MAX} are allowed"
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

/// Reads and checks a descriptor: its flags, and the texts at the addresses of its id, version,
/// author, licence, description and config schema. `text` reads the text at an address, given the
/// name of the field and the maximum length; it returns `None` for a null address. `game` returns
/// the address of an entry in the list of games; it is `None` if the address of the list is null.
///
/// # Errors
/// Returns the first missing or invalid field.
pub(crate) fn check_descriptor<P: Copy>(
    flags: u32,
    [id, version, author, license, description, schema]: [P; 6],
    text: impl Fn(P, &str, usize) -> Result<Option<String>, String>,
    game: Option<impl Fn(u32) -> Result<P, String>>,
) -> Result<BotInfo, String> {
    let required = |at: P, name: &str| {
        let text = text(at, name, TEXT_MAX)?;
        text.filter(|text| !text.is_empty())
            .ok_or_else(|| format!("`{name}` is missing"))
    };
    let id = required(id, "id")?;
    let of_bot = |what: String| format!("{what} (bot `{}`)", escape_for_sentence(&id));
    let optional = |at: P, name: &str| {
        text(at, name, TEXT_MAX)
            .map(Option::unwrap_or_default)
            .map_err(of_bot)
    };
    let config_schema = text(schema, "config_schema_json", SCHEMA_MAX).map_err(of_bot)?;
    let config_schema = config_schema
        .map(|text| serde_json::from_str(&text))
        .transpose()
        .map_err(|error| of_bot(format!("config_schema_json is not JSON ({error})")))?;
    let games = || {
        let game = game.ok_or("`games` is missing")?;
        let name = |index| text(game(index)?, "games", TEXT_MAX);
        // Reads one more than allowed, so that `check` detects a list that is too long.
        (0..)
            .take(GAMES_MAX + 1)
            .map_while(|index| name(index).transpose())
            .collect::<Result<_, String>>()
    };
    let info = BotInfo {
        version: required(version, "version").map_err(of_bot)?,
        author: optional(author, "author")?,
        license: optional(license, "license")?,
        description: optional(description, "description")?,
        games: games().map_err(of_bot)?,
        config_schema,
        learns: flags & abi::BOT_LEARNS != 0,
        nondeterministic: flags & abi::BOT_NONDETERMINISTIC != 0,
        threads: flags & abi::BOT_THREADS != 0,
        id,
    };
    info.check()?;
    Ok(info)
}

fn is_valid_name(name: &str) -> bool {
    name.len() <= ID_MAX
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && name
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
}
