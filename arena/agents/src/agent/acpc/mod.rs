//! Hold'em over the protocol of the Annual Computer Poker Competition, version 2.0.0: its clients
//! at our tables.
//!
//! A client says its version, then gets a line for every state of every hand of the match, and
//! answers the states in which it is to act, with the line that it answers before its action. A
//! line that does not answer the current state is passed over, as a dealer passes over it; an
//! action that is not legal is a fault, for which the league's rule plays. Seats keep their order
//! and the button moves on with every hand, so a client's position changes as it does at the
//! competition.
//!
//! A match is played by the league's options. What the competition's definition files cannot say
//! (antes, stacks that are carried from hand to hand, pot limit) its clients cannot play, and such
//! a league is refused.

mod seat;

pub use seat::Seat;

use super::socket::{Greeting, Protocol, Stream};
use hattari_formats::acpc::GameDef;
use hattari_plugin::games::holdem::Options;
use serde_json::Value;
use std::time::{Duration, Instant};

/// The protocol, for entrants of kind `acpc`.
pub static PROTOCOL: Protocol = Protocol {
    name: "acpc",
    port: 18791,
    games: &["holdem"],
    greeting: VERSION_TIME,
    names: false,
    chatter: true,
    suits,
    greet,
    agent: |host| Box::new(Seat::new(host)),
};

/// What a client says first.
pub const VERSION: &str = "VERSION:2.0.0";
/// Bytes of a line at most.
pub const LINE_MAX: usize = 4096;
/// How long a client may take to say its version.
const VERSION_TIME: Duration = Duration::from_secs(10);
/// Comments before the version at most.
const COMMENTS_MAX: usize = 100;

/// Whether a line is for people, and passed over.
#[must_use]
pub fn is_comment(line: &[u8]) -> bool {
    matches!(line.first(), None | Some(b'#' | b';'))
}

fn greet(stream: &mut Stream, until: Instant) -> Result<Greeting, String> {
    let expected = "a line `VERSION:2.0.0` is expected first";
    for _ in 0..COMMENTS_MAX {
        let line = stream
            .read_line(LINE_MAX, until)
            .map_err(|lost| format!("{lost}; {expected}"))?;
        if is_comment(&line) {
            continue;
        }
        let line = String::from_utf8_lossy(&line).into_owned();
        let version = line
            .trim_end()
            .strip_prefix("VERSION:")
            .map(|rest| rest.split('.').map(str::parse::<u32>));
        let version: Option<Vec<u32>> =
            version.and_then(|numbers| numbers.collect::<Result<_, _>>().ok());
        return match version.as_deref() {
            Some(&[2, 0, revision]) => Ok(Greeting {
                name: None,
                version: 20_000 + revision.min(99),
            }),
            Some([_, _, _]) => Err(format!(
                "it speaks {}; version 2.0.0 is spoken here",
                line.trim_end()
            )),
            _ => Err(format!(
                "it began with `{}`; {expected}",
                line.chars().take(60).collect::<String>()
            )),
        };
    }
    Err(format!("it sent {COMMENTS_MAX} comments; {expected}"))
}

/// Whether a league's options can be told in a definition file.
fn suits(options: &Value) -> Result<(), String> {
    let options: Options =
        serde_json::from_value(options.clone()).map_err(|error| error.to_string())?;
    GameDef::of_options(&options, 2).map(drop)
}
