//! Finds a bot for all games that it plays.

use super::list::Catalogue;
use super::{FoundBot, NotFound, NotFoundReason};
use hattari_agents::agent::LoadError;
use hattari_agents::games::{self, GameInfo, name_without_revision};
use hattari_agents::text::quoted;
use std::path::Path;

/// A bot for all games that it plays.
#[derive(Debug)]
pub struct FoundForGames {
    /// The games, each with the bot for this game.
    pub bots: Vec<(&'static GameInfo, FoundBot)>,
    /// The errors of the games that the bot declares but cannot play.
    pub broken: Vec<NotFound>,
}

impl Catalogue {
    /// Finds the bot called `name` for each of `games` that it supports.
    ///
    /// # Errors
    /// Returns an error if no bot is found for any of the games, or if several games are given and
    /// the file does not declare its games.
    pub fn find_for_games(
        &self,
        games: &[&'static GameInfo],
        name: &str,
        base: &Path,
    ) -> Result<FoundForGames, NotFound> {
        let mut bots = Vec::new();
        let mut errors = Vec::new();
        for &game in games {
            match self.find(game.id, name, base) {
                Ok(bot) => bots.push((game, bot)),
                Err(error) => errors.push(error),
            }
        }
        let mut broken = broken_games(&bots, &errors);
        if games.len() > 1 {
            broken.extend(unknown_games(name, &bots, &errors));
        }
        // A file that declares no games supports every game.
        let declares_no_games = |(game, bot): &(&GameInfo, FoundBot)| {
            bot.kind.is_in_folder_of_game() && bot.games.iter().all(|name| name == game.name())
        };
        match &bots[..] {
            [] if broken.is_empty() => Err(NotFound::merge(errors)),
            [] => Err(broken.swap_remove(0)),
            // Files in the folders of several games may have the same name.
            [(_, first), _, ..]
                if (bots.iter()).all(|bot| bot.1.path == first.path && declares_no_games(bot)) =>
            {
                let games = bots.iter().map(|(game, _)| game.name().to_owned());
                let reason = NotFoundReason::WhichGame(first.kind, games.collect());
                Err(NotFound::new("", name, reason))
            }
            _ => Ok(FoundForGames { bots, broken }),
        }
    }
}

/// Returns the names of the games that the bot declares, as far as it could be loaded.
fn declared_games<'a>(
    bots: &'a [(&GameInfo, FoundBot)],
    errors: &'a [NotFound],
) -> impl Iterator<Item = &'a String> {
    let others = errors.iter().flat_map(|error| match &*error.reason {
        NotFoundReason::OtherGame(games) => &games[..],
        _ => &[],
    });
    bots.iter().flat_map(|(_, bot)| &bot.games).chain(others)
}

/// Returns the errors of the games in which the bot does not load, although it declares them or its
/// file is in the folder of the game. A bot may use services that other games do not have.
fn broken_games(bots: &[(&GameInfo, FoundBot)], errors: &[NotFound]) -> Vec<NotFound> {
    let is_broken = |error: &&NotFound| {
        let NotFoundReason::Broken(load_error) = &*error.reason else {
            return false;
        };
        let name = name_without_revision(&error.game);
        let folder = load_error.path.parent().and_then(Path::file_name);
        folder.is_some_and(|folder| folder == name)
            || declared_games(bots, errors).any(|game| *game == error.game || game == name)
    };
    errors.iter().filter(is_broken).cloned().collect()
}

/// Returns errors for the declared games that do not exist. Libraries may also play games of other
/// programs.
fn unknown_games(name: &str, bots: &[(&GameInfo, FoundBot)], errors: &[NotFound]) -> Vec<NotFound> {
    if bots.iter().any(|(_, bot)| !bot.kind.is_in_folder_of_game()) {
        return Vec::new();
    }
    let mut unknown: Vec<&String> = declared_games(bots, errors)
        .filter(|game| GameInfo::find(game).is_none())
        .collect();
    unknown.sort_unstable();
    unknown.dedup();
    let path = bots.first().map_or(Path::new(name), |(_, bot)| &bot.path);
    let error = |game: &String| {
        let known = games::all().into_iter().map(GameInfo::name);
        let reason = NotFoundReason::Broken(LoadError {
            path: path.to_owned(),
            cause: format!("the bot declares the game `{game}`, which does not exist"),
            remedy: format!("declare one of {}", quoted(known)),
        });
        NotFound::new(game, name, reason)
    };
    unknown.into_iter().map(error).collect()
}
