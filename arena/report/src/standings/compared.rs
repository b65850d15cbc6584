//! The line-ups that are compared.

use hattari_play::samples::{LineUpSample, Samples};
use hattari_stats::BotSample;

/// A line-up with at least one finished block.
pub(super) struct ComparedLineUp<'s> {
    /// Number of the line-up.
    pub number: u32,
    /// Blocks and scores of the line-up.
    pub sample: &'s LineUpSample,
}

impl<'s> ComparedLineUp<'s> {
    /// Returns all line-ups with a finished block.
    pub(super) fn all(samples: &'s Samples) -> Vec<Self> {
        (0..)
            .zip(&samples.line_ups)
            .filter(|(_, sample)| !sample.blocks.is_empty())
            .map(|(number, sample)| ComparedLineUp { number, sample })
            .collect()
    }

    /// Returns the entrant index for each item of [`ComparedLineUp::scores`].
    pub(super) fn roster(&self) -> impl Iterator<Item = usize> {
        self.sample.bots.iter().map(|bot| bot.entrant)
    }

    /// Returns the scores to compare, one item per distinct entrant.
    pub(super) fn scores(&self) -> impl Iterator<Item = BotSample<'s>> {
        self.sample.bots.iter().map(|bot| BotSample {
            scores: &bot.means,
            forfeited: &bot.forfeited,
        })
    }

    /// Returns the number of bots in each part of the line-up that is compared by itself: all of
    /// them, or one if the scores of the table cannot be compared.
    pub(super) fn compared_together(&self) -> usize {
        if self.sample.has_equal_chances {
            self.sample.bots.len().max(1)
        } else {
            1
        }
    }

    /// Returns the cluster of each block; blocks of a cluster have the same cards.
    pub(super) fn clusters(&self) -> impl Iterator<Item = usize> {
        self.sample.blocks.iter().map(|block| block.cluster)
    }
}
