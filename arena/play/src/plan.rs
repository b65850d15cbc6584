//! What is left to play, in units that machines can share: a function of the league and of what its
//! store holds.
//!
//! A unit is some of the open jobs, told by their places in the order of play. Whoever has played
//! one hands over a store, stores are merged, and the plan is made anew, until it is empty. Units
//! that nobody has played come again; one that two have played merges as one. Nothing but speed
//! hangs on how jobs are cut into units.

use crate::league::League;
use crate::schedule::Schedule;
use crate::stopping::{Need, Stopping};
use crate::store::{Store, StoreError};
use serde::Serialize;

/// In a sequential league the rounds that are surely played, and of those after them one for so
/// many: what turns out not to be needed is a small share of all.
const ROUNDS_AHEAD: u32 = 10;
/// So many in any case: else a young league would be planned, dealt out and merged for every single
/// round.
const ROUNDS_LEAST: u32 = 4;
/// Seconds of earlier runs from which on they tell how fast this league is played.
const SECONDS_TELLING: f64 = 5.0;

/// What is left to play.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Plan {
    /// Blocks that are played.
    pub played: u64,
    /// Blocks that are open now. A sequential league may open more once they are played.
    pub open: u64,
    /// Seconds of one core that they are expected to take; `None` where nothing is known yet.
    pub seconds: Option<f64>,
    /// The units, as many as were asked for or as many as there are blocks.
    pub units: Vec<Unit>,
}

/// Some of the open blocks.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Unit {
    /// Which, as `hattari run --unit` reads it.
    pub unit: String,
    /// How many.
    pub blocks: u64,
    /// Seconds of one core that they are expected to take.
    pub seconds: Option<f64>,
}

/// Cuts what is open into `count` units of much the same cost. `store` is the league's own, as it
/// sees it.
///
/// # Errors
/// The store cannot be read.
pub fn plan(league: &League, store: Option<&Store>, count: u64) -> Result<Plan, StoreError> {
    let schedule = store.map_or_else(|| Schedule::of(league), |store| store.schedule().clone());
    let mut is_played =
        vec![false; usize::try_from(schedule.jobs()).expect("jobs are numbered within bounds")];
    let mut played = 0;
    let begun = Stopping::of(league, &schedule).filter(|_| store.is_none());
    let stopping = store.map_or(begun.as_ref(), Store::stopping);
    for job in store.map_or_else(|| Ok(Vec::new()), Store::played)? {
        is_played[place(schedule.index(job))] = true;
        played += 1;
    }
    let is_open = |index: &u64| {
        let job = schedule.job(*index);
        let is_needed = stopping.is_none_or(|stopping| match stopping.need(job) {
            Need::Yes => true,
            Need::No => false,
            Need::Unknown => {
                job.block
                    <= stopping.rounds() + (stopping.rounds() / ROUNDS_AHEAD).max(ROUNDS_LEAST)
            }
        });
        is_needed && !is_played[place(*index)]
    };
    let open: Vec<u64> = (0..schedule.jobs()).filter(is_open).collect();
    let seconds = store
        .map(|store| seconds(store, &schedule))
        .transpose()?
        .flatten();
    // Where nothing is known a block costs as much as another.
    let costs = seconds
        .clone()
        .unwrap_or_else(|| vec![1.0; schedule.line_ups.len()]);
    let cost = |index: u64| costs[schedule.job(index).line_up as usize];
    let told = |cost: f64| seconds.is_some().then_some(cost);
    let units = cut(&open, count, cost).into_iter().map(|jobs| Unit {
        unit: schedule.part(jobs.iter().copied()).to_string(),
        blocks: jobs.len() as u64,
        seconds: told(jobs.iter().map(|&index| cost(index)).sum()),
    });
    Ok(Plan {
        played,
        open: open.len() as u64,
        seconds: told(open.iter().map(|&index| cost(index)).sum::<f64>().max(0.0)),
        units: units.collect(),
    })
}

