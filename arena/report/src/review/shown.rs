//! Example forks: the most costly ones and typical ones, with the rest of the game after each
//! choice.

use super::estimate::estimate_of_deals;
use super::fork::{SampledGain, ShownFork};
use super::report::ReviewReport;
use crate::replay::{Replay, ReplayMove, record_both};
use hattari_play::prepared::PreparedLeague;
use hattari_play::review::{
    Fork, PerBot, REVIEWED, Review, ReviewPlan, ReviewResult, play_continuations, sample_fork,
};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

/// Options of the example forks of a report.
#[derive(Debug)]
pub struct ExampleOptions {
    /// Number of forks of each kind: the most costly ones, and typical ones.
    pub forks: usize,
    /// Number of other deals in which each fork is also played.
    pub samples: u32,
}

/// Replays example forks and adds them to the report: the most costly ones and typical ones. A
/// typical fork has the median gain among the forks with a frequent combination of choices. If
/// `stop` is set, leaves out the examples that have not been played to the end.
///
/// # Errors
/// Returns the same errors as a review.
pub fn show_forks(
    prepared: &PreparedLeague,
    plan: &ReviewPlan,
    review: &Review,
    report: &mut ReviewReport,
    options: ExampleOptions,
    stop: &AtomicBool,
) -> ReviewResult {
    let examples = &review.examples;
    let costly = if report.total.value < 0.0 {
        &examples.losses
    } else {
        &examples.gains
    };
    let costly = costly.iter().map(|fork| ("costly", *fork));
    let mut counts: BTreeMap<PerBot<u32>, u64> = BTreeMap::new();
    for sum in review.fork_sums() {
        *counts.entry(sum.kind.choices).or_default() += u64::from(sum.counts[REVIEWED]);
    }
    let mut kinds: Vec<(PerBot<u32>, u64)> = counts.into_iter().collect();
    kinds.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    let typical = kinds.iter().filter_map(|&(choices, _)| {
        let mut forks: Vec<&Fork> = examples
            .sample
            .iter()
            .filter(|fork| fork.kind.choices == choices)
            .collect();
        forks.sort_by_key(|fork| (fork.value, fork.job, fork.game, fork.decision));
        Some(("typical", **forks.get(forks.len() / 2)?))
    });
    let wanted = costly
        .take(options.forks)
        .chain(typical.take(options.forks));
    for (why, fork) in wanted {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let mut shown = show(prepared, plan, review, report, &fork)?;
        shown.why = why;
        if 0 < options.samples {
            let Some(gains) = sample_fork(prepared, plan, &fork, options.samples, stop)? else {
                break;
            };
            shown.sampled = (!gains.is_empty()).then(|| SampledGain {
                deals: gains.len(),
                gain: estimate_of_deals(&gains),
            });
        }
        report.forks.push(shown);
    }
    Ok(())
}

/// Plays both games of a fork.
fn show(
    prepared: &PreparedLeague,
    plan: &ReviewPlan,
    review: &Review,
    report: &ReviewReport,
    fork: &Fork,
) -> ReviewResult<ShownFork> {
    let job = fork.job;
    let game = prepared.game()?;
    // The reviewed seats have the names of both bots.
    let names: Vec<String> = prepared
        .line_up(job)
        .iter()
        .map(|&entrant| match entrant {
            bot if bot == plan.reviewed => format!("{}/{}", report.reviewed, report.other),
            bot => prepared.league.entrants[bot].name.clone(),
        })
        .collect();
    let (replays, games) = record_both(&*game, &names, job, |observers| {
        play_continuations(prepared, plan, fork, observers)
    })?;
    let moves = replays.each_ref().map(|replay| {
        replay
            .moves
            .iter()
            .map(|played| format!("{}: {}", names[played.entrant], shown_choice(played)))
            .collect::<Vec<_>>()
    });
    let common = moves[0]
        .iter()
        .zip(&moves[1])
        .take_while(|(other, reviewed)| other == reviewed)
        .count();
    let rest = |index: usize| {
        let replay: &Replay = &replays[index];
        let payoffs = replay
            .entrants
            .iter()
            .zip(&replay.payoffs)
            .map(|(&entrant, payoff)| format!("{} {payoff}", names[entrant]))
            .collect::<Vec<_>>()
            .join(", ");
        let next = replay.moves.get(common).map(shown_choice);
        let mut lines = moves[index][common..].to_vec();
        lines.push(format!("payoffs: {payoffs}"));
        (next.unwrap_or(&payoffs).clone(), lines)
    };
    let ((other, after_other), (reviewed, after_reviewed)) = (rest(0), rest(1));
    Ok(ShownFork {
        why: "",
        line_up: job.line_up,
        block: job.block,
        game: fork.game,
        decision: fork.decision,
        before: report.reviewed.clone(),
        value: fork.value,
        sampled: None,
        position: review.features[fork.kind.position as usize].clone(),
        dealt: replays[0].dealt.clone(),
        choices: [other, reviewed],
        continuations: [after_other, after_reviewed],
        common: moves[0][..common].to_vec(),
        games,
    })
}

/// Returns the public event of a move, or the choice if it is hidden.
fn shown_choice(played: &ReplayMove) -> &String {
    played.events.first().unwrap_or(&played.choice)
}
