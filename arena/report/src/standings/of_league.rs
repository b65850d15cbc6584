//! Computes standings from a result store.

use super::about::{About, AboutEntrant, AboutLeague, Stake};
use super::compute::Evaluation;
use super::kills;
use super::luck;
use super::machines;
use super::published::PublishedTable;
use super::rounds::PlayedRounds;
use super::store_cautions::store_cautions;
use super::types::{Standings, TestSettings};
use hattari_agents::table::{self, FaultPolicy};
use hattari_play::league::{self, Format, League, PlannedDeals, Sharing};
use hattari_play::pack::LeagueFile;
use hattari_play::samples::{RecordMismatch, SampleCollector, Samples};
use hattari_play::store::{Store, StoreError};
use hattari_stats::{Correction, Untestable};
use std::path::PathBuf;

/// Maximum number of line-ups for which luck is reported by default.
const LUCK_LINE_UPS_MAX: usize = 50_000;
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
    let current = league.unwrap_or(store.league());
    let is_luck_requested = options.without_luck || current.report.without_luck;
    // Adjusted samples need as much memory as the original ones.
    let shows_luck = is_luck_requested || store.schedule().line_ups.len() <= LUCK_LINE_UPS_MAX;
    let samples = samples(store, shows_luck || !options.for_readers)?;
    let settings = settings(current, options);
    let mut cautions = store_cautions(store, league, options.correction)?;
    let published = match published_table(store, current) {
        Ok(published) => published,
        Err(error) => {
            cautions.push(format!("No comparison with the published table: {error}."));
            None
        }
    };
    let rule = store.league().sequential.as_ref();
    let followed = rule
        .map(|sequential| &sequential.rule)
        .zip(store.stopping());
    let without = if shows_luck {
        samples.without_luck()
    } else {
        Err(Untestable::MissingScores)
    };
    // The sequential rule was applied to unadjusted scores.
    let is_adjusted = is_luck_requested && without.is_ok() && followed.is_none();
    if is_luck_requested && !is_adjusted {
        let why = without.as_ref().map_or_else(ToString::to_string, |_| {
            "the stopping rule of the league judged the scores as played".to_owned()
        });
        cautions.push(format!(
            "Luck-adjusted scores are not available: {why}. All numbers are as played."
        ));
    }
    let adjusted = without.as_ref().ok().filter(|_| is_adjusted);
    let used = adjusted.map_or(&samples, |(adjusted, _)| adjusted);
    let evaluation = Evaluation {
        // In an adaptive format, the number of blocks is not known in advance.
        planned: store.round_schedule().is_none().then_some(current.blocks),
        published: published.as_ref(),
        followed,
        for_readers: options.for_readers,
        ..Evaluation::new(used, about(store, options)?, settings)
    };
    let mut standings = evaluation.standings()?;
    if shows_luck {
        let game = table::game(&store.league().game, &store.league().options);
        let kinds = game.map_or(&[][..], |game| game.chances());
        luck::add(&mut standings, &samples, &without, kinds, is_adjusted)?;
    }
    standings.machines = machines::machines(store, used, settings.confidence)?;
    cautions.extend(machines::caution(&standings.machines, settings.alpha()));
    cautions.extend(kills::cautions(&standings.bots));
    standings.rounds = PlayedRounds::of(store, &samples, standings.left_out.is_some())?;
    standings.cautions.splice(0..0, cautions);
    standings.withhold_tests(matches!(store.league().format, Format::Race(_)));
    let used = match without {
        Ok((adjusted, _)) if is_adjusted => adjusted,
        _ => samples,
    };
    Ok((standings, used))
}

/// Returns the settings of the league, overridden by the options that are set.
fn settings(league: &League, options: &ReportOptions) -> TestSettings {
    let correction = match league.report.correction {
        league::Correction::MaxT => Correction::MaxT,
        league::Correction::Holm | league::Correction::BenjaminiHochberg => Correction::Holm,
    };
    TestSettings {
        confidence: options.confidence.unwrap_or(league.report.confidence),
        correction: options.correction.unwrap_or(correction),
        power: POWER,
        score_ratio: options.score_ratio || league.report.score_ratio,
        equal_within: options.equal_within.or(league.report.equal_within),
    }
}

/// Reads the published table that the league names; `None` if it names none.
///
/// # Errors
/// Returns the reason why the table cannot be read.
fn published_table(store: &Store, league: &League) -> Result<Option<PublishedTable>, String> {
    let Some(published) = &league.report.published else {
        return Ok(None);
    };
    let file = LeagueFile::open(&store.source().file).map_err(|error| error.to_string())?;
    let path = file.base().join(&published.file);
    PublishedTable::load(&path, Some(&published.table))
        .map(Some)
        .map_err(|error| error.to_string())
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
