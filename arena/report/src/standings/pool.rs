//! The comparison of the bots over all line-ups.

use super::TestSettings;
use super::compared::ComparedLineUp;
use hattari_play::samples::{LineUpSample, Samples};
use hattari_stats::{BotSample, CompareOptions, Comparison, LineUpScores, Untestable, compare};
use std::collections::HashMap;
use std::iter::repeat_n;

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
    let oppositions: Vec<usize> = compared
        .iter()
        .flat_map(|line_up| line_up.roster().map(|bot| (line_up.sample, bot)))
        .map(|(sample, bot)| opposition(sample, bot, &mut known))
        .collect();
    let (mut bot, mut block) = (0, 0);
    let scores: Vec<LineUpScores<'_>> = compared
        .iter()
        .flat_map(|line_up| {
            let bots = bot..bot + line_up.sample.bots.len();
            let blocks = block..block + line_up.sample.blocks.len();
            (bot, block) = (bots.end, blocks.end);
            let together = line_up.compared_together();
            let (roster, samples) = (&roster[bots.clone()], &samples[bots.clone()]);
            let (oppositions, clusters) = (&oppositions[bots.clone()], &clusters[blocks]);
            (0..bots.len()).step_by(together).map(move |first| {
                let part = first..first + together;
                LineUpScores {
                    roster: &roster[part.clone()],
                    samples: &samples[part.clone()],
                    opposition: &oppositions[part],
                    clusters,
                }
            })
        })
        .collect();
    compare(bots, &scores, options)
}

/// Returns an id of the opponents of `bot` at a table: the multiset of the other entrants, and the
/// number of seats of `bot`. If seats have different chances, the id also depends on the seats. The
/// opponents in a file of scores are the bots that have scores in blocks of `bot`.
pub(super) fn opposition(
    sample: &LineUpSample,
    bot: usize,
    known: &mut HashMap<Vec<usize>, usize>,
) -> usize {
    let next = known.len();
    if !sample.has_equal_chances {
        let others = sample
            .entrants
            .iter()
            .map(|&other| if other == bot { usize::MAX } else { other });
        return *known.entry(others.collect()).or_insert(next);
    }
    let own = sample.bots.iter().find(|sample| sample.entrant == bot);
    let own_means = own.map_or(&[][..], |own| &own.means);
    let mut others: Vec<usize> = sample
        .bots
        .iter()
        .filter(|other| other.entrant != bot)
        .filter(|other| {
            own_means
                .iter()
                .zip(&other.means)
                .any(|(own, other)| own.is_some() && other.is_some())
        })
        .flat_map(|other| repeat_n(other.entrant, other.copies as usize))
        .collect();
    others.sort_unstable();
    others.push(own.map_or(0, |own| own.copies as usize));
    *known.entry(others).or_insert(next)
}
