//! Computes the standings from the samples of a league.

use super::about::{About, Role, Stake};
use super::checks::{dependence, design_effect};
use super::cut::{KeptParts, count};
use super::estimate::{Estimate, TestResult};
use super::line_ups::{ComparedLineUp, LineUpResults, test_of};
use super::published::PublishedTable;
use super::published_comparison::compare_with_published;
use super::ratings::ratings;
use super::relation::relation;
use super::sequential;
use super::swept::swept;
use super::tiers::{SignificantLeads, tiers};
use super::types::{other_than_max_t, *};
use super::verdict;
use hattari_agents::seeds::{Purpose, Seeds};
use hattari_play::samples::{LineUpSample, Samples, keep_first};
use hattari_play::stopping::Stopping;
use hattari_stats::compare::{BLOCKS_MIN, BotSummary, PairSummary};
use hattari_stats::sequential::StoppingRule;
use hattari_stats::{
    BotSample, CompareOptions, Comparison, Correction, LineUpScores, Untestable, compare,
};
use std::collections::{HashMap, HashSet};

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
    standings_of(samples, about, settings, planned, published, None, false)
}

/// Computes the [`standings`] of any league. `followed` is the rule of a sequential league and its
/// results so far. With `for_readers`, the parts that [`Standings::for_readers`] leaves out are not
/// computed.
pub(super) fn standings_of(
    samples: &Samples,
    about: About,
    settings: TestSettings,
    planned: Option<u32>,
    published: Option<&PublishedTable>,
    followed: Option<(&StoppingRule, &Stopping)>,
    for_readers: bool,
) -> Result<Standings, Untestable> {
    let options = options_of(&settings);
    let names = &samples.names;
    // Max-T is not used for single line-ups: they have no verdicts, and there may be many of them.
    let alone = CompareOptions {
        correction: other_than_max_t(settings.correction),
        ..options
    };
    let compared = ComparedLineUp::all(samples);
    let seed = about.league.as_ref().map_or(0, |league| {
        Seeds::league(league.seed)
            .purpose(Purpose::Report)
            .number(0)
    });
    // The ratings come first because they need much memory.
    let ratings = ratings(names, &compared, settings.confidence, seed);
    let pooled = pool(names.len(), &compared, &options)?;
    let options = pooled.options;
    let settings = TestSettings {
        correction: options.correction,
        ..settings
    };
    let roles: Vec<Option<Role>> = names.iter().map(|name| about.role(name)).collect();
    let order = order_of(&pooled, &roles);
    // If there are challengers, only they are ranked in tiers.
    let ranked = match roles.iter().flatten().count() {
        0 => names.len(),
        _ => (roles.iter())
            .filter(|role| **role == Some(Role::Challenger))
            .count(),
    };
    let mut rank = vec![0; names.len()];
    order
        .iter()
        .enumerate()
        .for_each(|(place, &bot)| rank[bot] = place);
    // With very many pairs, design effects and required blocks are not worth the time.
    let is_large = CHECKED_MAX < pooled.family;
    let by_bot = line_ups_by_bot(samples);
    let faults: Vec<u64> = (0..names.len())
        .map(|bot| {
            by_bot[bot]
                .iter()
                .filter_map(|(_, at)| at.bot(bot))
                .map(|at| at.faults)
                .sum()
        })
        .collect();
    // In a large league, pairs that never met are not listed: the report would be too long.
    let met_pairs = met_pairs(names.len(), &compared);
    let is_listed = |pair: &PairSummary| {
        names.len() <= NEVER_MET_MAX
            || pair.test.is_some()
            || met_pairs[pair.a * names.len() + pair.b]
    };
    let listed = pooled.pairs.iter().filter(|pair| is_listed(pair)).count();
    // The comparison with a published table needs all pairs.
    let kept = if for_readers && published.is_none() {
        KeptParts::of(listed)
    } else {
        KeptParts::ALL
    };
    let LineUpResults {
        line_ups,
        pairs: at_line_ups,
        congeniality,
    } = LineUpResults::of(names, &compared, &rank, &alone, is_large, kept)?;
    let followed_pairs = followed.map(|(_, stopping)| sequential::Pairs::of(stopping));
    let mut at_line_ups = at_line_ups.into_iter().peekable();
    let mut pairs = Vec::new();
    let (mut tallies, mut few) = (vec![[0; 4]; names.len()], 0);
    let mut leads = SignificantLeads::new(ranked);
    for (place, &a) in order.iter().enumerate() {
        for &b in &order[place + 1..] {
            let mut line_ups = Vec::new();
            while let Some((_, at)) = at_line_ups.next_if(|(ranks, _)| *ranks == [rank[a], rank[b]])
            {
                line_ups.push(at);
            }
            let Some(mut pair) = pooled.pair(a, b) else {
                continue;
            };
            if is_large {
                pair.level = None;
            }
            if !is_listed(&pair) {
                continue;
            }
            let is_kept = kept.has_pair([rank[a], rank[b]]);
            let by_rule = followed_pairs
                .as_ref()
                .and_then(|followed| followed.pair(a, b, names));
            let verdict = match (&by_rule, followed) {
                (Some(found), Some((rule, _))) => {
                    sequential::verdict(&names[a], found, rule, &about)
                }
                _ if !is_kept => PairVerdict {
                    kind: verdict::kind(&pair),
                    text: String::new(),
                },
                _ => verdict::of(
                    &pair,
                    (&names[a], &names[b]),
                    &options,
                    pooled.family,
                    &about,
                ),
            };
            count(&mut tallies, [rank[a], rank[b]], verdict.kind);
            // The rule of a sequential league does not cover all pairs.
            let is_counted = rank[b] < ranked && (followed.is_none() || by_rule.is_some());
            if is_counted && verdict.kind == VerdictKind::Ahead {
                leads.note([rank[a], rank[b]]);
            }
            let required = if is_kept {
                pair.required(&options)
            } else {
                None
            };
            let test = test_of(&pair, required);
            let is_few = test.tested().is_some_and(|test| test.n < BLOCKS_MIN as u64);
            few += usize::from(is_few && verdict.kind == VerdictKind::CannotTell);
            if !is_kept {
                continue;
            }
            let met = line_ups
                .iter()
                .filter_map(|at| Some((number_of(&compared, at.line_up)?, at)));
            let winnings = test
                .tested()
                .and_then(|test| Some(about.stake()?.per_hundred(test.into())));
            pairs.push(PairStanding {
                a: names[a].clone(),
                b: names[b].clone(),
                pooled: test,
                blocks: pair.shared_blocks as u64,
                difference: pair.mean_difference,
                winnings,
                equivalence: pair.equivalence,
                score_ratio: settings.score_ratio.then(|| {
                    score_ratio(a, b, met.clone().map(|(here, _)| here), settings.confidence)
                }),
                design_effect: (!is_large).then(|| design_effect(a, b, met)).flatten(),
                sequential: by_rule.map(Box::new),
                verdict: verdict.with_faults([a, b].map(|bot| (names[bot].as_str(), faults[bot]))),
                line_ups,
            });
        }
    }
    let kept_names: HashSet<&str> = order
        .iter()
        .take(kept.bots)
        .map(|&bot| names[bot].as_str())
        .collect();
    let played = progress(samples, planned);
    let ranked: Vec<String> = (order[..ranked].iter())
        .map(|&bot| names[bot].clone())
        .collect();
    let is_joint = pooled.family <= 1 || settings.correction != Correction::None;
    let rule = followed.map(|(rule, _)| *rule);
    let tiers = match ranked.len() < names.len() && ranked.len() < 2 {
        true => Err("there is only one challenger"),
        false => tiers(&ranked, &leads, (settings.alpha(), is_joint), rule),
    };
    let stake = about.stake().cloned();
    let bots = order.iter().map(|&bot| BotStanding {
        faults: faults[bot],
        role: roles[bot],
        ..bot_standing(
            bot,
            &pooled.bots[bot],
            samples,
            &by_bot[bot],
            stake.as_ref(),
        )
    });
    let mut standings = Standings {
        about,
        settings,
        progress: GamesPlayed {
            blocks: followed.map_or(played.blocks, |(_, stopping)| stopping.blocks_needed()),
            ..played
        },
        tiers: tiers.into(),
        bots: bots.collect(),
        swept: Vec::new(),
        pairs,
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
        left_out: kept.left_out(listed, tallies),
    };
    if let Some(league) = &standings.about.league {
        standings.swept = swept(&league.entrants, |name| {
            let bot = standings.bots.iter().find(|bot| bot.name == name)?;
            Some(bot.estimate.tested().copied())
        });
    }
    standings.published = published.map(|published| {
        compare_with_published(published, standings.congeniality.as_ref(), |row, column| {
            standings.difference(row, column)
        })
    });
    standings.cautions = cautions(&standings, samples, few, listed);
    Ok(standings)
}

