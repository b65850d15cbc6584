//! The results of single bots over all line-ups.

use super::checks::dependence;
use super::estimate::estimate_of;
use super::ranked::Ranking;
use super::{BotStanding, Role, Stake};
use hattari_play::samples::{FaultNote, LineUpSample, Samples, keep_first};
use hattari_stats::Comparison;
use hattari_stats::compare::BotSummary;

/// Maximum number of faults per bot that a report describes, in addition to the first of each kind.
const FAULT_NOTES_MAX: usize = 3;

/// Returns the standings of the bots, sorted by rank.
pub(super) fn bot_standings(
    samples: &Samples,
    pooled: &Comparison,
    ranking: &Ranking,
    stake: Option<&Stake>,
) -> Vec<BotStanding> {
    let by_bot = line_ups_by_bot(samples);
    ranking
        .order
        .iter()
        .map(|&bot| {
            let (summary, role) = (&pooled.bots[bot], ranking.roles[bot]);
            bot_standing(bot, role, summary, samples, &by_bot[bot], stake)
        })
        .collect()
}

/// Returns the line-ups of every bot, with their numbers.
fn line_ups_by_bot(samples: &Samples) -> Vec<Vec<(u32, &LineUpSample)>> {
    let mut by_bot = vec![Vec::new(); samples.names.len()];
    for (number, line_up) in (0..).zip(&samples.line_ups) {
        for bot in &line_up.bots {
            by_bot[bot.entrant].push((number, line_up));
        }
    }
    by_bot
}

/// Returns the results of one bot. `line_ups` are its numbered line-ups.
fn bot_standing(
    bot: usize,
    role: Option<Role>,
    summary: &BotSummary,
    samples: &Samples,
    line_ups: &[(u32, &LineUpSample)],
    stake: Option<&Stake>,
) -> BotStanding {
    let thinking = samples.thinking[bot];
    let estimate = estimate_of(summary);
    let totals = BotTotals::of(bot, line_ups);
    let played =
        (line_ups.iter().map(|(_, line_up)| *line_up)).filter(|line_up| !line_up.blocks.is_empty());
    let is_timed = thinking.timed > 0 && thinking.nanos > 0;
    BotStanding {
        name: samples.names[bot].clone(),
        role,
        blocks: summary.blocks as u64,
        deals: totals.deals,
        mean: summary.mean,
        winnings: (estimate.tested().zip(stake))
            .map(|(estimate, stake)| stake.per_hundred(*estimate)),
        estimate,
        places: totals.place_shares(),
        faults: totals.faults,
        forfeits: totals.forfeits,
        unstarted: totals.unstarted,
        fault_notes: totals.fault_notes,
        thinking,
        kills: samples.kills[bot],
        dependence: dependence(bot, played),
        decisions_per_second: is_timed.then(|| thinking.timed as f64 / thinking.nanos as f64 * 1e9),
    }
}

/// Sums over the line-ups of a bot.
#[derive(Default)]
struct BotTotals {
    deals: u64,
    faults: u64,
    forfeits: u64,
    unstarted: u64,
    /// Number of deals in which the bot took each place, from first to last.
    placements: Vec<u64>,
    /// The first faults, with the line-up number.
    fault_notes: Vec<(u32, FaultNote)>,
}

impl BotTotals {
    /// Adds up the line-ups of a bot.
    fn of(bot: usize, line_ups: &[(u32, &LineUpSample)]) -> BotTotals {
        let mut totals = BotTotals::default();
        for &(number, line_up) in line_ups {
            let Some(sample) = line_up.bot(bot) else {
                continue;
            };
            totals.deals += sample.deals;
            totals.faults += sample.faults;
            totals.forfeits += sample
                .forfeited
                .iter()
                .filter(|is_forfeited| **is_forfeited)
                .count() as u64;
            totals.unstarted += sample.unstarted;
            let places = totals.placements.len().max(sample.ranks.len());
            totals.placements.resize(places, 0);
            for (sum, count) in totals.placements.iter_mut().zip(&sample.ranks) {
                *sum += count;
            }
            let notes = sample.fault_notes.iter();
            totals
                .fault_notes
                .extend(notes.map(|note| (number, note.clone())));
            // Notes are dropped after every line-up, because there may be many line-ups.
            totals.fault_notes =
                keep_first(totals.fault_notes, FAULT_NOTES_MAX, |(_, note)| note.kind);
        }
        totals
    }

    /// Returns the share of deals of each place; empty without placements.
    fn place_shares(&self) -> Vec<f64> {
        let total: u64 = self.placements.iter().sum();
        if total == 0 {
            return Vec::new();
        }
        self.placements
            .iter()
            .map(|&count| count as f64 / total as f64)
            .collect()
    }
}
