//! Choices that bots of a league make, as a policy sees them.

use bytemuck::Zeroable;
use hattari_agents::record::JobId;
use hattari_agents::table::{Decider, Step, Watch};
use hattari_play::cast::{Cast, CastError};
use hattari_play::gather::gather;
use hattari_plugin::games::Game;
use hattari_plugin::games::daihinmin::{Action, Block, Daihinmin, Deal, View, phase};
use hattari_search::choice::Choices;
use hattari_search::daihinmin::policy::{Look, Policy, Sight};
use std::sync::atomic::AtomicBool;

/// One choice: the features of every action, and which was taken.
type Choice<const N: usize> = (Vec<[u16; N]>, usize);

/// Looks on while a block is played and writes choices down.
struct Recorder<L: Look<N>, const N: usize> {
    /// Whether to learn from a place of the line-up.
    learn: Vec<bool>,
    view: View,
    /// The choice that is being made.
    pending: Option<(Vec<Action>, Vec<[u16; N]>)>,
    choices: Vec<Choice<N>>,
    look: std::marker::PhantomData<fn() -> L>,
}

impl<L: Look<N>, const N: usize> Watch<Daihinmin> for Recorder<L, N> {
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
        if !self.learn.get(entrant).copied().unwrap_or(false) {
            return;
        }
        game.view(block, deal, seat, &mut self.view);
        if self.view.phase == phase::PLAY && actions.len() > 1 {
            let sight = Sight::seen(&self.view);
            let judge = L::judge(&sight);
            let features = actions
                .iter()
                .map(|action| Policy::<L, N>::features(&judge, action))
                .collect();
            self.pending = Some((actions.to_vec(), features));
        }
    }

    fn acted(&mut self, _game: &Daihinmin, _deal: &Deal, step: &Step<'_, Daihinmin>) {
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

/// Choices to fit a policy to, and choices held out to see what the fit foresees.
pub(crate) struct Recorded<const N: usize> {
    /// Those to fit to.
    pub(crate) fit: Choices<N>,
    /// Those held out.
    pub(crate) held_out: Choices<N>,
}

/// Plays the blocks of a league and records the choices of the entrants that `learn` names by their
/// numbers, between two plays or passes at least. One block in `hold_out`, the last of so many, is
/// held out. `progress` gets the blocks done.
///
/// # Errors
/// As [`gather`].
pub(crate) fn record<L: Look<N>, const N: usize>(
    cast: &Cast,
    learn: &[usize],
    hold_out: u64,
    threads: usize,
    stop: &AtomicBool,
    mut progress: impl FnMut(u64),
) -> Result<Recorded<N>, CastError> {
    let game: Daihinmin = cast.game_as()?;
    let jobs: Vec<JobId> = cast.jobs().collect();
    let onlooker = |job: JobId| Recorder::<L, N> {
        learn: cast.schedule.line_ups[job.line_up as usize]
            .entrants
            .iter()
            .map(|e| learn.contains(e))
            .collect(),
        view: View::zeroed(),
        pending: None,
        choices: Vec::new(),
        look: std::marker::PhantomData,
    };
    let mut blocks: Vec<(u64, Vec<Choice<N>>)> = Vec::with_capacity(jobs.len());
    gather(
        |seated, watch| seated.at(&game, watch),
        cast,
        &jobs,
        threads,
        stop,
        onlooker,
        |job, recorder| {
            blocks.push((cast.schedule.index(job), recorder.choices));
            progress(blocks.len() as u64);
            Ok::<_, CastError>(())
        },
    )?;
    // In the order of play, so that the fit does not depend on threads.
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
