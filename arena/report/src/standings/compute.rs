//! Computes the standings from the samples of a league.

use super::about::{About, Stake};
use super::checks::dependence;
use super::cut::KeptParts;
use super::estimate::estimate_of;
use super::line_ups::{ComparedLineUp, LineUpResults};
use super::pairs::{ListedPairs, PairEvaluation, Ranking};
use super::pool::{options_of, pool};
use super::published::PublishedTable;
use super::published_comparison::compare_with_published;
use super::ratings::ratings;
use super::relation::relation;
use super::sequential;
use super::swept::swept;
use super::types::{other_than_max_t, *};
use hattari_agents::seeds::{Purpose, Seeds};
use hattari_play::samples::{LineUpSample, Samples, keep_first};
use hattari_play::stopping::Stopping;
use hattari_stats::compare::{BLOCKS_MIN, BotSummary};
use hattari_stats::sequential::StoppingRule;
use hattari_stats::{CompareOptions, Comparison, Untestable};
use std::collections::HashSet;

/// Computes the standings of fixed line-ups. `planned` is the number of blocks per line-up. If it
/// is `None`, the finished blocks count as the complete schedule.
///
/// # Errors
/// Returns an error if a setting is out of range or a score is not finite.
pub fn standings(
    samples: &Samples,
    about: About,
    settings: TestSettings,
    planned: Option<u32>,
    published: Option<&PublishedTable>,
) -> Result<Standings, Untestable> {
    let evaluation = Evaluation {
        planned,
        published,
        ..Evaluation::new(samples, about, settings)
    };
    evaluation.standings()
}

/// The data and options from which standings are computed.
pub(super) struct Evaluation<'a> {
    /// The scores.
    pub samples: &'a Samples,
    /// Metadata of the report.
    pub about: About,
    /// Options of the tests.
    pub settings: TestSettings,
    /// Planned number of blocks per line-up. If it is `None`, the finished blocks count as the
    /// complete schedule.
    pub planned: Option<u32>,
    /// The published table to compare with.
    pub published: Option<&'a PublishedTable>,
    /// The rule of a sequential league and its results so far.
    pub followed: Option<(&'a StoppingRule, &'a Stopping)>,
    /// `true` to omit the parts that [`Standings::for_readers`] leaves out.
    pub for_readers: bool,
}

impl<'a> Evaluation<'a> {
    /// Creates the evaluation of all finished blocks, without a published table.
    pub(super) fn new(samples: &'a Samples, about: About, settings: TestSettings) -> Self {
        Evaluation {
            samples,
            about,
            settings,
            planned: None,
            published: None,
            followed: None,
            for_readers: false,
        }
    }

