//! `hattari join`: a bot as a client of a contest's server.

use super::folders::Folders;
use super::group::group;
use super::options::config;
use super::{CommandResult, Outcome, output};
use anyhow::{Context, anyhow, bail};
use hattari_agents::agent::socket::{NAME_KEPT, Stream};
use hattari_agents::agent::{Agent, AgentError, AgentFactory};
use hattari_agents::text::counted;
use hattari_contests::{Faults, MatchError};
use hattari_play::catalogue::AgentSpec;
use std::io::ErrorKind;
use std::net::TcpStream;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

group! {
    /// Let a bot play on a contest server
    { uecda, acpc }
}

/// The bot that joins a contest, and the server.
#[derive(clap::Args, Debug)]
struct JoiningBot {
    /// The server: HOST:PORT, or only HOST for the usual port of the protocol
    #[arg(value_name = "HOST:PORT")]
    server: String,
    /// The bot, by name or path as in a league
    #[arg(long)]
    bot: String,
    /// Config of the bot, as JSON
    #[arg(long, value_name = "JSON", default_value = "{}")]
    config: String,
    /// Random seed of the bot
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of matches to play, each on a new connection; 0: no limit
    #[arg(long, value_name = "N", default_value_t = 1)]
    matches: u32,
    /// Seconds to keep trying if the server does not accept a connection, or closes it before the
    /// first game
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    wait: u64,
    /// Seconds to wait for a message of the server, including the thinking time of the other
    /// players
    #[arg(long, value_name = "SECONDS", default_value_t = 3600, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    patience: u64,
    /// Print only errors
    #[arg(short, long)]
    quiet: bool,
    #[command(flatten)]
    folders: Folders,
}

impl JoiningBot {
    /// Finds the bot that is to play the game, and creates an instance of it. The factory must live
    /// as long as the instance.
    fn open(&self, game: &str) -> anyhow::Result<(Arc<dyn AgentFactory>, Box<dyn Agent>)> {
        config(&self.config)?;
        let catalogue = self.folders.catalogue(None)?;
        let bot = catalogue
            .find(game, &self.bot, Path::new(""))
            .map_err(|error| anyhow!("{error}"))?;
        let open = || {
            let factory = bot.agent_factory_with(&AgentSpec::default())?;
            let agent = factory.open(&self.config)?;
            Ok((factory, agent))
        };
        open().map_err(|AgentError { message, .. }| anyhow!("{}: {message}", self.bot))
    }

    /// Returns the name that is sent to the server by default: that of the bot without folders and
    /// extension.
    fn name(&self) -> String {
        let id = self
            .bot
            .rsplit_once('#')
            .map_or(self.bot.as_str(), |(_, id)| id);
        Path::new(id)
            .file_stem()
            .map_or_else(|| id.into(), |stem| stem.to_string_lossy())
            .chars()
            .take(NAME_KEPT)
            .collect()
    }

    /// Connects to the server. If the connection is refused, retries until the time `until`.
    fn connect(&self, port: u16, until: Instant) -> anyhow::Result<Stream> {
        // An IPv6 address without a port is written in brackets.
        let server = self.server.as_str();
        let bare = server
            .strip_prefix('[')
            .and_then(|rest| rest.strip_suffix(']'));
        loop {
            let connected = match bare {
                Some(bare) => TcpStream::connect((bare, port)),
                None if server.contains(':') => TcpStream::connect(server),
                None => TcpStream::connect((server, port)),
            };
            match connected {
                Ok(tcp) => return Stream::new(tcp).context("cannot set up the connection"),
                Err(error)
                    if error.kind() == ErrorKind::ConnectionRefused && Instant::now() < until =>
                {
                    std::thread::sleep(PAUSE);
                }
                Err(error) => {
                    let remedy = match error.kind() {
                        ErrorKind::ConnectionRefused => {
                            "no server accepts connections at this address; start the server, or \
                            wait longer with --wait"
                        }
                        _ => "give the server as HOST:PORT",
                    };
                    bail!("{}: {error}; {remedy}", self.server);
                }
            }
        }
    }

    /// Plays the requested number of matches. `play` plays one match on a new connection.
    fn matches(
        &self,
        port: u16,
        mut play: impl FnMut(&mut Stream) -> MatchResult,
    ) -> CommandResult {
        let mut outcome = Outcome::Done;
        for number in 0_u64.. {
            if self.matches != 0 && number >= u64::from(self.matches) {
                break;
            }
            let result = match self.play_one(port, &mut play) {
                Ok(result) => result,
                // Endless play ends without an error if the server accepts no further connection.
                Err(_) if self.matches == 0 && number > 0 => break,
                Err(error) => return Err(error),
            };
            let MatchResult {
                mut summary,
                faults,
                played,
                ..
            } = result;
            if let Some(first) = &faults.first {
                let count = counted(faults.count.into(), "fault");
                summary += &format!("\n{count}, the first: {first}");
                outcome = Outcome::Found;
            }
            if !self.quiet {
                output::tell(summary);
            }
            played.context("the match ended early")?;
        }
        Ok(outcome)
    }

    /// Plays one match. If the server closes the connection before the first game, retries until
    /// the time limit of `--wait`.
    fn play_one(
        &self,
        port: u16,
        play: &mut impl FnMut(&mut Stream) -> MatchResult,
    ) -> anyhow::Result<MatchResult> {
        let mut deadline = Instant::now() + Duration::from_secs(self.wait);
        loop {
            let mut stream = self.connect(port, deadline)?;
            let start = Instant::now();
            let result = play(&mut stream);
            let is_disconnected = (result.played.as_ref()).is_err_and(MatchError::is_disconnected);
            if result.has_begun || !is_disconnected {
                return Ok(result);
            }
            // Time spent connected before the first game does not count towards the time limit.
            deadline += start.elapsed();
            if Instant::now() >= deadline {
                let remedy = "the server closed the connection before the first game; start it \
                    again, or wait longer with --wait";
                result
                    .played
                    .with_context(|| format!("{}: {remedy}", self.server))?;
            }
            std::thread::sleep(PAUSE);
        }
    }
}

/// The result of a match, which may have ended early.
struct MatchResult {
    /// Games and points so far, as text.
    summary: String,
    /// Faults of the bot.
    faults: Faults,
    /// `true` if the first game has begun.
    has_begun: bool,
    /// An error if the match was not played to its end.
    played: Result<(), MatchError>,
}

/// Pause between two connection attempts.
const PAUSE: Duration = Duration::from_millis(20);
