//! Example forks: the most costly ones and typical ones, with the rest of the game after each
//! choice.

use super::estimate::estimate_of_deals;
use super::report::{ReviewReport, SampledGain, ShownFork};
use crate::replay::{Replay, record_both};
use hattari_play::prepared::PreparedLeague;
use hattari_play::review::{Fork, Review, ReviewError, ReviewPlan, continuations, sample_fork};
use std::collections::BTreeMap;

/// Replays example forks: the `each` most costly ones and the same number of typical ones. A
/// typical fork has the median gain among the forks with a frequent combination of choices. Each
/// fork is also played in `samples` other deals.
///
/// # Errors
/// Returns the same errors as a review.
pub fn show_forks(
    prepared: &PreparedLeague,
    plan: &ReviewPlan,
    review: &Review,
    report: &mut ReviewReport,
    (each, samples): (usize, u32),
) -> Result<(), ReviewError> {
    let examples = &review.examples;
    let costly = if report.total.value < 0.0 {
        &examples.losses
    } else {
        &examples.gains
    };
    let costly = costly.iter().take(each).map(|fork| ("costly", *fork));
    let mut counts: BTreeMap<[u32; 2], u64> = BTreeMap::new();
    for sum in review.fork_sums() {
        *counts.entry(sum.choices).or_default() += u64::from(sum.counts[0]);
    }
    let mut kinds: Vec<([u32; 2], u64)> = counts.into_iter().collect();
    kinds.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    let typical = kinds.iter().filter_map(|&(choices, _)| {
        let sample = examples.sample.iter();
        let mut forks: Vec<&Fork> = sample.filter(|fork| fork.choices == choices).collect();
        forks.sort_by_key(|fork| (fork.value, fork.job, fork.game, fork.decision));
        Some(("typical", **forks.get(forks.len() / 2)?))
    });
    let wanted: Vec<(&str, Fork)> = costly.chain(typical.take(each)).collect();
    for (why, fork) in wanted {
        let shown = show(prepared, plan, review, report, (why, fork), samples)?;
        report.forks.push(shown);
    }
    Ok(())
}

fn show(
    prepared: &PreparedLeague,
    plan: &ReviewPlan,
    review: &Review,
    report: &ReviewReport,
    (why, fork): (&'static str, Fork),
    samples: u32,
) -> Result<ShownFork, ReviewError> {
    let job = fork.job;
    let game = prepared.game()?;
    let names: Vec<String> = prepared
        .line_up(job)
        .iter()
        .map(|&entrant| {
            if entrant == plan.of {
                format!("{}/{}", report.of, report.by)
            } else {
                prepared.league.entrants[entrant].name.clone()
            }
        })
        .collect();
    let gains = match samples {
        0 => Vec::new(),
        _ => sample_fork(prepared, plan, &fork, samples)?,
    };
    let (replays, games) = record_both(&*game, &names, job, |observers| {
        continuations(prepared, plan, &fork, observers)
    })?;
    let lines = |replay: &Replay| -> Vec<String> {
        let line = |made: &crate::replay::ReplayMove| match made.events.first() {
            Some(event) => format!("{}: {event}", names[made.entrant]),
            None => format!("{}: {}", names[made.entrant], made.choice),
        };
        replay.moves.iter().map(line).collect()
    };
    let [by, of] = [0, 1].map(|bot| lines(&replays[bot]));
    let common = by.iter().zip(&of).take_while(|(by, of)| by == of).count();
    let rest = |lines: &[String], bot: usize| {
        let mut rest = lines[common.min(lines.len())..].to_vec();
        let ends = names_by_player(&replays[bot], &names);
        rest.push(format!("payoffs: {}", ends.join(", ")));
        rest
    };
    Ok(ShownFork {
        why,
        line_up: job.line_up,
        block: job.block,
        game: fork.game,
        decision: fork.decision,
        before: report.of.clone(),
        value: fork.value,
        sampled: (!gains.is_empty()).then(|| SampledGain {
            deals: gains.len(),
            gain: estimate_of_deals(&gains),
        }),
        position: review.features[fork.position as usize].clone(),
        dealt: replays[0].dealt.clone(),
        continuations: [rest(&by, 0), rest(&of, 1)],
        common: by[..common].to_vec(),
        games,
    })
}

fn names_by_player(replay: &Replay, names: &[String]) -> Vec<String> {
    let pairs = replay.entrants.iter().zip(&replay.payoffs);
    pairs
        .map(|(&entrant, payoff)| format!("{} {payoff}", names[entrant]))
        .collect()
}
