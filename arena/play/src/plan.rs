//! Splits the remaining work into units for several machines. The result depends only on the league
//! and its store.
//!
//! A unit is a set of open jobs, given by their indices in the order of play. Each played unit
//! yields a store. Stores are merged and a new plan is made until no job is open. Lost units appear
//! in the next plan, and a unit played twice is merged once. The division into units affects speed
//! only.

use crate::league::League;
use crate::schedule::{JobSet, Schedule};
use crate::stopping::{JobNeed, StoppingState};
use crate::store::{Store, StoreError};
use hattari_agents::record::JobId;
use serde::Serialize;

/// Number of complete rounds of a sequential league for each planned round that may turn out to be
/// unnecessary. The number is large, so that few blocks are wasted.
const ROUNDS_AHEAD: u32 = 10;
/// Minimum number of planned rounds that may turn out to be unnecessary. With fewer rounds, a
/// league that has just started would need a merge after every round.
const ROUNDS_AHEAD_MIN: u32 = 4;
/// Maximum size in bytes of a unit's text, which is an argument of a command. GNU Parallel quotes
/// it, which may triple its size, and accepts 64 kB with all arguments.
const UNIT_BYTES_MAX: usize = 16_000;
/// Minimum duration of earlier runs, in seconds, for estimates of speed.
const SECONDS_MEASURED_MIN: f64 = 5.0;

/// The remaining work of a league.
#[derive(Debug, Serialize)]
pub struct RemainingWork {
    /// Number of played blocks.
    pub played: u64,
    /// Number of open blocks. A sequential league may add more later.
    pub open: u64,
    /// Estimated core-seconds for the open blocks; `None` if unknown.
    pub seconds: Option<f64>,
    /// The units: as many as requested, but no more than there are open blocks. There are more if
    /// a unit would be too long for an argument of a command.
    pub units: Vec<WorkUnit>,
}

/// A set of open blocks.
#[derive(Debug, Serialize)]
pub struct WorkUnit {
    /// The unit in the form that `hattari run --unit` accepts.
    pub unit: String,
    /// Number of blocks.
    pub blocks: u64,
    /// Estimated core-seconds; `None` if unknown.
    pub seconds: Option<f64>,
}

/// Splits the open jobs into `count` units of similar cost, or more if they are long. `store` must
/// be opened for `league`.
///
/// # Errors
/// Returns an error if the store cannot be read.
pub fn plan(
    league: &League,
    store: Option<&Store>,
    count: u64,
) -> Result<RemainingWork, StoreError> {
    let schedule = store.map_or_else(|| Schedule::of(league), |store| store.schedule.clone());
    let initial = StoppingState::of(league, &schedule).filter(|_| store.is_none());
    let stopping = store.map_or(initial.as_ref(), Store::stopping);
    let played = store.map_or_else(|| Ok(Vec::new()), Store::played)?;
    let mut is_played = JobSet::default();
    for &job in &played {
        is_played.add(schedule.index(job));
    }
    let is_open = |index: &u64| {
        let job = schedule.job(*index);
        let is_needed = stopping.is_none_or(|stopping| match stopping.job_need(job) {
            JobNeed::Yes => true,
            JobNeed::No => false,
            JobNeed::Unknown => {
                let rounds = stopping.rounds;
                job.block <= rounds + (rounds / ROUNDS_AHEAD).max(ROUNDS_AHEAD_MIN)
            }
        });
        is_needed && !is_played.contains(*index)
    };
    let open: Vec<u64> = (0..schedule.jobs()).filter(is_open).collect();
    let seconds = store
        .map(|store| estimate_seconds(store, &schedule, &played))
        .transpose()?
        .flatten();
    // Without timings, all blocks have the same cost.
    let cost = |index: u64| match &seconds {
        Some(seconds) => seconds[schedule.job(index).line_up as usize],
        None => 1.0,
    };
    let known_seconds = |jobs: &[u64]| {
        let costs = jobs.iter().map(|&index| cost(index));
        seconds.is_some().then(|| costs.sum::<f64>())
    };
    let mut pieces = split(&open, count, cost);
    pieces.reverse();
    let mut units = Vec::new();
    while let Some(jobs) = pieces.pop() {
        let unit = schedule.part(jobs.iter().copied()).to_string();
        let parts = unit.len().div_ceil(UNIT_BYTES_MAX);
        if 1 < parts {
            pieces.extend(jobs.chunks(jobs.len().div_ceil(parts)).rev());
            continue;
        }
        units.push(WorkUnit {
            unit,
            blocks: jobs.len() as u64,
            seconds: known_seconds(jobs),
        });
    }
    Ok(RemainingWork {
        played: played.len() as u64,
        open: open.len() as u64,
        seconds: known_seconds(&open).map(|seconds| seconds.max(0.0)),
        units,
    })
}

