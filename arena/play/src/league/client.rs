//! Entrants that are programs connected over a socket.

use super::conflicts::Conflict;
use super::fields::{Fields, Reader};
use super::keys::{DeferredNode, IntegerRange, KeyType, Text, keys, text as any_text};
use super::settings::{BudgetKeys, read_own_budget};
use super::yaml::{Node, Value};
use super::{Entrant, Problem};
use hattari_agents::agent::CommandLine;
use hattari_agents::agent::socket::{Protocol, compared_name};
use hattari_agents::games::GameInfo;
use hattari_agents::text;
use hattari_contests::PROTOCOLS;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use std::net::{Ipv4Addr, SocketAddr};

const WORDS_MAX: usize = 1000;
/// Expected value of the key `folder`, for messages.
pub(super) const FOLDER: &str = "a folder, relative to the folder of the league, as in `folder: \
    ../clients/guest`";

keys! {
    /// An entrant that connects with the protocol of a contest.
    ClientKeys = "an entrant that is a client";
    /// name in this league and its reports, up to 200 characters, different for every entrant
    name = Text("a name for the entrant"), needs "name: guest";
    /// `uecda` or `acpc`: a [program that connects](#programs-that-connect) instead of a bot. Only
    /// `name`, `budget`, `listen`, `command`, `folder` and `start_s` can be given with it
    kind = DeferredNode(kinds), or "a bot";
    /// address to which the client connects, or a port of the loopback interface
    listen = ListenAddress, or "127.0.0.1 and the usual port of the protocol; with `command`, a \
        free port";
    /// with `kind`: program and arguments that start the client; `hattari` stands for this program.
    /// Needs [confirmation](#trust) the first time, or `--trust`
    command = Command, or "the client is started by hand";
    /// working folder of a `command`, relative to the folder of the league
    folder = Text(FOLDER), or "the folder of the program";
    /// seconds to wait for the client, up to a day
    start_s = IntegerRange<u64>(1, 86_400), or "60";
    /// like `budget`, for this entrant only; missing keys take the values of the league. With
    /// another budget, the entrant is another version
    budget = DeferredNode(|| BudgetKeys::MAPPING.schema()), or "that of the league";
}

/// A program that connects to the league.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Client {
    /// Name of the protocol, which is the `kind` of the entrant.
    pub protocol: String,
    /// Listening address. `None` for the protocol's default port on this machine, or for any free
    /// port if the client has a command.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub listen: Option<SocketAddr>,
    /// Start command, program and arguments; empty if the host does not start the client.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub command: Vec<String>,
    /// Working directory, relative to the league's folder; `None` for the folder of the program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
    /// Time limit for connecting in seconds; `None` for the default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_s: Option<u64>,
}

fn protocols() -> impl Iterator<Item = &'static str> {
    PROTOCOLS.iter().map(|protocol| protocol.handshake.name)
}

/// Returns the schema of the key `kind` of a client.
pub(super) fn kinds() -> Json {
    json!({"enum": protocols().collect::<Vec<_>>()})
}

/// Returns the protocol of a client; `Some(None)` for a bot, `None` after reporting an invalid
/// kind.
pub(super) fn kind(reader: &Reader<'_>, node: &Node) -> Option<Option<&'static str>> {
    let Some(value) = node.get("kind") else {
        return Some(None);
    };
    let kinds: Vec<&str> = ["bot"].into_iter().chain(protocols()).collect();
    let index = reader.keyword(value, "kind", &kinds)?;
    Some((index > 0).then(|| kinds[index]))
}

/// Reads a client of the kind returned by [`kind`].
pub(super) fn read(reader: &Reader<'_>, node: &Node, protocol: &str) -> Option<Entrant> {
    let keys = ClientKeys::read(reader, node)?;
    let is_right = check_folder(reader, &keys.fields).is_some() && !keys.fields.is_wrong;
    let budget = read_own_budget(reader, keys.budget);
    let client = Client {
        protocol: protocol.to_owned(),
        listen: keys.listen,
        command: keys.command.unwrap_or_default(),
        folder: keys.folder,
        start_s: keys.start_s,
    };
    is_right.then(|| Entrant {
        name: keys.name.unwrap_or_default(),
        budget,
        client: Some(client),
        ..Entrant::of_bot(protocol)
    })
}

/// Reports a `folder` without a `command`, and returns `None` in this case.
pub(super) fn check_folder(reader: &Reader<'_>, fields: &Fields<'_>) -> Option<()> {
    let Some(node) = fields
        .get("folder")
        .filter(|_| fields.get("command").is_none())
    else {
        return Some(());
    };
    reader.fail(
        node,
        "`folder` is the working folder of a `command`, but this entrant has no \
        `command`",
        "add `command`, or remove `folder`",
    )
}

/// The type of the key `listen`: an address with a port, or a port on this machine.
pub(super) struct ListenAddress;

impl KeyType<'_> for ListenAddress {
    type Value = SocketAddr;

    fn schema(&self) -> Json {
        json!({"anyOf": [IntegerRange(1, 65_535).schema(), any_text()]})
    }

    fn read(&self, reader: &Reader<'_>, node: &Node, key: &str) -> Option<SocketAddr> {
        let address = match &node.value {
            Value::Integer(port) => u16::try_from(*port)
                .ok()
                .map(|port| SocketAddr::from((Ipv4Addr::LOCALHOST, port))),
            Value::Text(text) => text.trim().parse().ok(),
            _ => None,
        };
        address.filter(|address| address.port() != 0).or_else(|| {
            let expected = "a port from 1 to 65535 of the loopback interface, or an address with \
                a port, as in `0.0.0.0:42485` for connections from all machines";
            reader.expected(node, key, expected)
        })
    }
}

