//! Warnings that follow from scores.

use super::{BotStanding, GamesPlayed, SequentialRule};
use hattari_agents::text::counted;
use hattari_play::samples::Samples;
use hattari_stats::clustered::CLUSTERS_MIN;
use hattari_stats::compare::BLOCKS_MIN;

/// Returns warnings for the reader. `few` is the number of pairs, out of `pairs`, that have too few
/// blocks for a verdict. `rule` is the rule of a sequential league.
pub(super) fn score_cautions(
    progress: &GamesPlayed,
    (few, pairs): (usize, usize),
    rule: Option<&SequentialRule>,
    bots: &[BotStanding],
    samples: &Samples,
) -> Vec<String> {
    let mut cautions = Vec::new();
    cautions.extend(unfinished(progress));
    cautions.extend(few_blocks(few, pairs));
    cautions.extend(rule.map(stopping_rule));
    let forfeited = bots.iter().filter(|bot| bot.forfeits > 0);
    cautions.extend(forfeited.map(forfeits));
    let absent = bots.iter().filter(|bot| bot.unstarted > 0);
    cautions.extend(absent.map(unstarted));
    let has_decisions = bots.iter().any(|bot| bot.thinking.decisions > 0);
    let idle = bots
        .iter()
        .filter(|bot| has_decisions && bot.blocks > 0 && bot.forfeits == 0);
    cautions.extend(
        idle.filter(|bot| bot.thinking.decisions == 0 && bot.faults == 0)
            .map(|bot| {
                let blocks = counted(bot.blocks, "block");
                format!("{} played {blocks} and had no decision to make.", bot.name)
            }),
    );
    let empty = samples.line_ups.iter().flat_map(|line_up| {
        let deals = line_up.deals();
        line_up.bots.iter().map(move |bot| deals - bot.deals)
    });
    cautions.extend(empty_cells(empty.sum()));
    cautions
}

/// Returns a warning if blocks of the schedule are missing.
fn unfinished(progress: &GamesPlayed) -> Option<String> {
    let GamesPlayed {
        line_ups,
        line_ups_missing,
        blocks,
        blocks_played,
        ..
    } = *progress;
    if progress.is_complete() {
        return None;
    }
    let mut missing = format!(
        "Unfinished: {} of {blocks} blocks are missing",
        blocks - blocks_played
    );
    if line_ups_missing > 0 {
        missing += &format!(", {line_ups_missing} of {line_ups} line-ups have no blocks yet");
    }
    Some(missing + ". This report covers only the blocks that have been played.")
}

/// Returns a warning if `few` of `pairs` pairs have too few blocks for a verdict.
fn few_blocks(few: usize, pairs: usize) -> Option<String> {
    let which = match (few, pairs) {
        (0, _) => return None,
        (_, 1) => "The pair has".to_owned(),
        (1, _) => format!("1 of {pairs} pairs has"),
        _ if few == pairs => format!("All {pairs} pairs have"),
        _ => format!("{few} of {pairs} pairs have"),
    };
    Some(format!(
        "{which} fewer than {BLOCKS_MIN} blocks: the report shows numbers, but no verdict."
    ))
}

/// Returns a warning if some line-ups, but not all, have too few blocks to estimate their variance.
/// All line-ups are then tested as one sample.
pub(super) fn short_line_ups(samples: &Samples) -> Option<String> {
    let played: Vec<usize> = samples
        .line_ups
        .iter()
        .map(|line_up| line_up.blocks.len())
        .filter(|blocks| *blocks > 0)
        .collect();
    let (short, all) = (
        played
            .iter()
            .filter(|blocks| **blocks < CLUSTERS_MIN)
            .count(),
        played.len(),
    );
    (0 < short && short < all).then(|| {
        format!(
            "{short} of {all} line-ups have fewer than {CLUSTERS_MIN} blocks, but the same weight as \
             the others. This makes the intervals of their bots much wider, and their p values less reliable."
        )
    })
}

/// Returns the note on the results of a sequential league.
fn stopping_rule(rule: &SequentialRule) -> String {
    format!(
        "A rule that looks at the scores stops the comparisons ({} of {} decided after {} rounds). \
         The verdicts on these pairs are those of the rule. The p values and intervals in the tables are computed \
         for a fixed number of blocks, so they are too optimistic for stopped comparisons.",
        rule.decided, rule.comparisons, rule.rounds
    )
}

/// Returns the warning about a bot that forfeited blocks.
fn forfeits(bot: &BotStanding) -> String {
    format!(
        "{} forfeited {} of its {} blocks; every deal of these blocks counts as the worst possible \
         result.",
        bot.name, bot.forfeits, bot.blocks
    )
}

/// Returns the warning about a bot that could not be started in some blocks. Their scores say
/// nothing about its play.
fn unstarted(bot: &BotStanding) -> String {
    format!(
        "{} could not be started in {} of its {} blocks; the fallback of `faults` played the deals \
         that it missed.",
        bot.name, bot.unstarted, bot.blocks
    )
}

/// Returns a warning if scores are missing in `empty` deals.
fn empty_cells(empty: u64) -> Option<String> {
    (empty > 0).then(|| {
        format!(
            "Empty cells: {empty}. Two bots are compared on the blocks in which both have scores, \
             even if these scores are in different rows."
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::standings::{About, TestSettings, standings};
    use hattari_play::samples::read_scores;

    #[test]
    fn an_unfinished_schedule_is_reported_with_its_missing_parts() {
        let mut progress = GamesPlayed {
            line_ups: 3,
            line_ups_missing: 0,
            blocks: 30,
            blocks_played: 30,
            deals_played: 300,
        };
        assert_eq!(unfinished(&progress), None);
        progress.blocks_played = 25;
        assert_eq!(
            unfinished(&progress).as_deref(),
            Some(
                "Unfinished: 5 of 30 blocks are missing. This report covers only the blocks that \
                 have been played."
            )
        );
        progress.line_ups_missing = 1;
        let text = unfinished(&progress).expect("blocks are missing");
        assert!(text.contains("are missing, 1 of 3 line-ups have no blocks yet. This report"));
    }

    #[test]
    fn pairs_with_few_blocks_are_counted() {
        let end = "fewer than 10 blocks: the report shows numbers, but no verdict.";
        for (few, pairs, start) in [
            (1, 1, "The pair has"),
            (1, 3, "1 of 3 pairs has"),
            (2, 3, "2 of 3 pairs have"),
            (3, 3, "All 3 pairs have"),
        ] {
            assert_eq!(few_blocks(few, pairs), Some(format!("{start} {end}")));
        }
        assert_eq!(few_blocks(0, 3), None);
    }

    #[test]
    fn a_bot_that_could_not_be_started_is_reported() {
        let mut samples =
            read_scores("block,a,b\n1,3,2\n2,4,3\n".as_bytes()).expect("valid scores");
        samples.line_ups[0].bots[1].unstarted = 1;
        let settings = TestSettings::default();
        let found = standings(&samples, About::default(), settings, None, None);
        let cautions = found.expect("valid settings").cautions;
        let absent = cautions.iter().filter(|text| text.contains("be started"));
        let expected = "b could not be started in 1 of its 2 blocks; the fallback of `faults` \
                        played the deals that it missed.";
        assert_eq!(absent.collect::<Vec<_>>(), [expected]);
    }

    #[test]
    fn empty_cells_are_counted() {
        assert_eq!(empty_cells(0), None);
        let text = empty_cells(7).expect("cells are empty");
        assert!(text.starts_with("Empty cells: 7. Two bots are compared"));
    }
}
