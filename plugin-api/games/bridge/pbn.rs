//! Portable Bridge Notation 2.1: reads and writes games with deal, auction, play and result.
//!
//! The reader accepts:
//! * all tags; the value `#` repeats the value of the previous game
//! * auctions, also with `AP` (all pass) or `*` (incomplete); notes and alerts (also `4C*` or
//!   `4C!`) are ignored
//! * plays in fixed columns, complete or not
//! * comments and escaped lines
//! * the contracts `4C*` (doubled) and `4C**` (redoubled) of result lists
//!
//! Other sections, such as result tables, are skipped. An invalid board does not affect the others.
//! The writer produces the export format: the mandatory tags in their order, then the others.

use super::call::{Auction, Call, Contract, Doubling};
use super::cards::{Card, Seat, Side};
use super::deal::Deal;
use super::lin::read_lin;
use super::options::Vulnerable;
use super::trick::winner_index;
use std::fmt::{self, Write};
use std::str::FromStr;

/// The record of a game in a file: hands, calls, cards in the order of play, result.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameRecord {
    /// Names and values of tags that have no field in this struct, such as Event or Board.
    pub tags: Vec<(String, String)>,
    /// First seat to call; `None` if the file does not give it.
    pub dealer: Option<Seat>,
    /// Vulnerable sides; `None` if the file does not give them.
    pub vulnerable: Option<Vulnerable>,
    /// Hands before the play; `None` if the file does not give them.
    pub deal: Option<Deal>,
    /// Contract; `None` if it is unknown or all players passed.
    pub contract: Option<Contract>,
    /// `true` if all players passed.
    pub passed_out: bool,
    /// Number of tricks won by declarer's side, if it is known.
    pub result: Option<u8>,
    /// Calls, starting with the dealer's.
    pub calls: Vec<Call>,
    /// Cards in the order of play.
    pub play: Vec<Card>,
}

/// The boards of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Games {
    /// Boards that could be read.
    pub read: Vec<GameRecord>,
    /// Names and first errors of the boards that could not be read. The name is `board` and the
    /// number of the board, or `game` and its position in the file (from 1) if it has no number.
    pub refused: Vec<String>,
}

impl Games {
    /// Adds the board at position `number` of the file, or the error that it contains.
    pub(super) fn add_board(
        &mut self,
        number: usize,
        board: Option<&str>,
        game: Result<GameRecord, String>,
    ) {
        match game {
            Ok(game) => self.read.push(game),
            Err(error) => self.refused.push(match board {
                Some(board) => format!("board {board}, {error}"),
                None => format!("game {number}, {error}"),
            }),
        }
    }

    /// Returns the boards if all could be read.
    ///
    /// # Errors
    /// Returns an error that lists all boards that could not be read.
    pub fn into_all(self) -> Result<Vec<GameRecord>, String> {
        if self.refused.is_empty() {
            Ok(self.read)
        } else {
            Err(self.refused.join("; "))
        }
    }
}

/// Returns the text of an error in a line, which is counted from 1.
pub(super) fn error_in_line(line: usize, message: impl fmt::Display) -> String {
    format!("line {line}: {message}")
}

/// Names of the mandatory tags, in the order of the export format.
const MANDATORY: [&str; 15] = [
    "Event",
    "Site",
    "Date",
    "Board",
    "West",
    "North",
    "East",
    "South",
    "Dealer",
    "Vulnerable",
    "Deal",
    "Scoring",
    "Declarer",
    "Contract",
    "Result",
];

