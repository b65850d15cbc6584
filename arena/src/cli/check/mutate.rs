//! `hattari check --mutate`: plays copies of a Lua script with one small change against the script.

use super::mutants::mutations;
use super::stages::Stages;
use crate::cli::{CommandResult, Outcome, output};
use crate::watch::{VersionGames, WatchOptions, compare, faults, games, opponents, play, prepare};
use anyhow::{Context, ensure};
use hattari_agents::agent::backend_of;
use hattari_agents::text::{counted, grouped, joined};
use hattari_play::catalogue::{Catalogue, FoundBot};
use hattari_report::numbers::{decimals, interval, signed};
use hattari_stats::Correction;
use hattari_study::{AtPath, threads};
use serde::Serialize;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Default number of deals that each mutant plays.
pub(super) const DEALS: u32 = 400;
/// Number of deals per block.
pub(super) const BLOCK: u32 = 10;
/// Significance level of all tests; intervals have the confidence level 1 minus this.
const LEVEL: f64 = 0.05;

/// The result of a mutant.
#[derive(Default, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
enum MutantOutcome {
    /// The mutant makes the same choices as the script in all deals.
    #[default]
    SameChoices,
    /// The mutant makes other choices, but no significant difference of scores is found.
    NotSignificant,
    /// The mutant scores significantly less than the script.
    Worse,
    /// The mutant scores significantly more than the script.
    Better,
    /// The mutant does not start, or has a fault in a game.
    Fault,
    /// The mutant does not compile.
    DoesNotCompile,
}

impl MutantOutcome {
    /// All outcomes in the order of the report, with their descriptions.
    const ALL: [(MutantOutcome, &str); 6] = [
        (
            MutantOutcome::SameChoices,
            "the change does not change any choice",
        ),
        (
            MutantOutcome::NotSignificant,
            "the change affects choices, but the score does not differ significantly",
        ),
        (MutantOutcome::Worse, "the change loses points"),
        (MutantOutcome::Better, "the change wins points"),
        (MutantOutcome::Fault, "the change leads to a fault"),
        (MutantOutcome::DoesNotCompile, "the change does not compile"),
    ];
}

/// A mutant and the result of its games.
#[derive(Default, Serialize)]
struct PlayedMutant {
    /// Number of the changed line, from 1.
    line: usize,
    /// Description of the change.
    change: String,
    outcome: MutantOutcome,
    /// Number of games in which a choice of the mutant differs from that of the script.
    other_games: usize,
    /// Score of the mutant minus the score of the script, in points per deal.
    difference: Option<f64>,
    /// Confidence interval of the difference.
    ci: Option<[f64; 2]>,
    /// p value of the difference, adjusted for the number of mutants.
    p: Option<f64>,
    /// Message of the first fault.
    message: Option<String>,
}

/// The mutants of one script, with their results in one game.
#[derive(Serialize)]
struct MutatedBot {
    bot: FoundBot,
    game: String,
    /// Number of games that each mutant played.
    games: u64,
    /// Names of the opponents.
    against: Vec<String>,
    mutants: Vec<PlayedMutant>,
}

/// Plays the mutants of scripts, each with the options of the league that the script and its mutants
/// play. Writes the mutants to the folder `save`, if there is one.
pub(super) fn run(
    bots: &[(WatchOptions, FoundBot)],
    catalogue: &Catalogue,
    save: Option<&Path>,
    json: bool,
) -> CommandResult {
    let mut results = Vec::new();
    let mut paths: BTreeMap<Option<&OsStr>, &Path> = BTreeMap::new();
    for (_, FoundBot { path, .. }) in bots {
        let first = *paths.entry(path.file_stem()).or_insert(path);
        ensure!(
            save.is_none() || first == path,
            "--save: the mutants of {} and {} would have the same names; check one script at a \
             time, each with a folder of its own",
            output::short(first),
            output::short(path)
        );
    }
    for (options, bot) in bots {
        let is_lua = matches!(
            bot.path.extension().and_then(|ending| ending.to_str()),
            Some("lua" | "luau")
        );
        ensure!(
            is_lua,
            "--mutate changes Lua scripts; {} is {}",
            bot.name,
            bot.kind.name()
        );
        let played = mutate(options, catalogue, save, bot, json)?;
        if !json {
            output::print(&text(&played))?;
        }
        results.push(played);
    }
    if json {
        output::print_json(&results)?;
    }
    Ok(Outcome::Done)
}