fn place(index: u64) -> usize {
    usize::try_from(index).expect("jobs are numbered within bounds")
}

/// Cuts a list into at most `count` pieces, none empty, whose costs are as even as its order
/// allows.
fn cut(jobs: &[u64], count: u64, cost: impl Fn(u64) -> f64) -> Vec<&[u64]> {
    let count = count.min(jobs.len() as u64).max(1);
    let total: f64 = jobs.iter().map(|&job| cost(job)).sum();
    let mut pieces = Vec::new();
    let (mut first, mut spent) = (0, 0.0);
    for at in 0..jobs.len() {
        spent += cost(jobs[at]);
        let cut = pieces.len() as u64 + 1;
        let after = (jobs.len() - at - 1) as u64;
        // The half of a job on either side; and what is left must do for the pieces that are to
        // come.
        let is_full = total * cut as f64 / count as f64 <= spent + cost(jobs[at]) / 2.0;
        if cut < count && (is_full || after == count - cut) {
            pieces.push(&jobs[first..=at]);
            first = at + 1;
        }
    }
    if first < jobs.len() {
        pieces.push(&jobs[first..]);
    }
    pieces
}

/// Seconds of one core that a block of each line-up takes: what its bots thought for, as runs so
/// far have timed them, and, where these were long enough to tell, all that was spent besides.
/// `None` where nothing was timed.
fn seconds(store: &Store, schedule: &Schedule) -> Result<Option<Vec<f64>>, StoreError> {
    let timing = store.timing()?;
    let mut blocks = vec![0_u64; timing.decisions.len()];
    let jobs = store.played()?;
    for job in &jobs {
        schedule.line_ups[job.line_up as usize]
            .entrants
            .iter()
            .for_each(|&entrant| blocks[entrant] += 1);
    }
    let thought = |entrant: usize| {
        let (timed, played) = (
            timing.timed[entrant].max(1) as f64,
            blocks[entrant].max(1) as f64,
        );
        timing.nanos[entrant] as f64 * 1e-9 / timed * timing.decisions[entrant] as f64 / played
    };
    let thought: Vec<f64> = (0..blocks.len()).map(thought).collect();
    let of = |line_up: &crate::schedule::LineUp| {
        line_up
            .entrants
            .iter()
            .map(|&entrant| thought[entrant])
            .sum::<f64>()
    };
    let mut each: Vec<f64> = schedule.line_ups.iter().map(of).collect();
    let (mut spent, mut played) = (0.0, 0);
    for run in store.runs()? {
        if let Some(ended) = run.ended {
            spent += (ended - run.started) as f64 * f64::from(run.threads);
            played += run.blocks;
        }
    }
    let thinking: f64 = jobs.iter().map(|job| each[job.line_up as usize]).sum();
    if SECONDS_TELLING <= spent && 0 < played && !jobs.is_empty() {
        let besides = spent / played as f64 - thinking / jobs.len() as f64;
        each.iter_mut()
            .for_each(|seconds| *seconds += besides.max(0.0));
    }
    Ok((0.0 < thinking).then_some(each))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_even_and_hold_everything_once() {
        for jobs in 0..40_u64 {
            for count in 1..20 {
                let all: Vec<u64> = (0..jobs).collect();
                // Every third costs five times as much.
                let cost = |job: u64| if job.is_multiple_of(3) { 5.0 } else { 1.0 };
                let pieces = cut(&all, count, cost);
                assert_eq!(pieces.concat(), all);
                assert_eq!(pieces.len() as u64, count.min(jobs));
                let costs = pieces
                    .iter()
                    .map(|piece| piece.iter().map(|&job| cost(job)).sum::<f64>());
                let most = costs.fold(0.0, f64::max);
                let even = all.iter().map(|&job| cost(job)).sum::<f64>() / count as f64;
                assert!(
                    pieces.is_empty() || most <= even + 2.0 * 5.0,
                    "{jobs} jobs, {count} pieces: {most}, {even}"
                );
            }
        }
    }
}
