//! `fit-hands`: fits the values of dealt hands.

use crate::{Games, hands, progress_bar, write};
use hattari_agents::text::grouped;
use std::sync::atomic::{AtomicBool, Ordering};

/// Arguments of `fit-hands`.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Plays a league of daihinmin from its seed and fits, for each title, what cards of each rank were worth in the hand that was dealt and in
those of the others, by their titles: least squares over the points of all seats. The arena tells luck from play by such figures; those of
the rules were made so. The output is what the rules include.

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
    let cast = games.cast()?;
    let bar = progress_bar(cast.schedule.jobs(), "blocks")?;
    let fit = hands::fit(&cast, games.threads(), stop, |done| bar.set_position(done));
    bar.finish_and_clear();
    let fit = fit?;
    if stop.load(Ordering::Relaxed) {
        return Ok(());
    }
    let shares: Vec<String> = fit
        .explained
        .iter()
        .map(|share| format!("{:.1}", 100.0 * share))
        .collect();
    eprintln!(
        "{} deals; of the variance of points explained, %: without titles {}, from daifugo to daihinmin {}",
        grouped(fit.deals),
        shares[0],
        shares[1..].join(", ")
    );
    write(games.output.as_ref(), fit.source())
}
