//! LIN, the format for records of Bridge Base Online.

use super::call::Call;
use super::cards::{Card, CardSet, Seat, Suit, rank_letter, rank_of};
use super::deal::Deal;
use super::options::Vulnerable;
use super::pbn::{GameRecord, Games, error_in_line};

/// A board that is being read.
#[derive(Default)]
struct BoardDraft {
    game: GameRecord,
    /// First invalid field of the board.
    error: Option<String>,
}

/// Reads all boards of a LIN file: names, deal, dealer, vulnerability, calls, cards, and the tricks
/// of a claim.
///
/// The result is computed from the cards if all are known; otherwise it is taken from the claim.
pub fn read_lin(text: &str) -> Games {
    let mut drafts: Vec<BoardDraft> = Vec::new();
    let mut names: Vec<String> = Vec::new();
    let mut board = String::new();
    let mut is_closed_room = false;
    let mut fields: Vec<(usize, String)> = Vec::new();
    let mut is_open = false;
    for (line, text) in (1..).zip(text.lines().map(str::trim)) {
        if text.is_empty() {
            continue;
        }
        let mut pieces = text.split('|').map(str::trim);
        // A value without a bar at its end continues on the next line, unless that line begins with
        // a command, which has two lowercase letters.
        let is_command = text.find('|') == Some(2)
            && text[..2].bytes().all(|letter| letter.is_ascii_lowercase());
        if is_open
            && !is_command
            && let Some((_, value)) = fields.last_mut()
        {
            value.extend(pieces.next());
        }
        fields.extend(pieces.map(|piece| (line, piece.to_owned())));
        is_open = !text.ends_with('|');
        if !is_open {
            fields.pop();
        }
    }
    for pair in fields.chunks(2) {
        let (line, command) = (pair[0].0, &pair[0].1);
        let value = pair.get(1).map(|(_, value)| value.as_str());
        let command = command.to_ascii_lowercase();
        let understood = match (command.as_str(), value) {
            (_, None) => Err(format!("the field has no value; write `{command}|value|`")),
            ("pn", Some(value)) => {
                names = value.split(',').map(str::to_owned).collect();
                Ok(())
            }
            // `qx` precedes the deal of the board, and `ah` follows it.
            ("qx" | "ah", Some(value)) => {
                let number: String = value.chars().filter(char::is_ascii_digit).collect();
                if command == "qx" {
                    is_closed_room = value.starts_with('c');
                }
                match drafts.last_mut() {
                    Some(BoardDraft { game, .. }) if command == "ah" && !number.is_empty() => {
                        game.tags.retain(|(name, _)| name != "Board");
                        game.tags.insert(0, ("Board".into(), number));
                    }
                    _ => board = number,
                }
                Ok(())
            }
            ("md", Some(value)) => {
                let dealt = deal(value);
                let mut game = GameRecord::default();
                if !board.is_empty() {
                    game.tags.push(("Board".into(), board.clone()));
                }
                // Names start with South. Those of the closed room follow those of the open room.
                let room = if is_closed_room && names.len() == 8 {
                    4
                } else {
                    0
                };
                let names = &names[room..];
                for (seat, name) in ["South", "West", "North", "East"].into_iter().zip(names) {
                    if !name.is_empty() {
                        game.tags.push((seat.into(), name.clone()));
                    }
                }
                drafts.push(BoardDraft { game, error: None });
                dealt.map(|(dealer, deal)| {
                    let game = &mut drafts.last_mut().expect("one was pushed").game;
                    (game.dealer, game.deal) = (Some(dealer), Some(deal));
                })
            }
            (command, Some(value)) => field(
                drafts.last_mut().map(|draft| &mut draft.game),
                command,
                value,
            ),
        };
        if let Err(message) = understood {
            if drafts.is_empty() {
                drafts.push(BoardDraft::default());
            }
            let draft = drafts.last_mut().expect("one was pushed");
            draft
                .error
                .get_or_insert(error_in_line(line, format!("{command}: {message}")));
        }
    }
    let mut games = Games::default();
    for (number, BoardDraft { mut game, error }) in (1..).zip(drafts) {
        game.read_contract();
        game.count_tricks();
        let board = game.tag("Board").map(str::to_owned);
        games.add_board(number, board.as_deref(), error.map_or(Ok(game), Err));
    }
    games
}

/// Reads a field of the current board; `game` is `None` before the first board.
fn field(game: Option<&mut GameRecord>, command: &str, value: &str) -> Result<(), String> {
    if !matches!(command, "sv" | "mb" | "pc" | "mc") {
        // Other fields are for viewers: comments, alerts, page breaks.
        return Ok(());
    }
    let game = game.ok_or("this field must come after the deal (`md`)")?;
    match command {
        "sv" => game.vulnerable = vulnerable(value),
        "mb" => game.calls.push(
            value
                .trim_end_matches(['!', '*'])
                .parse::<Call>()
                .map_err(|e| e.to_string())?,
        ),
        "pc" => game
            .play
            .push(value.parse::<Card>().map_err(|e| e.to_string())?),
        _ => {
            let tricks = value.parse().ok().filter(|&tricks| tricks <= 13);
            game.result = Some(tricks.ok_or_else(|| {
                format!(
                    "`{value}` is not a number of tricks \
                 (0 to 13)"
                )
            })?);
        }
    }
    Ok(())
}

