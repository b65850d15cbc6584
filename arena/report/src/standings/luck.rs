//! What chance was worth: scores as they were played beside scores without luck.

use super::compute::{estimate_of, pooled};
use super::line_ups::test_of;
use super::types::{Answer, Estimate, Settings, Standings, Test};
use hattari_play::samples::Samples;
use hattari_stats::Untestable;
use hattari_stats::compare::PairSummary;
use hattari_stats::luck::Removed;
use serde::Serialize;
use std::collections::HashMap;

/// Bots whose luck is drawn over blocks, the first ones of the standings.
const COURSES_MAX: usize = 60;

/// How much of the scores was luck, as far as the arena can tell.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Luck {
    /// Whether all other numbers of the report are without luck.
    pub is_removed: bool,
    /// What was found, or why nothing was.
    pub found: Answer<LuckFound>,
}

/// Scores as played and without luck.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LuckFound {
    /// Share of the variance of block means within line-ups that goes with luck; below 0 where it
    /// grows.
    pub share: f64,
    /// The kinds of chance.
    pub kinds: Vec<LuckKind>,
    /// The bots, in the order of the standings.
    pub bots: Vec<LuckOfBot>,
    /// The pairs, in the order of the standings.
    pub pairs: Vec<LuckOfPair>,
}

/// One kind of chance.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LuckKind {
    /// Its name.
    pub name: String,
    /// The same share for it alone.
    pub share: f64,
    /// How much of what it was estimated to be worth is taken away.
    pub multiple: f64,
}

/// How lucky a bot was.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LuckOfBot {
    /// Its name.
    pub name: String,
    /// Points a deal as played.
    pub played: Answer<Estimate>,
    /// Points a deal without luck.
    pub without: Answer<Estimate>,
    /// Both, round by round: as [`Samples::rounds_of`]; of the first bots, which are drawn.
    #[serde(skip)]
    pub over_blocks: [Vec<f64>; 2],
}

/// What luck does to a pair's difference.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LuckOfPair {
    /// Name of the first.
    pub a: String,
    /// Name of the second.
    pub b: String,
    /// The test as played.
    pub played: Answer<Test>,
    /// The test without luck.
    pub without: Answer<Test>,
}

impl LuckOfPair {
    /// Blocks that the same certainty takes without luck, for one as played; `None` where there is
    /// no error to compare.
    #[must_use]
    pub fn blocks_for_one(&self) -> Option<f64> {
        let (played, without) = (self.played.tested()?, self.without.tested()?);
        (played.se > 0.0).then(|| (without.se / played.se).powi(2))
    }
}

/// Adds luck to standings, which are those of `played` or those of the samples without luck, as
/// `is_removed` says.
///
/// # Errors
/// As [`super::standings`].
pub(super) fn add(
    standings: &mut Standings,
    played: &Samples,
    without: &Result<(Samples, Removed), Untestable>,
    kinds: &[&str],
    is_removed: bool,
) -> Result<(), Untestable> {
    if kinds.is_empty() {
        return Ok(());
    }
    let found = match without {
        Err(why) => Answer::NotTestable(why.to_string()),
        Ok((samples, removed)) => Answer::Tested(found(
            standings,
            [played, samples],
            removed,
            kinds,
            standings.settings,
        )?),
    };
    standings.luck = Some(Luck { is_removed, found });
    Ok(())
}

fn found(
    standings: &Standings,
    samples: [&Samples; 2],
    removed: &Removed,
    kinds: &[&str],
    settings: Settings,
) -> Result<LuckFound, Untestable> {
    let names = &samples[0].names;
    let (played, options) = pooled(samples[0], &settings)?;
    let (without, _) = pooled(samples[1], &settings)?;
    let places: HashMap<&str, usize> = names.iter().map(String::as_str).zip(0..).collect();
    let place = |name: &str| places.get(name).copied().unwrap_or(0);
    let bots = standings.bots.iter().enumerate().map(|(rank, bot)| {
        let at = place(&bot.name);
        LuckOfBot {
            name: bot.name.clone(),
            played: estimate_of(&played.bots[at]),
            without: estimate_of(&without.bots[at]),
            over_blocks: samples.map(|samples| {
                if rank < COURSES_MAX {
                    samples.rounds_of(at)
                } else {
                    Vec::new()
                }
            }),
        }
    });
    let pairs = standings.pairs.iter().filter_map(|pair| {
        let (a, b) = (place(&pair.a), place(&pair.b));
        let (played, without): (PairSummary, PairSummary) =
            (played.pair(a, b)?, without.pair(a, b)?);
        Some(LuckOfPair {
            a: pair.a.clone(),
            b: pair.b.clone(),
            played: test_of(&played, played.required(&options)),
            without: test_of(&without, without.required(&options)),
        })
    });
    let kinds = kinds
        .iter()
        .zip(removed.alone.iter().zip(&removed.multiples));
    Ok(LuckFound {
        share: removed.share,
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
