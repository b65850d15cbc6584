//! From a store to standings: reads the records, and puts what the league says into words.

use super::about::{About, AboutEntrant, AboutLeague, Stake};
use super::compute::standings_of;
use super::kills;
use super::luck;
use super::published::PublishedTable;
use super::rounds::Rounds;
use super::types::{Settings, Standings};
use hattari_agents::table::{self, FaultPolicy};
use hattari_agents::text::counted;
use hattari_play::league::{self, Format, League, Plan, Sharing};
use hattari_play::pack::LeagueFile;
use hattari_play::samples::{Collector, Samples, Unfit};
use hattari_play::store::{Store, StoreError, WITHOUT};
use hattari_stats::sequential::StoppingRule;
use hattari_stats::{Correction, Untestable};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Line-ups of a league up to which luck is told without being asked for.
const LUCK_LINE_UPS_MAX: usize = 50_000;
/// Entrants that were left out and are told one by one.
const EXCLUDED_MAX: usize = 20;

/// Power at which required blocks are computed.
pub const POWER: f64 = 0.8;

/// What may be asked of a report beside what the league says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Wishes {
    /// Confidence of intervals instead of the league's.
    pub confidence: Option<f64>,
    /// Adjustment of p instead of the league's.
    pub correction: Option<Correction>,
    /// The difference below which bots are equal, instead of the league's.
    pub equal_within: Option<f64>,
    /// Give score ratios, whether the league asks for them or not.
    pub score_ratio: bool,
    /// Take luck away from scores, whether the league asks for it or not.
    pub without_luck: bool,
    /// Leave out of a large league what text and pages do not show ([`Standings::for_readers`]):
    /// it takes most of the memory.
    pub for_readers: bool,
    /// The command that is being carried out, for the head of the report.
    pub command: String,
    /// The folder that files below it are told from.
    pub here: Option<PathBuf>,
}

/// Why a store has no standings.
#[derive(Debug, thiserror::Error)]
pub enum NoStandings {
    /// The store cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Its records are not those of its schedule.
    #[error(
        "the store `{path}` is damaged ({why}): put back a copy of it, or move it away and play again"
    )]
    Damaged {
        /// The store.
        path: String,
        /// What does not fit.
        why: Unfit,
    },
    /// A setting is out of range.
    #[error(transparent)]
    Settings(#[from] Untestable),
}

/// What a league of version 0.2 asks for that is no longer made, and what stands in its place.
fn retired(league: &League, wishes: &Wishes) -> Vec<String> {
    let is_betting =
        |sequential: &league::Sequential| matches!(sequential.rule, StoppingRule::Betting(_));
    let rule = league.sequential.as_ref().filter(|rule| is_betting(rule));
    let rule = rule.map(|_| {
        "The league was stopped by the rule `betting`, which is no longer available. Its comparisons are judged by the confidence \
         sequence, which holds whatever stopped them, and decides nothing before 10 rounds."
    });
    let is_asked = wishes.correction.is_none()
        && league.report.correction == league::Correction::BenjaminiHochberg;
    let correction = is_asked.then_some(
        "The league asks for the correction of Benjamini and Hochberg, which is no longer available: p values are adjusted by Holm's method.",
    );
    rule.into_iter()
        .chain(correction)
        .map(str::to_owned)
        .collect()
}