/// Writes games, one per line: number, names, deal, vulnerability, calls, cards and, if some cards
/// were not played, the tricks of the claim. A game without a deal gets empty hands, because the
/// format requires a deal.
pub fn write_lin(games: &[GameRecord]) -> String {
    games.iter().map(line).collect()
}

fn line(game: &GameRecord) -> String {
    let mut text = String::new();
    let mut add = |command: &str, value: &str| {
        // A bar would end the value.
        text.extend([command, "|", &value.replace('|', "/"), "|"]);
    };
    if let Some(board) = game.tag("Board") {
        add("qx", &format!("o{board}"));
    }
    // A comma would end the name.
    let name = |seat: &str| game.tag(seat).unwrap_or_default().replace(',', " ");
    add(
        "pn",
        &["South", "West", "North", "East"].map(name).join(","),
    );
    let dealer = game.dealer.unwrap_or(Seat::South);
    let number = dealer.after(2) as usize + 1;
    let deal = game.deal.unwrap_or_default();
    let hands: Vec<String> = (0..4)
        .map(|n| hand(deal.hands[Seat::South.after(n) as usize]))
        .collect();
    add("md", &format!("{number}{}", hands.join(",")));
    if let Some(vulnerable) = game.vulnerable {
        add(
            "sv",
            match vulnerable {
                Vulnerable::None => "o",
                Vulnerable::NorthSouth => "n",
                Vulnerable::EastWest => "e",
                Vulnerable::Both => "b",
            },
        );
    }
    for call in &game.calls {
        match call {
            Call::Pass => add("mb", "p"),
            Call::Double => add("mb", "d"),
            Call::Redouble => add("mb", "r"),
            Call::Bid { .. } => add("mb", call.to_string().trim_end_matches('T')),
        }
    }
    add("pg", "");
    for (n, card) in (1..).zip(&game.play) {
        add("pc", &card.to_string());
        if n % 4 == 0 {
            add("pg", "");
        }
    }
    if let Some(result) = game.result.filter(|_| game.play.len() < 52) {
        add("mc", &result.to_string());
    }
    text + "\n"
}

/// Formats a hand as `SAK2HQ…`, with every suit letter.
fn hand(cards: CardSet) -> String {
    let suit = |suit: Suit| {
        let ranks = cards
            .of_suit(suit)
            .into_iter()
            .map(|card| rank_letter(card.rank()));
        suit.letter().to_string() + &ranks.collect::<String>()
    };
    Suit::ALL.map(suit).concat()
}

/// Parses dealer and hands from `3S…,…,…`. Dealers are 1 South, 2 West, 3 North, 4 East. Hands
/// start with South; the last may be missing.
fn deal(text: &str) -> Result<(Seat, Deal), String> {
    let mut letters = text.chars();
    let dealer = letters
        .next()
        .and_then(|letter| "1234".find(letter))
        .map(|number| Seat::South.after(number))
        .ok_or_else(|| format!("`{text}` does not begin with the dealer, 1 (South) to 4 (East)"))?;
    let mut deal = Deal::default();
    let mut dealt = CardSet::default();
    for (n, hand) in letters.as_str().split(',').take(4).enumerate() {
        let seat = Seat::South.after(n);
        let mut suit = None;
        for letter in hand.to_ascii_uppercase().replace("10", "T").chars() {
            if let Some(named) = Suit::ALL.into_iter().find(|suit| suit.letter() == letter) {
                suit = Some(named);
                continue;
            }
            let (Some(suit), Some(rank)) = (suit, rank_of(letter)) else {
                return Err(format!(
                    "`{letter}` in {seat}'s hand `{hand}` must be a rank that follows a suit"
                ));
            };
            let card = Card::new(suit, rank);
            if dealt.contains(card) {
                return Err(format!("{card} is dealt twice"));
            }
            dealt.insert(card);
            deal.hands[seat as usize].insert(card);
        }
    }
    if deal.hands[Seat::East as usize].is_empty() && dealt.len() == 39 {
        deal.hands[Seat::East as usize] = CardSet(CardSet::PACK.0 & !dealt.0);
    }
    Ok((dealer, deal))
}

fn vulnerable(text: &str) -> Option<Vulnerable> {
    match text.to_ascii_lowercase().as_str() {
        "o" | "0" => Some(Vulnerable::None),
        "n" => Some(Vulnerable::NorthSouth),
        "e" => Some(Vulnerable::EastWest),
        "b" => Some(Vulnerable::Both),
        _ => None,
    }
}