    /// Computes the standings.
    ///
    /// # Errors
    /// Returns an error if a setting is out of range or a score is not finite.
    pub(super) fn standings(self) -> Result<Standings, Untestable> {
        let Evaluation {
            samples,
            about,
            followed,
            published,
            ..
        } = self;
        let names = &samples.names;
        let options = options_of(&self.settings);
        let compared = ComparedLineUp::all(samples);
        let seed = report_seed(&about);
        // The ratings come first because they need much memory.
        let ratings = ratings(names, &compared, options.confidence, seed);
        let pooled = pool(names.len(), &compared, &options)?;
        let settings = TestSettings {
            correction: pooled.options.correction,
            ..self.settings
        };
        let ranking = Ranking::of(&pooled, names, &about);
        let listed = ListedPairs::of(names.len(), &compared);
        let listed_pairs = (pooled.pairs.iter())
            .filter(|pair| listed.contains(pair))
            .count();
        // The comparison with a published table needs all pairs.
        let kept = if self.for_readers && published.is_none() {
            KeptParts::of(listed_pairs)
        } else {
            KeptParts::ALL
        };
        // With very many pairs, design effects and required blocks are not worth the time.
        let is_large = CHECKED_MAX < pooled.family;
        // Max-T is not used for single line-ups: they have no verdicts, and there may be many of
        // them.
        let alone = CompareOptions {
            correction: other_than_max_t(options.correction),
            ..options
        };
        let LineUpResults {
            line_ups,
            pairs: at_line_ups,
            congeniality,
        } = LineUpResults::of(names, &compared, &ranking.rank, &alone, is_large, kept)?;
        let bots = bot_standings(samples, &pooled, &ranking, about.stake());
        let evaluated = PairEvaluation {
            names,
            about: &about,
            settings: &settings,
            compared: &compared,
            pooled: &pooled,
            ranking: &ranking,
            listed: &listed,
            kept,
            followed: followed.map(|(rule, stopping)| (rule, sequential::Pairs::of(stopping))),
            bots: &bots,
            is_large,
        }
        .evaluate(at_line_ups);
        let rule = followed.map(|(rule, _)| *rule);
        let kept_names: HashSet<&str> = ranking.top(names, kept.bots).collect();
        let progress = progress(samples, self.planned);
        let mut standings = Standings {
            about,
            settings,
            progress: GamesPlayed {
                blocks: followed.map_or(progress.blocks, |(_, stopping)| stopping.blocks_needed()),
                ..progress
            },
            tiers: ranking.tiers(names, &pooled, &evaluated.leads, rule),
            bots,
            swept: Vec::new(),
            pairs: evaluated.pairs,
            family: pooled.family as u64,
            across: None,
            play: Vec::new(),
            numbers: Vec::new(),
            sequential: followed.map(|(rule, stopping)| sequential::rule(rule, stopping)),
            rounds: None,
            relation: relation(names, &pooled, &compared),
            ratings,
            congeniality: match kept {
                KeptParts::ALL => congeniality,
                _ => congeniality.map(|table| table.among(|name| kept_names.contains(name))),
            },
            luck: None,
            machines: Vec::new(),
            published: None,
            line_ups,
            cautions: Vec::new(),
            left_out: kept.left_out(listed_pairs, evaluated.tallies),
        };
        standings.add_swept();
        standings.published = published.map(|published| {
            compare_with_published(published, standings.congeniality.as_ref(), |row, column| {
                standings.difference(row, column)
            })
        });
        standings.cautions = cautions(&standings, samples, evaluated.few, listed_pairs);
        Ok(standings)
    }
}

impl Standings {
    /// Adds the scores of entrants that differ in one numeric setting.
    fn add_swept(&mut self) {
        if let Some(league) = &self.about.league {
            self.swept = swept(&league.entrants, |name| {
                let bot = self.bots.iter().find(|bot| bot.name == name)?;
                Some(bot.estimate.tested().copied())
            });
        }
    }
}

/// Returns the seed of random numbers that reports use, derived from the seed of the league.
fn report_seed(about: &About) -> u64 {
    about.league.as_ref().map_or(0, |league| {
        Seeds::league(league.seed)
            .purpose(Purpose::Report)
            .number(0)
    })
}

/// Maximum number of pairs for which design effects and required blocks are computed.
const CHECKED_MAX: usize = 5_000;

/// Returns the line-up numbers of every bot.
fn line_ups_by_bot(samples: &Samples) -> Vec<Vec<(u32, &LineUpSample)>> {
    let mut by_bot = vec![Vec::new(); samples.names.len()];
    for (number, line_up) in (0..).zip(&samples.line_ups) {
        for bot in &line_up.bots {
            by_bot[bot.entrant].push((number, line_up));
        }
    }
    by_bot
}

/// Returns the standings of the bots, sorted by rank.
fn bot_standings(
    samples: &Samples,
    pooled: &Comparison,
    ranking: &Ranking,
    stake: Option<&Stake>,
) -> Vec<BotStanding> {
    let by_bot = line_ups_by_bot(samples);
    let standing = |&bot: &usize| BotStanding {
        role: ranking.roles[bot],
        ..bot_standing(bot, &pooled.bots[bot], samples, &by_bot[bot], stake)
    };
    ranking.order.iter().map(standing).collect()
}

