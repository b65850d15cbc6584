//! The command line: one file per command.

mod deadline;
mod folders;
mod group;
mod hosting;
mod logging;
mod old_names;
mod options;
pub(crate) mod output;
mod parallel;
mod progress;
mod ready;
mod signals;
mod start;
mod trust;

pub(crate) use hattari_study::{CommandResult, Outcome};

use crate::shipped;
use clap::{CommandFactory, FromArgMatches, Parser};
use hattari_play::catalogue::{NotFound, NotFoundReason};
use hattari_play::league::LeagueError;
use hattari_play::prepared::PrepareError;
use hattari_study::Interrupted;
use std::path::Path;
use std::process::ExitCode;

group::grouped_commands! {
    "Write a bot" { new, check, watch }
    "Play" { run, report, review, replay, serve }
    "Contests" { join, verify }
    "Results as data" { export, import, store }
    "Several machines" { cluster }
    "Look up and compute" { show, calc, study, cite }
    hidden { worker }
}

/// Plays card-game bots against each other and estimates which bot is stronger, with confidence
/// intervals.
#[derive(Parser, Debug)]
#[command(name = "hattari", version, propagate_version = true)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    /// Print more log messages: -v info, -vv debug, -vvv trace. HATTARI_LOG accepts filters such as
    /// hattari=debug,hattari::bot=trace
    #[arg(short, long, action = clap::ArgAction::Count, global = true)]
    verbose: u8,
    /// Allow code to run outside the sandbox (programs that a league starts, libraries with
    /// `isolation: none`); the decision is remembered
    #[arg(long, global = true)]
    trust: bool,
}

/// Returns the command-line parser. Its help text lists the commands in groups.
fn command() -> clap::Command {
    let command = Arguments::command();
    let mut groups = String::new();
    for (heading, names) in GROUPS {
        groups += &format!("{heading}:\n");
        for name in *names {
            let about = command
                .find_subcommand(name)
                .and_then(clap::Command::get_about);
            groups += &format!("  {name:8} {}\n", about.cloned().unwrap_or_default());
        }
        groups.push('\n');
    }
    let usage = "{about-with-newline}\n{usage-heading} {usage}\n\n";
    let template = format!("{usage}{groups}Options:\n{{options}}{{after-help}}");
    command.help_template(template).after_help(
        "`hattari COMMAND --help` explains a command. `hattari` without a command prints the first \
        steps.",
    )
}

/// Parses the command line, runs the command and prints errors with their causes. Exit codes: 0
/// done, 1 the command found a difference or fault, 2 usage error or other error, 130 interrupted.
pub(crate) fn main() -> ExitCode {
    let outcome = old_names::translate(std::env::args_os().collect()).and_then(|words| {
        let matches = command().get_matches_from(words);
        run_parsed(&Arguments::from_arg_matches(&matches).unwrap_or_else(|error| error.exit()))
    });
    match outcome {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::Found) => ExitCode::from(1),
        Ok(Outcome::Interrupted) => ExitCode::from(130),
        Err(error) if error.is::<Interrupted>() => {
            output::tell("interrupted");
            ExitCode::from(130)
        }
        Err(error) => {
            output::tell(format_args!("error: {error:#}"));
            if let Some(hint) = shipped_hint(&error) {
                output::tell(format_args!("    = {hint}"));
            }
            ExitCode::from(2)
        }
    }
}

fn run_parsed(arguments: &Arguments) -> CommandResult {
    logging::set_up(arguments.verbose)?;
    let is_server = matches!(arguments.command, Some(Command::serve(_)));
    trust::set_up(arguments.trust, is_server);
    match &arguments.command {
        Some(command) => command.run(),
        None => start::main(),
    }
}

/// Returns a hint if a league or bot is missing, but embedded in this program.
fn shipped_hint(error: &anyhow::Error) -> Option<&'static str> {
    let of_session = match error.downcast_ref::<PrepareError>() {
        Some(PrepareError::League(league)) => Some(league),
        _ => None,
    };
    let league = error.downcast_ref::<LeagueError>().or(of_session);
    let path = match (league, error.downcast_ref::<NotFound>()) {
        (Some(league), _) if !league.path.exists() => league.path.as_path(),
        (None, Some(bot)) if matches!(*bot.reason, NotFoundReason::NoSuchFile(_)) => {
            Path::new(&bot.name)
        }
        _ => return None,
    };
    let files = shipped::files();
    // The extension of the league may be omitted.
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
            "this league is built into Hattari: `hattari run --demo` plays it in any folder"
        }
        _ => {
            "this file is built into Hattari: `hattari show paths --unpack` installs all built-in \
             files, with `--to DIR` into a folder of your choice"
        }
    })
}
