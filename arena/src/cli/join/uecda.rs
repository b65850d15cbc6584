//! `hattari join uecda`.

use super::{CommandResult, JoiningBot, MatchResult};
use crate::cli::options::game_options;
use anyhow::Context;
use hattari_agents::agent::socket::NAME_BYTES;
use hattari_agents::text::{counted, joined};
use hattari_contests::uecda::PROTOCOL;
use hattari_contests::uecda::table::Version;
use hattari_contests::uecda::{UecdaMatchOptions, UecdaResult, play_match};
use hattari_plugin::games::GameTypes;
use hattari_plugin::games::daihinmin::{Daihinmin, TITLES};
use std::time::Duration;

/// Play daihinmin on a server of the UECda contest
#[derive(clap::Args, Debug)]
#[command(after_help = "\
The bot sees what the server shows, so the server's own rule for the end of a trick applies. \
--preset and --options set the rules that the bot receives, but the server applies its own. If \
the bot commits a fault, it passes, or gives its strongest cards, and the match goes on.

Examples:
  hattari join uecda 127.0.0.1:42485 --bot all-k                      a match against four others
  hattari join uecda contest.example --bot scripts/daihinmin/mine.lua --name mine
  hattari join uecda localhost --bot default --matches 0              match after match, until the server closes

Exit codes: 0 played, 1 the bot committed faults, 2 unknown bot, no server, or the match ended \
early.")]
pub(super) struct Arguments {
    #[command(flatten)]
    guest: JoiningBot,
    /// Name to send to the server, cut off after 14 bytes, of which servers show nine (default: the
    /// name of the bot)
    #[arg(long)]
    name: Option<String>,
    /// Version of the protocol: 20070 or 20140
    #[arg(long, value_name = "VERSION", default_value_t = 20070)]
    protocol: u32,
    /// Preset of the server's rules
    #[arg(long, default_value = "uecda")]
    preset: String,
    /// Options that differ from the preset, as JSON
    #[arg(long, value_name = "JSON", default_value = "{}")]
    options: String,
    /// Number of games per match, which the server does not send; some bots use it
    #[arg(long, value_name = "N", default_value_t = 0)]
    games: u32,
}

pub(super) fn main(arguments: &Arguments) -> CommandResult {
    let guest = &arguments.guest;
    let version = Version::of(arguments.protocol.into()).with_context(|| {
        format!(
            "--protocol: version {} is not supported; use 20070 or 20140",
            arguments.protocol
        )
    })?;
    let mut name = arguments.name.clone().unwrap_or_else(|| guest.name());
    name.truncate(name.floor_char_boundary(NAME_BYTES));
    let options = game_options::<Daihinmin>(&arguments.preset, &arguments.options)?;
    options
        .check()
        .map_err(|reason| anyhow::anyhow!("--options: {reason}"))?;
    let match_options = UecdaMatchOptions {
        version,
        name,
        options,
        deals: arguments.games,
        seed: guest.seed,
        timeout: Duration::from_secs(guest.patience),
    };
    let (_factory, mut agent) = guest.open(Daihinmin::ID)?;
    guest.matches(PROTOCOL.port, |stream| {
        let mut joined = UecdaResult::default();
        let played = play_match(stream, &mut *agent, &match_options, &mut joined);
        MatchResult {
            summary: describe(&joined),
            has_begun: joined.has_begun,
            faults: joined.faults,
            played,
        }
    })
}

/// Returns a summary of a match.
fn describe(result: &UecdaResult) -> String {
    let mine = result.points[usize::from(result.player)];
    let places = TITLES
        .iter()
        .zip(result.places)
        .map(|(title, times)| format!("{title} {times}"));
    let mut text = format!(
        "player {}: {}, {mine} points; {}; all players: {:?}",
        result.player,
        counted(result.games.into(), "game"),
        joined(places, ", "),
        result.points
    );
    if result.games_with_unknown_places > 0 {
        text += &format!(
            "\n{} with places that the server drew and did not send; points and places count \
             them in the order of the seats",
            counted(result.games_with_unknown_places.into(), "game")
        );
    }
    if result.refused > 0 {
        text += &format!(
            "\n{} refused by the server",
            counted(result.refused.into(), "play")
        );
    }
    text
}
