//! `hattari report --versions`.

use super::Arguments;
use crate::cli::{CommandResult, output};
use anyhow::ensure;
use hattari_agents::text::{counted, suggestion};
use hattari_play::league::DealSharing;
use hattari_play::samples::{Samples, read_scores};
use hattari_play::store::{Store, StoredVersion, VersionScores};
use hattari_report::standings::{Standings, fixed_deals_caution};

/// Compares the stored versions of the entrant `name`.
pub(super) fn main(arguments: &Arguments, store: &Store, name: &str) -> CommandResult {
    let versions: Vec<StoredVersion> = store
        .versions()?
        .into_iter()
        .filter(|version| version.name == name)
        .collect();
    let names = store
        .league()
        .entrants
        .iter()
        .map(|entrant| entrant.name.as_str());
    ensure!(
        !versions.is_empty(),
        "--versions: no entrant `{name}` has played; {}",
        suggestion(name, "bots", names)
    );
    let scores = store.versions_of(name)?;
    ensure!(
        !scores.is_empty(),
        "--versions: no two versions of {name} have played the same blocks; the store contains {} \
        (see `hattari store list`)",
        counted(versions.len() as u64, "version")
    );
    let samples = samples(&versions, &scores, DealSharing::of(store.league()))?;
    let title = format!(
        "versions of {name} on the same deals, {}",
        output::short(store.path())
    );
    arguments.report_samples(&samples, title, "deal", Some(store))
}

/// Adds the cautions of a report on versions, and withholds its tests if results decided which
/// blocks were played.
pub(super) fn add_cautions(standings: &mut Standings, store: &Store) {
    let league = store.league();
    standings.cautions.extend(fixed_deals_caution(league));
    if league.report.without_luck {
        let caution = "The scores of versions are not luck-adjusted.";
        standings.cautions.push(caution.to_owned());
    }
    let is_adaptive = store.schedule.plays_in_rounds() && !league.format.is_planned();
    if league.sequential.is_some() || is_adaptive {
        let why = "results decided which blocks each version played";
        standings.withhold(why);
        standings.cautions.push(format!(
            "Tests are omitted, because {why}. To compare two versions, play both as entrants of \
             one league without a stopping rule."
        ));
    }
}

/// Returns samples in which each version is a bot and each row is a block. Blocks with the same
/// deals are one observation, as in the report of the league.
fn samples(
    versions: &[StoredVersion],
    scores: &[VersionScores],
    sharing: DealSharing,
) -> anyhow::Result<Samples> {
    // A table of scores as CSV, with a column for each version.
    let mut table = String::from("block,cluster");
    for version in versions {
        table += &format!(",version {}", version.number);
    }
    let blocks = scores.iter().map(|scores| scores.block).collect();
    let clusters = sharing.clusters(&[blocks]).into_iter().flatten();
    for (scores, cluster) in scores.iter().zip(clusters) {
        let VersionScores {
            table: number,
            block,
            means,
            ..
        } = scores;
        table += &format!("\n{number}/{block},{cluster}");
        for version in versions {
            let mean = means.get(&version.number).map(f64::to_string);
            table += &format!(",{}", mean.unwrap_or_default());
        }
    }
    let mut samples = read_scores(table.as_bytes())?;
    // A row of this table is a block, so the number of its deals must be set.
    let deals: Vec<u64> = scores.iter().map(|scores| scores.deals.into()).collect();
    for line_up in &mut samples.line_ups {
        for (block, deals) in line_up.blocks.iter_mut().zip(&deals) {
            block.deals = *deals;
        }
        for bot in &mut line_up.bots {
            bot.deals = bot
                .means
                .iter()
                .zip(&deals)
                .filter(|(mean, _)| mean.is_some())
                .map(|(_, deals)| deals)
                .sum();
        }
    }
    Ok(samples)
}
