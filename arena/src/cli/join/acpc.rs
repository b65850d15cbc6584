//! `hattari join acpc`.

use super::{CommandResult, JoiningBot, MatchResult};
use crate::cli::options::game_options;
use anyhow::anyhow;
use hattari_agents::text::counted;
use hattari_contests::acpc::PROTOCOL;
use hattari_contests::acpc::{AcpcMatchOptions, AcpcResult, play_match};
use hattari_formats::acpc::{parse_game, write_game};
use hattari_plugin::games::holdem::Holdem;
use hattari_plugin::games::{Game, GameTypes};
use hattari_study::AtPath;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

/// Play hold'em with a dealer of the Annual Computer Poker Competition
#[derive(clap::Args, Debug)]
#[command(after_help = "\
The dealer prints one port per seat when it starts; give the port of the bot's seat. The bot \
receives the rules of the definition file or preset, but the dealer applies its own rules. A \
match that contradicts the rules given here is ended with an error that quotes the line. If the \
bot commits a fault, it checks or folds, and the match goes on. Leagues with entrants of kind \
`acpc` act as dealers, too: `hattari export acpc-game LEAGUE` writes their definition file.

Examples:
  hattari join acpc 127.0.0.1:18791 --bot honest --game holdem.nolimit.2p.game
  hattari join acpc localhost:20001 --bot scripts/holdem/mine.lua --preset acpc-limit
  hattari join acpc localhost:18791 --bot call --matches 0            match after match, until the dealer closes

Exit codes: 0 played, 1 the bot committed faults, 2 unknown bot, no dealer, or the match ended \
early.")]
pub(super) struct Arguments {
    #[command(flatten)]
    guest: JoiningBot,
    /// The ACPC game definition file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["preset", "options"])]
    game: Option<PathBuf>,
    /// Preset of the dealer's rules
    #[arg(long, default_value = "acpc")]
    preset: String,
    /// Options that differ from the preset, as JSON
    #[arg(long, value_name = "JSON", default_value = "{}")]
    options: String,
    /// Number of hands per match, which the dealer does not send; some bots use it
    #[arg(long, value_name = "N", default_value_t = 0)]
    hands: u32,
}

pub(super) fn main(arguments: &Arguments) -> CommandResult {
    let guest = &arguments.guest;
    let (options, players) = match &arguments.game {
        Some(path) => {
            let text = fs::read_to_string(path).at(path)?;
            let (players, options) = parse_game(&text)
                .map_err(|problem| anyhow!("{}:{}: {problem}", path.display(), problem.line))?;
            (options, Some(players))
        }
        None => (
            game_options::<Holdem>(&arguments.preset, &arguments.options)?,
            None,
        ),
    };
    write_game(&options, 2).map_err(|reason| anyhow!("--options: {reason}"))?;
    Holdem::new(options.clone()).map_err(|reason| anyhow!("--options: {reason}"))?;
    let patience = Duration::from_secs(guest.patience);
    let match_options = AcpcMatchOptions {
        options,
        players,
        deals: arguments.hands,
        seed: guest.seed,
        timeout: patience,
    };
    let (_factory, mut agent) = guest.open(Holdem::ID)?;
    guest.matches(PROTOCOL.port, |stream| {
        let mut joined = AcpcResult::default();
        let played = play_match(stream, &mut *agent, &match_options, &mut joined);
        MatchResult {
            summary: describe(&joined, match_options.options.big_blind),
            has_begun: joined.has_begun,
            faults: joined.faults,
            played,
        }
    })
}

/// Returns a summary of a match.
fn describe(joined: &AcpcResult, big_blind: i64) -> String {
    let mut text = format!(
        "{}, {} chips",
        counted(joined.hands.into(), "hand"),
        joined.won
    );
    if joined.hands > 0 {
        let rate = joined.won as f64 / big_blind as f64 / f64::from(joined.hands) * 100.0;
        text += &format!(", {rate:+.1} big blinds / 100");
    }
    text
}
