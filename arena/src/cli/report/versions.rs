//! `hattari report --versions`.

use super::Arguments;
use crate::cli::{Outcome, output};
use hattari_agents::text::{counted, suggestion};
use hattari_play::league::Sharing;
use hattari_play::samples::read_scores;
use hattari_play::store::{Store, StoredVersion, VersionScores};
use hattari_report::standings::ReportOptions;

/// Compares the stored versions of the entrant `name`.
pub(super) fn main(
    arguments: &Arguments,
    store: &Store,
    name: &str,
    wishes: ReportOptions,
) -> anyhow::Result<Outcome> {
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
    // Blocks with the same deals are one observation, as in the report of the league.
    let sharing = Sharing::of(store.league());
    let mut table = String::from("block,cluster");
    versions
        .iter()
        .for_each(|version| table += &format!(",version {}", version.number));
    for VersionScores {
        table: number,
        block,
        means,
        ..
    } in &scores
    {
        let label = format!("{number}/{block}");
        let cluster = if sharing == Sharing::Own {
            label.clone()
        } else {
            block.to_string()
        };
        table += &format!("\n{label},{cluster}");
        for version in &versions {
            let mean = means
                .get(&version.number)
                .map(f64::to_string)
                .unwrap_or_default();
            table += &format!(",{mean}");
        }
    }
    let mut samples = read_scores(table.as_bytes())?;
    // A row of this table is a block, so the number of its deals must be set.
    let deals: Vec<u64> = scores.iter().map(|scores| scores.deals.into()).collect();
    for line_up in &mut samples.line_ups {
        line_up
            .blocks
            .iter_mut()
            .zip(&deals)
            .for_each(|(block, deals)| block.deals = *deals);
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
    let title = format!(
        "versions of {name} on the same deals, {}",
        output::short(store.path())
    );
    let report = &store.league().report;
    let wishes = ReportOptions {
        confidence: wishes.confidence.or(Some(report.confidence)),
        equal_within: wishes.equal_within.or(report.equal_within),
        ..wishes
    };
    arguments.report_samples(&samples, title, "deal", wishes)
}
