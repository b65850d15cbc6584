//! The league that `hattari watch` plays, which exists only in memory.

use anyhow::{anyhow, bail};
use hattari_agents::games::GameInfo;
use hattari_agents::text::{joined, quoted};
use hattari_play::catalogue::{Catalogue, FoundBot};
use hattari_play::league::{Entrant, League, LeagueError, Problem, ResolveBot};
use hattari_play::prepared::{ClientPolicy, EntrantBot, PreparedLeague};
use serde_json::{Value, json};
use std::path::Path;

/// Options of the league that `hattari watch` plays.
pub(crate) struct WatchOptions {
    /// Game that all versions of the bot play.
    pub game: &'static GameInfo,
    /// Preset of the rules; `None` for the default.
    pub preset: Option<String>,
    /// Settings of the bot, as a mapping.
    pub config: Value,
    /// Opponents, as they are named in leagues. If empty, the default opponents of the game. A
    /// single opponent takes all other seats.
    pub against: Vec<String>,
    /// Number of blocks.
    pub blocks: u32,
    /// Number of deals per block; `None` for the default of the game.
    pub deals: Option<u32>,
    /// Seed from which all random numbers are derived.
    pub seed: u64,
}

/// Prepares the league for `bot` and starts all bots. Also returns the versions of the opponents.
///
/// # Errors
/// Returns an error if the options are wrong, or if a bot does not start.
pub(crate) fn prepare(
    catalogue: &Catalogue,
    options: &WatchOptions,
    bot: &FoundBot,
) -> anyhow::Result<(PreparedLeague, Vec<String>)> {
    let path = bot.path.display().to_string();
    let (league, opponents) = find_opponents(catalogue, options, (&bot.name, &path))?;
    let versions = opponents.iter().map(|bot| bot.version_id.clone()).collect();
    let bots: Vec<EntrantBot> = std::iter::once(bot.clone())
        .chain(opponents)
        .map(|bot| EntrantBot::Bot(Box::new(bot)))
        .collect();
    let prepared = PreparedLeague::of(league, &bots, Path::new(""), ClientPolicy::Welcome)?;
    for (entrant, seat) in prepared.league.entrants.iter().zip(&prepared.seats) {
        seat.open()
            .map_err(|agent_error| anyhow!("{}: {}", entrant.name, agent_error.message))?;
    }
    Ok((prepared, versions))
}

/// Creates the league and finds the opponents of the bot, which is given by its name and as it is
/// named in leagues.
///
/// # Errors
/// Returns an error if the options are wrong, or if an opponent does not exist.
pub(crate) fn find_opponents(
    catalogue: &Catalogue,
    options: &WatchOptions,
    bot: (&str, &str),
) -> anyhow::Result<(League, Vec<FoundBot>)> {
    let mut opponents = Vec::new();
    let mut is_first = true;
    let league = league(options, bot, &mut |game: &GameInfo, entrant: &Entrant| {
        if std::mem::take(&mut is_first) {
            return Ok(());
        }
        let opponent = catalogue
            .find(game.id, &entrant.bot, Path::new(""))
            .map_err(|error| {
                Problem::of_file(
                    error.to_string(),
                    format!(
                        "`hattari show bots --game {}` lists the bots for --against",
                        game.name()
                    ),
                )
            })?;
        opponents.push(opponent);
        Ok(())
    })?;
    Ok((league, opponents))
}

/// Creates the league. The bot is the first entrant and has the first position of the only line-up.
/// `resolve` is called for every entrant and returns an error if its bot does not exist.
///
/// # Errors
/// Returns an error if the number of opponents is wrong or the league is invalid.
fn league(
    options: &WatchOptions,
    (name, bot): (&str, &str),
    resolve: &mut ResolveBot<'_>,
) -> anyhow::Result<League> {
    let defaults = options.game.hosted.watch_defaults;
    let in_pairs = defaults.is_some_and(|defaults| defaults.in_pairs);
    let field = opponents_by_seat(options, in_pairs)?;
    let mut rivals: Vec<&str> = field.clone();
    rivals.sort_unstable();
    rivals.dedup();
    let mut name = name.to_owned();
    while rivals.contains(&name.as_str()) {
        name += "-now";
    }
    let mut entrants = vec![json!({"name": name, "bot": bot, "config": options.config})];
    entrants.extend(
        rivals
            .iter()
            .map(|rival| json!({"name": rival, "bot": rival})),
    );
    let format = if in_pairs {
        json!({"kind": "pairs", "a": [name], "b": field})
    } else {
        json!({"kind": "challenge", "challengers": [name], "field": field})
    };
    let mut league = json!({
        "game": options.game.name(),
        "seed": options.seed,
        "entrants": entrants,
        "format": format,
        "blocks": options.blocks,
        "deals": options.deals.or(defaults.map(|defaults| defaults.deals)).unwrap_or(10),
        "duplicate": defaults.is_some_and(|defaults| defaults.duplicate),
    });
    if let Some(preset) = &options.preset {
        league["preset"] = json!(preset);
    }
    // Every JSON text is valid YAML.
    let text = league.to_string();
    League::parse(
        Path::new("games of `hattari watch`"),
        text.as_bytes(),
        resolve,
    )
    .map(|(league, _)| league)
    .map_err(|error| without_line_numbers(&error))
}

