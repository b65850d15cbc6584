//! Computes standings from a result store.

use super::about::{About, AboutEntrant, AboutLeague, Stake};
use super::compute::standings_of;
use super::kills;
use super::luck;
use super::machines;
use super::published::PublishedTable;
use super::rounds::PlayedRounds;
use super::types::{Standings, TestSettings};
use hattari_agents::table::{self, FaultPolicy};
use hattari_agents::text::counted;
use hattari_play::league::{self, Format, League, PlannedDeals, Sharing};
use hattari_play::pack::LeagueFile;
use hattari_play::samples::{RecordMismatch, SampleCollector, Samples};
use hattari_play::store::{Store, StoreError, WITHOUT};
use hattari_stats::sequential::StoppingRule;
use hattari_stats::{Correction, Untestable};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Maximum number of line-ups for which luck is reported by default.
const LUCK_LINE_UPS_MAX: usize = 50_000;
/// Maximum number of excluded entrants that are listed individually.
const EXCLUDED_MAX: usize = 20;

/// Power for which the number of required blocks is computed.
pub const POWER: f64 = 0.8;

/// Report options. Options that are set override the settings of the league.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReportOptions {
    /// Confidence level of intervals.
    pub confidence: Option<f64>,
    /// Adjustment of p values for several comparisons.
    pub correction: Option<Correction>,
    /// Margin of equivalence, in points per deal.
    pub equal_within: Option<f64>,
    /// `true` to compute score ratios even if the league does not request them.
    pub score_ratio: bool,
    /// `true` to adjust scores for luck even if the league does not request it.
    pub without_luck: bool,
    /// `true` to omit the parts of a large league that text and pages do not show
    /// ([`Standings::for_readers`]) and that need most of the memory.
    pub for_readers: bool,
    /// The current command, for the head of the report.
    pub command: String,
    /// Folder that is left out of file names in the report.
    pub here: Option<PathBuf>,
}

/// The reason why standings cannot be computed.
#[derive(Debug, thiserror::Error)]
pub enum StandingsError {
    /// The store cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The records do not match the schedule.
    #[error(
        "the store `{path}` is damaged ({why}): restore a copy of it, or move it away and play the \
         league again"
    )]
    Damaged {
        /// Path of the store.
        path: String,
        /// The difference between the records and the schedule.
        why: RecordMismatch,
    },
    /// A setting is out of range.
    #[error(transparent)]
    Settings(#[from] Untestable),
}

/// Returns cautions about statistical methods of version 0.2 that the league requests and that
/// other methods replace.
fn retired_method_cautions(league: &League, options: &ReportOptions) -> Vec<String> {
    let is_betting =
        |sequential: &league::Sequential| matches!(sequential.rule, StoppingRule::Betting(_));
    let rule = league.sequential.as_ref().filter(|rule| is_betting(rule));
    let rule = rule.map(|_| {
        "The league was stopped by the rule `betting`, which is no longer available. Its \
         comparisons are judged by the confidence sequence, which is valid for every stopping \
         rule and decides nothing before 10 rounds."
    });
    let is_asked = options.correction.is_none()
        && league.report.correction == league::Correction::BenjaminiHochberg;
    let correction = is_asked.then_some(
        "The league asks for the correction of Benjamini and Hochberg, which is no longer available: p values are adjusted by Holm's method.",
    );
    rule.into_iter()
        .chain(correction)
        .map(str::to_owned)
        .collect()
}

