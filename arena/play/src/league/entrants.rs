//! Reads the entrants of a league.

use super::client::{self, ClientKeys, Command, FOLDER};
use super::fields::Reader;
use super::hybrid::{self, HybridKeys};
use super::keys::{DeferredNode, IntegerRange, KeyType, OneOf, Text, keys, text};
use super::problem::{LeagueError, Problem, TextPosition};
use super::settings::{BudgetKeys, read_own_budget};
use super::yaml::{Document, Node, Value};
use super::{
    ENTRANTS_MAX, Entrant, Excluded, NAME_MAX, OnError, ResolveBot, THREADS_MAX, folder_of,
    pattern, sweep,
};
use hattari_agents::agent::{CommandLine, Isolation};
use hattari_agents::games::GameInfo;
use hattari_agents::text::{escape_line, grouped};
use serde_json::{Value as Json, json};
use std::path::Path;

keys! {
    /// A bot with its settings.
    BotKeys = "an entrant";
    /// name in this league and its reports, up to 200 characters, different for every entrant
    name = Text("a name for the entrant"), or "the value of `bot`";
    /// `uecda` or `acpc`: a [program that connects](#programs-that-connect) instead of a bot. Only
    /// `name`, `budget`, `listen`, `command`, `folder` and `start_s` can be given with it
    kind = DeferredNode(|| json!({"enum": ["bot"]})), or "a bot";
    /// name of a bot, path of a script, or path of a library, with `#id` if it contains several
    /// bots. Paths are relative to the folder of the league, the current folder or the project. A
    /// pattern such as `entries/*.lua` makes [one entrant per file](#bots-that-others-hand-in)
    bot = DeferredNode(bots);
    /// without `kind`, instead of `bot`: program and arguments of a bot that is a [program in any
    /// language](../bots/programs/README.md) and communicates over standard input and output. Needs
    /// [confirmation](#trust) the first time, or `--trust`
    command = Command;
    /// working folder of a `command`, relative to the folder of the league
    folder = Text(FOLDER), or "the folder of the program";
    /// settings of the bot
    config = BotSettings, or "none";
    /// settings with lists of values: [one entrant per combination](#many-settings-at-once)
    sweep = DeferredNode(|| sweep::schema(1)), or "none";
    /// like `isolation`, for this entrant only
    isolation = OneOf<Isolation>(&ISOLATION), or "that of the league";
    /// number of additional threads, up to 64, that a compiled bot in a separate process may start;
    /// a declaration in its library does not grant them. They are suspended while other bots play
    threads = IntegerRange<u32>(0, THREADS_MAX), or "0";
    /// like `budget`, for this entrant only; missing keys take the values of the league. With
    /// another budget, the entrant is another version
    budget = DeferredNode(|| BudgetKeys::MAPPING.schema()), or "that of the league";
}

/// Isolation of compiled bots, by keyword.
pub(super) const ISOLATION: [(&str, Isolation); 2] =
    [("process", Isolation::Process), ("none", Isolation::None)];

/// The type of the key `config`: settings of the bot.
pub(super) struct BotSettings;

impl KeyType<'_> for BotSettings {
    type Value = Json;

    fn schema(&self) -> Json {
        json!({"type": "object"})
    }

    fn read(&self, reader: &Reader<'_>, node: &Node, key: &str) -> Option<Json> {
        match reader.json(node) {
            Ok(config @ Json::Object(_)) => Some(config),
            Ok(_) => {
                let expected = "a mapping of the bot's settings, as in `config: {greed: 0.3}`";
                reader.expected(node, key, expected)
            }
            Err(part) => reader.fail(
                part,
                format!("`{key}` cannot hold {}", part.describe()),
                "keys must be text; numbers must be finite and below 2^64",
            ),
        }
    }
}

/// Returns the schema of the key `bot`.
fn bots() -> Json {
    json!({"anyOf": [text(), HybridKeys::MAPPING.schema()]})
}

/// Returns the schema of the list of entrants.
pub(super) fn schema() -> Json {
    let mut bot = BotKeys::MAPPING.schema();
    bot["anyOf"] = json!([{"required": ["bot"]}, {"required": ["name", "command"]}]);
    bot["properties"]["name"]["maxLength"] = json!(NAME_MAX);
    let mut client = ClientKeys::MAPPING.schema();
    client["properties"]["name"]["maxLength"] = json!(NAME_MAX);
    // Select the schema by kind, so that editors report errors for that kind only.
    let is_client = json!({"properties": {"kind": client::kinds()}, "required": ["kind"]});
    let items = json!({"if": {"type": "object"}, "then": {"if": is_client, "then": client, "else": bot}, "else": text()});
    json!({"type": "array", "minItems": 1, "maxItems": ENTRANTS_MAX, "items": items})
}

