//! Example forks: the most costly ones and typical ones, with the rest of the game after each
//! choice.

use super::estimate::estimate_of_deals;
use super::fork::{Continuation, SampledGain, ShownFork, ShownMove};
use super::report::ReviewReport;
use crate::replay::{Replay, ReplayMove, record_both};
use hattari_play::prepared::PreparedLeague;
use hattari_play::review::{
    Fork, PerBot, Review, ReviewError, ReviewPlan, play_continuations, sample_fork,
};
use std::collections::BTreeMap;

/// Options of the example forks of a report.
#[derive(Clone, Copy, Debug)]
pub struct ExampleOptions {
    /// Number of forks of each kind: the most costly ones, and typical ones.
    pub forks: usize,
    /// Number of other deals in which each fork is also played.
    pub samples: u32,
}

/// Replays example forks and adds them to the report: the most costly ones and typical ones. A
/// typical fork has the median gain among the forks with a frequent combination of choices.
///
/// # Errors
/// Returns the same errors as a review.
pub fn show_forks(
    prepared: &PreparedLeague,
    plan: &ReviewPlan,
    review: &Review,
    report: &mut ReviewReport,
    options: ExampleOptions,
) -> Result<(), ReviewError> {
    let examples = &review.examples;
    let costly = if report.total.value < 0.0 {
        &examples.losses
    } else {
        &examples.gains
    };
    let costly = costly.iter().map(|fork| ("costly", *fork));
    let mut counts: BTreeMap<PerBot<u32>, u64> = BTreeMap::new();
    for sum in review.fork_sums() {
        *counts.entry(sum.choices).or_default() += u64::from(sum.counts.reviewed);
    }
    let mut kinds: Vec<(PerBot<u32>, u64)> = counts.into_iter().collect();
    kinds.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    let typical = kinds.iter().filter_map(|&(choices, _)| {
        let sample = examples.sample.iter();
        let mut forks: Vec<&Fork> = sample.filter(|fork| fork.choices == choices).collect();
        forks.sort_by_key(|fork| (fork.value, fork.job, fork.game, fork.decision));
        Some(("typical", **forks.get(forks.len() / 2)?))
    });
    let wanted = costly
        .take(options.forks)
        .chain(typical.take(options.forks));
    let setting = ForkSetting {
        prepared,
        plan,
        review,
        samples: options.samples,
    };
    for (why, fork) in wanted {
        let shown = setting.show(report, why, &fork)?;
        report.forks.push(shown);
    }
    Ok(())
}

/// The review whose forks are shown.
struct ForkSetting<'a> {
    prepared: &'a PreparedLeague,
    plan: &'a ReviewPlan,
    review: &'a Review,
    samples: u32,
}

impl ForkSetting<'_> {
    /// Plays both games of a fork, and the fork in other deals. `why` is the reason for showing it.
    fn show(
        &self,
        report: &ReviewReport,
        why: &'static str,
        fork: &Fork,
    ) -> Result<ShownFork, ReviewError> {
        let (prepared, plan, job) = (self.prepared, self.plan, fork.job);
        let game = prepared.game()?;
        let names = self.names(report, fork);
        let gains = match self.samples {
            0 => Vec::new(),
            samples => sample_fork(prepared, plan, fork, samples)?,
        };
        let (replays, games) = record_both(&*game, &names, job, |observers| {
            let [other, reviewed] = observers;
            play_continuations(prepared, plan, fork, PerBot { other, reviewed })
        })?;
        let dealt = replays[0].dealt.clone();
        let moves = [0, 1].map(|index: usize| shown_moves(&replays[index], &names));
        let pairs = moves[0].iter().zip(&moves[1]);
        let common = pairs
            .take_while(|(other, reviewed)| other == reviewed)
            .count();
        let rest = |index: usize| Continuation {
            moves: moves[index].iter().skip(common).cloned().collect(),
            payoffs: names_by_player(&replays[index], &names).join(", "),
        };
        Ok(ShownFork {
            why,
            line_up: job.line_up,
            block: job.block,
            game: fork.game,
            decision: fork.decision,
            before: report.reviewed.clone(),
            value: fork.value,
            sampled: (!gains.is_empty()).then(|| SampledGain {
                deals: gains.len(),
                gain: estimate_of_deals(&gains),
            }),
            position: self.review.features[fork.position as usize].clone(),
            dealt,
            continuations: PerBot {
                other: rest(0),
                reviewed: rest(1),
            },
            common: moves[0][..common].to_vec(),
            games,
        })
    }

    /// Returns the names of the players of a fork. The reviewed seats have the names of both bots.
    fn names(&self, report: &ReviewReport, fork: &Fork) -> Vec<String> {
        let line_up = self.prepared.line_up(fork.job).iter();
        let name = |&entrant: &usize| {
            if entrant == self.plan.reviewed {
                format!("{}/{}", report.reviewed, report.other)
            } else {
                self.prepared.league.entrants[entrant].name.clone()
            }
        };
        line_up.map(name).collect()
    }
}

/// Returns the moves of a game with their public events, or the choices if they are hidden.
fn shown_moves(replay: &Replay, names: &[String]) -> Vec<ShownMove> {
    let shown = |played: &ReplayMove| ShownMove {
        player: names[played.entrant].clone(),
        choice: played.events.first().unwrap_or(&played.choice).clone(),
    };
    replay.moves.iter().map(shown).collect()
}

fn names_by_player(replay: &Replay, names: &[String]) -> Vec<String> {
    let pairs = replay.entrants.iter().zip(&replay.payoffs);
    pairs
        .map(|(&entrant, payoff)| format!("{} {payoff}", names[entrant]))
        .collect()
}
