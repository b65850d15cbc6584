//! Game definitions: the files that describe a game for ACPC programs.

use hattari_games::Game;
use hattari_games::holdem::{Holdem, Options};
use hattari_games::poker::BetLimit;
use std::collections::HashMap;
use thiserror::Error;

/// Number of betting rounds in hold'em.
const ROUNDS: usize = 4;
/// Value of `maxRaises` that means that the number of raises is not limited.
const RAISES_UNLIMITED: u8 = u8::MAX;
/// Maximum number of players that the competition's programs accept.
const PLAYERS_MAX: u64 = 10;
/// Maximum number of betting rounds that the competition's programs accept.
const ROUNDS_MAX: u64 = 4;
/// Maximum number of hole cards that the competition's programs accept.
const HOLE_CARDS_MAX: u64 = 3;

/// A game as defined by a `.game` file. Lists are indexed by position or by round; lists that the
/// file omits are empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameDef {
    /// `true` for no-limit betting; otherwise raises have a fixed size.
    pub no_limit: bool,
    /// Number of players.
    pub players: u8,
    /// Number of betting rounds.
    pub rounds: u8,
    /// Chips of each player at the start of every hand.
    pub stacks: Vec<i64>,
    /// Blind of each player.
    pub blinds: Vec<i64>,
    /// Size of raises in each round of a limit game.
    pub raise_sizes: Vec<i64>,
    /// Position of the player who acts first in each round, from 1.
    pub first_players: Vec<u8>,
    /// Maximum number of raises in each round.
    pub max_raises: Vec<u8>,
    /// Number of suits in the deck.
    pub suits: u8,
    /// Number of ranks in the deck, counted from the ace down.
    pub ranks: u8,
    /// Number of cards dealt to each player.
    pub hole_cards: u8,
    /// Number of board cards dealt in each round.
    pub board_cards: Vec<u8>,
}

/// An error in a definition.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{message}")]
pub struct DefinitionError {
    /// Line number in the file, from 1. The last line if a key is missing.
    pub line: usize,
    /// Description of the error, with the accepted values.
    pub message: String,
}

/// The keys of a definition.
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
    found: HashMap<&'static str, (usize, Vec<u64>)>,
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
                        "{}: `{value}` is not an integer from 0 to {}",
                        key,
                        i32::MAX
                    ))
                })?;
                if let Some((first, _)) = lines.found.get(key) {
                    return Err(wrong(format!("{} is already given in line {first}", key)));
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

    /// Returns the line number of a key, or that of the last line if the key is missing.
    fn line(&self, key: &'static str) -> usize {
        self.found.get(key).map_or(self.last, |(line, _)| *line)
    }

    fn problem(&self, key: &'static str, message: &str) -> DefinitionError {
        DefinitionError {
            line: self.line(key),
            message: format!("{}: {message}", key),
        }
    }

    /// Returns the value of a required key that takes one number.
    ///
    /// # Errors
    /// Returns an error if the key is missing or the value is out of range.
    fn required_number(
        &self,
        key: &'static str,
        lowest: u64,
        highest: u64,
    ) -> Result<u8, DefinitionError> {
        match self.found.get(key) {
            None => Err(self.problem(
                key,
                &format!("this key is missing; give a number from {lowest} to {highest}"),
            )),
            Some((_, values)) => match values[..] {
                [value] if (lowest..=highest).contains(&value) => {
                    Ok(u8::try_from(value).unwrap_or(u8::MAX))
                }
                _ => {
                    let found = join_numbers(values);
                    Err(self.problem(
                        key,
                        &format!("found {found}; give one number from {lowest} to {highest}"),
                    ))
                }
            },
        }
    }

    /// Returns the `count` values of a key; an empty list if the key is missing. `of` is the noun
    /// in messages for the owner of a value, such as `player`.
    ///
    /// # Errors
    /// Returns an error if the number of values is not `count` or a value is too large.
    fn list<T: TryFrom<u64>>(
        &self,
        key: &'static str,
        count: u8,
        of: &str,
    ) -> Result<Vec<T>, DefinitionError> {
        let Some((_, values)) = self.found.get(key) else {
            return Ok(Vec::new());
        };
        if values.len() != usize::from(count) {
            let message = format!(
                "found {}; give {count} numbers, one for each {of}",
                join_numbers(values)
            );
            return Err(self.problem(key, &message));
        }
        let number = |&value| {
            T::try_from(value)
                .map_err(|_| self.problem(key, &format!("the number {value} is too large")))
        };
        values.iter().map(number).collect()
    }
}

