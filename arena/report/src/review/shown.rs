//! Example forks: the most costly ones and typical ones of the classes, with both continuations.

use super::estimate::estimate_of_deals;
use super::report::{ReviewReport, SampledGain, ShownFork};
use crate::replay::{Replay, watched};
use hattari_play::prepared::PreparedLeague;
use hattari_play::review::{Fork, Review, ReviewError, ReviewPlan, continuations, sample_fork};

/// Replays example forks: `each` of the most costly and as many typical ones. A typical fork has
/// the median gain among the forks with a frequent combination of choices. Each fork is also played
/// in `samples` deals with other hidden cards.
///
/// # Errors
/// Returns the same errors as a review.
pub fn show_forks(
    cast: &PreparedLeague,
    plan: &ReviewPlan,
    review: &Review,
    report: &mut ReviewReport,
    (each, samples): (usize, u32),
) -> Result<(), ReviewError> {
    let sign = if report.total.value < 0.0 { -1 } else { 1 };
    let mut forks: Vec<(usize, Fork)> = review
        .blocks
        .iter()
        .enumerate()
        .flat_map(|(block, of)| of.forks.iter().map(move |fork| (block, *fork)))
        .collect();
    forks.retain(|(_, fork)| fork.order == 0);
    let place = |&(block, fork): &(usize, Fork)| (block, fork.game, fork.decision);
    forks.sort_by_key(|entry| (-sign * entry.1.value, place(entry)));
    let costly: Vec<(usize, Fork)> = forks.iter().take(each).copied().collect();
    // The median fork of each of the most frequent combinations of choices.
    let mut kinds: std::collections::BTreeMap<[u32; 2], Vec<(usize, Fork)>> = Default::default();
    for entry in &forks {
        kinds.entry(entry.1.choices).or_default().push(*entry);
    }
    let mut kinds: Vec<Vec<(usize, Fork)>> = kinds.into_values().collect();
    kinds.sort_by_key(|kind| std::cmp::Reverse(kind.len()));
    let middle = |kind: &Vec<(usize, Fork)>| kind[kind.len() / 2];
    let typical = kinds.iter().take(each).map(middle);
    let wanted = costly
        .into_iter()
        .map(|entry| ("costly", entry))
        .chain(typical.map(|entry| ("typical", entry)));
    for (why, (block, fork)) in wanted.collect::<Vec<_>>() {
        report.forks.push(show(
            cast,
            plan,
            review,
            report,
            (why, block, fork),
            samples,
        )?);
    }
    Ok(())
}

fn show(
    cast: &PreparedLeague,
    plan: &ReviewPlan,
    review: &Review,
    report: &ReviewReport,
    (why, block, fork): (&'static str, usize, Fork),
    samples: u32,
) -> Result<ShownFork, ReviewError> {
    let job = review.blocks[block].job;
    let game = cast.game()?;
    let names: Vec<String> = cast
        .line_up(job)
        .iter()
        .map(|&entrant| match entrant == plan.of {
            true => format!("{}/{}", report.of, report.by),
            false => cast.league.entrants[entrant].name.clone(),
        })
        .collect();
    let at = (
        job,
        fork.game as usize,
        fork.decision as usize,
        usize::from(fork.order),
    );
    let gains = match samples {
        0 => Vec::new(),
        _ => sample_fork(cast, plan, at, samples)?,
    };
    let (replays, games) = watched(&*game, &names, job, |onlookers| {
        continuations(cast, plan, at, onlookers).map(drop)
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
        before: if fork.order == 0 {
            &report.of
        } else {
            &report.by
        }
        .clone(),
        value: fork.value,
        sampled: (!gains.is_empty()).then(|| SampledGain {
            deals: gains.len(),
            gain: estimate_of_deals(&gains),
        }),
        position: review.marks[fork.position as usize].clone(),
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
