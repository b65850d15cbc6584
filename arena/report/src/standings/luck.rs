//! Luck adjustment: comparison of scores as played with luck-adjusted scores.

use super::estimate::estimate_of;
use super::pool::pooled;
use super::reported_test::test_of;
use super::{Estimate, Standings, Test, TestResult};
use hattari_play::samples::Samples;
use hattari_stats::Untestable;
use hattari_stats::luck::LuckAdjusted;
use serde::Serialize;
use std::collections::HashMap;

/// Number of bots, from the top of the standings, whose luck is plotted over blocks.
const PLOTTED_BOTS_MAX: usize = 60;

/// The comparison of scores as played with luck-adjusted scores.
#[derive(Debug, Serialize)]
pub struct Luck {
    /// `true` if all other numbers of the report are luck-adjusted.
    #[serde(rename = "is_removed")]
    pub is_adjusted: bool,
    /// The results, or the reason why there are none.
    #[serde(rename = "found")]
    pub results: TestResult<LuckResults>,
}

/// The results of the luck adjustment, for all bots and pairs.
#[derive(Debug, Serialize)]
pub struct LuckResults {
    /// Share of the variance of block means within line-ups that the adjustment removes; negative
    /// if the variance increases.
    pub share: f64,
    /// The types of chance events.
    pub kinds: Vec<LuckKind>,
    /// The results of each bot, in the order of the standings.
    pub bots: Vec<LuckOfBot>,
    /// The results of each pair, in the order of the standings.
    pub pairs: Vec<LuckOfPair>,
}

/// A type of chance event.
#[derive(Debug, Serialize)]
pub struct LuckKind {
    /// Name of the type.
    pub name: String,
    /// Share of the variance that the adjustment for this type alone removes.
    pub share: f64,
    /// Coefficient: the multiple of the estimated luck that is subtracted.
    pub multiple: f64,
}

/// The score of a bot as played and luck-adjusted.
#[derive(Debug, Serialize)]
pub struct LuckOfBot {
    /// Name of the bot.
    pub name: String,
    /// Points per deal as played.
    pub played: TestResult<Estimate>,
    /// Points per deal, luck-adjusted.
    #[serde(rename = "without")]
    pub adjusted: TestResult<Estimate>,
    /// Points by round, as played and luck-adjusted, from [`Samples::bot_round_means`]; empty for
    /// bots that are not plotted.
    #[serde(skip)]
    pub over_blocks: [Vec<f64>; 2],
}

/// The effect of the luck adjustment on a pair.
#[derive(Debug, Serialize)]
pub struct LuckOfPair {
    /// Name of the first bot.
    pub a: String,
    /// Name of the second bot.
    pub b: String,
    /// The test of scores as played.
    pub played: TestResult<Test>,
    /// The test of luck-adjusted scores.
    #[serde(rename = "without")]
    pub adjusted: TestResult<Test>,
}

impl LuckOfPair {
    /// Returns the number of luck-adjusted blocks that give the same precision as one block as
    /// played; `None` if a standard error is unknown or zero.
    pub(crate) fn equivalent_blocks(&self) -> Option<f64> {
        let (played, adjusted) = (self.played.tested()?, self.adjusted.tested()?);
        (played.se > 0.0).then(|| (adjusted.se / played.se).powi(2))
    }
}

/// Compares the scores as played with `adjusted`, the luck-adjusted scores or the reason why there
/// are none. `kinds` are the types of chance events; returns `None` if there are none.
/// `is_adjusted` is `true` if the standings are luck-adjusted.
///
/// # Errors
/// Returns the same errors as [`super::standings`].
pub(super) fn compare(
    standings: &Standings,
    played: &Samples,
    adjusted: &Result<(Samples, LuckAdjusted), Untestable>,
    kinds: &[&str],
    is_adjusted: bool,
) -> Result<Option<Luck>, Untestable> {
    if kinds.is_empty() {
        return Ok(None);
    }
    let results = match adjusted {
        Err(why) => TestResult::NotTestable(why.to_string()),
        Ok((samples, fit)) => {
            TestResult::Tested(results_of(standings, [played, samples], fit, kinds)?)
        }
    };
    Ok(Some(Luck {
        is_adjusted,
        results,
    }))
}

/// Compares the scores as played with the luck-adjusted scores; `samples` are both in this order.
/// `fit` is the result of the adjustment.
fn results_of(
    standings: &Standings,
    samples: [&Samples; 2],
    fit: &LuckAdjusted,
    kinds: &[&str],
) -> Result<LuckResults, Untestable> {
    let names = &samples[0].names;
    let played = pooled(samples[0], &standings.settings)?;
    let adjusted = pooled(samples[1], &standings.settings)?;
    let options = played.options;
    let indices: HashMap<&str, usize> = names.iter().map(String::as_str).zip(0..).collect();
    let index_of = |name: &str| indices.get(name).copied().unwrap_or(0);
    let bots = standings.bots.iter().enumerate().map(|(rank, bot)| {
        let index = index_of(&bot.name);
        LuckOfBot {
            name: bot.name.clone(),
            played: estimate_of(&played.bots[index]),
            adjusted: estimate_of(&adjusted.bots[index]),
            over_blocks: samples.map(|samples| {
                if rank < PLOTTED_BOTS_MAX {
                    samples.bot_round_means(index)
                } else {
                    Vec::new()
                }
            }),
        }
    });
    let pairs = standings.pairs.iter().filter_map(|pair| {
        let (a, b) = (index_of(&pair.a), index_of(&pair.b));
        let (played, adjusted) = (played.pair(a, b)?, adjusted.pair(a, b)?);
        Some(LuckOfPair {
            a: pair.a.clone(),
            b: pair.b.clone(),
            played: test_of(&played, played.required(&options)),
            adjusted: test_of(&adjusted, adjusted.required(&options)),
        })
    });
    let kinds = kinds.iter().zip(fit.alone.iter().zip(&fit.multiples));
    Ok(LuckResults {
        share: fit.share,
        bots: bots.collect(),
        pairs: pairs.collect(),
        kinds: kinds
            .map(|(name, (&share, &multiple))| LuckKind {
                name: (*name).to_owned(),
                share,
                multiple,
            })
            .collect(),
    })
}
