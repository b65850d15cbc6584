//! LIN, the format of Bridge Base Online's hand records: read only.

use super::call::Call;
use super::cards::{Card, CardSet, Seat, Suit, rank_of};
use super::deal::Deal;
use super::options::Vulnerable;
use super::pbn::{GameRecord, ReadError};

/// Reads every board of a LIN file: names, deal, dealer, vulnerability, calls, cards, and the tricks of a claim.
///
/// The result is counted from the cards where all are there, else taken from the claim.
///
/// # Errors
/// The first line that cannot be understood.
pub fn read_lin(text: &str) -> Result<Vec<GameRecord>, ReadError> {
    let mut games: Vec<GameRecord> = Vec::new();
    let mut names: Vec<String> = Vec::new();
    let mut board = String::new();
    let mut fields = Vec::new();
    // Fields are separated by bars, whatever the line ends do; a line end inside a value is none of it.
    for (line, text) in (1..).zip(text.lines()) {
        fields.extend(text.split('|').map(|field| (line, field.trim())).filter(|_| !text.trim().is_empty()));
        if text.trim_end().ends_with('|') {
            fields.pop();
        }
    }
    for pair in fields.chunks(2) {
        let &[(line, command), (_, value)] = pair else {
            return Err(ReadError::new(pair[0].0, format!("`{}` has no value; fields come in pairs", pair[0].1)));
        };
        let wrong = |message: String| ReadError::new(line, format!("{command}: {message}"));
        match command.to_ascii_lowercase().as_str() {
            "pn" => names = value.split(',').map(str::to_owned).collect(),
            "qx" | "ah" => {
                let number: String = value.chars().filter(char::is_ascii_digit).collect();
                board = number;
            }
            "md" => {
                let (dealer, deal) = deal(value).map_err(wrong)?;
                let mut game = GameRecord { dealer: Some(dealer), deal: Some(deal), ..GameRecord::default() };
                if !board.is_empty() {
                    game.tags.push(("Board".into(), board.clone()));
                }
                // Names go round from South.
                for (seat, name) in ["South", "West", "North", "East"].into_iter().zip(&names) {
                    if !name.is_empty() {
                        game.tags.push((seat.into(), name.clone()));
                    }
                }
                games.push(game);
            }
            "sv" | "mb" | "pc" | "mc" => {
                let game = games.last_mut().ok_or_else(|| wrong("comes before the deal, `md`".into()))?;
                match command.to_ascii_lowercase().as_str() {
                    "sv" => game.vulnerable = vulnerable(value),
                    "mb" => {
                        game.calls.push(value.trim_end_matches('!').parse::<Call>().map_err(|e| wrong(e.to_string()))?)
                    }
                    "pc" => game.play.push(value.parse::<Card>().map_err(|e| wrong(e.to_string()))?),
                    _ => {
                        let tricks = value.parse().ok().filter(|&tricks| tricks <= 13);
                        game.result = Some(tricks.ok_or_else(|| wrong(format!("`{value}` is no number of tricks")))?);
                    }
                }
            }
            // Comments, alerts, page breaks and what else a viewer wants.
            _ => {}
        }
    }
    for game in &mut games {
        game.read_contract();
        game.count_tricks();
    }
    Ok(games)
}

/// Dealer and hands of `3S…,…,…`: 1 South, 2 West, 3 North, 4 East; hands go round from South, the last may be missing.
fn deal(text: &str) -> Result<(Seat, Deal), String> {
    let mut letters = text.chars();
    let dealer = match letters.next() {
        Some('1') => Seat::South,
        Some('2') => Seat::West,
        Some('3') => Seat::North,
        Some('4') => Seat::East,
        _ => return Err(format!("`{text}` does not begin with the dealer, 1 (South) to 4 (East)")),
    };
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
            let rank = u8::try_from(letter).ok().and_then(rank_of);
            let (Some(suit), Some(rank)) = (suit, rank) else {
                return Err(format!("`{letter}` in {seat}'s hand `{hand}` is no rank of a suit"));
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
