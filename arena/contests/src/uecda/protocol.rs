//! Description of the UECda protocol, and its handshake.

use super::seat::UecdaSeat;
use super::table::{COLUMNS, ProtocolTable, Version};
use hattari_agents::agent::socket::{ClientGreeting, ConnectionEnd, Handshake, Protocol, Stream};
use std::time::{Duration, Instant};

/// The protocol for entrants of kind `uecda`.
pub static PROTOCOL: Protocol = Protocol {
    handshake: Handshake {
        name: "uecda",
        greeting: PROFILE,
        names: true,
        allows_unrequested: false,
        greet,
    },
    port: 42485,
    games: &["daihinmin"],
    check_options: |_| Ok(()),
    agent: |host| Box::new(UecdaSeat::new(host)),
};

/// Time for which the contest's server waits for a profile.
const PROFILE: Duration = Duration::from_micros(2_000_500);
/// Row of the profile that contains the name, one character per cell.
const NAME_ROW: usize = 1;

/// Returns the profile that a client sends first: a table with its version and name. In both
/// versions, this table is encoded as [`Version::Numbers`].
pub fn profile(version: Version, name: &str) -> ProtocolTable {
    let mut table = ProtocolTable::ZERO;
    table.0[0][0] = version.number();
    // The last cell stays 0 because it terminates the name.
    for (cell, byte) in table.0[NAME_ROW][..COLUMNS - 1]
        .iter_mut()
        .zip(name.bytes())
    {
        *cell = i32::from(byte);
    }
    table
}

fn greet(stream: &mut Stream, until: Instant) -> Result<ClientGreeting, String> {
    let table =
        ProtocolTable::read(Version::Numbers, stream, until).map_err(|lost| match lost {
            ConnectionEnd::Late(0, _) => {
                format!(
                    "the client sent no profile within {PROFILE:?}; clients of version 20060 do \
                not send one, but this version is not supported"
                )
            }
            lost => format!("the profile of the client is incomplete: {lost}"),
        })??;
    let number = table.0[0][0];
    let version = Version::of(number.into()).ok_or_else(|| match number.swap_bytes() {
        20060 | 20070 | 20140 => {
            format!(
                "the profile of the client is not in network byte order: version {} is read as \
                {number}",
                number.swap_bytes()
            )
        }
        _ => format!(
            "the client uses version {number} of the protocol; this host supports 20070 \
            and 20140"
        ),
    })?;
    let bytes: Vec<u8> = table.0[NAME_ROW]
        .iter()
        .take_while(|&&cell| cell != 0)
        .map(|&cell| cell.to_be_bytes()[3])
        .collect();
    let name = String::from_utf8_lossy(&bytes)
        .chars()
        .filter(|c| !c.is_control())
        .collect();
    Ok(ClientGreeting {
        name: Some(name),
        version: version.number().unsigned_abs(),
    })
}