/// The type of the key `command`: a program and its arguments.
pub(super) struct Command;

impl KeyType<'_> for Command {
    type Value = Vec<String>;

    fn schema(&self) -> Json {
        json!({"type": "array", "minItems": 1, "items": {"type": ["string", "integer"]}})
    }

    fn read(&self, reader: &Reader<'_>, node: &Node, key: &str) -> Option<Vec<String>> {
        const EXPECTED: &str =
            "a program and its arguments, as in `command: [./client, -p, \"{port}\"]`";
        let words = reader.list(node, key, EXPECTED)?;
        if words.is_empty() || words.len() > WORDS_MAX {
            return reader.fail(
                node,
                format!("`{key}` has {} words", words.len()),
                format!("give {EXPECTED}"),
            );
        }
        let word = |node: &Node| match &node.value {
            // Arguments such as `-p 42485` are usually written without quotes.
            Value::Integer(number) => Some(number.to_string()),
            _ => reader.text(node, key, EXPECTED).map(str::to_owned),
        };
        words.iter().map(word).collect()
    }
}

/// Reports clients whose protocol does not support the game, or that cannot be distinguished.
pub(super) fn check(reader: &Reader<'_>, facts: Option<&GameInfo>, entrants: &[(Entrant, &Node)]) {
    let clients = || {
        entrants.iter().filter_map(|(entrant, node)| {
            let client = entrant.client.as_ref()?;
            Some((&*entrant.name, client, client.protocol()?, *node))
        })
    };
    for (number, (name, client, protocol, node)) in clients().enumerate() {
        let kind = protocol.handshake.name;
        if let Some(facts) = facts.filter(|facts| !protocol.games.contains(&facts.name())) {
            let games = text::quoted(protocol.games.iter());
            reader.problem(
                node,
                format!("clients of kind `{kind}` do not play {}", facts.name()),
                format!("they play {games}"),
            );
        }
        for (other_name, other, _, first) in clients().take(number) {
            let address = client.listen_address();
            if address.is_none() || other.listen_address() != address {
                continue;
            }
            let line = reader.line(first);
            let different = "give each client a different address with `listen`";
            let mut message = format!(
                "clients of `{name}` and of `{other_name}` in line {line} connect to the same \
                address"
            );
            let remedy = if other.protocol != client.protocol {
                message = format!(
                    "`{other_name}` in line {line} connects to the same address with another \
                    protocol"
                );
                different.to_owned()
            } else if !protocol.handshake.names {
                format!("clients of kind `{kind}` do not send their names: {different}")
            } else if compared_name(other_name) == compared_name(name) {
                format!(
                    "clients are identified by the first nine characters of their names: change \
                    one name, or {different}"
                )
            } else {
                continue;
            };
            reader.problem(node, message, remedy);
        }
    }
}

/// Returns a conflict for every protocol of a client among `entrants` that does not support the
/// options of the game.
pub(super) fn conflicts(game: &str, options: &Json, entrants: &[Entrant]) -> Vec<Conflict> {
    let conflict = |protocol: &&Protocol| {
        let name = protocol.handshake.name;
        let entrant = entrants.iter().find(|entrant| {
            (entrant.client.as_ref()).is_some_and(|client| client.protocol == name)
        })?;
        let reason = (protocol.check_options)(options).err()?;
        let problem = Problem::of_file(
            format!(
                "`{}` does not support these options: {reason}",
                entrant.name
            ),
            format!("change the option, or remove the clients of kind `{name}`"),
        );
        Some(("entrants", problem))
    };
    PROTOCOLS
        .iter()
        .filter(|protocol| protocol.games.contains(&game))
        .filter_map(conflict)
        .collect()
}

impl Client {
    /// Returns the start command.
    pub(crate) fn command_line(&self) -> CommandLine {
        CommandLine {
            words: self.command.clone(),
            folder: self.folder.clone(),
        }
    }

    /// Returns the listening address: the address in the league, or the protocol's default. `None`
    /// if the league has no address and the host starts the client, which then gets a free port.
    pub fn listen_address(&self) -> Option<SocketAddr> {
        let default = || {
            let port = self.protocol().filter(|_| self.command.is_empty())?.port;
            Some(SocketAddr::from((Ipv4Addr::LOCALHOST, port)))
        };
        self.listen.or_else(default)
    }

    /// Returns the protocol; `None` if this program does not support it.
    pub(crate) fn protocol(&self) -> Option<&'static Protocol> {
        PROTOCOLS
            .into_iter()
            .find(|protocol| protocol.handshake.name == self.protocol)
    }
}