/// Reads the samples of a store and computes its standings. `league` is the current league file, if
/// available. Its report settings apply, and blocks that it requires in addition to those in the
/// store count as missing. The returned samples are those behind the standings: luck-adjusted if
/// that is requested and possible.
///
/// # Errors
/// Returns an error if the store cannot be read or is damaged, or if a setting is out of range. If
/// the published table cannot be read or the league file no longer matches the store, the report
/// contains a caution.
pub fn of_store(
    store: &Store,
    league: Option<&League>,
    options: &ReportOptions,
) -> Result<(Standings, Samples), StandingsError> {
    let stopping = store.stopping();
    let current = league.unwrap_or(store.league());
    let is_luck_requested = options.without_luck || current.report.without_luck;
    // Adjusted samples need as much memory as the original ones.
    let shows_luck = is_luck_requested || store.schedule().line_ups.len() <= LUCK_LINE_UPS_MAX;
    let samples = samples(store, shows_luck || !options.for_readers)?;
    let settings = TestSettings {
        confidence: options.confidence.unwrap_or(current.report.confidence),
        correction: options
            .correction
            .unwrap_or(match current.report.correction {
                league::Correction::MaxT => Correction::MaxT,
                league::Correction::Holm | league::Correction::BenjaminiHochberg => {
                    Correction::Holm
                }
            }),
        power: POWER,
        score_ratio: options.score_ratio || current.report.score_ratio,
        equal_within: options.equal_within.or(current.report.equal_within),
    };
    let mut cautions = retired_method_cautions(current, options);
    let excluded = &store.league().excluded;
    cautions.extend(
        excluded.iter().take(EXCLUDED_MAX).map(|excluded| {
            format!("Entrant excluded because of an error in its bot: {excluded}.")
        }),
    );
    if EXCLUDED_MAX < excluded.len() {
        let more = excluded.len() - EXCLUDED_MAX;
        cautions.push(format!(
            "Number of other entrants that are excluded for the same reason: {more} \
             (`about.league.excluded` of the JSON report lists all)."
        ));
    }
    if let Some(league) = league {
        let mut league = league.clone();
        // Entrants that were excluded when the league was played are still in the file.
        league.exclude_again(excluded);
        let now = store.identity().with_league(league);
        let changed = store
            .identity()
            .differences(&now, "as played", "in the file now");
        if !changed.is_empty() {
            let changed = changed.join("; ");
            cautions.push(format!(
                "The league file has changed since these games were played: {changed}."
            ));
        }
    }
    if let Err(why) = table::game(&store.league().game, &store.league().options) {
        cautions.push(format!(
            "This program does not contain the game of the league ({why}). The report uses the \
             unit `points` and assumes that the deals were drawn at random. Create the report with \
             the program that played the league."
        ));
    }
    cautions.extend(sandbox_cautions(store));
    cautions.extend(
        store
            .outputs()?
            .into_iter()
            .filter_map(|(entrant, output)| {
                let name = &store.league().entrants.get(entrant)?.name;
                Some(format!("The program of {name} printed: {output}"))
            }),
    );
    cautions.extend(fixed_deals_caution(store.league()));
    let published = current.report.published.as_ref().and_then(|published| {
        let mut refuse = |error: String| {
            cautions.push(format!("No comparison with the published table: {error}."))
        };
        let file = LeagueFile::open(&store.source().file)
            .map_err(|error| refuse(error.to_string()))
            .ok()?;
        PublishedTable::load(&file.base().join(&published.file), Some(&published.table))
            .map_err(|error| refuse(error.to_string()))
            .ok()
    });
    let about = about(store, options)?;
    // In an adaptive format, the number of blocks is not known in advance.
    let planned = store.round_schedule().is_none().then_some(current.blocks);
    let rule = store
        .league()
        .sequential
        .as_ref()
        .map(|sequential| &sequential.rule);
    let followed = rule.zip(stopping);
    let without = if shows_luck {
        samples.without_luck()
    } else {
        Err(Untestable::MissingScores)
    };
    // The sequential rule was applied to unadjusted scores.
    let is_removed = is_luck_requested && without.is_ok() && followed.is_none();
    if is_luck_requested && !is_removed {
        let why = without.as_ref().map_or_else(ToString::to_string, |_| {
            "the stopping rule of the league judged the scores as played".to_owned()
        });
        cautions.push(format!(
            "Luck-adjusted scores are not available: {why}. All numbers are as played."
        ));
    }
    let used = without
        .as_ref()
        .ok()
        .filter(|_| is_removed)
        .map_or(&samples, |(without, _)| without);
    let mut standings = standings_of(
        used,
        about,
        settings,
        planned,
        published.as_ref(),
        followed,
        options.for_readers,
    )?;
    let chances = table::game(&store.league().game, &store.league().options)
        .map_or(&[][..], |game| game.chances());
    if shows_luck {
        luck::add(&mut standings, &samples, &without, chances, is_removed)?;
    }
    standings.machines = machines::machines(store, used, settings.confidence)?;
    cautions.extend(machines::caution(&standings.machines, settings.alpha()));
    cautions.extend(kills::cautions(&standings.bots));
    standings.rounds = PlayedRounds::of(store, &samples, standings.left_out.is_some())?;
    standings.cautions.splice(0..0, cautions);
    standings.withhold_tests(matches!(store.league().format, Format::Race(_)));
    let used = without
        .ok()
        .filter(|_| is_removed)
        .map_or(samples, |(without, _)| without);
    Ok((standings, used))
}

