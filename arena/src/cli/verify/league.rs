//! `hattari verify LEAGUE`: replays stored blocks.

use super::Arguments;
use crate::cli::report::warn_of_edits;
use crate::cli::{CommandResult, Outcome, output, parallel, signals};
use anyhow::ensure;
use hattari_agents::agent::lock;
use hattari_agents::record::JobId;
use hattari_agents::text::{counted, grouped};
use hattari_play::prepared::PreparedLeague;
use hattari_play::session::Session;
use hattari_play::store::Store;
use hattari_report::replay::rerun::{Rerun, RerunError};
use hattari_study::threads;
use serde::Serialize;
use std::sync::Mutex;

/// The result of replaying stored blocks.
#[derive(Default, Serialize)]
struct StoreResult {
    /// Number of blocks in the store.
    stored: usize,
    /// Number of replayed blocks that equal their records.
    same: usize,
    /// Number of blocks in `same` that were replayed from recorded answers.
    recorded: usize,
    /// Replayed blocks that differ from their records.
    different: Vec<JobId>,
    /// Selected blocks that cannot be replayed, with the reasons.
    not_playable: Vec<(JobId, String)>,
}

/// Replays stored blocks and compares them with their records.
pub(super) fn main(arguments: &Arguments) -> CommandResult {
    let (league, store) = Session::open(&arguments.file, None)?.into_stored()?;
    let folders = &arguments.folders.folders;
    warn_of_edits(&arguments.file, &store, league.as_ref(), folders)?;
    let prepared = PreparedLeague::of_store(&store, folders)?;
    let mut stored = Vec::new();
    store.each_record(|record| stored.push(record.job))?;
    ensure!(
        !stored.is_empty(),
        "the store contains no block of the league"
    );
    let count = if arguments.all {
        stored.len()
    } else {
        arguments.sample.get().min(stored.len())
    };
    let sample: Vec<JobId> = (0..count)
        .map(|number| stored[number * stored.len() / count])
        .collect();
    let mut verified = StoreResult {
        stored: stored.len(),
        ..StoreResult::default()
    };
    let store = Mutex::new(store);
    let stop = signals::stop_flag()?;
    let played = parallel::map(&stop, &sample, threads(arguments.jobs), |&job| {
        play(&prepared, &store, job)
    })?;
    for (&job, played) in sample.iter().zip(played) {
        match played {
            Ok(block) if block.is_same => {
                verified.same += 1;
                verified.recorded += usize::from(block.is_recorded);
            }
            Ok(_) => verified.different.push(job),
            Err(reason) => verified.not_playable.push((job, reason)),
        }
    }
    verified.different.sort();
    verified.not_playable.sort();
    output::print_as(arguments.json, &verified, || text(&verified, arguments.max))?;
    let compared = verified.same + verified.different.len();
    ensure!(compared > 0, "no block can be replayed");
    Ok(Outcome::of_search(!verified.different.is_empty()))
}

/// A replayed block.
struct VerifiedBlock {
    /// True if the block equals its record.
    is_same: bool,
    /// True if recorded answers were used.
    is_recorded: bool,
}

/// Replays a block. The inner error is the reason why it cannot be replayed.
fn play(
    prepared: &PreparedLeague,
    store: &Mutex<Store>,
    job: JobId,
) -> anyhow::Result<Result<VerifiedBlock, String>> {
    let rerun = match Rerun::new(prepared, Some(&lock(store)), job) {
        Err(RerunError::MissingAnswers(reason)) => return Ok(Err(reason)),
        rerun => rerun?,
    };
    let is_recorded = rerun.is_recorded();
    let replayed = rerun.play(&mut ()).map_err(|error| error.to_string());
    Ok(replayed.map(|replayed| VerifiedBlock {
        is_same: replayed.is_same == Some(true),
        is_recorded,
    }))
}

fn text(verified: &StoreResult, max: usize) -> String {
    let StoreResult {
        stored,
        same,
        recorded,
        different,
        not_playable,
    } = verified;
    let mut text = String::new();
    for job in different.iter().take(max) {
        text += &format!("{job}: the replayed block differs from the stored record\n");
    }
    for (job, reason) in not_playable.iter().take(max) {
        text += &format!("{job}: cannot be replayed: {reason}\n");
    }
    let played = counted((same + different.len()) as u64, "block");
    text += &format!(
        "{played} of {} replayed: {} equal to the stored record, {} different",
        grouped(*stored as u64),
        grouped(*same as u64),
        grouped(different.len() as u64)
    );
    if *recorded > 0 {
        text += &format!("; {} from recorded answers", grouped(*recorded as u64));
    }
    if !not_playable.is_empty() {
        text += &format!(
            "; {} cannot be replayed",
            grouped(not_playable.len() as u64)
        );
    }
    text + "\n"
}
