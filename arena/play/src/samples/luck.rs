//! Luck-adjusted samples: block means minus the estimated effect of chance.

use super::Samples;
use hattari_stats::Untestable;
use hattari_stats::luck::{Group, LuckAdjusted, remove};

impl Samples {
    /// Returns luck-adjusted samples, and the amount of the adjustment. Scores of single deals,
    /// places, the `ahead` counts and forfeited blocks are not adjusted.
    ///
    /// # Errors
    /// Returns an error if luck was not measured in every block, or if there are too few blocks.
    pub fn without_luck(&self) -> Result<(Samples, LuckAdjusted), Untestable> {
        let mut data = Vec::new();
        for line_up in self
            .line_ups
            .iter()
            .filter(|line_up| !line_up.blocks.is_empty())
        {
            for bot in &line_up.bots {
                let is_forfeited = |block: usize| bot.forfeited.get(block) == Some(&true);
                let means = bot
                    .means
                    .iter()
                    .enumerate()
                    .map(|(block, mean)| mean.filter(|_| !is_forfeited(block)));
                data.push((means.collect::<Vec<_>>(), &bot.luck[..], line_up.clusters()));
            }
        }
        let groups: Vec<Group<'_>> = data
            .iter()
            .map(|(scores, luck, clusters)| Group {
                scores,
                luck,
                clusters,
            })
            .collect();
        let adjusted = remove(&groups)?;
        let mut samples = self.clone();
        let mut adjusted_scores = adjusted.scores.iter();
        for bot in samples
            .line_ups
            .iter_mut()
            .filter(|line_up| !line_up.blocks.is_empty())
            .flat_map(|line_up| &mut line_up.bots)
        {
            for (mean, score) in bot
                .means
                .iter_mut()
                .zip(adjusted_scores.next().into_iter().flatten())
            {
                *mean = score.or(*mean);
            }
        }
        Ok((samples, adjusted))
    }
}
