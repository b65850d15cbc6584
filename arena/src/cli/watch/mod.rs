//! `hattari watch`.

mod texts;

use super::folders::Folders;
use super::options::config;
use super::{CommandResult, Outcome, output, signals};
use crate::watch::{
    FileEvent, VersionGames, WatchOptions, WatchedStamp, find_opponents, play, prepare, review,
    watch,
};
use anyhow::{Context, anyhow, ensure};
use hattari_agents::agent::backend_of;
use hattari_agents::games::{self, GameInfo};
use hattari_agents::text::{counted, joined, quoted};
use hattari_play::catalogue::{AgentSpec, Catalogue, FoundBot, NotFound, NotFoundReason};
use hattari_play::prepared::PreparedLeague;
use hattari_study::AtPath;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::time::Instant;
use std::{fs, thread};

/// Replay the same games after every save of a bot and show what changed
#[derive(clap::Args, Debug)]
#[command(after_help = format!("\
All versions play the same games: the same cards, opponents and random numbers. So the \
difference between two versions is computed block by block, and is much more precise than each \
score. Faults are printed as they occur, with file and line. Then the first decision that \
differs is shown. A review (`hattari review`) names the classes of decisions that gained or lost \
points. If a script has its own tests, they are run first. Without --against, the opponents are:
{}
A library can be watched, too: each version is copied and loaded by a separate process.

Examples:
  hattari watch scripts/daihinmin/mine.lua                     against the default opponents
  hattari watch mine/mine.lua --against tactician              one opponent in all other seats
  hattari watch mine.lua --game holdem --against honest --blocks 200
  hattari watch mine/libmine.so#mine --config '{{\"greed\": 0.3}}'

Ctrl-C ends it. Exit codes: 0 ended by Ctrl-C, 2 unknown bot or wrong usage.", usual_opponents()))]
pub(super) struct Arguments {
    /// The bot: a script or library by its path, or a bot by its name
    bot: String,
    /// An opponent, by name or path as in a league; may be repeated. A single opponent takes all
    /// other seats
    #[arg(long, value_name = "BOT", num_args = 1..)]
    against: Vec<String>,
    /// The game (default: the game that the bot plays)
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// Preset of the rules
    #[arg(long)]
    preset: Option<String>,
    /// Config of the bot, as JSON
    #[arg(long, value_name = "JSON", default_value = "{}")]
    config: String,
    /// Number of blocks that each version plays
    #[arg(long, default_value_t = 40, value_parser = clap::value_parser!(u32).range(2..=100_000))]
    blocks: u32,
    /// Number of deals per block (default: depends on the game)
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    deals: Option<u32>,
    /// Random seed of the games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of threads (default: one per core)
    #[arg(short, long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    #[command(flatten)]
    folders: Folders,
}

/// Returns the default opponents of each game, one line per game.
fn usual_opponents() -> String {
    joined(
        games::all().into_iter().filter_map(|facts| {
            let opponents = facts.hosted.watch_defaults?.opponents.join(", ");
            Some(format!("  {:<11}{opponents}", facts.name()))
        }),
        "\n",
    )
}

/// Confidence level of all intervals.
const CONFIDENCE: f64 = 0.95;

/// Runs the command.
pub(super) fn main(arguments: &Arguments) -> CommandResult {
    let mut session = WatchSession::new(arguments)?;
    let file = session.file.clone();
    let seen = WatchedStamp::of(&file);
    let interrupted = signals::stop_flag()?;
    let stop = AtomicBool::new(false);
    let (sender, events) = channel();
    thread::scope(|scope| {
        scope.spawn(|| watch(&file, seen, &interrupted, &stop, &sender));
        let outcome = session.run(&events, &stop);
        interrupted.store(true, Ordering::Relaxed);
        outcome
    })?;
    Ok(Outcome::Done)
}

/// A version of the bot that has played all of its games.
struct PlayedVersion {
    number: u32,
    prepared: PreparedLeague,
    /// Versions of the opponents.
    opponents: Vec<String>,
    played: VersionGames,
}

/// The state of a run of `hattari watch`, which is kept from version to version.
struct WatchSession<'a> {
    arguments: &'a Arguments,
    /// The game, if given by the user.
    game: Option<&'static GameInfo>,
    config: serde_json::Value,
    catalogue: Catalogue,
    /// The watched file.
    file: PathBuf,
    /// Name of the bot in the library; `None` for a script.
    id: Option<String>,
    /// Folder for copies of libraries, one folder per copy, because a process may still use an
    /// older copy.
    copies: tempfile::TempDir,
    attempts: u32,
    /// Number of versions that were played to the end.
    number: u32,
    /// State of the file at the last attempt.
    tried: Option<WatchedStamp>,
    /// The first version, and the last version unless it is the first.
    versions: Vec<PlayedVersion>,
}

