//! Deals in PBN notation: `N:QJ6.K652.J85.T98 …`, four hands clockwise from the seat before the
//! colon.

use super::cards::{Card, CardSet, Seat, Suit, rank_letter, rank_of};
use std::fmt;
use std::str::FromStr;

/// Four hands of any size, North first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Deal {
    /// The cards of each seat.
    pub hands: [CardSet; 4],
}

/// An error for text that is not a PBN deal: the error and the remedy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct DealError(String);

impl FromStr for Deal {
    type Err = DealError;

    fn from_str(text: &str) -> Result<Self, DealError> {
        let text = text.trim();
        let (first, hands) = text
            .split_once(':')
            .and_then(|(seat, hands)| Some((seat.trim().parse::<Seat>().ok()?, hands)))
            .ok_or_else(|| {
                let start: String = text.chars().take(2).collect();
                DealError(format!(
                    "a PBN deal starts with the seat of its first hand, such as `N:`; this one \
                     starts with `{start}`"
                ))
            })?;
        let hands: Vec<&str> = hands.split_whitespace().collect();
        if hands.len() != 4 {
            return Err(DealError(format!(
                "a PBN deal has four hands with a space between them; this one has {}",
                hands.len()
            )));
        }
        let mut deal = Self::default();
        let mut dealt = CardSet::default();
        for (n, hand) in hands.into_iter().enumerate() {
            let seat = first.after(n);
            let cards = hand_of(hand, seat)?;
            for card in cards {
                if dealt.contains(card) {
                    return Err(DealError(format!(
                        "{card} is dealt twice, the second time to {seat}; remove one of them"
                    )));
                }
                dealt.insert(card);
                deal.hands[seat as usize].insert(card);
            }
        }
        Ok(deal)
    }
}

fn hand_of(text: &str, seat: Seat) -> Result<Vec<Card>, DealError> {
    if text == "-" {
        return Ok(Vec::new());
    }
    let suits: Vec<&str> = text.split('.').collect();
    if suits.len() != 4 {
        return Err(DealError(format!(
            "{seat}'s hand `{text}` has {} suits; write spades.hearts.diamonds.clubs, with \
             nothing for an empty suit",
            suits.len()
        )));
    }
    let mut cards = Vec::new();
    for (suit, ranks) in Suit::ALL.into_iter().zip(suits) {
        for letter in ranks.replace("10", "T").chars() {
            let rank = rank_of(letter).ok_or_else(|| {
                DealError(format!(
                    "`{letter}` in {seat}'s hand is not a rank; write A, K, Q, J, T, 9 … 2"
                ))
            })?;
            cards.push(Card::new(suit, rank));
        }
    }
    Ok(cards)
}

impl fmt::Display for Deal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("N:")?;
        for seat in Seat::ALL {
            let suits = Suit::ALL.map(|suit| {
                let hand = self.hands[seat as usize];
                let ranks = (0..13)
                    .rev()
                    .filter(|&rank| hand.contains(Card::new(suit, rank)));
                ranks.map(rank_letter).collect::<String>()
            });
            write!(
                f,
                "{}{}",
                if seat == Seat::North { "" } else { " " },
                suits.join(".")
            )?;
        }
        Ok(())
    }
}
