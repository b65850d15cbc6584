//! `hattari export acpc` and `hattari export acpc-game`.

use super::{BlockInfo, GameWriter};
use crate::cli::{CommandResult, output};
use anyhow::{Context, anyhow};
use hattari_agents::text::joined;
use hattari_formats::acpc::{log_line, log_name, write_game};
use hattari_play::league::League;
use hattari_play::pack::LeagueFile;
use hattari_play::schedule::Schedule;
use hattari_plugin::games::holdem::{Deal, Holdem, Options};
use std::path::PathBuf;

pub(super) const LOG_HELP: &str = "\
Games are replayed from their seeds, or, for nondeterministic bots, from the recorded answers \
(see `hattari replay --help`). If the store contains a block's record, the two are compared. A \
block becomes a match: a comment, a STATE line per hand with all cards, including cards that \
were never shown, and a SCORE line. Chips are integers: the odd chips of a split pot go to the \
first winners left of the button, whereas the dealer of the competition writes fractions.

Examples:
  hattari export acpc leagues/acpc.yaml --output acpc.log
  hattari export acpc-game leagues/acpc.yaml --output acpc.game && hattari import acpc acpc.log --game acpc.game

Exit codes: 0 written, 1 a replayed block differs from the stored record, 2 any error.";

/// The league and the output file.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Programs of the competition are started with the definition file of the game. The format does \
not support antes, pot limit and stacks that are carried over from hand to hand; leagues with \
these options are refused.

Examples:
  hattari export acpc-game leagues/acpc.yaml --output acpc.game

Exit codes: 0 written, 2 any error.")]
pub(super) struct Definition {
    /// The league file
    league: PathBuf,
    /// Output file (default: standard output)
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Writes the ACPC game definition of a league.
pub(super) fn definition(arguments: &Definition) -> CommandResult {
    let text = game_definition(&LeagueFile::open(&arguments.league)?.load()?)?;
    output::write(arguments.output.as_deref(), &text)
}

/// Returns the text of the ACPC game definition of a league.
///
/// # Errors
/// Returns an error if the ACPC format does not support the game or its options.
pub(super) fn game_definition(league: &League) -> anyhow::Result<String> {
    anyhow::ensure!(
        league.game == "holdem",
        "the ACPC format supports hold'em only (the game of this league is {})",
        league.game
    );
    let options: Options = serde_json::from_value(league.options.clone())
        .context("the options of the league are invalid")?;
    let players = Schedule::of(league).line_ups.first().map_or(0, Vec::len);
    write_game(&options, u8::try_from(players).unwrap_or(u8::MAX))
        .map_err(|reason| anyhow!("{reason}"))
}

/// A writer of hold'em hands as lines of an ACPC log.
pub(super) struct AcpcWriter {
    block: BlockInfo,
    /// Chips won minus chips lost, by line-up position.
    totals: Vec<i64>,
}

impl GameWriter<Holdem> for AcpcWriter {
    const UNIT: &'static str = "hand";

    fn new(mut block: BlockInfo) -> AcpcWriter {
        for name in &mut block.names {
            *name = log_name(name);
        }
        AcpcWriter {
            totals: vec![0; block.names.len()],
            block,
        }
    }

    fn ended(
        &mut self,
        game: &Holdem,
        deal: &Deal,
        number: u32,
        _place: u64,
        payoffs: &[i64],
        entrants: &[usize],
    ) -> anyhow::Result<String> {
        for (&entrant, payoff) in entrants.iter().zip(payoffs) {
            self.totals[entrant] += payoff;
        }
        // In poker, a player's number is also the seat.
        let names = self.block.names_of(entrants);
        let line = log_line(game, deal, number, payoffs, &names);
        Ok(format!("{line}\n"))
    }

    fn finish(self, texts: &mut [String]) {
        let hands = texts.len();
        if let (true, [first, ..]) = (self.block.is_whole, &mut *texts) {
            let origin = &self.block.origin;
            *first = format!(
                "# name/game/hands/seed {}, line-up {}, block {} holdem {hands} {}\n{first}",
                origin.league.as_deref().unwrap_or("league"),
                origin.line_up.unwrap_or(0),
                origin.block.unwrap_or(0),
                origin.seed.unwrap_or(0)
            );
            let totals = joined(self.totals.iter().map(ToString::to_string), "|");
            if let Some(last) = texts.last_mut() {
                *last += &format!("SCORE:{totals}:{}\n", self.block.names.join("|"));
            }
        }
    }
}
