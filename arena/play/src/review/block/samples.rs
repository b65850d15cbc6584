//! Plays forks with other hidden cards, to separate bad decisions from bad luck.

use super::{BY, BlockReview, OF};
use crate::prepared::PreparedLeague;
use crate::review::plan::{ReviewError, ReviewPlan};
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
) -> Result<Vec<i64>, ReviewError> {
    let mut setting = BlockReview::new(prepared, plan, fork.job)?;
    let rules = prepared.game()?;
    let mut deals = rules.deals();
    let decided = setting.play_fork(&mut *deals, fork)?;
    let (game, decision) = (fork.game as usize, fork.decision as usize);
    let Some(compared) = decided.get(decision) else {
        return Ok(Vec::new());
    };
    let before = decided[..decision].iter();
    let given = before.map(|decided| decided.answers[OF]).collect();
    setting.script.replace(ForkScript::new(BY, given, false));
    let block = (fork.job, setting.block_plan);
    let recorded = deals.record_fork(
        game,
        block,
        &setting.seeds,
        &mut setting.agents,
        (&setting.places, decision),
    );
    recorded.map_err(|unfinished| setting.ended(&unfinished))?;
    let seeds = setting.seeds.child(game as u64).child(decision as u64);
    let mut gains = Vec::new();
    for sample in 0..samples {
        let mut scores = [0; 2];
        for bot in [BY, OF] {
            let script = ForkScript::new(BY, Vec::new(), false);
            setting.script.replace(script);
            let sample = seeds.child(u64::from(sample));
            let played =
                deals.play_sampled(compared.answers[bot], block, &sample, &mut setting.agents);
            let payoffs = played.map_err(|unfinished| setting.ended(&unfinished))?;
            let Some(payoffs) = payoffs else {
                return Ok(gains);
            };
            scores[bot] = setting.reviewed_payoffs(&payoffs).iter().sum();
        }
        gains.push(scores[BY] - scores[OF]);
    }
    Ok(gains)
}