/// Returns the opponent in each other seat; in a game in pairs, the opponent of the only pair.
///
/// # Errors
/// Returns an error if the number of opponents is wrong.
fn opponents_by_seat(options: &WatchOptions, in_pairs: bool) -> anyhow::Result<Vec<&str>> {
    let game = options.game.name();
    let given: Vec<&str> = options.against.iter().map(String::as_str).collect();
    let against: Vec<&str> = match options.game.hosted.watch_defaults {
        _ if !given.is_empty() => given,
        Some(defaults) => defaults.opponents.to_vec(),
        None => bail!("{game} has no default opponents: give some with --against"),
    };
    let (fewest, most) = options.game.players;
    let fits = |others: usize| (fewest..=most).contains(&(others + 1));
    match against[..] {
        [only] if in_pairs => Ok(vec![only]),
        _ if in_pairs => {
            bail!("{game} is played in pairs: give one opponent, which takes both other seats")
        }
        _ if fits(against.len()) => Ok(against.clone()),
        [only] => Ok(vec![only; fewest - 1]),
        _ => {
            let seats = if fewest == most {
                fewest.to_string()
            } else {
                format!("{fewest} to {most}")
            };
            bail!(
                "{} opponents ({}) and the bot do not fit: a table of {game} has {seats} players. \
                Give one opponent, which takes all other seats, or one per other seat",
                against.len(),
                quoted(against.iter().copied())
            )
        }
    }
}

/// Returns the problems of a league without line numbers, which would refer to a generated text.
fn without_line_numbers(error: &LeagueError) -> anyhow::Error {
    let problems = error
        .problems
        .iter()
        .map(|problem| format!("{}; {}", problem.message, problem.remedy));
    anyhow!("{}", joined(problems, "\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hattari_play::league::{Challenge, Format};

    fn options(game: &str, against: &[&str]) -> WatchOptions {
        WatchOptions {
            game: GameInfo::find(game).unwrap(),
            preset: None,
            config: json!({}),
            against: against.iter().map(|&name| name.to_owned()).collect(),
            blocks: 10,
            deals: None,
            seed: 1,
        }
    }

    fn made(game: &str, against: &[&str]) -> Result<League, String> {
        league(
            &options(game, against),
            ("base", "base.lua"),
            &mut |_, _| Ok(()),
        )
        .map_err(|error| error.to_string())
    }

    #[test]
    fn every_game_has_default_opponents() {
        for game in hattari_agents::games::all()
            .iter()
            .filter(|game| game.name() != "highcard")
        {
            let league = made(game.name(), &[]).unwrap();
            assert_eq!(
                (league.blocks, league.entrants[0].bot.as_str()),
                (10, "base.lua")
            );
        }
    }

    #[test]
    fn one_opponent_fills_all_seats_and_several_must_match_the_table_size() {
        let Format::Challenge(Challenge { challengers, field }) =
            made("daihinmin", &["base"]).unwrap().format
        else {
            panic!()
        };
        assert_eq!(
            (challengers, field),
            (vec!["base-now".to_owned()], vec!["base".to_owned(); 4])
        );
        let refusal = made("daihinmin", &["base", "all"]).unwrap_err();
        assert!(
            refusal.contains("a table of daihinmin has 5 players"),
            "{refusal}"
        );
        assert!(made("holdem", &["honest", "call", "call"]).is_ok());
        assert!(
            made("bridge", &["cheap", "random"])
                .unwrap_err()
                .contains("in pairs")
        );
    }
}