fn bot_standing(
    bot: usize,
    summary: &BotSummary,
    samples: &Samples,
    line_ups: &[(u32, &LineUpSample)],
    stake: Option<&Stake>,
) -> BotStanding {
    let thinking = samples.thinking[bot];
    let estimate = estimate_of(summary);
    let mut fault_notes = Vec::new();
    let (mut deals, mut faults, mut forfeits, mut placements) = (0, 0, 0, Vec::new());
    for &(number, line_up) in line_ups {
        let Some(here) = line_up.bot(bot) else {
            continue;
        };
        deals += here.deals;
        faults += here.faults;
        forfeits += here
            .forfeited
            .iter()
            .filter(|is_forfeited| **is_forfeited)
            .count();
        placements.resize(placements.len().max(here.ranks.len()), 0);
        for (sum, count) in placements.iter_mut().zip(&here.ranks) {
            *sum += count;
        }
        fault_notes.extend(here.fault_notes.iter().map(|note| (number, note.clone())));
        // Notes are dropped after every line-up, because there may be many line-ups.
        fault_notes = keep_first(fault_notes, FAULT_NOTES_MAX, |(_, note)| note.kind);
    }
    let placed: u64 = placements.iter().sum();
    let places = placements
        .iter()
        .filter(|_| placed > 0)
        .map(|&n| n as f64 / placed as f64)
        .collect();
    let timed = thinking.timed > 0 && thinking.nanos > 0;
    BotStanding {
        name: samples.names[bot].clone(),
        role: None,
        blocks: summary.blocks as u64,
        deals,
        mean: summary.mean,
        winnings: (estimate.tested().zip(stake))
            .map(|(estimate, stake)| stake.per_hundred(*estimate)),
        estimate,
        places,
        faults,
        forfeits: forfeits as u64,
        fault_notes,
        thinking,
        kills: samples.kills[bot],
        dependence: dependence(
            bot,
            (line_ups.iter())
                .map(|(_, line_up)| *line_up)
                .filter(|line_up| !line_up.blocks.is_empty()),
        ),
        decisions_per_second: timed.then(|| thinking.timed as f64 / thinking.nanos as f64 * 1e9),
    }
}

/// Maximum number of faults per bot that a report describes, in addition to the first of each kind.
const FAULT_NOTES_MAX: usize = 3;

fn progress(samples: &Samples, planned: Option<u32>) -> GamesPlayed {
    let played = |line_up: &LineUpSample| line_up.blocks.len() as u64;
    let line_ups = samples.line_ups.len() as u64;
    let blocks_played = samples.line_ups.iter().map(played).sum();
    GamesPlayed {
        line_ups,
        line_ups_missing: samples
            .line_ups
            .iter()
            .filter(|line_up| line_up.blocks.is_empty())
            .count() as u64,
        blocks: planned.map_or(blocks_played, |planned| u64::from(planned) * line_ups),
        blocks_played,
        deals_played: samples.line_ups.iter().map(LineUpSample::deals).sum(),
    }
}

/// Returns warnings for the reader. `few` is the number of pairs, out of `pairs`, that have too few
/// blocks for a verdict.
fn cautions(standings: &Standings, samples: &Samples, few: usize, pairs: usize) -> Vec<String> {
    let mut cautions = Vec::new();
    let GamesPlayed {
        line_ups,
        line_ups_missing,
        blocks,
        blocks_played,
        ..
    } = standings.progress;
    if !standings.progress.is_complete() {
        let mut missing = format!(
            "Unfinished: {} of {blocks} blocks are missing",
            blocks - blocks_played
        );
        if line_ups_missing > 0 {
            missing += &format!(", {line_ups_missing} of {line_ups} line-ups have no blocks yet");
        }
        cautions.push(missing + ". This report covers only the blocks that have been played.");
    }
    if few > 0 {
        let which = match (few, pairs) {
            (_, 1) => "The pair has".to_owned(),
            (1, _) => format!("1 of {pairs} pairs has"),
            _ if few == pairs => format!("All {pairs} pairs have"),
            _ => format!("{few} of {pairs} pairs have"),
        };
        cautions.push(format!(
            "{which} fewer than {BLOCKS_MIN} blocks: the report shows numbers, but no verdict."
        ));
    }
    if let Some(rule) = &standings.sequential {
        cautions.push(format!(
            "A rule that looks at the scores stops the comparisons ({} of {} decided after {} \
             rounds). The verdicts are those of the rule. The p values and intervals in the \
             tables are computed for a fixed number of blocks, so they are too optimistic for \
             stopped comparisons.",
            rule.decided, rule.comparisons, rule.rounds
        ));
    }
    for bot in standings.bots.iter().filter(|bot| bot.forfeits > 0) {
        cautions.push(format!(
            "{} forfeited {} of its {} blocks; every deal of these blocks counts as the worst \
             possible result.",
            bot.name, bot.forfeits, bot.blocks
        ));
    }
    let cells = samples
        .line_ups
        .iter()
        .flat_map(|line_up| line_up.bots.iter().map(|bot| line_up.deals() - bot.deals));
    let empty: u64 = cells.sum();
    if empty > 0 {
        cautions.push(format!(
            "Empty cells: {empty}. Two bots are compared on the blocks in which both have \
             scores, even if these scores are in different rows."
        ));
    }
    cautions
}
