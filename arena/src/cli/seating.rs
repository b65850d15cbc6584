//! From an entrant to something that can be seated, whatever kind it is of.

use super::hosting;
use super::output;
use crate::agent::socket::{ClientBot, Doors, Launch, Terms};
use crate::agent::{Misstep, PROTOCOLS, Seatable};
use crate::catalogue::{self, Catalogue, Found, NotFound};
use crate::league::{Client, Entrant, League};
use crate::record::FaultKind;
use crate::store::Content;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use xxhash_rust::xxh3::Xxh3;

/// What is behind an entrant.
pub enum Program {
    /// A bot that was found.
    Bot(Box<Found>),
    /// A program that connects.
    Client(Client),
}

/// Finds and seats the entrants of one league.
pub struct Seating<'a> {
    catalogue: &'a Catalogue,
    /// The league's folder.
    base: &'a Path,
    doors: Doors,
    /// Whether clients can come in.
    listens: bool,
}

impl<'a> Seating<'a> {
    /// For a league in the folder `base`.
    pub fn new(catalogue: &'a Catalogue, base: &'a Path) -> Seating<'a> {
        Seating { catalogue, base, doors: Doors::default(), listens: true }
    }

    /// The same without listening for clients: nobody is going to be seated.
    pub fn for_nobody(self) -> Seating<'a> {
        Seating { listens: false, ..self }
    }

    /// What is behind an entrant of a game.
    ///
    /// # Errors
    /// There is no such bot.
    pub fn find(&self, game: &str, entrant: &Entrant) -> Result<Program, NotFound> {
        match &entrant.client {
            Some(client) => Ok(Program::Client(client.clone())),
            None => Ok(Program::Bot(Box::new(self.catalogue.find(game, &entrant.bot, self.base)?))),
        }
    }

    /// Makes an entrant ready to be seated on the league's terms; for a client, its address is listened at from now on.
    ///
    /// # Errors
    /// A bot that cannot be loaded, an address that cannot be listened at.
    pub fn seat(
        &mut self,
        league: &League,
        entrant: &Entrant,
        program: &Program,
    ) -> Result<Arc<dyn Seatable>, Misstep> {
        let client = match program {
            Program::Bot(found) => return found.seat_on(&catalogue::Terms::of(league, entrant)),
            Program::Client(client) => client,
        };
        let fail = |message: String| Misstep::new(FaultKind::Start, message);
        let protocol = PROTOCOLS.iter().find(|protocol| protocol.name == client.protocol);
        let protocol = protocol.ok_or_else(|| fail(format!("there are no clients of kind `{}`", client.protocol)))?;
        let mut terms = Terms::new(protocol, &entrant.name, &league.budget);
        if self.listens {
            terms.door = client.door().map(|address| self.doors.at(address, protocol)).transpose().map_err(fail)?;
        }
        terms.launch = self.launch(client);
        terms.start = client.start_s.map_or(terms.start, Duration::from_secs);
        Ok(Arc::new(ClientBot::new(terms)))
    }

    /// The program behind an entrant, for the store. `bot` is what it has been seated as.
    pub fn content(&self, program: &Program, bot: &dyn Seatable) -> Content {
        match program {
            Program::Bot(found) => Content {
                kind: hosting::kind(found, bot.hosting().as_ref()),
                path: output::short(&found.path),
                version: found.version.clone(),
                hash: format!("{:016x}", found.hash),
            },
            Program::Client(client) => Content {
                kind: format!("{} client", client.protocol),
                path: client.command.join(" "),
                version: String::new(),
                hash: format!("{:016x}", self.hash(client)),
            },
        }
    }

    fn launch(&self, client: &Client) -> Option<Launch> {
        let folder = std::path::absolute(self.base).unwrap_or_else(|_| self.base.to_owned());
        (!client.command.is_empty()).then(|| Launch { words: client.command.clone(), folder })
    }

    /// Hash of all files that a command names: whether it is still the client that played. Nothing is known of clients that
    /// come by themselves.
    fn hash(&self, client: &Client) -> u64 {
        let mut hash = Xxh3::new();
        for word in &client.command {
            let path: PathBuf = self.base.join(word);
            // A word that names a folder or nothing at all is a word.
            hash.update(&fs::read(path).unwrap_or_default());
        }
        hash.digest()
    }
}

impl Program {
    /// Whether somebody else starts it, in his own time.
    pub fn comes_by_itself(&self) -> bool {
        matches!(self, Program::Client(client) if client.command.is_empty())
    }
}