/// Plays a script and its mutants. Writes the mutants to the folder `save`, if there is one.
fn mutate(
    options: &WatchOptions,
    catalogue: &Catalogue,
    save: Option<&Path>,
    bot: &FoundBot,
    is_silent: bool,
) -> anyhow::Result<MutatedBot> {
    let source = fs::read_to_string(&bot.path).at(&bot.path)?;
    let folder = tempfile::tempdir().context("cannot create a folder for mutants")?;
    copy_helpers(bot, folder.path())?;
    let name = bot.path.file_name().context("the script has no name")?;
    if let Some(folder) = save {
        fs::create_dir_all(folder).at(folder)?;
        copy_helpers(bot, folder)?;
    }
    let stages = Stages::new(is_silent);
    stages.tell("playing the script");
    let (league, _) = prepare(catalogue, options, bot)?;
    // The games of the script must be without faults.
    let (never, done) = (AtomicBool::new(false), AtomicU64::new(0));
    let original = play(&league, threads(None), &never, &done, &mut |_| {})?
        .context("the games were interrupted")?;
    let faults = faults(&original);
    ensure!(
        faults == 0,
        "{} has {} in these games; `hattari check {0}` describes them",
        bot.name,
        counted(faults, "fault")
    );
    let mutations = mutations(&source);
    let count = mutations.len();
    let mut mutants = Vec::new();
    for (number, mutation) in (1..).zip(&mutations) {
        let text = mutation.apply(&source);
        if let Some(folder) = save {
            let stem = Path::new(name).file_stem().unwrap_or(name).display();
            let file = folder.join(format!("{stem}-{number}.lua"));
            fs::write(&file, &text).at(&file)?;
        }
        stages.tell(&format!("mutant {number} of {count}"));
        let file = folder.path().join(name);
        fs::write(&file, &text).at(Path::new(name))?;
        let mut mutant = PlayedMutant {
            line: mutation.line,
            change: mutation.change.clone(),
            ..PlayedMutant::default()
        };
        mutant.play(&file, options, catalogue, &original)?;
        mutants.push(mutant);
    }
    stages.clear();
    judge(&mut mutants);
    Ok(MutatedBot {
        bot: bot.clone(),
        game: options.game.id.to_owned(),
        games: games(&league),
        against: opponents(&league),
        mutants,
    })
}

/// Copies the files that the script requires to the folder of its mutants.
fn copy_helpers(bot: &FoundBot, folder: &Path) -> anyhow::Result<()> {
    for helper in bot.kind.related_files(&bot.path) {
        let name = helper.file_name().context("a helper file has no name")?;
        let text = fs::read(&helper).at(&helper)?;
        let copy = folder.join(name);
        match fs::read(&copy) {
            Ok(other) => ensure!(
                other == text,
                "--save: {} differs from {}; save the mutants to an empty folder",
                output::short(&copy),
                output::short(&helper)
            ),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                fs::write(&copy, text).at(&copy)?;
            }
            Err(error) => return Err(error).at(&copy),
        }
    }
    Ok(())
}