/// Returns warnings about bots that ran without some measures of the sandbox.
fn sandbox_cautions(store: &Store) -> Vec<String> {
    let programs = store
        .league()
        .entrants
        .iter()
        .zip(&store.identity().contents);
    let mut bots: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (entrant, program) in programs {
        if let Some((_, missing)) = program.kind.split_once(WITHOUT) {
            bots.entry(missing).or_default().push(&entrant.name);
        }
    }
    let say = |(missing, names): (&str, Vec<&str>)| {
        format!(
            "Not all limits could be set on the machine that started this league: {} ran without \
             {missing}.",
            names.join(", ")
        )
    };
    bots.into_iter().map(say).collect()
}

/// Returns a note on the interpretation of results from given deals; `None` if no deal is repeated.
fn fixed_deals_caution(league: &League) -> Option<String> {
    let sharing = Sharing::of(league);
    if sharing.repeats_every_block() {
        return Some(
            "Every block plays the same given deals. The errors cover only the remaining \
             randomness, such as the random numbers of the bots. The results are valid for these \
             deals only."
                .to_owned(),
        );
    }
    let blocks = sharing
        .blocks_without_repeat()
        .filter(|blocks| *blocks < u64::from(league.blocks))?;
    let before = counted(blocks, "block");
    Some(format!(
        "The given deals repeat after {before}. A repeated deal is not a new observation: the \
         tests count different deals only, and more blocks give no information about other deals."
    ))
}

fn samples(store: &Store, has_luck: bool) -> Result<Samples, StandingsError> {
    let names = store
        .league()
        .entrants
        .iter()
        .map(|entrant| entrant.name.clone())
        .collect();
    let line_ups: Vec<Vec<usize>> = store
        .schedule()
        .line_ups
        .iter()
        .map(|line_up| line_up.entrants.clone())
        .collect();
    let league = store.league();
    let players = line_ups.first().map_or(0, Vec::len);
    let mut collector = SampleCollector::new(names, &line_ups)
        .planned(PlannedDeals::of(league, players))
        .sharing(Sharing::of(league));
    drop(line_ups);
    if !has_luck {
        collector = collector.without_luck();
    }
    let mut fits = Ok(());
    store.each_unsorted(|record| {
        if fits.is_ok() {
            fits = collector.add(&record);
        }
    })?;
    let timing = store.timing()?;
    let damaged = |why| StandingsError::Damaged {
        path: store.path().display().to_string(),
        why,
    };
    let samples = fits
        .and_then(|()| collector.finish(&timing))
        .map_err(damaged)?;
    Ok(Samples {
        kills: store.kills()?,
        ..samples
    })
}

fn about(store: &Store, options: &ReportOptions) -> Result<About, StoreError> {
    let league = store.league();
    let file = &store.source().file;
    let programs = league.entrants.iter().zip(&store.identity().contents);
    let entrants = programs.map(|(entrant, program)| AboutEntrant {
        name: entrant.name.clone(),
        bot: entrant.bot.clone(),
        config: entrant.config.clone(),
        kind: program.kind.clone(),
        version: program.version.clone(),
        hash: program.hash.clone(),
        budget: entrant.budget,
    });
    let game = table::game(&league.game, &league.options).ok();
    let both = |(a, b): (&[String], &[String])| (a.to_vec(), b.to_vec());
    Ok(About {
        title: file.file_stem().map_or_else(
            || "league".to_owned(),
            |stem| stem.to_string_lossy().into_owned(),
        ),
        command: options.command.clone(),
        version: store.identity().hattari.clone(),
        unit: "deal",
        score: game
            .as_ref()
            .map_or("points", |game| game.unit(league.duplicate)),
        league: Some(AboutLeague {
            file: options
                .here
                .as_ref()
                .and_then(|here| file.strip_prefix(here).ok())
                .unwrap_or(file)
                .display()
                .to_string(),
            game: league.game.clone(),
            preset: league.preset.clone(),
            options: league.options.clone(),
            stake: game
                .as_ref()
                .and_then(|game| game.stake())
                .map(|(name, points)| Stake { name, points }),
            seed: league.seed,
            format: league.format.description(league),
            sides: league.format.sides().map(both),
            challengers: league.format.challengers().map(both),
            blocks: league.blocks,
            deals: league.deals,
            duplicate: league.duplicate,
            same_deals: league.same_deals,
            faults: match league.faults {
                FaultPolicy::Forfeit => "the bot forfeits the block",
                FaultPolicy::Substitute => "the first legal action is played instead",
                FaultPolicy::Stop => "the league stops after the block, which is kept",
            }
            .to_owned(),
            entrants: entrants.collect(),
            excluded: league.excluded.clone(),
            at: store.at(),
            runs: store.runs()?,
            source: store.source().text.clone(),
        }),
    })
}
