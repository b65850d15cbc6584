//! Game definitions: the files that describe a game for ACPC programs.

use hattari_games::Game;
use hattari_games::holdem::{Holdem, Options};
use hattari_games::poker::BetLimit;
use std::collections::HashMap;
use thiserror::Error;

/// Value of `maxRaises` for an unlimited number of raises.
const RAISES_UNLIMITED: i64 = 255;

/// An error in a definition.
#[derive(Debug, PartialEq, Error)]
#[error("{message}")]
pub struct DefinitionError {
    /// Line number in the file, from 1. The last line if a key is missing.
    pub line: usize,
    /// Description of the error, with the accepted values.
    pub message: String,
}

const KEYS: [&str; 13] = [
    "nolimit",
    "limit",
    "numPlayers",
    "numRounds",
    "stack",
    "blind",
    "raiseSize",
    "firstPlayer",
    "maxRaises",
    "numSuits",
    "numRanks",
    "numHoleCards",
    "numBoardCards",
];

/// The lines of a definition, by key: the line number and the values of each key.
struct DefinitionLines {
    found: HashMap<&'static str, (usize, Vec<i64>)>,
    last: usize,
}

impl DefinitionLines {
    fn read(text: &str) -> Result<DefinitionLines, DefinitionError> {
        let mut lines = DefinitionLines {
            found: HashMap::new(),
            last: 0,
        };
        let mut begun = false;
        for (line, text) in (1..).zip(text.lines()) {
            lines.last = line;
            let text = text.trim();
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            let wrong = |message: String| DefinitionError { line, message };
            let is = |word: &str| {
                text.split_whitespace()
                    .collect::<Vec<_>>()
                    .join(" ")
                    .eq_ignore_ascii_case(word)
            };
            if !begun {
                if !is("GAMEDEF") {
                    return Err(wrong(format!(
                        "a game definition must begin with GAMEDEF (found `{text}`)"
                    )));
                }
                begun = true;
            } else if is("END GAMEDEF") {
                return Ok(lines);
            } else {
                let end = text
                    .find(|c: char| c == '=' || c.is_whitespace())
                    .unwrap_or(text.len());
                let (word, rest) = text.split_at(end);
                let key = KEYS
                    .into_iter()
                    .find(|key| key.eq_ignore_ascii_case(word))
                    .ok_or_else(|| {
                        wrong(format!(
                            "unknown key `{word}`; valid keys: {}",
                            KEYS.join(", ")
                        ))
                    })?;
                let values = numbers(rest).map_err(|value| {
                    wrong(format!(
                        "{key}: `{value}` is not an integer from 0 to {}",
                        i32::MAX
                    ))
                })?;
                if let Some((first, _)) = lines.found.get(key) {
                    return Err(wrong(format!("{key} is already given in line {first}")));
                }
                lines.found.insert(key, (line, values));
            }
        }
        let message = if begun {
            "the definition has no END GAMEDEF line"
        } else {
            "the file contains no game definition: no GAMEDEF line"
        };
        Err(DefinitionError {
            line: lines.last.max(1),
            message: message.into(),
        })
    }

    /// Returns the values of a key; `None` if the key is missing.
    fn values(&self, key: &'static str) -> Option<&[i64]> {
        self.found.get(key).map(|(_, values)| values.as_slice())
    }

    /// Returns an error at the line of a key, or at the last line if the key is missing.
    fn problem(&self, key: &'static str, message: &str) -> DefinitionError {
        DefinitionError {
            line: self.found.get(key).map_or(self.last, |(line, _)| *line),
            message: format!("{key}: {message}"),
        }
    }

    /// Returns the error for a key that is missing or has wrong values. `needed` describes the
    /// correct values.
    fn wrong_values(&self, key: &'static str, needed: &str) -> DefinitionError {
        let found = match self.values(key) {
            None => "this key is missing".to_owned(),
            Some([]) => "found nothing".to_owned(),
            Some(values) => format!("found {}", joined(values)),
        };
        self.problem(key, &format!("{found}; {needed}"))
    }

    /// Checks that a key has the values `wanted` of hold'em. `note` explains these values in the
    /// message.
    fn require(
        &self,
        key: &'static str,
        wanted: &[i64],
        note: &str,
    ) -> Result<(), DefinitionError> {
        if self.values(key) == Some(wanted) {
            return Ok(());
        }
        let wanted = joined(wanted);
        let needed = format!("Hattari supports only hold'em with {key} = {wanted}{note}");
        Err(self.wrong_values(key, &needed))
    }

    /// Returns the `count` values of a key; an empty list if the key is missing. `of` is a noun for
    /// messages, for example `player` if there is one value per player.
    fn list(&self, key: &'static str, count: usize, of: &str) -> Result<&[i64], DefinitionError> {
        let values = self.values(key).unwrap_or_default();
        if self.found.contains_key(key) && values.len() != count {
            let needed = format!("give {count} numbers, one for each {of}");
            return Err(self.wrong_values(key, &needed));
        }
        Ok(values)
    }

