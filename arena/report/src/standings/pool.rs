//! The comparison of the bots over all line-ups.

use super::TestSettings;
use super::compared::ComparedLineUp;
use hattari_play::samples::{LineUpSample, Samples};
use hattari_stats::{BotSample, CompareOptions, Comparison, LineUpScores, Untestable, compare};
use std::collections::HashMap;

/// Returns the options of a comparison.
pub(super) fn options_of(settings: &TestSettings) -> CompareOptions {
    CompareOptions {
        confidence: settings.confidence,
        correction: settings.correction,
        power: settings.power,
        equal_within: settings.equal_within,
    }
}

/// Returns the comparison over all line-ups with the given settings.
pub(super) fn pooled(samples: &Samples, settings: &TestSettings) -> Result<Comparison, Untestable> {
    let line_ups = ComparedLineUp::all(samples);
    pool(samples.names.len(), &line_ups, &options_of(settings))
}

/// Compares the bots over all line-ups.
pub(super) fn pool(
    bots: usize,
    compared: &[ComparedLineUp<'_>],
    options: &CompareOptions,
) -> Result<Comparison, Untestable> {
    let mut known: HashMap<Vec<usize>, usize> = HashMap::new();
    // Flat lists, because there may be many line-ups.
    let roster: Vec<usize> = compared.iter().flat_map(ComparedLineUp::roster).collect();
    let samples: Vec<BotSample<'_>> = compared.iter().flat_map(ComparedLineUp::scores).collect();
    let clusters: Vec<usize> = compared.iter().flat_map(ComparedLineUp::clusters).collect();
    let at_tables = compared
        .iter()
        .flat_map(|line_up| line_up.roster().map(|bot| (line_up.sample, bot)));
    let oppositions: Vec<usize> = at_tables
        .map(|(sample, bot)| opposition(sample, bot, &mut known))
        .collect();
    let (mut bot, mut block) = (0, 0);
    let of_line_up = |line_up: &ComparedLineUp<'_>| {
        let bots = bot..bot + line_up.sample.bots.len();
        let blocks = block..block + line_up.sample.blocks.len();
        (bot, block) = (bots.end, blocks.end);
        LineUpScores {
            roster: &roster[bots.clone()],
            samples: &samples[bots.clone()],
            opposition: &oppositions[bots],
            clusters: &clusters[blocks],
        }
    };
    let scores: Vec<LineUpScores<'_>> = compared.iter().map(of_line_up).collect();
    compare(bots, &scores, options)
}

/// Returns an id of the opponents of `bot` at a table: the multiset of the other entrants, and the
/// number of seats of `bot`.
fn opposition(sample: &LineUpSample, bot: usize, known: &mut HashMap<Vec<usize>, usize>) -> usize {
    let mut others: Vec<usize> = sample
        .entrants
        .iter()
        .copied()
        .filter(|other| *other != bot)
        .collect();
    others.sort_unstable();
    others.push(sample.entrants.len() - others.len());
    let next = known.len();
    *known.entry(others).or_insert(next)
}
