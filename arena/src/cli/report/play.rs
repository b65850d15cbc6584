//! `hattari report --play`: statistics of play and logged numbers from replayed blocks.

use crate::cli::{parallel, signals};
use anyhow::{Context, ensure};
use hattari_agents::agent::lock;
use hattari_agents::games::named;
use hattari_agents::record::JobId;
use hattari_play::prepared::PreparedLeague;
use hattari_play::samples::Samples;
use hattari_play::store::Store;
use hattari_report::replay::rerun::Rerun;
use hattari_report::standings::{PlayCounter, PlayCounts, Standings};
use hattari_study::threads;
use std::path::PathBuf;
use std::sync::Mutex;

/// Replays all stored blocks and adds the statistics of play and the logged numbers to the
/// standings.
pub(super) fn add(
    standings: &mut Standings,
    samples: &Samples,
    store: &mut Store,
    folders: &[PathBuf],
) -> anyhow::Result<()> {
    let prepared = PreparedLeague::of_store(store, folders)?;
    let game = named(&prepared.league.game)?;
    let statistics = game.statistics;
    let mut jobs = Vec::new();
    for (line_up, sample) in (0..).zip(&samples.line_ups) {
        for info in &sample.blocks {
            let block = info.label.number().context("a block without a number")?;
            jobs.push((JobId { line_up, block }, info.cluster));
        }
    }
    let store = Mutex::new(store);
    let counts = Mutex::new(PlayCounts::new(statistics, samples.names.len()));
    let stop = signals::stop_flag()?;
    parallel::map(&stop, &jobs, threads(None), |&(job, cluster)| {
        let rerun = Rerun::new(&prepared, Some(&lock(&store)), job)?;
        let line_up = prepared.line_up(job);
        let mut counter = PlayCounter::new(statistics, line_up.len());
        let replayed = rerun.play(&mut counter)?;
        ensure!(
            replayed.is_same != Some(false),
            "{job}: the replayed block differs from the stored record, so --play would describe \
             other games; see `hattari verify`"
        );
        lock(&counts).add(counter, line_up, cluster);
        Ok(())
    })?;
    let counts = counts.into_inner().expect("no thread panicked");
    let confidence = standings.settings.confidence;
    standings.play = counts.rows(&samples.names, confidence, standings.about.stake());
    standings.numbers = counts.logged(&samples.names, confidence);
    ensure!(
        !statistics.is_empty() || !standings.numbers.is_empty(),
        "{} has no statistics of play, and no bot has logged numbers: report without --play",
        game.name()
    );
    Ok(())
}