/// Returns the position of an entrant's settings in the text of a league in the folder `base`. If
/// it has no settings, returns the position of the entrant.
pub(super) fn position_of(base: &Path, text: &str, entrant: &Entrant) -> Option<TextPosition> {
    let document = Document::parse(text).ok()?;
    let reader = Reader::new(&document, base);
    let describes_entrant = |item: &&Node| {
        read_item(&reader, item)
            .unwrap_or_default()
            .iter()
            .any(|other| other.name == entrant.name)
    };
    let item = document
        .root
        .get("entrants")?
        .items()
        .iter()
        .find(describes_entrant)?;
    document.position(item.get("config").or(item.get("sweep")).unwrap_or(item))
}

impl LeagueError {
    /// Creates the error for an entrant of a valid league that cannot take part, at the position of
    /// its settings.
    pub fn of_entrant(
        path: &Path,
        text: &str,
        entrant: &Entrant,
        message: String,
        remedy: String,
    ) -> LeagueError {
        let problem = Problem::at(position_of(folder_of(path), text, entrant), message, remedy);
        LeagueError::new(path, text, vec![problem]).as_play_error()
    }
}

/// Reads the entrants. Also returns those that are excluded because their bot is missing.
///
/// Bots are looked up only if the game is known, because a name may exist in several games.
pub(super) fn read(
    reader: &Reader<'_>,
    node: &Node,
    facts: Option<&'static GameInfo>,
    on_error: OnError,
    resolve: &mut ResolveBot<'_>,
) -> Option<(Vec<Entrant>, Vec<Excluded>)> {
    let nodes = item_nodes(reader, node)?;
    // The entrants that each item describes, with the node of the item.
    let mut items: Vec<(Vec<Entrant>, &Node)> = nodes
        .iter()
        .filter_map(|node| Some((read_item(reader, node)?, node)))
        .collect();
    let mut is_complete = items.len() == nodes.len();
    if !hybrid::resolve_parts(reader, facts, &mut items) {
        return None;
    }
    let mut entrants: Vec<(Entrant, &Node)> = Vec::with_capacity(nodes.len());
    let mut excluded = Vec::new();
    for (all, node) in items {
        // Report a missing bot once for all entrants of a sweep.
        let mut missing: Option<(String, Problem)> = None;
        for entrant in all {
            let is_long = entrant.name.chars().count() > NAME_MAX;
            if is_long || entrant.name.contains(char::is_control) {
                let start: String = entrant.name.chars().take(40).collect();
                reader.problem(
                    node,
                    if is_long {
                        format!("the name `{start}…` has more than {NAME_MAX} characters")
                    } else {
                        format!(
                            "the name `{}` contains a control character",
                            start.escape_debug()
                        )
                    },
                    "give the entrant another `name`, as in `{name: mine, bot: …}`; a \
                    sweep adds its values to it",
                );
                is_complete = false;
                break;
            }
            let shown = escape_line(&entrant.name);
            if let Some((_, first)) = entrants
                .iter()
                .find(|(other, _)| escape_line(&other.name) == shown)
            {
                let (name, line) = (&entrant.name, reader.line(first));
                let example = match &entrant.command {
                    Some(_) => format!("`name: {name}-2`"),
                    None => format!("`{{name: {name}-2, bot: {}}}`", entrant.bot),
                };
                reader.problem(
                    node,
                    format!("two entrants are called `{name}`; the first is in line {line}"),
                    format!(
                        "rename one of them, as in {example}; to seat one entrant several times, \
                        repeat its name in `format`"
                    ),
                );
            } else if let Some(facts) = facts {
                let is_known = missing.as_ref().is_some_and(|(bot, _)| *bot == entrant.bot);
                if !is_known {
                    let error = resolve(facts, &entrant).err();
                    missing = error.map(|error| (entrant.bot.clone(), error));
                }
                match &missing {
                    Some((_, missing)) if on_error == OnError::Exclude => {
                        excluded.push(Excluded::new(&entrant, missing.message.clone()));
                    }
                    Some((_, missing)) if !is_known => reader.report(node, missing.clone()),
                    _ => {}
                }
            }
            entrants.push((entrant, node));
        }
    }
    if is_complete {
        check_count(reader, node, entrants.len())?;
    }
    client::check(reader, facts, &entrants);
    let all = entrants.into_iter().map(|(entrant, _)| entrant).collect();
    is_complete.then_some((all, excluded))
}

