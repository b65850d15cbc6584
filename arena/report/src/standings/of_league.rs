//! Computes standings from a result store.

use super::compute::Evaluation;
use super::rounds::PlayedRounds;
use super::score_cautions::short_line_ups;
use super::seats::seats_caution;
use super::store_cautions::store_cautions;
use super::{About, Luck, PublishedTable, Standings, TestSettings, kills, luck, machines};
use hattari_agents::table;
use hattari_play::league::{self, DealSharing, Format, League, PlannedDeals};
use hattari_play::pack::LeagueFile;
use hattari_play::samples::{SampleCollector, Samples};
use hattari_play::store::{Store, StoreError};
use hattari_stats::luck::LuckAdjusted;
use hattari_stats::{Correction, Untestable};
use std::error::Error;
use std::path::PathBuf;

/// Maximum number of line-ups for which luck is reported by default.
const LUCK_LINE_UPS_MAX: usize = 50_000;

/// Report options. Options that are set override the settings of the league.
#[derive(Debug, Default)]
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
    /// `true` for text and pages, which leave out parts of large leagues
    /// ([`TestSettings::for_readers`]).
    pub for_readers: bool,
    /// The current command, for the head of the report.
    pub command: String,
    /// Folder that is left out of file names in the report.
    pub omitted_folder: Option<PathBuf>,
}

impl ReportOptions {
    /// Returns the settings of the tests: these options, completed by the report settings of a
    /// league.
    pub fn settings(&self, of_league: Option<&league::ReportSettings>) -> TestSettings {
        let default = TestSettings::default();
        let correction = match of_league.map(|league| league.correction) {
            None | Some(league::Correction::MaxT) => Correction::MaxT,
            Some(league::Correction::Holm | league::Correction::BenjaminiHochberg) => {
                Correction::Holm
            }
        };
        let confidence = of_league.map_or(default.confidence, |league| league.confidence);
        TestSettings {
            confidence: self.confidence.unwrap_or(confidence),
            correction: self.correction.unwrap_or(correction),
            score_ratio: self.score_ratio || of_league.is_some_and(|league| league.score_ratio),
            equal_within: (self.equal_within).or(of_league.and_then(|league| league.equal_within)),
            for_readers: self.for_readers,
            ..default
        }
    }
}

/// The reason why standings cannot be computed.
#[derive(Debug, thiserror::Error)]
pub enum StandingsError {
    /// The store cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The records do not match the schedule.
    #[error("{0}")]
    Damaged(String),
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
    let settings = options.settings(Some(&current.report));
    let samples = StoreSamples::read(store, current, options)?;
    let mut cautions = store_cautions(store, league, options.correction)?;
    let published = match published_table(store, current) {
        Ok(published) => published,
        Err(error) => {
            cautions.push(format!("No comparison with the published table: {error}."));
            None
        }
    };
    cautions.extend(samples.caution());
    let rule = store.league().sequential.as_ref();
    let folder = options.omitted_folder.as_deref();
    let about = About::of_store(store, options.command.clone(), folder)?;
    let mut standings = Evaluation {
        // In an adaptive format, the number of blocks is not known in advance.
        planned: store
            .round_schedule()
            .is_none()
            .then_some(current.blocks.max(store.league().blocks)),
        published: published.as_ref(),
        followed: rule
            .map(|sequential| &sequential.rule)
            .zip(store.stopping()),
        samples: samples.used(),
        about,
        settings,
    }
    .standings()?;
    standings.luck = samples.luck(store, &standings)?;
    standings.machines = machines::machines(store, samples.used(), settings.confidence)?;
    let is_shortened = standings.left_out.is_some();
    standings.rounds = PlayedRounds::of(store, &samples.played, is_shortened)?;
    cautions.extend(machines::caution(&standings.machines, settings.alpha()));
    cautions.extend(kills::cautions(&standings.bots));
    standings.cautions.splice(0..0, cautions);
    standings.withhold_tests(matches!(store.league().format, Format::Race(_)));
    if !standings.is_adaptive() {
        let short = short_line_ups(samples.used());
        standings.cautions.extend(short);
    }
    standings
        .cautions
        .extend(seats_caution(&standings, samples.used(), store.league()));
    Ok((standings, samples.into_used()))
}

