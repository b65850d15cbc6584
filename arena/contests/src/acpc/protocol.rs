//! Description of the ACPC protocol, and its handshake.

use super::line::{LINE_MAX, is_comment};
use super::seat::AcpcSeat;
use hattari_agents::agent::socket::{ClientGreeting, Handshake, Protocol, Stream};
use hattari_formats::acpc::write_game;
use hattari_plugin::games::holdem::Options;
use serde_json::Value;
use std::time::{Duration, Instant};

/// The protocol for entrants of kind `acpc`.
pub static PROTOCOL: Protocol = Protocol {
    handshake: Handshake {
        name: "acpc",
        greeting: VERSION_TIME,
        names: false,
        allows_unrequested: true,
        greet,
    },
    port: 18791,
    games: &["holdem"],
    check_options,
    agent: |host| Box::new(AcpcSeat::new(host)),
};

/// Maximum time that a client may take to send its version.
const VERSION_TIME: Duration = Duration::from_secs(10);
/// Maximum number of comment lines before the version.
const COMMENTS_MAX: usize = 100;

fn greet(stream: &mut Stream, until: Instant) -> Result<ClientGreeting, String> {
    let expected = "the first line must be `VERSION:2.0.0`";
    for _ in 0..COMMENTS_MAX {
        let line = stream
            .read_line(LINE_MAX, until)
            .map_err(|lost| format!("{lost}; {expected}"))?;
        if is_comment(&line) {
            continue;
        }
        let line = String::from_utf8_lossy(&line).into_owned();
        let version = line.trim_end().strip_prefix("VERSION:");
        let version: Option<Vec<u32>> =
            version.and_then(|rest| rest.split('.').map(|number| number.parse().ok()).collect());
        return match version.as_deref() {
            Some(&[2, 0, revision]) => Ok(ClientGreeting {
                name: None,
                version: 20_000 + revision.min(99),
            }),
            Some([_, _, _]) => Err(format!(
                "the client uses {}; this host supports version 2.0.0",
                line.trim_end()
            )),
            _ => Err(format!(
                "the client began with `{}`; {expected}",
                line.chars().take(60).collect::<String>()
            )),
        };
    }
    Err(format!(
        "the client sent {COMMENTS_MAX} comments; {expected}"
    ))
}

/// Checks that the game definition files of the competition can express the options of a league.
fn check_options(options: &Value) -> Result<(), String> {
    let options: Options =
        serde_json::from_value(options.clone()).map_err(|error| error.to_string())?;
    write_game(&options, 2).map(drop)
}