/// Returns the items of the list of entrants. Reports an empty list and too many items.
fn item_nodes<'n>(reader: &Reader<'_>, node: &'n Node) -> Option<&'n [Node]> {
    const EXPECTED: &str = "a list of entrants, as in `entrants: [base, {name: mine, bot: \
        scripts/daihinmin/mine.lua}]`";
    let nodes = reader.list(node, "entrants", EXPECTED)?;
    if nodes.is_empty() {
        return reader.fail(
            node,
            "the league has no entrants: `entrants` is empty",
            format!("give {EXPECTED}"),
        );
    }
    check_count(reader, node, nodes.len())?;
    Some(nodes)
}

/// Reports too many entrants, and returns `None` in this case.
fn check_count(reader: &Reader<'_>, node: &Node, count: usize) -> Option<()> {
    if count <= ENTRANTS_MAX {
        return Some(());
    }
    let most = grouped(ENTRANTS_MAX as u64);
    reader.fail(
        node,
        format!("{count} entrants; a league can have at most {most}"),
        "remove some",
    )
}

/// Reads an item of the list: one entrant, or all entrants of a pattern or sweep.
fn read_item(reader: &Reader<'_>, node: &Node) -> Option<Vec<Entrant>> {
    let entrant = read_entrant(reader, node)?;
    if !matches!(node.value, Value::Map(_)) {
        return Some(vec![entrant]);
    }
    let is_bot = !entrant.is_program() && entrant.hybrid.is_none();
    let entrants = if is_bot && pattern::is_pattern(&entrant.bot) {
        pattern::expand(reader, node, &entrant, node.get("name").is_some())?
    } else {
        vec![entrant]
    };
    let Some(sweep) = node.get("sweep") else {
        return Some(entrants);
    };
    let swept: Option<Vec<_>> = entrants
        .iter()
        .map(|entrant| sweep::expand(reader, sweep, entrant))
        .collect();
    Some(swept?.concat())
}

fn read_entrant(reader: &Reader<'_>, node: &Node) -> Option<Entrant> {
    const EXPECTED: &str = "the name of a bot, or a mapping with `name`, `bot`, `config`, `sweep`, `isolation`, `threads` and `budget`";
    if let Some(kind) = client::kind(reader, node)? {
        return client::read(reader, node, kind);
    }
    if !matches!(node.value, Value::Map(_)) {
        return Some(Entrant::of_bot(reader.text(node, "entrants", EXPECTED)?));
    }
    let keys = BotKeys::read(reader, node)?;
    let budget = read_own_budget(reader, keys.budget);
    if keys.fields.is_wrong {
        return None;
    }
    if let Some(mapping) = keys.bot.filter(|bot| matches!(bot.value, Value::Map(_))) {
        let entrant = hybrid::read(reader, node, mapping)?;
        let name = keys.name.unwrap_or_else(|| entrant.name.clone());
        return Some(Entrant {
            name,
            budget,
            ..entrant
        });
    }
    let command = command(reader, &keys)?;
    let bot = match &command {
        Some(command) => command.to_string(),
        None => {
            const BOT: &str = "the name of a bot, or the path of a script or library";
            let bot = reader.required(&keys.fields, keys.fields.what, "bot", "bot: base")?;
            reader.text(bot, "bot", BOT)?.to_owned()
        }
    };
    Some(Entrant {
        name: keys.name.unwrap_or_else(|| bot.clone()),
        config: keys.config.unwrap_or_else(|| json!({})),
        isolation: keys.isolation,
        threads: keys.threads.unwrap_or_default(),
        budget,
        command,
        ..Entrant::of_bot(&bot)
    })
}

/// Returns the start command of an entrant that is not a client. Returns `Some(None)` for a bot
/// without a command, and `None` after reporting a problem.
fn command(reader: &Reader<'_>, keys: &BotKeys<'_>) -> Option<Option<CommandLine>> {
    client::check_folder(reader, &keys.fields)?;
    let Some(words) = keys.command.clone() else {
        return Some(None);
    };
    let fields = &keys.fields;
    let (key, message, remedy) = if fields.get("bot").is_some() {
        (
            "bot",
            "an entrant must have either `bot` or `command`, but this one has both",
            "remove `bot` if the league starts the program with `command`; otherwise remove \
            `command`",
        )
    } else if fields.get("name").is_none() {
        (
            "command",
            "an entrant with `command` needs a name",
            "add a name, as in `{name: mine, command: [python3, mine.py]}`",
        )
    } else if fields.get("threads").is_some() {
        (
            "threads",
            "`threads` is available for compiled bots only; a program may start any number of \
            threads within its sandbox",
            "remove `threads`",
        )
    } else {
        let folder = keys.folder.clone();
        return Some(Some(CommandLine { words, folder }));
    };
    reader.fail(fields.get(key)?, message, remedy)
}