/// The samples of a store, as played and luck-adjusted.
struct StoreSamples {
    /// The scores as played.
    played: Samples,
    /// The luck-adjusted scores, or the reason why there are none; `None` if the report does not
    /// show luck.
    adjusted: Option<Result<(Samples, LuckAdjusted), Untestable>>,
    /// `true` if the report should use luck-adjusted scores.
    is_requested: bool,
    /// `true` if the report uses luck-adjusted scores.
    is_adjusted: bool,
}

impl StoreSamples {
    /// Reads the samples of a store. `league` is the league whose report settings apply.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read or is damaged.
    fn read(
        store: &Store,
        league: &League,
        options: &ReportOptions,
    ) -> Result<StoreSamples, StandingsError> {
        let is_requested = options.without_luck || league.report.without_luck;
        // Adjusted samples need as much memory as the original ones.
        let shows_luck = is_requested || store.schedule.line_ups.len() <= LUCK_LINE_UPS_MAX;
        let played = samples(store, shows_luck || !options.for_readers)?;
        let adjusted = shows_luck.then(|| played.without_luck());
        // The sequential rule was applied to unadjusted scores.
        let is_followed = store.league().sequential.is_some() && store.stopping().is_some();
        Ok(StoreSamples {
            is_adjusted: is_requested && matches!(adjusted, Some(Ok(_))) && !is_followed,
            played,
            adjusted,
            is_requested,
        })
    }

    /// Returns the samples that the report uses.
    fn used(&self) -> &Samples {
        match &self.adjusted {
            Some(Ok((adjusted, _))) if self.is_adjusted => adjusted,
            _ => &self.played,
        }
    }

    /// Returns the samples that the report uses, and drops the others.
    fn into_used(self) -> Samples {
        match self.adjusted {
            Some(Ok((adjusted, _))) if self.is_adjusted => adjusted,
            _ => self.played,
        }
    }

    /// Returns the reason why scores are not luck-adjusted although that was requested.
    fn caution(&self) -> Option<String> {
        if !self.is_requested || self.is_adjusted {
            return None;
        }
        let why = match &self.adjusted {
            Some(Err(why)) => why.to_string(),
            _ => "the stopping rule of the league judged the scores as played".to_owned(),
        };
        Some(format!(
            "Luck-adjusted scores are not available: {why}. All numbers are as played."
        ))
    }

    /// Compares the scores as played with the luck-adjusted scores; `None` if the report does not
    /// show luck or the game does not measure it.
    fn luck(&self, store: &Store, standings: &Standings) -> Result<Option<Luck>, Untestable> {
        let Some(adjusted) = &self.adjusted else {
            return Ok(None);
        };
        let game = table::game(&store.league().game, &store.league().options);
        let kinds = game.map_or(&[][..], |game| game.chances());
        luck::compare(standings, &self.played, adjusted, kinds, self.is_adjusted)
    }
}

/// Reads the published table that the league names; `None` if it names none.
///
/// # Errors
/// Returns the reason why the table cannot be read.
fn published_table(
    store: &Store,
    league: &League,
) -> Result<Option<PublishedTable>, Box<dyn Error>> {
    let Some(published) = &league.report.published else {
        return Ok(None);
    };
    let file = LeagueFile::open(&store.source.file)?;
    let path = file.base().join(&published.file);
    Ok(Some(PublishedTable::load(&path, &published.table)?))
}

/// Reads the samples of a store, with the scores as played. Reads luck only if `has_luck`.
///
/// # Errors
/// Returns an error if the store cannot be read or is damaged.
pub fn samples(store: &Store, has_luck: bool) -> Result<Samples, StandingsError> {
    let names = store
        .league()
        .entrants
        .iter()
        .map(|entrant| entrant.name.clone())
        .collect();
    let line_ups = &store.schedule.line_ups;
    let league = store.league();
    let players = line_ups.first().map_or(0, Vec::len);
    let mut collector = SampleCollector::new(names, line_ups)
        .planned(PlannedDeals::of(league, players))
        .comparing(league.equal_chances());
    collector.sharing = DealSharing::of(league);
    collector.has_luck = has_luck;
    let mut fits = Ok(());
    store.each_unsorted(|record| {
        if fits.is_ok() {
            fits = collector.add(&record);
        }
    })?;
    let timing = store.timing()?;
    let samples = fits
        .and_then(|()| collector.finish(&timing))
        .map_err(|why| {
            StandingsError::Damaged(format!(
                "the store `{}` is damaged ({why}): restore a copy of it, or move it away and \
                 play the league again",
                store.path().display()
            ))
        })?;
    Ok(Samples {
        kills: store.kills()?,
        ..samples
    })
}