impl GameRecord {
    /// Returns the value of a tag in `tags`, or `None` if there is no such tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags
            .iter()
            .find(|(tag, _)| tag == name)
            .map(|(_, value)| value.as_str())
    }

    /// Sets the contract from the calls, if they are a complete auction.
    pub(super) fn read_contract(&mut self) {
        let Some(dealer) = self.dealer else { return };
        if let Ok(auction) = Auction::of(dealer, &self.calls)
            && auction.is_over()
        {
            self.contract = self.contract.or(auction.contract());
            self.passed_out |= auction.contract().is_none();
        }
    }

    /// Computes the result from the play if it contains all 52 cards.
    pub(super) fn count_tricks(&mut self) {
        let Some(contract) = self.contract.filter(|_| self.play.len() == 52) else {
            return;
        };
        let mut leader = contract.declarer.after(1);
        let mut tricks = 0;
        for trick in self.play.chunks(4) {
            leader = leader.after(winner_index(trick, contract.strain));
            tricks += u8::from(leader.side() == contract.declarer.side());
        }
        self.result = Some(tricks);
    }

    fn value(&self, tag: &str) -> String {
        let contract = self.contract;
        let letter = |seat: Seat| seat.letter().to_string();
        match tag {
            "Dealer" => self.dealer.map(letter),
            "Vulnerable" => self.vulnerable.map(|vulnerable| {
                match vulnerable {
                    Vulnerable::None => "None",
                    Vulnerable::NorthSouth => "NS",
                    Vulnerable::EastWest => "EW",
                    Vulnerable::Both => "All",
                }
                .into()
            }),
            "Deal" => self.deal.map(|deal| deal.to_string()),
            "Declarer" => contract.map(|contract| letter(contract.declarer)),
            "Contract" if self.passed_out => Some("Pass".into()),
            "Contract" => contract.map(|contract| contract.to_string()),
            "Result" => self.result.map(|tricks| tricks.to_string()),
            other => self.tag(other).map(str::to_owned),
        }
        .unwrap_or_default()
    }
}

/// A tag with the section that follows it.
struct TagSection {
    line: usize,
    name: String,
    value: String,
    /// Words of the section with their line numbers, without comments, notes and alerts.
    words: Vec<(usize, String)>,
}

impl TagSection {
    /// Creates an error about the value of the tag.
    fn error(&self, message: impl fmt::Display) -> String {
        error_in_line(self.line, format!("{}: {message}", self.name))
    }

    /// Parses `text`, which is the value of the tag or a part of it.
    fn parse<T: FromStr<Err: fmt::Display>>(&self, text: &str) -> Result<T, String> {
        text.parse().map_err(|error| self.error(error))
    }
}

/// Reads every game of a PBN file.
pub fn read_pbn(text: &str) -> Games {
    let mut games = Games::default();
    let mut before: Vec<(String, String)> = Vec::new();
    for (number, draft) in (1..).zip(drafts(text)) {
        let (mut tags, mut error) = (draft.tags, draft.error);
        for tag in tags.iter_mut().filter(|tag| tag.value == "#") {
            if let Some((_, value)) = before.iter().find(|(name, _)| *name == tag.name) {
                tag.value.clone_from(value);
                continue;
            }
            let what = format!(
                "`#` repeats the tag of an earlier game, but no earlier game has the tag {}",
                tag.name
            );
            error.get_or_insert(error_in_line(tag.line, what));
        }
        before.retain(|(name, _)| tags.iter().all(|tag| tag.name != *name));
        before.extend(tags.iter().map(|tag| (tag.name.clone(), tag.value.clone())));
        let board = tags
            .iter()
            .find(|tag| tag.name == "Board" && !tag.value.is_empty());
        games.add_board(
            number,
            board.map(|tag| tag.value.as_str()),
            error.map_or_else(|| game(&tags), Err),
        );
    }
    games
}

/// Reads the records of a PBN or LIN file. Returns `None` if the text is in neither format.
pub fn read_games(text: &str) -> Option<Games> {
    if text.lines().any(|line| line.trim_start().starts_with('[')) {
        return Some(read_pbn(text));
    }
    text.contains("md|")
        .then(|| read_lin(text.trim_start_matches('\u{feff}')))
}

/// The text of a game, split into tags.
#[derive(Default)]
struct GameDraft {
    tags: Vec<TagSection>,
    /// Error of the first line that belongs to neither a tag nor a section.
    error: Option<String>,
}

