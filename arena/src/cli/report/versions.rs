//! `hattari report --versions`.

use super::Arguments;
use crate::cli::{CommandResult, output};
use hattari_agents::text::{counted, suggestion};
use hattari_play::league::DealSharing;
use hattari_play::samples::{Samples, read_scores};
use hattari_play::store::{Store, StoredVersion, VersionScores};
use hattari_report::standings::ReportOptions;

/// Compares the stored versions of the entrant `name`.
pub(super) fn main(
    arguments: &Arguments,
    store: &Store,
    name: &str,
    options: ReportOptions,
) -> CommandResult {
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
    anyhow::ensure!(
        !versions.is_empty(),
        "--versions: no entrant `{name}` has played; {}",
        suggestion(name, "bots", names)
    );
    let scores = store.versions_of(name)?;
    anyhow::ensure!(
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
    let report = &store.league().report;
    let options = ReportOptions {
        confidence: options.confidence.or(Some(report.confidence)),
        equal_within: options.equal_within.or(report.equal_within),
        ..options
    };
    arguments.report_samples(&samples, title, "deal", options)
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
    for VersionScores {
        table: number,
        block,
        means,
        ..
    } in scores
    {
        let label = format!("{number}/{block}");
        let cluster = if sharing == DealSharing::Own {
            label.clone()
        } else {
            block.to_string()
        };
        table += &format!("\n{label},{cluster}");
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
            let means = bot.means.iter().zip(&deals);
            let played = means.filter(|(mean, _)| mean.is_some());
            bot.deals = played.map(|(_, deals)| deals).sum();
        }
    }
    Ok(samples)
}
