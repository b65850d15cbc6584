//! `fit-hands`: fits the values of dealt hands.

use crate::{Games, hands, write};
use hattari_agents::text::grouped;
use std::sync::atomic::{AtomicBool, Ordering};

/// Arguments of `fit-hands`.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Plays a league of daihinmin from its seed and fits the values of dealt cards by least squares \
over the points of all seats. For each title, there is a value for each rank and number of \
cards, in the player's own hand and in the hands of the players with other titles. The arena's \
luck adjustment uses such values. The output has the format of the file that the rules include.

Example:
  train fit-hands leagues/hands.yaml --output plugin-api/games/daihinmin/luck_values.txt

Exit codes: 0 fitted, 2 any error, 130 interrupted.")]
pub(crate) struct Arguments {
    #[command(flatten)]
    games: Games,
}

/// Plays the league and fits the values.
pub(crate) fn run(arguments: &Arguments, stop: &AtomicBool) -> anyhow::Result<()> {
    let games = &arguments.games;
    let fit = hands::fit(games, stop)?;
    if stop.load(Ordering::Relaxed) {
        return Ok(());
    }
    let shares: Vec<String> = fit
        .explained
        .iter()
        .map(|share| format!("{:.1}", 100.0 * share))
        .collect();
    eprintln!(
        "{} deals; explained variance of the points in %: without titles {}, from daifugo to daihinmin {}",
        grouped(fit.deals),
        shares[0],
        shares[1..].join(", ")
    );
    write(games.output.as_ref(), fit.source())
}
