//! Plays forks with other hidden cards, to separate bad decisions from bad luck.

use super::{BlockReview, answers_of};
use crate::prepared::PreparedLeague;
use crate::review::per_bot::{PerBot, ReviewBot};
use crate::review::plan::{ReviewPlan, ReviewResult};
use crate::review::summary::Fork;
use hattari_agents::table::ForkScript;

/// Plays both continuations of a fork in `samples` deals with other hidden cards that fit what the
/// seat knew. Returns, for each of these deals, the gain from the other bot's choice, in points.
/// The list is shorter if the game cannot deal other cards ([`Game::origin`]).
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
) -> ReviewResult<Vec<i64>> {
    let mut review = BlockReview::new(prepared, plan, fork.job)?;
    let rules = prepared.game()?;
    let mut deals = rules.table();
    let decided = review.play_fork(&mut *deals, fork)?;
    let (game, decision) = (fork.game as usize, fork.decision as usize);
    let Some(compared) = decided.get(decision) else {
        return Ok(Vec::new());
    };
    let given = answers_of(&decided[..decision], ReviewBot::Reviewed);
    let script = ForkScript::new(ReviewBot::Other.index(), given, false);
    review.script.replace(script);
    let block = (fork.job, review.block_plan);
    let recorded = deals.record_fork(
        game,
        block,
        &review.seeds,
        &mut review.agents,
        (&review.places, decision),
    );
    recorded.map_err(|unfinished| prepared.explain(fork.job, &unfinished))?;
    let seeds = review.seeds.child(game as u64).child(decision as u64);
    let mut gains = Vec::new();
    for sample in 0..samples {
        let mut scores = PerBot::<i64>::default();
        for bot in [ReviewBot::Other, ReviewBot::Reviewed] {
            let script = ForkScript::new(ReviewBot::Other.index(), Vec::new(), false);
            review.script.replace(script);
            let sample = seeds.child(u64::from(sample));
            let answer = compared.answers[bot.index()];
            let played = deals.play_sampled(answer, block, &sample, &mut review.agents);
            let payoffs = played.map_err(|unfinished| prepared.explain(fork.job, &unfinished))?;
            let Some(payoffs) = payoffs else {
                return Ok(gains);
            };
            scores[bot] = review.reviewed_payoffs(&payoffs).iter().sum();
        }
        gains.push(scores.other - scores.reviewed);
    }
    Ok(gains)
}
