//! Plays forks with other hidden cards, to separate bad decisions from bad luck.

use super::{BlockReview, answers_of};
use crate::prepared::PreparedLeague;
use crate::review::plan::{OTHER, REVIEWED, ReviewPlan, ReviewResult};
use crate::review::summary::Fork;
use hattari_agents::seeds::Seeds;
use hattari_agents::table::ForkScript;
use hattari_plugin::Choice;
use std::sync::atomic::{AtomicBool, Ordering};

/// Plays both continuations of a fork in `samples` deals with other hidden cards that fit what the
/// seat knew. Returns, for each of these deals, the gain from the other bot's choice, in points.
/// If several rotations of a deal are scored together, all are played with the same cards. The list
/// is shorter if the game cannot deal other cards ([`Game::origin`]). Returns `None` if `stop` is
/// set before the end.
///
/// All bots are restarted and called from the first choice of the deal. Up to the fork, the
/// recorded choices replace the bots' own choices; choices that other seats made in secret are
/// redrawn with the cards. The bots' random numbers are new.
///
/// # Errors
/// Returns the errors of [`ReviewPlan::run`].
///
/// [`Game::origin`]: hattari_plugin::games::Game::origin
pub fn sample_fork(
    prepared: &PreparedLeague,
    plan: &ReviewPlan,
    fork: &Fork,
    samples: u32,
    stop: &AtomicBool,
) -> ReviewResult<Option<Vec<i64>>> {
    let rules = prepared.game()?;
    let mut review = BlockReview::new(prepared, &*rules, plan, fork.job)?;
    let (games, decided) = review.play_fork(fork)?;
    let (game, decision) = (fork.game as usize, fork.decision as usize);
    let Some(compared) = decided.get(decision) else {
        return Ok(Some(Vec::new()));
    };
    let given = answers_of(&decided[..decision], REVIEWED);
    let script = ForkScript::new(OTHER, given, false);
    review.script.replace(script);
    let block = (fork.job, review.block_plan);
    let at = (&*review.places, decision);
    let agents = &mut review.agents;
    let recorded = review
        .deals
        .record_fork(game, block, &review.seeds, agents, at);
    recorded.map_err(|unfinished| prepared.explain(fork.job, &unfinished))?;
    // The rotations that are scored together, and the index of the fork's rotation.
    let position = |group: &[usize]| group.iter().position(|&number| number == game);
    let mut found = review
        .groups(games)
        .into_iter()
        .filter_map(|group| Some((position(&group)?, group)));
    let Some((rotation, group)) = found.next_back() else {
        return Ok(Some(Vec::new()));
    };
    let seeds = review.seeds.child(game as u64).child(decision as u64);
    let mut gains = Vec::new();
    for sample in 0..samples {
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let sample = seeds.child(u64::from(sample));
        let mut play = |number: usize, bot: usize, choice: usize| {
            let answer = compared.answers[choice];
            review.play_sample(number, &sample, bot, answer)
        };
        // As in the review, the reviewed bot plays the rotations before that of the fork, and the
        // other bot those after it.
        let mut rotations = Vec::with_capacity(group.len());
        for &number in &group {
            let bot = if number < game { REVIEWED } else { OTHER };
            match play(number, bot, OTHER)? {
                Some(payoffs) => rotations.push(payoffs),
                None => return Ok(Some(gains)),
            }
        }
        let Some(payoffs) = play(game, OTHER, REVIEWED)? else {
            return Ok(Some(gains));
        };
        let other = review.score(&rotations);
        rotations[rotation] = payoffs;
        gains.push(other - review.score(&rotations));
    }
    Ok(Some(gains))
}

impl BlockReview<'_> {
    /// Plays a rotation of the recorded fork's deal with other cards. `bot` plays the reviewed
    /// seats, with `answer` at the fork. Returns the payoffs of these seats; `None` if the game
    /// cannot deal other cards.
    fn play_sample(
        &mut self,
        number: usize,
        sample: &Seeds,
        bot: usize,
        answer: Choice,
    ) -> ReviewResult<Option<Vec<i64>>> {
        let script = ForkScript::new(bot, Vec::new(), false);
        self.script.replace(script);
        let block = (self.job, self.block_plan);
        let agents = &mut self.agents;
        let played = self
            .deals
            .play_sampled(number, answer, block, sample, agents);
        let payoffs = played.map_err(|unfinished| self.prepared.explain(self.job, &unfinished))?;
        Ok(payoffs.map(|payoffs| self.reviewed_payoffs(&payoffs)))
    }
}