impl<'a> WatchSession<'a> {
    fn new(arguments: &'a Arguments) -> anyhow::Result<Self> {
        let config = config(&arguments.config)?;
        let game = arguments.game.as_deref().map(games::named).transpose()?;
        let catalogue = arguments.folders.catalogue(None)?;
        let (path, id) = match arguments.bot.split_once('#') {
            Some((path, id)) => (path, Some(id.to_owned())),
            None => (arguments.bot.as_str(), None),
        };
        let copies = tempfile::tempdir().context(
            "cannot create a folder for copies of the \
            library",
        )?;
        let mut session = WatchSession {
            arguments,
            game,
            config,
            catalogue,
            file: PathBuf::from(path),
            id,
            copies,
            attempts: 0,
            number: 0,
            tried: None,
            versions: Vec::new(),
        };
        if !session.file.is_file() {
            // The bot is given by name, or by a path relative to the project. Watch the file found.
            let (_, found) = session.find(&arguments.bot)?;
            ensure!(
                found.built_in.is_none(),
                "`{}` is built into this program, so there is no file to watch; give the path of \
                a bot's file (`hattari new` creates one)",
                arguments.bot
            );
            session.id = (!found.kind.can_reload()).then(|| found.name.clone());
            session.file = found.path;
        }
        // Report errors in the options before waiting for changes.
        match session.find(&arguments.bot) {
            Ok((game, found)) => _ = session.prepare(game, &found)?,
            // A script that does not start may be fixed while it is watched. Without --game, its
            // game is not known yet.
            Err(error)
                if error
                    .downcast_ref::<NotFound>()
                    .is_some_and(|found| matches!(*found.reason, NotFoundReason::Broken(_))) =>
            {
                if let Some(game) = session.game {
                    find_opponents(
                        &session.catalogue,
                        &session.options(game),
                        ("bot", "bot.lua"),
                    )?;
                }
            }
            Err(error) => return Err(error),
        }
        Ok(session)
    }

    /// Plays the current file, and again after every save.
    fn run(&mut self, events: &Receiver<FileEvent>, stop: &AtomicBool) -> anyhow::Result<()> {
        output::print(&format!(
            "watching {}; Ctrl-C ends\n",
            output::short(&self.file)
        ))?;
        let mut event = FileEvent::Saved;
        loop {
            stop.store(false, Ordering::SeqCst);
            // Handle events that were sent before the flag was reset.
            while let Ok(newer) = events.try_recv() {
                event = newer;
            }
            match event {
                FileEvent::Interrupted => return Ok(()),
                FileEvent::Gone => {
                    output::print(&format!(
                        "\n{} does not exist any more; waiting for it\n",
                        output::short(&self.file)
                    ))?;
                }
                FileEvent::Saved => {
                    if let Err(error) = self.version(stop) {
                        output::print(&format!("  {error:#}\n  waiting for the next save\n"))?;
                    }
                    if stop.load(Ordering::Relaxed) {
                        // Either an event explains why the flag was set, or the flag was set for an
                        // event that has been handled.
                        if let Ok(newer) = events.try_recv() {
                            event = newer;
                        }
                        continue;
                    }
                }
            }
            event = events.recv().context("the file watcher has stopped")?;
        }
    }