/// Reads the samples of a store and computes its standings. `league` is the league file as it is
/// now, if it is at hand: its settings of the report hold, and where it asks for more blocks than
/// the store knows, they count as missing. The samples are those that the standings are of: without
/// luck where that is asked for and known.
///
/// # Errors
/// The store cannot be read, is damaged, or a setting is out of range. A published table that
/// cannot be read is a caution in the report, and so is a league file that no longer describes what
/// was played.
pub fn of_store(
    store: &Store,
    league: Option<&League>,
    wishes: &Wishes,
) -> Result<(Standings, Samples), NoStandings> {
    let stopping = store.stopping();
    let current = league.unwrap_or(store.league());
    let is_asked = wishes.without_luck || current.report.without_luck;
    // Samples without luck are as large as those with it.
    let is_told = is_asked || store.schedule().line_ups.len() <= LUCK_LINE_UPS_MAX;
    let samples = samples(store, is_told || !wishes.for_readers)?;
    let settings = Settings {
        confidence: wishes.confidence.unwrap_or(current.report.confidence),
        correction: wishes
            .correction
            .unwrap_or(match current.report.correction {
                league::Correction::MaxT => Correction::MaxT,
                league::Correction::Holm | league::Correction::BenjaminiHochberg => {
                    Correction::Holm
                }
            }),
        power: POWER,
        score_ratio: wishes.score_ratio || current.report.score_ratio,
        equal_within: wishes.equal_within.or(current.report.equal_within),
    };
    let mut cautions = retired(current, wishes);
    let excluded = &store.league().excluded;
    cautions.extend(
        excluded
            .iter()
            .take(EXCLUDED_MAX)
            .map(|excluded| format!("Left out, for its bot is wrong: {excluded}.")),
    );
    if EXCLUDED_MAX < excluded.len() {
        let more = excluded.len() - EXCLUDED_MAX;
        cautions.push(format!(
            "Left out in the same way: {more} more (`about.league.excluded` of the JSON has all)."
        ));
    }
    if let Some(league) = league {
        let mut league = league.clone();
        // Whoever was left out is still in the file, and need not be looked for again.
        league.exclude_again(excluded);
        let now = store.identity().with_league(league);
        let changed = store
            .identity()
            .differences(&now, "as played", "in the file now");
        if !changed.is_empty() {
            let changed = changed.join("; ");
            cautions.push(format!(
                "The league file has changed since this was played: {changed}."
            ));
        }
    }
    if let Err(why) = table::game(&store.league().game, &store.league().options) {
        cautions.push(format!(
            "This program does not know the game ({why}): its unit is called points, and its deals are taken to be drawn, not given. \
             Report with the program that played it."
        ));
    }
    cautions.extend(unheld(store));
    cautions.extend(store.words()?.into_iter().filter_map(|(entrant, words)| {
        let name = &store.league().entrants.get(entrant)?.name;
        Some(format!(
            "A program of {name} wrote to its own output: {words}"
        ))
    }));
    cautions.extend(given_deals(store.league()));
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
    let about = about(store, wishes)?;
    // Where a format decides as it goes, nobody knows how many there will be.
    let planned = store.course().is_none().then_some(current.blocks);
    let rule = store
        .league()
        .sequential
        .as_ref()
        .map(|sequential| &sequential.rule);
    let followed = rule.zip(stopping);
    let without = if is_told {
        samples.without_luck()
    } else {
        Err(Untestable::MissingScores)
    };
    // A sequential rule has judged scores as they were played.
    let is_removed = is_asked && without.is_ok() && followed.is_none();
    if is_asked && !is_removed {
        let why = without.as_ref().map_or_else(ToString::to_string, |_| {
            "a sequential rule has judged them as they were played".to_owned()
        });
        cautions.push(format!(
            "Luck was to be taken away from scores and was not: {why}. All numbers are as played."
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
        wishes.for_readers,
    )?;
    let chances = table::game(&store.league().game, &store.league().options)
        .map_or(&[][..], |game| game.chances());
    if is_told {
        luck::add(&mut standings, &samples, &without, chances, is_removed)?;
    }
    cautions.extend(kills::cautions(&standings.bots));
    standings.rounds = Rounds::of(store, &samples, standings.left_out.is_some())?;
    standings.cautions.splice(0..0, cautions);
    standings.withhold_tests(matches!(store.league().format, Format::Race(_)));
    let used = without
        .ok()
        .filter(|_| is_removed)
        .map_or(samples, |(without, _)| without);
    Ok((standings, used))
}

/// Says of bots in processes of their own what did not hold them.
fn unheld(store: &Store) -> Vec<String> {
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
            "Not all limits could be set where this league began: {} ran without {missing}.",
            names.join(", ")
        )
    };
    bots.into_iter().map(say).collect()
}

/// Says what given deals that are played again mean.
fn given_deals(league: &League) -> Option<String> {
    let sharing = Sharing::of(league);
    if sharing.is_one_set() {
        return Some(
            "Every block plays the same given deals: errors are those of what these leave to chance, the bots' own among it, and what is found holds for these \
             deals."
                .to_owned(),
        );
    }
    let blocks = sharing
        .blocks_without_repeat()
        .filter(|blocks| *blocks < u64::from(league.blocks))?;
    let before = counted(blocks, "block");
    Some(format!(
        "The given deals come round again after {before}. A deal that is played again is no new observation: tests count the \
         different ones, and more blocks make them no surer of other deals."
    ))
}

fn samples(store: &Store, has_luck: bool) -> Result<Samples, NoStandings> {
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
    let mut collector = Collector::new(names, &line_ups)
        .planned(Plan::of(league, players))
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
    let damaged = |why| NoStandings::Damaged {
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

fn about(store: &Store, wishes: &Wishes) -> Result<About, StoreError> {
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
    Ok(About {
        title: file.file_stem().map_or_else(
            || "league".to_owned(),
            |stem| stem.to_string_lossy().into_owned(),
        ),
        command: wishes.command.clone(),
        version: store.identity().hattari.clone(),
        unit: "deal",
        score: game
            .as_ref()
            .map_or("points", |game| game.unit(league.duplicate)),
        league: Some(AboutLeague {
            file: wishes
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
            format: league.format.words(league),
            sides: league.format.sides().map(|(a, b)| (a.to_vec(), b.to_vec())),
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
            runs: store.runs()?,
            source: store.source().text.clone(),
        }),
    })
}
