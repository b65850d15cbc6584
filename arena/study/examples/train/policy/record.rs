//! Records the choices of a league's bots as features of a policy.

use super::choice::Choices;
use crate::Games;
use bytemuck::Zeroable;
use hattari_agents::record::JobId;
use hattari_agents::table::{Decider, TakenStep, TypedObserver};
use hattari_play::prepared::PreparedLeague;
use hattari_plugin::games::Game;
use hattari_plugin::games::daihinmin::{Action, Block, Daihinmin, Deal, View, phase};
use hattari_search::daihinmin::policy::{Policy, PolicyInput, PolicyView};
use std::sync::atomic::AtomicBool;

/// A choice: the features of every action, and the index of the chosen one.
type Choice<const N: usize> = (Vec<[u16; N]>, usize);

/// An observer of a block that records choices.
struct Recorder<L: PolicyInput<N>, const N: usize> {
    /// For each line-up position, `true` if the choices of the bot there are recorded.
    learn: Vec<bool>,
    view: View,
    /// Actions and features of the pending choice.
    pending: Option<(Vec<Action>, Vec<[u16; N]>)>,
    choices: Vec<Choice<N>>,
    look: std::marker::PhantomData<fn() -> L>,
}

impl<L: PolicyInput<N>, const N: usize> TypedObserver<Daihinmin> for Recorder<L, N> {
    fn asked(
        &mut self,
        game: &Daihinmin,
        block: &Block,
        deal: &Deal,
        seat: u8,
        entrant: usize,
        actions: &[Action],
    ) {
        self.pending = None;
        if !self.learn[entrant] {
            return;
        }
        game.view(block, deal, seat, &mut self.view);
        if self.view.phase == phase::PLAY && actions.len() > 1 {
            let sight = PolicyView::seen(&self.view);
            let judge = L::judge(&sight);
            let features = actions
                .iter()
                .map(|action| Policy::<L, N>::features(&judge, action))
                .collect();
            self.pending = Some((actions.to_vec(), features));
        }
    }

    fn acted(&mut self, _game: &Daihinmin, _deal: &Deal, step: &TakenStep<'_, Daihinmin>) {
        let Some((actions, features)) =
            self.pending.take().filter(|_| step.decider == Decider::Bot)
        else {
            return;
        };
        if let Some(taken) = actions
            .iter()
            .position(|action| *action == step.choice.action)
        {
            self.choices.push((features, taken));
        }
    }
}

/// Recorded choices, divided into two sets.
pub(crate) struct Recorded<const N: usize> {
    /// The choices to which the weights are fitted.
    pub fit: Choices<N>,
    /// The choices that are held out, to measure the predictions of the fit.
    pub held_out: Choices<N>,
}

/// Plays the blocks of a league and records the choices of the entrants with the indices `learn`.
///
/// Choices with fewer than two actions are skipped. The last block of every `hold_out` blocks is
/// held out.
///
/// # Errors
/// Returns the same errors as [`Games::play`].
pub(crate) fn record<L: PolicyInput<N>, const N: usize>(
    games: &Games,
    prepared: &PreparedLeague,
    learn: &[usize],
    hold_out: u64,
    stop: &AtomicBool,
) -> anyhow::Result<Recorded<N>> {
    let observer = |job: JobId| Recorder::<L, N> {
        learn: prepared
            .line_up(job)
            .iter()
            .map(|e| learn.contains(e))
            .collect(),
        view: View::zeroed(),
        pending: None,
        choices: Vec::new(),
        look: std::marker::PhantomData,
    };
    let mut blocks: Vec<(u64, Vec<Choice<N>>)> = Vec::new();
    games.play(prepared, stop, observer, |job, recorder| {
        blocks.push((prepared.schedule.index(job), recorder.choices));
    })?;
    // Sorted, so that the fit does not depend on the threads.
    blocks.sort_unstable_by_key(|block| block.0);
    let empty = || Choices::new(Policy::<L, N>::STARTS, Policy::<L, N>::FEATURES);
    let mut recorded = Recorded {
        fit: empty(),
        held_out: empty(),
    };
    for (index, choices) in blocks {
        let to = if index % hold_out == hold_out - 1 {
            &mut recorded.held_out
        } else {
            &mut recorded.fit
        };
        choices
            .into_iter()
            .for_each(|(features, taken)| to.push(features, taken));
    }
    Ok(recorded)
}