/// Parses the numbers that follow a key. An equals sign before them is optional.
fn numbers(text: &str) -> Result<Vec<u64>, String> {
    let text = text.trim_start();
    let text = text.strip_prefix('=').unwrap_or(text);
    let number = |word: &str| {
        let number = word
            .parse()
            .ok()
            .filter(|&number| number <= u64::from(i32::MAX.unsigned_abs()));
        number.ok_or_else(|| word.to_owned())
    };
    text.split_whitespace().map(number).collect()
}

fn join_numbers<T: ToString>(values: &[T]) -> String {
    if values.is_empty() {
        return "nothing".into();
    }
    let values: Vec<String> = values.iter().map(ToString::to_string).collect();
    values.join(" ")
}

impl GameDef {
    /// Parses a definition.
    ///
    /// # Errors
    /// Returns an error for the first invalid line, or if a required key is missing.
    pub fn parse(text: &str) -> Result<GameDef, DefinitionError> {
        GameDef::of_lines(&DefinitionLines::read(text)?)
    }

    /// Parses a definition of hold'em. Returns it with the equivalent options.
    ///
    /// # Errors
    /// Returns an error, with its line, for the first invalid line, or for the first property that
    /// this program's hold'em does not support.
    pub fn parse_holdem(text: &str) -> Result<(GameDef, Options), DefinitionError> {
        let lines = DefinitionLines::read(text)?;
        let def = GameDef::of_lines(&lines)?;
        let options = def
            .to_options()
            .map_err(|(key, message)| lines.problem(key, &message))?;
        Ok((def, options))
    }

    fn of_lines(lines: &DefinitionLines) -> Result<GameDef, DefinitionError> {
        for key in ["nolimit", "limit"] {
            if lines
                .found
                .get(key)
                .is_some_and(|(_, values)| !values.is_empty())
            {
                return Err(lines.problem(key, "this key takes no number"));
            }
        }
        if lines.found.contains_key("nolimit") && lines.found.contains_key("limit") {
            return Err(lines.problem("limit", "a game cannot be both limit and nolimit"));
        }
        let players = lines.required_number("numPlayers", 2, PLAYERS_MAX)?;
        let rounds = lines.required_number("numRounds", 1, ROUNDS_MAX)?;
        let (player, round) = ("player", "round");
        let def = GameDef {
            no_limit: lines.found.contains_key("nolimit"),
            players,
            rounds,
            stacks: lines.list("stack", players, player)?,
            blinds: lines.list("blind", players, player)?,
            raise_sizes: lines.list("raiseSize", rounds, round)?,
            first_players: lines.list("firstPlayer", rounds, round)?,
            max_raises: lines.list("maxRaises", rounds, round)?,
            suits: lines.required_number("numSuits", 1, 4)?,
            ranks: lines.required_number("numRanks", 1, 13)?,
            hole_cards: lines.required_number("numHoleCards", 1, HOLE_CARDS_MAX)?,
            board_cards: lines.list("numBoardCards", rounds, round)?,
        };
        if def
            .first_players
            .iter()
            .any(|first| !(1..=players).contains(first))
        {
            return Err(lines.problem(
                "firstPlayer",
                &format!("players are numbered 1 to {players}"),
            ));
        }
        if def
            .blinds
            .iter()
            .zip(&def.stacks)
            .any(|(blind, stack)| stack < blind)
        {
            return Err(lines.problem("blind", "a blind is larger than the stack of its player"));
        }
        Ok(def)
    }