    /// Returns the big and the small blind.
    fn blinds(&self, blinds: &[i64]) -> Result<(i64, i64), DefinitionError> {
        let (needed, order) = match *blinds {
            [big, small] => (
                "for two players first the big blind, then the small blind (on the button)",
                Some((big, small)),
            ),
            [small, big, ref rest @ ..] if rest.iter().all(|&other| other == 0) => (
                "first the small blind, then the big blind, both at least 1",
                Some((big, small)),
            ),
            _ => (
                "first the small blind, then the big blind, and 0 for the others",
                None,
            ),
        };
        order
            .filter(|&(big, small)| (1..=big).contains(&small))
            .ok_or_else(|| {
                let needed =
                    format!("Hattari supports hold'em with two blinds only; give {needed}");
                self.wrong_values("blind", &needed)
            })
    }

    /// Returns the size of bets in the last two rounds of a limit game.
    fn big_bet(&self, big_blind: i64) -> Result<i64, DefinitionError> {
        match *self.list("raiseSize", 4, "round")? {
            [first, second, third, last]
                if first == big_blind && second == first && last == third && first <= last =>
            {
                Ok(last)
            }
            _ => {
                let needed = format!(
                    "Hattari supports hold'em only with raises of the big blind ({big_blind}) in \
                     the first two rounds and one equal or larger size in the last two rounds"
                );
                Err(self.wrong_values("raiseSize", &needed))
            }
        }
    }

    /// Returns the maximum number of raises in the first and in the other rounds; 0 for no limit.
    fn raises(&self) -> Result<[u8; 2], DefinitionError> {
        let bound = |raises: i64| match u8::try_from(raises) {
            Ok(raises) if i64::from(raises) < RAISES_UNLIMITED => Ok(raises),
            Ok(_) => Ok(0),
            Err(_) => {
                let message = format!("the number {raises} is too large");
                Err(self.problem("maxRaises", &message))
            }
        };
        match *self.list("maxRaises", 4, "round")? {
            [] => Ok([0, 0]),
            [first, second, third, last] if [first, second, third, last].contains(&0) => {
                Err(self.problem("maxRaises", "a limit of 0 raises is not supported"))
            }
            [first, second, third, last] if second == third && third == last => {
                Ok([bound(first)?, bound(second)?])
            }
            _ => Err(self.problem(
                "maxRaises",
                "the limit of raises must be the same in all rounds after the first",
            )),
        }
    }
}

/// Parses the numbers that follow a key. An equals sign before them is optional.
fn numbers(text: &str) -> Result<Vec<i64>, String> {
    let text = text.trim_start();
    let text = text.strip_prefix('=').unwrap_or(text);
    let number = |word: &str| {
        let number = word.parse().ok();
        let number = number.filter(|number| (0..=i64::from(i32::MAX)).contains(number));
        number.ok_or_else(|| word.to_owned())
    };
    text.split_whitespace().map(number).collect()
}

fn joined(values: &[i64]) -> String {
    let values: Vec<String> = values.iter().map(i64::to_string).collect();
    values.join(" ")
}

/// Returns the position of the player who acts first in each round, from 1.
fn first_players(players: usize) -> [i64; 4] {
    [if players == 2 { 2 } else { 3 }, 1, 1, 1]
}

/// Parses a definition of hold'em. Returns the number of players and the equivalent options.
///
/// # Errors
/// Returns the first error with its line: an invalid line, or a property that this program's
/// hold'em does not support.
pub fn parse_game(text: &str) -> Result<(u8, Options), DefinitionError> {
    let lines = DefinitionLines::read(text)?;
    for key in ["nolimit", "limit"] {
        if lines.values(key).is_some_and(|values| !values.is_empty()) {
            return Err(lines.problem(key, "this key takes no number"));
        }
    }
    let no_limit = lines.found.contains_key("nolimit");
    if no_limit && lines.found.contains_key("limit") {
        return Err(lines.problem("limit", "a game cannot be both limit and nolimit"));
    }
    let (least, most) = Holdem::players();
    let players = match lines.values("numPlayers") {
        Some(&[count]) => usize::try_from(count).ok(),
        _ => None,
    };
    let players = players.filter(|count| (least..=most).contains(count));
    let players = players.ok_or_else(|| {
        let needed = format!("Hattari supports hold'em for {least} to {most} players");
        lines.wrong_values("numPlayers", &needed)
    })?;
    lines.require("numRounds", &[4], "")?;
    lines.require("numSuits", &[4], "")?;
    lines.require("numRanks", &[13], "")?;
    lines.require("numHoleCards", &[2], "")?;
    lines.require("numBoardCards", &[0, 3, 1, 1], "")?;
    let stacks = lines.list("stack", players, "player")?;
    let blinds = lines.list("blind", players, "player")?;
    let pairs = || stacks.iter().zip(blinds);
    if pairs().any(|(stack, blind)| stack < blind) {
        return Err(lines.problem("blind", "a blind is larger than the stack of its player"));
    }
    let (big_blind, small_blind) = lines.blinds(blinds)?;
    let note = if players == 2 {
        " (small blind, then big blind)"
    } else {
        ""
    };
    lines.require("firstPlayer", &first_players(players), note)?;
    let preset = Options::preset("acpc").unwrap_or_default();
    let big_bet = if no_limit {
        preset.big_bet.max(big_blind)
    } else {
        lines.big_bet(big_blind)?
    };
    let [raises_max_preflop, raises_max] = lines.raises()?;
    let bounds = [raises_max_preflop, raises_max, raises_max, raises_max].map(i64::from);
    let stack = match stacks.iter().max() {
        Some(&stack) => stack,
        None if no_limit => return Err(lines.wrong_values("stack", "a no-limit game needs it")),
        // The bets are bounded, so no player can lose more than this sum.
        None if bounds.iter().all(|&bound| bound != 0) => {
            let bets = [big_blind, big_blind, big_bet, big_bet];
            bets.iter()
                .zip(bounds)
                .fold(big_blind, |sum, (bet, bound)| sum + bet * bound)
        }
        None => {
            let needed = "without it, maxRaises must limit the raises of every round";
            return Err(lines.wrong_values("stack", needed));
        }
    };
    let is_even = stacks.iter().all(|&other| other == stack);
    if !is_even && pairs().any(|(stack, blind)| stack <= blind) {
        return Err(lines.problem(
            "stack",
            "if stacks differ, each stack must be larger than the blind of its player",
        ));
    }
    let options = Options {
        limit: if no_limit {
            BetLimit::NoLimit
        } else {
            BetLimit::FixedLimit
        },
        small_blind,
        big_blind,
        big_bet,
        stack,
        stacks: if is_even { Vec::new() } else { stacks.to_vec() },
        raises_max,
        raises_max_preflop: (raises_max_preflop != raises_max).then_some(raises_max_preflop),
        ..preset
    };
    let game = Holdem::new(options).map_err(|message| lines.problem("stack", &message))?;
    let players = u8::try_from(players).expect("tables have a handful of players");
    Ok((players, game.options().clone()))
}