/// Splits a file into games and each game into tags.
fn drafts(text: &str) -> Vec<GameDraft> {
    let mut games: Vec<GameDraft> = Vec::new();
    let (mut is_open, mut in_comment) = (false, false);
    let text = text.trim_start_matches('\u{feff}');
    for (line, text) in (1..).zip(text.lines()) {
        if text.starts_with('%') {
            continue;
        }
        if text.trim().is_empty() && !in_comment {
            // An empty line ends a game.
            is_open = false;
            continue;
        }
        let mut rest = text;
        while !rest.is_empty() {
            if in_comment {
                let Some(end) = rest.find('}') else { break };
                rest = &rest[end + 1..];
                in_comment = false;
                continue;
            }
            rest = rest.trim_start();
            let Some(first) = rest.chars().next() else {
                break;
            };
            match first {
                '{' => {
                    in_comment = true;
                    rest = &rest[1..];
                }
                ';' => break,
                '[' => {
                    let draft = current_draft(&mut games, &mut is_open);
                    let Some((name, value, end)) = tag(rest) else {
                        draft.error.get_or_insert(error_in_line(
                            line,
                            "write a tag as [Name \"value\"] on one line",
                        ));
                        break;
                    };
                    // Two games without an empty line between them would become one.
                    if MANDATORY.contains(&name.as_str())
                        && draft.tags.iter().any(|tag| tag.name == name)
                    {
                        let what = format!(
                            "the game already has the tag {name}; put an empty line before each game"
                        );
                        draft.error.get_or_insert(error_in_line(line, what));
                    }
                    draft.tags.push(TagSection {
                        line,
                        name,
                        value,
                        words: Vec::new(),
                    });
                    rest = &rest[end..];
                }
                _ => {
                    let end = rest.find([' ', '\t', '{', ';']).unwrap_or(rest.len());
                    let word = &rest[..end];
                    let draft = current_draft(&mut games, &mut is_open);
                    let Some(section) = draft.tags.last_mut() else {
                        let what = format!("`{word}` appears before the first tag of a game");
                        draft.error.get_or_insert(error_in_line(line, what));
                        break;
                    };
                    // Notes and alerts are ignored.
                    if !word.starts_with(['$', '=', '!']) {
                        section.words.push((line, word.to_owned()));
                    }
                    rest = &rest[end..];
                }
            }
        }
    }
    games
}

/// Returns the draft of the current game; starts a draft if no game is open.
fn current_draft<'a>(games: &'a mut Vec<GameDraft>, is_open: &mut bool) -> &'a mut GameDraft {
    if !*is_open {
        games.push(GameDraft::default());
        *is_open = true;
    }
    games.last_mut().expect("an open game is the last draft")
}

/// Returns the name and value of the tag at the start of `text`, and the index at which the tag
/// ends. Returns `None` if the tag is not valid.
fn tag(text: &str) -> Option<(String, String, usize)> {
    let inner = text.strip_prefix('[')?.trim_start();
    let (name, rest) = inner.split_once('"')?;
    let name = name.trim();
    if name.is_empty() || name.contains([' ', ']']) {
        return None;
    }
    let (mut value, mut escaped) = (String::new(), false);
    let mut end = None;
    for (at, letter) in rest.char_indices() {
        match letter {
            '\\' if !escaped => escaped = true,
            '"' if !escaped => {
                end = Some(at);
                break;
            }
            _ => {
                value.push(letter);
                escaped = false;
            }
        }
    }
    let after = &rest[end? + 1..];
    let closing = after
        .find(']')
        .filter(|&at| after[..at].trim().is_empty())?;
    Some((
        name.to_owned(),
        value,
        text.len() - after.len() + closing + 1,
    ))
}

