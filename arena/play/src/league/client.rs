//! Entrants that are programs beyond a socket: what a league says of them.

use super::Entrant;
use super::fields::{Fields, Reader};
use super::yaml::{Node, Value};
use hattari_agents::agent::CommandLine;
use hattari_agents::agent::socket::kept;
use hattari_agents::games::Facts;
use hattari_agents::text;
use hattari_contests::PROTOCOLS;
use serde::{Deserialize, Serialize};
use std::net::{Ipv4Addr, SocketAddr};

/// Keys of such an entrant.
pub(super) const KEYS: &[&str] = &[
    "name", "kind", "listen", "command", "folder", "start_s", "budget",
];
/// Longest that a client may be waited for: a day.
const START_S_MAX: u64 = 86_400;
/// Most words of a command.
const WORDS_MAX: usize = 1000;

/// A program that connects to the league.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Client {
    /// Name of the protocol that it speaks, the `kind` of the entrant.
    pub protocol: String,
    /// Where it comes in; `None` for the protocol's own port on this machine, or for any free port
    /// where it is started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub listen: Option<SocketAddr>,
    /// How it is started, program and arguments; empty for one that comes by itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub command: Vec<String>,
    /// The folder that it runs in, from the league's; `None` for the one that its program lies in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
    /// Seconds that one is waited for, `None` for the host's default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_s: Option<u64>,
}

/// The kind of an entrant that is a client, `Some(None)` for a bot.
pub(super) fn kind<'n>(reader: &Reader<'_>, node: &'n Node) -> Option<Option<&'n Node>> {
    let Value::Map(entries) = &node.value else {
        return Some(None);
    };
    let is_kind = |key: &Node| matches!(&key.value, Value::Text(name) if name == "kind");
    let Some((_, value)) = entries.iter().find(|(key, _)| is_kind(key)) else {
        return Some(None);
    };
    let kinds: Vec<&str> = ["bot"]
        .into_iter()
        .chain(PROTOCOLS.iter().map(|protocol| protocol.handshake.name))
        .collect();
    let found = reader.word(value, "kind", &kinds)?;
    Some((found > 0).then_some(value))
}

/// Reads an entrant of a kind that [`kind`] has found.
pub(super) fn read(reader: &Reader<'_>, node: &Node, kind: &Node) -> Option<Entrant> {
    let fields = reader.fields(node, "an entrant that is a client", KEYS)?;
    let Value::Text(protocol) = &kind.value else {
        return None;
    };
    let name = reader
        .required(
            &fields,
            "an entrant that is a client",
            "name",
            "name: stranger",
        )
        .and_then(|node| reader.text(node, "name", "a name for the entrant"));
    let listen = fields
        .get("listen")
        .map_or(Some(None), |node| read_listen(reader, node).map(Some));
    let command = fields
        .get("command")
        .map_or(Some(Vec::new()), |node| read_command(reader, node));
    let folder = fields.get("folder").map_or(Some(None), |node| {
        read_folder(reader, &fields, node).map(Some)
    });
    let start_s = whole(reader, &fields, "start_s");
    let budget = super::settings::read_own_budget(reader, &fields)?;
    let (listen, command, folder, start_s) = (listen?, command?, folder?, start_s?);
    let client = Client {
        protocol: protocol.clone(),
        listen,
        command,
        folder,
        start_s,
    };
    Some(Entrant {
        name: name?.to_owned(),
        bot: protocol.clone(),
        config: serde_json::Value::Object(serde_json::Map::new()),
        isolation: None,
        threads: 0,
        budget,
        client: Some(client),
        command: None,
    })
}

fn whole(reader: &Reader<'_>, fields: &Fields<'_>, key: &str) -> Option<Option<u64>> {
    fields.get(key).map_or(Some(None), |node| {
        reader.whole(node, key, 1..=START_S_MAX).map(Some)
    })
}

/// An address with its port, or a port of this machine alone.
fn read_listen(reader: &Reader<'_>, node: &Node) -> Option<SocketAddr> {
    let address = match &node.value {
        Value::Integer(port) => u16::try_from(*port)
            .ok()
            .map(|port| SocketAddr::from((Ipv4Addr::LOCALHOST, port))),
        Value::Text(text) => text.trim().parse().ok(),
        _ => None,
    };
    let address = address.filter(|address| address.port() != 0);
    if address.is_none() {
        let cure = "give a port from 1 to 65535, which only this machine reaches, or an address with its port, as in `0.0.0.0:42485` \
                    for everybody";
        reader.problem(node, format!("`listen`: found {}", node.describe()), cure);
    }
    address
}