impl PlayedMutant {
    /// Plays the mutant in `file` until its first fault, and adds the result.
    fn play(
        &mut self,
        file: &Path,
        options: &WatchOptions,
        catalogue: &Catalogue,
        original: &VersionGames,
    ) -> anyhow::Result<()> {
        if let Some(kind) = backend_of(file)
            && let Err(agent_error) = kind.compile(file)
        {
            self.outcome = MutantOutcome::DoesNotCompile;
            self.message = Some(agent_error.message);
            return Ok(());
        }
        let path = file.to_str().context("the path is not valid UTF-8")?;
        let bot = catalogue
            .find(options.game.id, path, Path::new(""))
            .map_err(anyhow::Error::from);
        let (league, _) = match bot.and_then(|bot| prepare(catalogue, options, &bot)) {
            Ok(league) => league,
            Err(error) => {
                self.outcome = MutantOutcome::Fault;
                self.message = Some(error.to_string());
                return Ok(());
            }
        };
        let (stop, done) = (AtomicBool::new(false), AtomicU64::new(0));
        let played = play(&league, threads(None), &stop, &done, &mut |record| {
            // If a mutant loops endlessly, every decision uses up the step limit, so the first
            // fault ends the games.
            if let Some(first) = record.faults.iter().find(|fault| fault.entrant == 0) {
                self.message.get_or_insert_with(|| first.message.clone());
                stop.store(true, Ordering::Relaxed);
            }
        })?;
        let Some(played) = played.filter(|_| self.message.is_none()) else {
            self.outcome = MutantOutcome::Fault;
            self.message.get_or_insert_default();
            return Ok(());
        };
        let compared = compare(original, &played, 1.0 - LEVEL);
        self.other_games = compared.other_games;
        if compared.other_games > 0 {
            self.outcome = MutantOutcome::NotSignificant;
        }
        if let Ok(test) = compared.difference {
            self.difference = Some(test.mean_difference);
            self.ci = Some([test.interval.low, test.interval.high]);
            self.p = Some(test.p);
        }
        Ok(())
    }
}

/// Adjusts p values for the number of mutants, and decides which differences are significant.
fn judge(mutants: &mut [PlayedMutant]) {
    let tested: Vec<&mut PlayedMutant> = mutants
        .iter_mut()
        .filter(|mutant| mutant.outcome == MutantOutcome::NotSignificant && mutant.p.is_some())
        .collect();
    let p: Vec<f64> = tested.iter().filter_map(|mutant| mutant.p).collect();
    for (mutant, p) in tested.into_iter().zip(Correction::Holm.adjust(&p)) {
        mutant.p = Some(p);
        if p < LEVEL {
            mutant.outcome = match mutant.difference {
                Some(difference) if difference > 0.0 => MutantOutcome::Better,
                _ => MutantOutcome::Worse,
            };
        }
    }
}

fn text(played: &MutatedBot) -> String {
    let file = output::short(&played.bot.path);
    let mut against = played.against.clone();
    against.dedup();
    let mut text = format!(
        "{} ({file}), {}: {}, each in {} deals against {}\n",
        played.bot.name,
        played.game,
        counted(played.mutants.len() as u64, "mutant"),
        grouped(played.games),
        against.join(", ")
    );
    let name = |path: &Path| path.file_name().unwrap_or_default().display().to_string();
    let helpers = played.bot.kind.related_files(&played.bot.path);
    if !helpers.is_empty() {
        let names = joined(helpers.iter().map(|path| name(path)), ", ");
        text += &format!("  files without mutants: {names}\n");
    }
    let name = name(&played.bot.path);
    for (outcome, description) in MutantOutcome::ALL {
        let mutants: Vec<(usize, &PlayedMutant)> = (1..)
            .zip(&played.mutants)
            .filter(|(_, m)| m.outcome == outcome)
            .collect();
        if mutants.is_empty() {
            continue;
        }
        text += &format!("\n  {description}: {}\n", mutants.len());
        for (number, mutant) in mutants {
            let PlayedMutant { line, change, .. } = mutant;
            text += &format!("    {number:3}  {name}:{line}: {change}");
            if let (Some(difference), Some([low, high])) = (mutant.difference, mutant.ci) {
                let digits = decimals([(high - low) / 4.0]);
                text += &format!(
                    "  {} ({})",
                    signed(difference, digits),
                    interval((low, high), digits)
                );
            }
            if let Some(message) = &mutant.message {
                text += &format!("  {}", message.lines().next().unwrap_or_default());
            }
            text += "\n";
        }
    }
    text += "\n  Differences are in points per deal. Tests are at the 5 % level, adjusted for the \
             number of mutants.\n";
    text
}