fn game(tags: &[TagSection]) -> Result<GameRecord, String> {
    let mut game = GameRecord::default();
    let (mut contract, mut declarer, mut result) = (None, None, None);
    for tag in tags {
        let is_known = !matches!(tag.value.as_str(), "" | "?" | "-");
        match tag.name.as_str() {
            "Dealer" if is_known => game.dealer = Some(tag.parse(&tag.value)?),
            "Vulnerable" if !matches!(tag.value.as_str(), "" | "?") => {
                let sides = vulnerable(&tag.value);
                game.vulnerable =
                    Some(sides.ok_or_else(|| tag.error("write None, NS, EW or All"))?);
            }
            "Deal" if is_known => game.deal = Some(tag.parse(&tag.value)?),
            "Declarer" if is_known => {
                // A caret marks a declarer that differs from the one of the auction.
                declarer = Some(tag.parse(tag.value.trim_start_matches('^'))?);
            }
            "Contract" if is_known => contract = Some(tag),
            "Result" if is_known => result = Some(tag),
            "Auction" => {
                game.dealer = game.dealer.or_else(|| tag.value.parse().ok());
                read_calls(&mut game, tag)?;
            }
            "Play" | "Dealer" | "Vulnerable" | "Deal" | "Declarer" | "Contract" | "Result" => {}
            _ => game.tags.push((tag.name.clone(), tag.value.clone())),
        }
    }
    if let Some(tag) = contract {
        if is_passed_out(&tag.value) {
            game.passed_out = true;
        } else if let Some(declarer) = declarer {
            game.contract = Some(read_contract(tag, declarer)?);
        }
    }
    game.read_contract();
    if let Some(tag) = result {
        let declarer = declarer.or(game.contract.map(|contract| contract.declarer));
        let tricks = read_result(&tag.value, declarer);
        let wrong = || {
            tag.error(
                "write the number of tricks of declarer's side (0 to 13), or a side and its \
                 tricks (`NS 9`)",
            )
        };
        game.result = Some(tricks.ok_or_else(wrong)?);
    }
    if let Some(tag) = tags.iter().find(|tag| tag.name == "Play") {
        read_play(&mut game, tag)?;
    }
    Ok(game)
}

fn vulnerable(text: &str) -> Option<Vulnerable> {
    match text.to_ascii_uppercase().as_str() {
        "NONE" | "LOVE" | "-" => Some(Vulnerable::None),
        "NS" => Some(Vulnerable::NorthSouth),
        "EW" => Some(Vulnerable::EastWest),
        "ALL" | "BOTH" => Some(Vulnerable::Both),
        _ => None,
    }
}

/// Parses the tricks of declarer's side: `9`, `^9` (a result that differs from the play), `NS 9`,
/// `EW 4` or `NS 9 EW 4`.
fn read_result(text: &str, declarer: Option<Seat>) -> Option<u8> {
    let words: Vec<&str> = text.trim_start_matches('^').split_whitespace().collect();
    let tricks = |word: &str| word.parse().ok().filter(|&tricks: &u8| tricks <= 13);
    let (side, number) = match words[..] {
        [number] => return tricks(number),
        [side, number] => (side, tricks(number)?),
        [side, number, other, rest] if other != side && tricks(number)? + tricks(rest)? == 13 => {
            (side, tricks(number)?)
        }
        _ => return None,
    };
    let side = match side {
        "NS" => Side::NorthSouth,
        "EW" => Side::EastWest,
        _ => return None,
    };
    Some(if declarer?.side() == side {
        number
    } else {
        13 - number
    })
}

/// Returns `true` if the text means that all players passed: `Pass`, `PASS`, `Passed out`, `AP`,
/// `P`.
fn is_passed_out(contract: &str) -> bool {
    let letters: String = contract.chars().filter(char::is_ascii_alphabetic).collect();
    ["pass", "passout", "passedout", "allpass", "ap", "p"]
        .contains(&letters.to_ascii_lowercase().as_str())
}

fn read_contract(tag: &TagSection, declarer: Seat) -> Result<Contract, String> {
    let bid = tag.value.trim_end_matches(['X', 'x', '*']);
    let doubling = match tag.value.len() - bid.len() {
        0 => Doubling::Undoubled,
        1 => Doubling::Doubled,
        _ => Doubling::Redoubled,
    };
    match bid.trim_end().parse() {
        Ok(Call::Bid { level, strain }) => Ok(Contract {
            level,
            strain,
            doubling,
            declarer,
        }),
        _ => Err(tag.error(format!(
            "`{}` is not a contract; write for example 3NT, 4SX or Pass",
            tag.value
        ))),
    }
}

