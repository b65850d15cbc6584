//! `hattari join acpc`.

use super::uecda::options;
use super::{Guest, Match, Outcome};
use anyhow::{Context, anyhow};
use hattari_agents::text::counted;
use hattari_contests::acpc::PROTOCOL;
use hattari_contests::acpc::{Joined, MatchTerms, Unplayed, play_match};
use hattari_formats::acpc::GameDef;
use hattari_plugin::games::holdem::Holdem;
use hattari_plugin::games::{Game, GameTypes};
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

/// Arguments of `hattari join acpc`.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
The dealer prints a port for each seat when it starts; give the one of the bot's. The bot is told of the game that the definition
file says, or the preset; the dealer decides, and a match that the rules here cannot follow is broken off with the line where it
leaves them. A bot that errs checks, or folds, and plays on. Leagues with entrants of kind `acpc` are dealers too:
`hattari export acpc-game LEAGUE` writes their definition.

Examples:
  hattari join acpc 127.0.0.1:18791 --bot honest --game holdem.nolimit.2p.game
  hattari join acpc localhost:20001 --bot scripts/holdem/mine.lua --preset acpc-limit
  hattari join acpc localhost:18791 --bot call --matches 0            match after match, until the dealer is gone

Exit codes: 0 played, 1 the bot made faults, 2 no such bot, no dealer, or the match broke off.")]
pub(super) struct Arguments {
    #[command(flatten)]
    guest: Guest,
    /// The game's definition file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["preset", "options"])]
    game: Option<PathBuf>,
    /// Preset of the rules that the dealer plays by
    #[arg(long, default_value = "acpc")]
    preset: String,
    /// Options that differ from it, as JSON
    #[arg(long, value_name = "JSON", default_value = "{}")]
    options: String,
    /// Hands of a match, for bots that want to know; dealers do not tell
    #[arg(long, value_name = "N", default_value_t = 0)]
    hands: u32,
}

/// Runs the command.
pub(super) fn main(arguments: &Arguments) -> anyhow::Result<Outcome> {
    let guest = &arguments.guest;
    let (options, players) = match &arguments.game {
        Some(path) => {
            let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
            let (def, options) = GameDef::parse_holdem(&text)
                .map_err(|problem| anyhow!("{}:{}: {problem}", path.display(), problem.line))?;
            (options, Some(def.players))
        }
        None => (
            options::<Holdem>(&arguments.preset, &arguments.options)?,
            None,
        ),
    };
    GameDef::of_options(&options, 2).map_err(|why| anyhow!("--options: {why}"))?;
    Holdem::new(options.clone()).map_err(|why| anyhow!("--options: {why}"))?;
    let patience = Duration::from_secs(guest.patience);
    let terms = MatchTerms {
        options,
        players,
        deals: arguments.hands,
        seed: guest.seed,
        patience,
    };
    let bot = guest.bot(Holdem::ID)?;
    let mut agent = guest.open(&*bot)?;
    guest.matches(PROTOCOL.port, |stream| {
        let (joined, played) = play_match(stream, &mut *agent, &terms);
        Match {
            told: describe(&joined, terms.options.big_blind),
            is_faulty: joined.faults.count > 0,
            has_begun: joined.has_begun,
            is_gone: played.as_ref().is_err_and(Unplayed::is_gone),
            played: played.map_err(Into::into),
        }
    })
}

/// Returns a short text on a match.
fn describe(joined: &Joined, big_blind: i64) -> String {
    let mut text = format!(
        "{}, {} chips",
        counted(joined.hands.into(), "hand"),
        joined.won
    );
    if joined.hands > 0 {
        #[expect(clippy::cast_precision_loss, reason = "shown to people")]
        let rate = joined.won as f64 / big_blind as f64 / f64::from(joined.hands) * 100.0;
        text += &format!(", {rate:+.1} big blinds / 100");
    }
    if let Some(first) = &joined.faults.first {
        text += &format!(
            "\n{}, the first: {first}",
            counted(joined.faults.count.into(), "fault")
        );
    }
    text
}