pub(super) fn read_command(reader: &Reader<'_>, node: &Node) -> Option<Vec<String>> {
    const EXPECTED: &str =
        "a program and its arguments, as in `command: [./client, -p, \"{port}\"]`";
    let words = reader.list(node, "command", EXPECTED)?;
    if words.is_empty() || WORDS_MAX < words.len() {
        reader.problem(
            node,
            format!("`command` has {} words", words.len()),
            format!("give {EXPECTED}"),
        );
        return None;
    }
    let word = |node: &Node| match &node.value {
        // `-p 42485` is written without quotes by everybody.
        Value::Integer(number) => Some(number.to_string()),
        _ => reader.text(node, "command", EXPECTED).map(str::to_owned),
    };
    words.iter().map(word).collect()
}

pub(super) fn read_folder(reader: &Reader<'_>, fields: &Fields<'_>, node: &Node) -> Option<String> {
    let folder = reader.text(
        node,
        "folder",
        "a folder, from the league's own, as in `folder: ../clients/guest`",
    )?;
    if fields.get("command").is_none() {
        let message = "`folder` is where a program is started, and this one has no `command`";
        reader.problem(
            node,
            message.to_owned(),
            "say how it is started with `command`, or leave `folder` out",
        );
        return None;
    }
    Some(folder.to_owned())
}

/// Tells where clients cannot speak the game, or could not be told apart.
pub(super) fn check(reader: &Reader<'_>, facts: Option<&Facts>, entrants: &[(Entrant, &Node)]) {
    for (number, (entrant, node)) in entrants.iter().enumerate() {
        let Some(client) = &entrant.client else {
            continue;
        };
        let Some(protocol) = PROTOCOLS
            .iter()
            .find(|protocol| protocol.handshake.name == client.protocol)
        else {
            continue;
        };
        if let Some(facts) = facts.filter(|facts| !protocol.games.contains(&facts.name())) {
            let games = text::quoted(protocol.games.iter().copied());
            let message = format!(
                "clients of kind `{}` do not play {}",
                protocol.handshake.name,
                facts.name()
            );
            reader.problem(node, message, format!("they play {games}"));
        }
        for (other, first) in &entrants[..number] {
            let Some(theirs) = other.client.as_ref().filter(|other| other.shares(client)) else {
                continue;
            };
            let line = reader.line(first);
            if theirs.protocol != client.protocol {
                let message = format!(
                    "`{}` in line {line} listens at the same address for another protocol",
                    other.name
                );
                reader.problem(
                    node,
                    message,
                    "give each an address of its own with `listen`",
                );
            } else if !protocol.handshake.names {
                let message = format!(
                    "clients of `{}` and of `{}` in line {line} come to one address",
                    entrant.name, other.name
                );
                let cure = format!(
                    "clients of kind `{}` tell no names by which to tell them apart: give each an address of its own with `listen`",
                    protocol.handshake.name
                );
                reader.problem(node, message, cure);
            } else if kept(&other.name) == kept(&entrant.name) {
                let message = format!(
                    "clients of `{}` and of `{}` in line {line} come to one address",
                    entrant.name, other.name
                );
                let cure = "they are told apart by the first nine characters of their names: change one, or give each an address \
                            of its own with `listen`";
                reader.problem(node, message, cure);
            }
        }
    }
}

/// Tells where clients cannot play by the league's options. `node` is where the league says who
/// takes part.
pub(super) fn check_options(
    reader: &Reader<'_>,
    facts: &Facts,
    options: &serde_json::Value,
    entrants: &[Entrant],
    node: &Node,
) {
    for protocol in PROTOCOLS
        .iter()
        .filter(|protocol| protocol.games.contains(&facts.name()))
    {
        let is_spoken = |entrant: &&Entrant| {
            entrant
                .client
                .as_ref()
                .is_some_and(|client| client.protocol == protocol.handshake.name)
        };
        if let Some(entrant) = entrants.iter().find(is_spoken)
            && let Err(why) = (protocol.suits)(options)
        {
            let message = format!("`{}` cannot play by these options: {why}", entrant.name);
            reader.problem(
                node,
                message,
                format!(
                    "change the option, or leave out the clients of kind `{}`",
                    protocol.handshake.name
                ),
            );
        }
    }
}

impl Client {
    /// How it is started.
    #[must_use]
    pub fn line(&self) -> CommandLine {
        CommandLine {
            words: self.command.clone(),
            folder: self.folder.clone(),
        }
    }

    /// Where clients come in: what the league says, or the protocol's own port. `None` where they
    /// are started and told where.
    #[must_use]
    pub fn door(&self) -> Option<SocketAddr> {
        let default = || {
            let protocol = PROTOCOLS
                .iter()
                .find(|protocol| protocol.handshake.name == self.protocol)?;
            Some(SocketAddr::from((Ipv4Addr::LOCALHOST, protocol.port)))
        };
        self.listen.or_else(|| {
            if self.command.is_empty() {
                default()
            } else {
                None
            }
        })
    }

    /// Whether the clients of two entrants come to one address.
    fn shares(&self, other: &Client) -> bool {
        self.door().is_some_and(|door| other.door() == Some(door))
    }
}