fn read_calls(game: &mut GameRecord, tag: &TagSection) -> Result<(), String> {
    let mut auction = Auction::new(game.dealer.unwrap_or(Seat::North));
    for (line, word) in &tag.words {
        if matches!(word.as_str(), "*" | "+") {
            break;
        }
        // Alert and comment marks are attached to the call.
        let word = word.trim_end_matches(['*', '!', '?']);
        if word.is_empty() {
            continue;
        }
        if word.eq_ignore_ascii_case("ap") {
            while !auction.is_over() {
                auction
                    .call(Call::Pass)
                    .map_err(|error| error_in_line(*line, error))?;
            }
            break;
        }
        let call: Call = word.parse().map_err(|error| error_in_line(*line, error))?;
        auction
            .call(call)
            .map_err(|error| error_in_line(*line, error))?;
    }
    game.calls = auction.calls().to_vec();
    Ok(())
}

/// Reads the section of a tag `Play`. Rows have a column for each seat, starting with the seat in
/// the tag. The winner of a trick leads to the next.
fn read_play(game: &mut GameRecord, tag: &TagSection) -> Result<(), String> {
    let words: Vec<&(usize, String)> = tag
        .words
        .iter()
        .take_while(|(_, word)| !matches!(word.as_str(), "*" | "+"))
        .collect();
    // If all players passed, some programs write a row of dashes.
    if words.iter().all(|(_, word)| word == "-") {
        return Ok(());
    }
    let first: Seat = tag.parse(&tag.value)?;
    let strain = game
        .contract
        .ok_or_else(|| tag.error("the contract is unknown, so the winners of tricks are unknown"))?
        .strain;
    let mut leader = first;
    for row in words.chunks(4) {
        let mut trick = Vec::new();
        for n in 0..4 {
            let column = (leader.after(n) as usize + 4 - first as usize) % 4;
            let Some((line, word)) = row.get(column).filter(|(_, word)| word != "-") else {
                break;
            };
            let card = word.parse::<Card>();
            trick.push(card.map_err(|error| error_in_line(*line, error))?);
        }
        let written = row.iter().filter(|(_, word)| word != "-").count();
        if written != trick.len() {
            return Err(error_in_line(
                row[0].0,
                format!("Play: {leader} leads this trick, but has no card in it"),
            ));
        }
        game.play.extend(&trick);
        if trick.len() < 4 {
            break;
        }
        leader = leader.after(winner_index(&trick, strain));
    }
    Ok(())
}

/// Writes games in the export format, separated by empty lines.
pub fn write_pbn(games: &[GameRecord]) -> String {
    let mut text = String::from("% PBN 2.1\n% EXPORT\n");
    for game in games {
        text.push('\n');
        write_game(&mut text, game);
    }
    text
}

fn write_game(text: &mut String, game: &GameRecord) {
    let mut tag = |name: &str, value: &str| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        writeln!(text, "[{name} \"{value}\"]").expect("writing to a string succeeds");
    };
    for name in MANDATORY {
        tag(name, &game.value(name));
    }
    for (name, value) in game
        .tags
        .iter()
        .filter(|(name, _)| !MANDATORY.contains(&name.as_str()))
    {
        tag(name, value);
    }
    if let Some(dealer) = game.dealer.filter(|_| !game.calls.is_empty()) {
        tag("Auction", &dealer.letter().to_string());
        let is_over = Auction::of(dealer, &game.calls).is_ok_and(|auction| auction.is_over());
        write_rows(
            text,
            game.calls.iter().map(Call::to_string).collect(),
            is_over,
        );
    }
    if let Some(contract) = game.contract.filter(|_| !game.play.is_empty()) {
        let first = contract.declarer.after(1);
        writeln!(text, "[Play \"{}\"]", first.letter()).expect("writing to a string succeeds");
        let mut leader = first;
        let mut words = Vec::new();
        for trick in game.play.chunks(4) {
            let mut row = ["-"; 4].map(str::to_owned);
            for (n, card) in trick.iter().enumerate() {
                row[(leader.after(n) as usize + 4 - first as usize) % 4] = card.to_string();
            }
            words.extend(row);
            leader = leader.after(winner_index(trick, contract.strain));
        }
        write_rows(text, words, game.play.len() >= 52);
    }
}

/// Writes four words per line, then `*` on a line of its own if they are not complete.
fn write_rows(text: &mut String, words: Vec<String>, is_complete: bool) {
    for row in words.chunks(4) {
        text.push_str(&row.join(" "));
        text.push('\n');
    }
    if !is_complete {
        text.push_str("*\n");
    }
}