    /// Converts the definition to options of hold'em.
    ///
    /// # Errors
    /// Returns an error if a property is not supported: its key, and a message with
    /// the supported values.
    fn to_options(&self) -> Result<Options, (&'static str, String)> {
        let players = usize::from(self.players);
        let most = Holdem::players().1;
        if players > most {
            return Err((
                "numPlayers",
                format!("hattari supports hold'em for 2 to {most} players"),
            ));
        }
        let require = |key: &'static str, fits: bool, needed: &str| {
            if fits {
                Ok(())
            } else {
                Err((key, format!("hattari supports only hold'em with {needed}")))
            }
        };
        require("numRounds", usize::from(self.rounds) == ROUNDS, "4 rounds")?;
        require("numSuits", self.suits == 4, "4 suits")?;
        require("numRanks", self.ranks == 13, "13 ranks")?;
        require("numHoleCards", self.hole_cards == 2, "2 cards per player")?;
        require(
            "numBoardCards",
            self.board_cards == [0, 3, 1, 1],
            "numBoardCards = 0 3 1 1",
        )?;
        let (big_blind, small_blind) = self.blinds_of_holdem()?;
        let first = if players == 2 {
            "2 1 1 1 (small blind, then big blind)"
        } else {
            "3 1 1 1"
        };
        let expected: [u8; ROUNDS] = [if players == 2 { 2 } else { 3 }, 1, 1, 1];
        require(
            "firstPlayer",
            self.first_players == expected,
            &format!("firstPlayer = {first}"),
        )?;
        let big_bet = if self.no_limit {
            big_blind
        } else {
            self.big_bet(big_blind)?
        };
        let (raises_max_preflop, raises_max) = self.raises()?;
        let bounds = [raises_max_preflop, raises_max, raises_max, raises_max].map(i64::from);
        let stack = match self.stacks.iter().max() {
            Some(&stack) => stack,
            None if self.no_limit => {
                return Err((
                    "stack",
                    "this key is missing; a no-limit game needs it".into(),
                ));
            }
            // The bets are bounded, so no player can lose more than this sum.
            None if bounds.iter().all(|&bound| bound != 0) => {
                let bets = [big_blind, big_blind, big_bet, big_bet];
                bets.iter()
                    .zip(bounds)
                    .fold(big_blind, |sum, (bet, bound)| sum + bet * bound)
            }
            None => {
                return Err((
                    "stack",
                    "this key is missing; without it, maxRaises must limit the raises of \
                     every round"
                        .into(),
                ));
            }
        };
        let is_even = self.stacks.iter().all(|&other| other == stack);
        if !is_even
            && self
                .stacks
                .iter()
                .zip(&self.blinds)
                .any(|(stack, blind)| stack <= blind)
        {
            return Err((
                "stack",
                "if stacks differ, each stack must be larger than the blind of its player".into(),
            ));
        }
        let preset = Options::preset("acpc").unwrap_or_default();
        let options = Options {
            limit: if self.no_limit {
                BetLimit::NoLimit
            } else {
                BetLimit::FixedLimit
            },
            small_blind,
            big_blind,
            big_bet: if self.no_limit {
                preset.big_bet.max(big_blind)
            } else {
                big_bet
            },
            stack,
            stacks: if is_even {
                Vec::new()
            } else {
                self.stacks.clone()
            },
            raises_max,
            raises_max_preflop: (raises_max_preflop != raises_max).then_some(raises_max_preflop),
            ..preset
        };
        match Holdem::new(options) {
            Ok(game) => Ok(game.options().clone()),
            Err(message) => Err(("stack", message)),
        }
    }

    /// Returns the big and the small blind.
    fn blinds_of_holdem(&self) -> Result<(i64, i64), (&'static str, String)> {
        let (needed, order) = match &self.blinds[..] {
            [big, small] => (
                "for two players first the big blind, then the small blind (on the button)",
                Some((*big, *small)),
            ),
            [small, big, rest @ ..] if rest.iter().all(|&other| other == 0) => (
                "first the small blind, then the big blind, both at least 1",
                Some((*big, *small)),
            ),
            _ => (
                "first the small blind, then the big blind, and 0 for the others",
                None,
            ),
        };
        order
            .filter(|&(big, small)| (1..=big).contains(&small))
            .ok_or_else(|| {
                (
                    "blind",
                    format!("hattari supports hold'em with two blinds only; give {needed}"),
                )
            })
    }

    /// Returns the size of bets in the last two rounds of a limit game.
    fn big_bet(&self, big_blind: i64) -> Result<i64, (&'static str, String)> {
        match self.raise_sizes[..] {
            [first, second, third, last]
                if first == big_blind && second == first && last == third && first <= last =>
            {
                Ok(last)
            }
            _ => Err((
                "raiseSize",
                format!(
                    "hattari supports hold'em only with raises of the big blind ({big_blind}) in \
                     the first two rounds and one equal or larger size in the last two rounds"
                ),
            )),
        }
    }

    /// Returns the maximum number of raises in the first and in the other rounds; 0 for no limit.
    fn raises(&self) -> Result<(u8, u8), (&'static str, String)> {
        let bound = |raises: u8| {
            if raises == RAISES_UNLIMITED {
                0
            } else {
                raises
            }
        };
        match self.max_raises[..] {
            [] => Ok((0, 0)),
            [_, _, _, _] if self.max_raises.contains(&0) => {
                Err(("maxRaises", "a limit of 0 raises is not supported".into()))
            }
            [first, second, third, last] if second == third && third == last => {
                Ok((bound(first), bound(second)))
            }
            _ => Err((
                "maxRaises",
                "the limit of raises must be the same in all rounds after the first".into(),
            )),
        }
    }

    /// Creates the definition of hold'em with these options for `players` players.
    ///
    /// # Errors
    /// Returns an error if the format cannot express an option. The message names the option.
    pub fn of_options(options: &Options, players: u8) -> Result<GameDef, String> {
        let no_limit = match options.limit {
            BetLimit::NoLimit => true,
            BetLimit::FixedLimit => false,
            BetLimit::PotLimit | BetLimit::StreetPot => {
                return Err(
                    "the ACPC format supports no-limit and fixed-limit games, but not pot limit"
                        .into(),
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
        let stacks: Vec<i64> = (0..usize::from(players))
            .map(|position| {
                options
                    .stacks
                    .get(position)
                    .copied()
                    .unwrap_or(options.stack)
            })
            .collect();
        let is_even = stacks.iter().all(|&stack| stack == stacks[0]);
        if !(is_even || (options.short_raise_reopens && options.short_raise_counts)) {
            let needed = "set `short_raise_reopens` and `short_raise_counts` to true if `stacks` \
                 differ";
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
        let count = usize::from(players);
        let by_round = |first, later| vec![first, later, later, later];
        let (raises, preflop) = (
            options.raises_max,
            options.raises_max_preflop.unwrap_or(options.raises_max),
        );
        let bound = |raises: u8| {
            if raises == 0 {
                RAISES_UNLIMITED
            } else {
                raises
            }
        };
        let mut blinds = vec![0; count];
        let (small, big) = if count == 2 { (1, 0) } else { (0, 1) };
        (blinds[small], blinds[big]) = (options.small_blind, options.big_blind);
        let bets = vec![
            options.big_blind,
            options.big_blind,
            options.big_bet,
            options.big_bet,
        ];
        Ok(GameDef {
            no_limit,
            players,
            rounds: 4,
            stacks,
            blinds,
            raise_sizes: if no_limit { Vec::new() } else { bets },
            first_players: by_round(if count == 2 { 2 } else { 3 }, 1),
            max_raises: if raises == 0 && preflop == 0 {
                Vec::new()
            } else {
                by_round(bound(preflop), bound(raises))
            },
            suits: 4,
            ranks: 13,
            hole_cards: 2,
            board_cards: vec![0, 3, 1, 1],
        })
    }

    /// Formats the definition as the text of a `.game` file.
    #[must_use]
    pub fn write(&self) -> String {
        let kind = if self.no_limit { "nolimit" } else { "limit" };
        let lines = [
            format!("GAMEDEF\n{kind}\n"),
            line("numPlayers", &[self.players]),
            line("numRounds", &[self.rounds]),
            line("stack", &self.stacks),
            line("blind", &self.blinds),
            line("raiseSize", &self.raise_sizes),
            line("firstPlayer", &self.first_players),
            line("maxRaises", &self.max_raises),
            line("numSuits", &[self.suits]),
            line("numRanks", &[self.ranks]),
            line("numHoleCards", &[self.hole_cards]),
            line("numBoardCards", &self.board_cards),
            "END GAMEDEF\n".to_owned(),
        ];
        lines.concat()
    }
}

/// Formats the line of a key. Returns an empty text if there are no values.
fn line<T: ToString>(key: &'static str, values: &[T]) -> String {
    if values.is_empty() {
        return String::new();
    }
    format!("{} = {}\n", key, join_numbers(values))
}