fn options_of(settings: &TestSettings) -> CompareOptions {
    CompareOptions {
        confidence: settings.confidence,
        correction: settings.correction,
        power: settings.power,
        equal_within: settings.equal_within,
        ..CompareOptions::default()
    }
}

/// Returns the comparison over all line-ups and the options that were applied.
pub(super) fn pooled(samples: &Samples, settings: &TestSettings) -> Result<Comparison, Untestable> {
    let line_ups = ComparedLineUp::all(samples);
    pool(samples.names.len(), &line_ups, &options_of(settings))
}

/// Maximum number of pairs for which design effects and required blocks are computed.
const CHECKED_MAX: usize = 5_000;
/// Maximum number of bots of a report that also lists pairs that never met, without a test.
const NEVER_MET_MAX: usize = 100;

/// Returns a square matrix, row by row, with `true` for every two bots that have shared a table.
fn met_pairs(bots: usize, line_ups: &[ComparedLineUp<'_>]) -> Vec<bool> {
    let mut met_pairs = vec![false; bots * bots];
    for pair in line_ups.iter().flat_map(|line_up| &line_up.sample.pairs) {
        met_pairs[pair.a * bots + pair.b] = true;
        met_pairs[pair.b * bots + pair.a] = true;
    }
    met_pairs
}

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

/// Returns the line-up with the given number; `None` if it has no finished block.
fn number_of<'a>(
    compared: &'a [ComparedLineUp<'a>],
    number: u32,
) -> Option<&'a ComparedLineUp<'a>> {
    compared
        .binary_search_by_key(&number, |here| here.number)
        .ok()
        .map(|at| &compared[at])
}

