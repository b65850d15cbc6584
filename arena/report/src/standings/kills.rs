//! Warnings about bots whose processes are killed from outside more often than those of other bots.

use super::BotStanding;
use hattari_agents::text::{counted, grouped};
use hattari_stats::dist::binomial;

/// Adjusted p below which the number of kills of a bot is reported.
const CHANCE: f64 = 0.01;

/// Returns a caution for each bot whose process was killed in significantly more blocks than those
/// of other bots. Blocks with kills may be replayed, so kills could be used to get rid of bad
/// results.
pub(super) fn cautions(bots: &[BotStanding]) -> Vec<String> {
    let blocks: u64 = bots.iter().map(|bot| bot.blocks).sum();
    let killed: u64 = bots.iter().map(|bot| bot.kills.blocks).sum();
    let sentence = |bot: &BotStanding| {
        let share = bot.blocks as f64 / blocks as f64;
        let chance = binomial::at_least(bot.kills.blocks, killed, share).ok()?;
        // Every bot is tested, so p is adjusted by Bonferroni's method.
        let chance = chance * bots.len() as f64;
        if chance >= CHANCE {
            return None;
        }
        let BotStanding { name, kills, .. } = bot;
        Some(format!(
            "The process of {name} was killed from outside in {} of its {} ({} in all). The \
             processes of all other bots were killed in {} of {} blocks. By chance, this happens \
             to some bot with {}. Someone may be killing the process to have blocks replayed.",
            grouped(kills.blocks),
            counted(bot.blocks, "block"),
            counted(kills.times, "kill"),
            grouped(killed - kills.blocks),
            grouped(blocks - bot.blocks),
            crate::numbers::p_equals(chance),
        ))
    };
    bots.iter()
        .filter(|bot| bot.kills.blocks > 0)
        .filter_map(sentence)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::standings::{About, TestSettings, standings};
    use hattari_agents::record::KillCounts;
    use hattari_play::samples::read_scores;

    #[test]
    fn p_is_adjusted_for_the_number_of_bots() {
        let samples = read_scores("block,a,b\n1,1,3\n".as_bytes()).expect("valid scores");
        let settings = TestSettings::default();
        let standings = standings(&samples, About::default(), settings, None, None);
        let mut bots = standings.expect("valid settings").bots;
        // All killed blocks are those of one of two bots: 2^-7 and 2^-8, before the adjustment.
        for (killed, expected) in [(7, 0), (8, 1)] {
            bots[0].kills = KillCounts {
                blocks: killed,
                times: killed,
            };
            bots.iter_mut().for_each(|bot| bot.blocks = 100);
            assert_eq!(cautions(&bots).len(), expected, "{killed}");
        }
    }
}
