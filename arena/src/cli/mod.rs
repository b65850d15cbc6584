//! The command line: one file a command.

mod analyse;
pub mod bots;
mod check;
mod export;
mod hosting;
mod import;
mod join;
mod logging;
mod merge;
mod new;
pub mod output;
mod pack;
mod paths;
mod plan;
mod progress;
mod ready;
mod records;
mod replay;
mod report;
mod rules;
mod run;
mod schema;
mod serve;
mod shell;
mod signals;
mod stats;
mod store;
mod trust;
mod types;
mod verify;
mod watch;
mod worker;

use crate::shipped;
use clap::{Parser, Subcommand};
use hattari_play::catalogue::{NotFound, Why};
use hattari_play::league::LeagueError;
use std::path::Path;
use std::process::ExitCode;

/// How a command ended, for the shell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All well: exit code 0.
    Done,
    /// The command did its work and found what it was asked to look for (mismatches, faults): exit
    /// code 1.
    Found,
    /// Stopped by the user before the end; what is finished is kept: exit code 130.
    Interrupted,
}

/// An arena for card games of imperfect information: leagues of bots, and whether the difference is
/// real.
#[derive(Parser, Debug)]
#[command(name = "hattari", version, propagate_version = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
    /// Say more: -v info, -vv debug, -vvv trace. HATTARI_LOG takes filters such as
    /// hattari=debug,hattari::bot=trace
    #[arg(short, long, action = clap::ArgAction::Count, global = true)]
    verbose: u8,
    /// Trust what this command would run with all that you may do: programs that a league starts,
    /// libraries with `isolation: none`. Remembered, so that once is enough
    #[arg(long, global = true)]
    trust: bool,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Play a league, or go on with it, and report.
    Run(run::Arguments),
    /// Report what a league has played so far.
    Report(report::Arguments),
    /// Write a bot to start from: it plays, and has tests and a league.
    New(new::Arguments),
    /// Print the rules of a game, in words.
    Rules(rules::Arguments),
    /// Print a JSON Schema of league files, for editors.
    Schema(schema::Arguments),
    /// Write down what a game's bots are told, as a C header or as types for Lua.
    Types(types::Arguments),
    /// Play a bot's games anew whenever its file is saved, and tell what has changed.
    Watch(watch::Arguments),
    /// Say where the program looks for bots, leagues and the SDK, and where it keeps what it keeps.
    Paths(paths::Arguments),
    /// List the bots that can be named in leagues, and where they are.
    Bots(bots::Arguments),
    /// Play a bot through its game: faults, speed, determinism.
    Check(check::Arguments),
    /// Show leagues in a browser, live, with their games, and play against their bots.
    Serve(serve::Arguments),
    /// Print a game of a league move by move, re-made from its seed.
    Replay(replay::Arguments),
    /// Write games of a league in a format that other programs read.
    Export(export::Arguments),
    /// Read games that other programs have written and play them again by the rules.
    Import(import::Arguments),
    /// Let a bot play as a client of a contest's server.
    Join(join::Arguments),
    /// Cut what is left of a league into units that many machines can play.
    Plan(plan::Arguments),
    /// Put a league and its bots into one file that any machine can run.
    Pack(pack::Arguments),
    /// Join the stores of shards and units into one.
    Merge(merge::Arguments),
    /// Say what a league's store holds, and why it counts or does not; let go of what does not.
    Store(store::Arguments),
    /// Print the records of a league, one line of JSON a block, or their digest.
    Records(records::Arguments),
    /// Print what completes the words of this program in a shell.
    Completions(shell::Completions),
    /// Write the manual pages of this program into a folder.
    Man(shell::Man),
    /// Serve a host as the process of one bot. Started by `hattari` itself.
    #[command(hide = true)]
    Worker(worker::Arguments),
    /// Replay a corpus of recorded daihinmin games through the rules.
    Verify(verify::Arguments),
    /// Run a league's tests on scores from a CSV file.
    Stats(stats::Arguments),
    /// Solve small games, measure positions, fit a policy.
    Analyse(analyse::Arguments),
}

/// Parses the command line, runs the command, prints an error with its causes. Exit codes: 0 done,
/// 1 found what the command looks for, 2 wrong usage or any error, 130 interrupted.
#[must_use]
pub fn main() -> ExitCode {
    let arguments = Arguments::parse();
    if let Err(error) = logging::set_up(arguments.verbose) {
        output::tell(format_args!("error: {error:#}"));
        return ExitCode::from(2);
    }
    trust::set_up(
        arguments.trust,
        matches!(arguments.command, Command::Serve(_)),
    );
    let outcome = match arguments.command {
        Command::Run(arguments) => run::main(&arguments),
        Command::Report(arguments) => report::main(&arguments),
        Command::New(arguments) => new::main(&arguments),
        Command::Rules(arguments) => rules::main(&arguments),
        Command::Schema(arguments) => schema::main(&arguments),
        Command::Types(arguments) => types::main(&arguments),
        Command::Watch(arguments) => watch::main(&arguments),
        Command::Bots(arguments) => bots::main(&arguments),
        Command::Check(arguments) => check::main(&arguments),
        Command::Serve(arguments) => serve::main(&arguments),
        Command::Replay(arguments) => replay::main(&arguments),
        Command::Export(arguments) => export::main(&arguments),
        Command::Import(arguments) => import::main(&arguments),
        Command::Join(arguments) => join::main(&arguments),
        Command::Paths(arguments) => paths::main(&arguments),
        Command::Completions(arguments) => shell::completions(&arguments),
        Command::Man(arguments) => shell::man(&arguments),
        Command::Pack(arguments) => pack::main(&arguments),
        Command::Plan(arguments) => plan::main(&arguments),
        Command::Merge(arguments) => merge::main(&arguments),
        Command::Records(arguments) => records::main(&arguments),
        Command::Verify(arguments) => verify::main(&arguments),
        Command::Worker(arguments) => worker::main(&arguments),
        Command::Stats(arguments) => stats::main(&arguments),
        Command::Store(arguments) => store::main(&arguments),
        Command::Analyse(arguments) => analyse::main(&arguments),
    };
    match outcome {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::Found) => ExitCode::from(1),
        Ok(Outcome::Interrupted) => ExitCode::from(130),
        Err(error) => {
            output::tell(format_args!("error: {error:#}"));
            if let Some(hint) = shipped_hint(&error) {
                output::tell(format_args!("    = {hint}"));
            }
            ExitCode::from(2)
        }
    }
}

/// Returns how to get a league or a bot that is missing here and is contained in this program.
fn shipped_hint(error: &anyhow::Error) -> Option<&'static str> {
    let path = match (
        error.downcast_ref::<LeagueError>(),
        error.downcast_ref::<NotFound>(),
    ) {
        (Some(league), _) if !league.path.exists() => league.path.as_path(),
        (None, Some(bot)) if matches!(*bot.why, Why::NoSuchFile(_)) => Path::new(&bot.name),
        _ => return None,
    };
    let files = shipped::files();
    // A league may have been named without its ending.
    let whole = if path.extension().is_none() {
        path.with_extension("yaml")
    } else {
        path.to_owned()
    };
    let (name, _) = files
        .iter()
        .find(|(name, _)| whole.ends_with(name) || Path::new(name).ends_with(&whole))?;
    Some(match name.as_str() {
        "leagues/demo.yaml" => {
            "this program contains that league: `hattari run --demo` plays it in any folder"
        }
        _ => {
            "this program contains that file: `hattari paths --unpack` installs all of them, with `--to DIR` into a folder of your own"
        }
    })
}