/// Cuts a list into at most `count` non-empty pieces, with costs as equal as the order allows.
fn split(jobs: &[u64], count: u64, cost: impl Fn(u64) -> f64) -> Vec<&[u64]> {
    let count = count.min(jobs.len() as u64).max(1);
    let total: f64 = jobs.iter().map(|&job| cost(job)).sum();
    let mut pieces = Vec::new();
    let mut first = 0;
    let mut spent = 0.0;
    for (index, &job) in jobs.iter().enumerate() {
        spent += cost(job);
        let cut = pieces.len() as u64 + 1;
        let jobs_left = (jobs.len() - index - 1) as u64;
        // Cut at the nearest job boundary, and leave at least one job for each remaining piece.
        let is_full = spent + cost(job) / 2.0 >= total * cut as f64 / count as f64;
        if cut < count && (is_full || jobs_left == count - cut) {
            pieces.push(&jobs[first..=index]);
            first = index + 1;
        }
    }
    if first < jobs.len() {
        pieces.push(&jobs[first..]);
    }
    pieces
}

/// Returns the estimated core-seconds per block of each line-up; `None` without timings. The
/// estimate is the measured thinking time of the line-up's bots. If earlier runs were long enough,
/// the estimate includes a share of all other time.
fn estimate_seconds(
    store: &Store,
    schedule: &Schedule,
    jobs: &[JobId],
) -> Result<Option<Vec<f64>>, StoreError> {
    let timing = store.timing()?;
    // The times include blocks of other leagues in the store.
    let mut blocks = vec![0_u64; timing.len()];
    for version in store
        .versions()?
        .iter()
        .filter(|version| version.is_current)
    {
        if let Some(entrant) = store.league().entrant(&version.name) {
            blocks[entrant] = version.blocks;
        }
    }
    let seconds_of_entrant = |&entrant: &usize| {
        let time = &timing[entrant];
        let timed = time.timed.max(1) as f64;
        let played = blocks[entrant].max(1) as f64;
        time.nanos as f64 * 1e-9 / timed * time.decisions as f64 / played
    };
    let mut by_line_up: Vec<f64> = schedule
        .line_ups
        .iter()
        .map(|line_up| line_up.iter().map(seconds_of_entrant).sum())
        .collect();
    let mut spent = 0.0;
    let mut played = 0;
    for run in store.runs()? {
        if let Some(ended) = run.ended {
            spent += (ended - run.started) as f64 * f64::from(run.threads);
            played += run.blocks;
        }
    }
    let thinking: f64 = jobs
        .iter()
        .map(|job| by_line_up[job.line_up as usize])
        .sum();
    if spent >= SECONDS_MEASURED_MIN && played > 0 && !jobs.is_empty() {
        let overhead = spent / played as f64 - thinking / jobs.len() as f64;
        for seconds in &mut by_line_up {
            *seconds += overhead.max(0.0);
        }
    }
    Ok((thinking > 0.0).then_some(by_line_up))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mock::Folder;

    #[test]
    fn units_have_similar_costs_and_contain_every_job_once() {
        for jobs in 0..40_u64 {
            for count in 1..20 {
                let all: Vec<u64> = (0..jobs).collect();
                // Every third job costs five times as much.
                let cost = |job: u64| if job.is_multiple_of(3) { 5.0 } else { 1.0 };
                let pieces = split(&all, count, cost);
                assert_eq!(pieces.concat(), all);
                assert_eq!(pieces.len() as u64, count.min(jobs));
                let total = |jobs: &[u64]| -> f64 { jobs.iter().map(|&job| cost(job)).sum() };
                let most = pieces.iter().map(|piece| total(piece)).fold(0.0, f64::max);
                let even = total(&all) / count as f64;
                assert!(
                    most <= even + 2.0 * 5.0,
                    "{jobs} jobs, {count} pieces: {most}, {even}"
                );
            }
        }
    }

    #[test]
    fn long_units_are_divided() {
        let entrants: Vec<String> = (0..40)
            .map(|number| format!("{{name: e{number}, bot: first}}"))
            .collect();
        let folder = Folder::new(format!("[{}]", entrants.join(", ")).leak());
        let league = folder.league("format: {kind: round-robin, size: 2}\nblocks: 8\ndeals: 2");
        let work = plan(&league, None, 1).unwrap();
        assert!(work.units.len() > 1);
        assert!(
            work.units
                .iter()
                .all(|unit| unit.unit.len() <= UNIT_BYTES_MAX)
        );
        assert_eq!(
            work.units.iter().map(|unit| unit.blocks).sum::<u64>(),
            work.open
        );
        assert!(work.units[0].unit.starts_with("0."));
    }

    #[test]
    fn times_of_several_leagues_are_divided_by_the_blocks_of_all_of_them() {
        let folder = Folder::new("[first, last]");
        let league = |deals| {
            folder.league(&format!(
                "format: {{kind: line-ups, size: 2}}\nblocks: 4\ndeals: {deals}"
            ))
        };
        folder.play_all("x.sqlite", &league(3), 1);
        let league = league(6);
        folder.play_part("x.sqlite", &league, 1, "1/4").unwrap();
        // Each bot thought for five seconds in each of two runs, which have five blocks in all.
        folder.execute(
            "x.sqlite",
            "UPDATE timing SET decisions = 1, timed = 1, nanos = 5000000000; \
                     UPDATE runs SET ended = started",
        );
        let (writer, _) = folder.writer("x.sqlite", &league).unwrap();
        let work = plan(&league, Some(writer.store()), 1).unwrap();
        assert_eq!((work.played, work.open), (1, 3));
        let seconds = work.seconds.unwrap();
        assert!((seconds - 3.0 * 4.0).abs() < 1e-9, "{seconds}");
    }
}