/// Writes the definition of hold'em with these options for `players` players: the text of a `.game`
/// file.
///
/// # Errors
/// Returns an error if the format cannot express an option. The message names the option.
pub fn write_game(options: &Options, players: u8) -> Result<String, String> {
    let no_limit = match options.limit {
        BetLimit::NoLimit => true,
        BetLimit::FixedLimit => false,
        BetLimit::PotLimit | BetLimit::StreetPot => {
            return Err(
                "the ACPC format supports no-limit and fixed-limit games, but not pot limit".into(),
            );
        }
    };
    if options.ante != 0 {
        return Err(format!(
            "the ACPC format has no antes, but `ante` is {}",
            options.ante
        ));
    }
    if !options.antes.is_empty() || !options.posts.is_empty() {
        return Err("the ACPC format has two blinds only: remove `antes` and `posts`".into());
    }
    let count = usize::from(players);
    let stack = |position| *options.stacks.get(position).unwrap_or(&options.stack);
    let stacks: Vec<i64> = (0..count).map(stack).collect();
    let is_even = stacks.iter().all(|&stack| stack == stacks[0]);
    if !(is_even || (options.short_raise_reopens && options.short_raise_counts)) {
        let needed =
            "set `short_raise_reopens` and `short_raise_counts` to true if `stacks` differ";
        return Err(format!(
            "in the ACPC format any raise reopens the betting: {needed}"
        ));
    }
    if let Some(stack) = stacks.iter().find(|&&stack| stack > i64::from(i32::MAX)) {
        return Err(format!(
            "ACPC programs support at most {} chips, but a stack is {stack}",
            i32::MAX
        ));
    }
    if options.carry {
        return Err(
            "in the ACPC format every hand begins with full stacks, but `carry` is true".into(),
        );
    }
    let (small, big, bet) = (options.small_blind, options.big_blind, options.big_bet);
    let mut blinds = if count == 2 {
        vec![big, small]
    } else {
        vec![small, big]
    };
    blinds.resize(count, 0);
    let raise_sizes = if no_limit {
        Vec::new()
    } else {
        vec![big, big, bet, bet]
    };
    let later = options.raises_max;
    let preflop = options.raises_max_preflop.unwrap_or(later);
    let max_raises = match (preflop, later) {
        (0, 0) => Vec::new(),
        _ => [preflop, later, later, later]
            .map(|raises| match raises {
                0 => RAISES_UNLIMITED,
                raises => raises.into(),
            })
            .to_vec(),
    };
    let kind = if no_limit { "nolimit" } else { "limit" };
    let mut text = format!("GAMEDEF\n{kind}\nnumPlayers = {players}\nnumRounds = 4\n");
    for (key, values) in [
        ("stack", stacks),
        ("blind", blinds),
        ("raiseSize", raise_sizes),
        ("firstPlayer", first_players(count).to_vec()),
        ("maxRaises", max_raises),
    ] {
        if !values.is_empty() {
            text += &format!("{key} = {}\n", joined(&values));
        }
    }
    text += "numSuits = 4\nnumRanks = 13\nnumHoleCards = 2\nnumBoardCards = 0 3 1 1\nEND GAMEDEF\n";
    Ok(text)
}
