//! `hattari show bots`.

use crate::cli::folders::Folders;
use crate::cli::{CommandResult, Outcome, output};
use hattari_agents::agent::LoadError;
use hattari_agents::games::{self, name_without_revision};
use hattari_play::catalogue::{Catalogue, FoundBot, SearchPath, UnreadFile};
use serde::Serialize;
use std::path::Path;

/// List the bots that leagues can name
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Search order: 1. the folders given with --bots and in HATTARI_BOTS; 2. bots/, bots/c/ and \
scripts/<game>/ in the league's folder, the current folder and the projects that contain them; \
3. the bots that are built into this program. If several bots have the same name, the first one \
is used; if they are in the same folder, they must be given by path. A WebAssembly module is \
listed by the name of its file, because it is compiled only when a league or a command names it. \
`hattari show bots --json` lists the folders.

Examples:
  hattari show bots                          all bots that leagues can name
  hattari show bots --game daihinmin         bots for one game
  hattari show bots --bots ~/my-bots --json  also bots in your own folder, as JSON

Exit codes: 0 done, 1 a library or script cannot be loaded (it is listed with the reason), 2 \
wrong usage.")]
pub(super) struct Arguments {
    #[command(flatten)]
    folders: Folders,
    /// Only bots for this game, as in `daihinmin` or `daihinmin/1`
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A bot, and the file of another bot with the same name that hides it because it comes earlier in
/// the search order.
#[derive(Serialize)]
struct ListedBot<'a> {
    #[serde(flatten)]
    bot: &'a FoundBot,
    hidden_by: Option<String>,
}

/// The output of `--json`.
#[derive(Serialize)]
struct Listing<'a> {
    bots: Vec<ListedBot<'a>>,
    unopened: Vec<UnreadFile>,
    broken: &'a [LoadError],
    searched: Vec<String>,
}

pub(super) fn main(arguments: &Arguments) -> CommandResult {
    let search = SearchPath::new(None, &arguments.folders.folders)?;
    let catalogue = Catalogue::discover(&search);
    let bots: Vec<ListedBot<'_>> = catalogue
        .bots()
        .iter()
        .filter(|bot| {
            arguments
                .game
                .as_ref()
                .is_none_or(|game| bot.games.iter().any(|g| is_game(g, game)))
        })
        .map(|bot| ListedBot {
            bot,
            hidden_by: catalogue
                .hiding_bot(bot)
                .map(|hiding_bot| hiding_bot.path.display().to_string()),
        })
        .collect();
    // Libraries may contain games that this host does not support. If no bot plays the requested
    // game, its name may be misspelled.
    if let Some(game) = arguments.game.as_ref().filter(|_| bots.is_empty()) {
        games::named(game)?;
    }
    let listing = Listing {
        bots,
        unopened: catalogue.unread_files(),
        broken: catalogue.broken(),
        searched: search
            .folders()
            .iter()
            .map(|folder| folder.display().to_string())
            .collect(),
    };
    output::print_as(arguments.json, &listing, || text(&listing))?;
    Ok(Outcome::of_search(!listing.broken.is_empty()))
}

/// Returns `true` if `game` and `wanted` are the same game, with or without revision.
fn is_game(game: &str, wanted: &str) -> bool {
    game == wanted || name_without_revision(game) == wanted || name_without_revision(wanted) == game
}

fn text(listing: &Listing<'_>) -> String {
    let mut text = String::new();
    let Listing {
        bots,
        unopened,
        broken,
        searched,
    } = listing;
    if bots.is_empty() && unopened.is_empty() {
        text += "No bots found. Searched:\n";
        for folder in searched {
            text += &format!("  {}\n", output::short(Path::new(folder)));
        }
    } else {
        let mut rows = Vec::new();
        for ListedBot { bot, hidden_by } in bots {
            let hidden = hidden_by.as_ref().map_or(String::new(), |path| {
                format!(" (hidden by {})", output::short(Path::new(path)))
            });
            let version = if bot.version.is_empty() {
                "-"
            } else {
                &bot.version
            };
            rows.push([
                bot.name.clone(),
                bot.games.join(","),
                bot.kind.name().to_owned(),
                version.to_owned(),
                one_line(&bot.description),
                output::short(&bot.path) + &hidden,
            ]);
        }
        for UnreadFile { name, kind, path } in unopened {
            let about = "`hattari check` with the path lists its bots";
            let [name, games, kind, version, about] =
                [name, "?", kind.name(), "-", about].map(str::to_owned);
            rows.push([name, games, kind, version, about, output::short(path)]);
        }
        let heading = ["NAME", "GAMES", "KIND", "VERSION", "DESCRIPTION", "PATH"];
        text += &output::table(heading, rows);
    }
    if !broken.is_empty() {
        text += "\nNot loaded:\n";
        for LoadError {
            path,
            cause,
            remedy,
            ..
        } in *broken
        {
            text += &format!("  {}: {cause}; {remedy}\n", output::short(path));
        }
    }
    text
}

/// Returns a description on one line, without control characters and with at most 100 characters.
fn one_line(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .take(100)
        .collect::<String>()
        .trim()
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_matched_with_or_without_its_revision() {
        assert!(is_game("daihinmin/1", "daihinmin") && is_game("daihinmin/1", "daihinmin/1"));
        assert!(
            is_game("daihinmin", "daihinmin/1")
                && !is_game("daihinmin/1", "daihinmin/2")
                && !is_game("stud/1", "dai")
        );
    }

    #[test]
    fn descriptions_are_shortened_to_one_plain_line() {
        assert_eq!(one_line("a\nb\x1b[31m"), "a b [31m");
    }
}