    /// Loads, plays and compares the current file.
    fn version(&mut self, stop: &AtomicBool) -> anyhow::Result<()> {
        let contents = WatchedStamp::of(&self.file);
        if contents.is_some() && contents == self.tried {
            return Ok(());
        }
        self.attempts += 1;
        output::print(&format!("\nloading {}\n", output::short(&self.file)))?;
        // Files of opponents may have changed, too.
        self.catalogue = self.arguments.folders.catalogue(None)?;
        // A version that cannot be loaded is not tried again until the file changes.
        self.tried = contents;
        if let Some(kind) = backend_of(&self.file) {
            // Syntax errors have the form `file:line:`, which editors recognize.
            kind.compile(&self.file)
                .map_err(|agent_error| anyhow!("{}", agent_error.message))?;
        }
        let (game, found) = self.find(&self.copied()?)?;
        self.run_own_tests(&found)?;
        let (prepared, opponents) = self.prepare(game, &found)?;
        let began = Instant::now();
        let threads = hattari_study::threads(self.arguments.jobs);
        let printer = texts::ProgressPrinter::new(&prepared);
        let Some(played) =
            printer.run_with_progress(|done, tell| play(&prepared, threads, stop, done, tell))?
        else {
            self.tried = None;
            output::print("  interrupted before all deals were played\n")?;
            return Ok(());
        };
        let changed = self.versions.last().and_then(|last| {
            if last.prepared.league.game != prepared.league.game {
                Some(format!("the bot now plays {}", game.name()))
            } else {
                (last.opponents != opponents).then(|| "the opponents have changed".to_owned())
            }
        });
        if let Some(changed) = changed {
            output::print(&format!(
                "  {changed}; the comparison starts again at version 1\n"
            ))?;
            self.versions.clear();
            self.number = 0;
        }
        self.number += 1;
        let version = PlayedVersion {
            number: self.number,
            prepared,
            opponents,
            played,
        };
        let mut text =
            texts::score(&version, began.elapsed().as_secs_f64()) + &texts::prints(&version);
        let last = self.versions.last();
        if let Some(last) = last {
            text += &texts::difference(last, &version, true);
        }
        if let [first, _] = &self.versions[..] {
            text += &texts::difference(first, &version, false);
        }
        output::print(&text)?;
        if let Some(last) = last
            && let Some(report) = review(&last.prepared, &version.prepared, threads, stop)?
        {
            output::print(&texts::review(&report))?;
        }
        self.versions.truncate(1);
        self.versions.push(version);
        Ok(())
    }

    /// Returns the bot as leagues name it: by the path of the script, or of a new copy of the
    /// library, because a loaded library is never reloaded.
    fn copied(&self) -> anyhow::Result<String> {
        let can_reload = backend_of(&self.file).is_some_and(|kind| kind.can_reload());
        let path = if can_reload {
            std::path::absolute(&self.file)?
        } else {
            let folder = self.copies.path().join(self.attempts.to_string());
            fs::create_dir(&folder)?;
            let copy = folder.join(
                self.file
                    .file_name()
                    .context("the path does not name a file")?,
            );
            fs::copy(&self.file, &copy).at(&self.file)?;
            copy
        };
        let path = path
            .to_str()
            .context("the path is not valid UTF-8")?
            .to_owned();
        Ok(match &self.id {
            Some(id) => format!("{path}#{id}"),
            None => path,
        })
    }

    /// Finds the bot and the game that it plays.
    fn find(&self, bot: &str) -> anyhow::Result<(&'static GameInfo, FoundBot)> {
        let games = self.game.map_or_else(games::all, |game| vec![game]);
        let mut found = self.catalogue.find_for_games(&games, bot, Path::new(""))?;
        if let Some(error) = found.broken.pop() {
            return Err(error.into());
        }
        ensure!(
            found.bots.len() <= 1,
            "{bot} may play {}: choose the game with --game",
            quoted(found.bots.iter().map(|(game, _)| game.name()))
        );
        found.bots.pop().ok_or_else(|| anyhow!("no bot `{bot}`"))
    }

    fn options(&self, game: &'static GameInfo) -> WatchOptions {
        let arguments = self.arguments;
        WatchOptions {
            game,
            preset: arguments.preset.clone(),
            config: self.config.clone(),
            against: arguments.against.clone(),
            blocks: arguments.blocks,
            deals: arguments.deals,
            seed: arguments.seed,
        }
    }

    /// Prepares the games of this version and starts all bots.
    fn prepare(
        &self,
        game: &'static GameInfo,
        found: &FoundBot,
    ) -> anyhow::Result<(PreparedLeague, Vec<String>)> {
        prepare(&self.catalogue, &self.options(game), found)
    }

    /// Runs the unit tests of a script and prints the results.
    fn run_own_tests(&self, found: &FoundBot) -> anyhow::Result<()> {
        let tested = found
            .run_tests(&AgentSpec::default(), &self.arguments.config)
            .map_err(|agent_error| anyhow!("{}", agent_error.message))?;
        let failures: Vec<String> = (tested.iter())
            .filter_map(|test| {
                test.failure
                    .as_ref()
                    .map(|failure| texts::failure(&test.name, failure))
            })
            .collect();
        let count = counted(tested.len() as u64, "test");
        let text = match (failures.len(), tested.len()) {
            (_, 0) => return Ok(()),
            (0, _) => format!("  tests       {count} passed\n"),
            (failed, _) => format!(
                "  tests       {failed} of {count} failed\n{}",
                failures.concat()
            ),
        };
        output::print(&text)?;
        Ok(())
    }
}