/// Returns the score of `a` divided by the sum of both scores at the same tables.
fn score_ratio<'a>(
    a: usize,
    b: usize,
    compared: impl Iterator<Item = &'a ComparedLineUp<'a>>,
    confidence: f64,
) -> TestResult<Estimate> {
    let (mut scores_a, mut scores_b, mut clusters) = (Vec::new(), Vec::new(), Vec::new());
    for line_up in compared {
        if let (Some(bot_a), Some(bot_b)) = (line_up.sample.bot(a), line_up.sample.bot(b)) {
            for ((x, y), cluster) in bot_a.means.iter().zip(&bot_b.means).zip(line_up.clusters()) {
                let (Some(x), Some(y)) = (x, y) else { continue };
                scores_a.push(*x);
                scores_b.push(*y);
                clusters.push(cluster);
            }
        }
    }
    hattari_stats::ratio::score_ratio(&scores_a, &scores_b, &clusters, confidence)
        .map(|share| Estimate::new(share.ratio, share.se, share.interval))
        .into()
}

/// Compares the bots over all line-ups.
fn pool(
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

/// Returns the bots sorted by descending mean; bots without a mean come last. The field comes after
/// all other bots.
fn order_of(pooled: &Comparison, roles: &[Option<Role>]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..pooled.bots.len()).collect();
    let mean = |bot: usize| pooled.bots[bot].mean.unwrap_or(f64::NEG_INFINITY);
    order.sort_by(|&a, &b| mean(b).total_cmp(&mean(a)));
    // Challengers, bots that do not play, field. The sort is stable.
    order.sort_by_key(|&bot| match roles[bot] {
        Some(Role::Challenger) => 0,
        None => 1,
        Some(Role::Field) => 2,
    });
    order
}

/// Returns the mean of a bot with its standard error, or the reason why it cannot be estimated.
pub(super) fn estimate_of(bot: &BotSummary) -> TestResult<Estimate> {
    match (bot.mean, bot.se, bot.interval) {
        (Some(value), Some(se), Some(interval)) => {
            TestResult::Tested(Estimate::new(value, se, interval))
        }
        _ => TestResult::NotTestable(
            bot.note
                .as_ref()
                .unwrap_or(&Untestable::MissingScores)
                .to_string(),
        ),
    }
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
    let (mut deals, mut forfeits, mut placements) = (0, 0, Vec::new());
    for &(number, line_up) in line_ups {
        let Some(here) = line_up.bot(bot) else {
            continue;
        };
        deals += here.deals;
        forfeits += here
            .forfeited
            .iter()
            .filter(|is_forfeited| **is_forfeited)
            .count();
        placements.resize(placements.len().max(here.places.len()), 0);
        let both = placements.iter_mut().zip(&here.places);
        both.for_each(|(all, own)| *all += own);
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
        faults: 0,
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
