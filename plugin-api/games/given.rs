//! Given deals of a league: their notation, and the placement of their cards in a deal.
//!
//! A deal is a text: hands in the order of dealing, separated by `/`, then `|` and the community
//! cards, if the game has any. A hand that is missing, empty or `-`, and all cards that are not
//! named, are drawn at random.

use std::collections::HashMap;
use std::hash::Hash;

/// Returns the deals of a file, one per line, without blank lines and comments (`#`).
///
/// # Errors
/// Returns an error if there are no deals.
pub fn deal_lines(text: &str) -> Result<Vec<String>, String> {
    let lines = text
        .lines()
        .map(|line| line.split('#').next().unwrap_or_default().trim());
    let lines: Vec<String> = lines
        .filter(|line| !line.is_empty())
        .map(str::to_owned)
        .collect();
    if lines.is_empty() {
        Err("the file contains no deals".into())
    } else {
        Ok(lines)
    }
}

/// Swaps each of `cards` with the card at its place of a shuffled deck; the first place is `first`.
/// If cards are put at different places one after the other, the rest of the deck stays uniformly
/// shuffled.
pub fn place_cards(deck: &mut [u8], first: usize, cards: &[u8]) {
    for (place, &card) in (first..).zip(cards) {
        if let Some(found) = deck.iter().position(|&other| other == card) {
            deck.swap(place, found);
        }
    }
}

/// A parsed given deal: the cards that its text names.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct FixedDeal {
    /// Card numbers of each hand, in the order in which the game deals seats and cards.
    pub hands: Vec<Vec<u8>>,
    /// Card numbers of the community cards, in their order.
    pub community: Vec<u8>,
}

/// The format of the given deals of a game.
#[derive(Clone, Copy, Debug)]
pub struct FixedDealSpec<'a> {
    /// Converts the names of cards to card numbers, in the order of the text.
    pub cards: fn(&str) -> Result<Vec<u8>, String>,
    /// Maximum size of each hand, in the order of dealing. The number of entries is the maximum
    /// number of hands.
    pub hands: &'a [usize],
    /// Maximum number of community cards.
    pub community: usize,
}

impl FixedDealSpec<'_> {
    /// Parses the option `deals`.
    ///
    /// # Errors
    /// Returns an error that contains the number of the deal (from 1) if it is not valid.
    pub fn read(&self, deals: &[String]) -> Result<Vec<FixedDeal>, String> {
        let read = |(number, text): (usize, &String)| {
            self.deal(text).map_err(|error| {
                format!("deals: deal {number} of {}, `{text}`: {error}", deals.len())
            })
        };
        (1..).zip(deals).map(read).collect()
    }

    fn deal(&self, text: &str) -> Result<FixedDeal, String> {
        let (hands, community) = match text.split_once('|') {
            Some((hands, community)) => (hands, community.trim()),
            None => (text, ""),
        };
        let hands: Vec<&str> = hands.split('/').map(str::trim).collect();
        if hands.len() > self.hands.len() {
            return Err(format!(
                "{} hands, but the game has at most {}",
                hands.len(),
                self.hands.len()
            ));
        }
        let list = |text: &str, most: usize, what: &str| {
            let cards = if matches!(text, "" | "-") {
                Vec::new()
            } else {
                (self.cards)(text)?
            };
            if cards.len() > most {
                return Err(match most {
                    0 => format!("this game has no {what}: remove the part after `|`"),
                    _ => format!(
                        "{} cards for {what}, but at most {most} are possible",
                        cards.len()
                    ),
                });
            }
            Ok(cards)
        };
        let hand = |(number, (text, &most)): (usize, (&str, &usize))| {
            list(text, most, &format!("hand {number}"))
        };
        let given = FixedDeal {
            hands: (1..)
                .zip(hands.into_iter().zip(self.hands))
                .map(hand)
                .collect::<Result<_, _>>()?,
            community: list(community, self.community, "community cards")?,
        };
        let mut seen = 0_u64;
        for &card in given.hands.iter().flatten().chain(&given.community) {
            if seen >> card & 1 == 1 {
                return Err("a card occurs twice".into());
            }
            seen |= 1 << card;
        }
        if seen == 0 {
            Err("the deal names no card".into())
        } else {
            Ok(given)
        }
    }
}

/// Returns for each deal the index of the first one that is equal.
pub fn first_equal<D: Eq + Hash>(deals: impl IntoIterator<Item = D>) -> Vec<usize> {
    let mut first = HashMap::new();
    (0..)
        .zip(deals)
        .map(|(index, deal)| *first.entry(deal).or_insert(index))
        .collect()
}

/// Returns for each deal the index of the first one with the same cards. The order of the cards in
/// a hand makes no difference.
pub fn first_with_same_cards(deals: &[FixedDeal]) -> Vec<usize> {
    first_equal(deals.iter().map(|deal| {
        let mut deal = deal.clone();
        deal.hands.iter_mut().for_each(|hand| hand.sort_unstable());
        let named = deal.hands.iter().rposition(|hand| !hand.is_empty());
        deal.hands.truncate(named.map_or(0, |last| last + 1));
        deal
    }))
}

/// Returns the largest number of hands in a deal.
pub fn hands_max(deals: &[FixedDeal]) -> usize {
    deals.iter().map(|deal| deal.hands.len()).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::poker::card;

    const TERMS: FixedDealSpec<'static> = FixedDealSpec {
        cards: card::parse_list,
        hands: &[2, 2, 2],
        community: 5,
    };

    fn read(text: &str) -> Result<FixedDeal, String> {
        TERMS
            .read(&[text.to_owned()])
            .map(|mut deals| deals.remove(0))
    }

    #[test]
    fn unnamed_cards_of_a_fixed_deal_are_left_to_chance() {
        let cards = |text| card::parse_list(text).expect("cards");
        let full = FixedDeal {
            hands: vec![cards("AsKs"), cards("QdQh")],
            community: cards("2c3c4c"),
        };
        assert_eq!(read("AsKs / Qd Qh | 2c3c4c"), Ok(full));
        let some = FixedDeal {
            hands: vec![vec![], cards("As"), vec![]],
            community: vec![],
        };
        assert_eq!(read("-/As/"), Ok(some));
        assert_eq!(
            read("| As"),
            Ok(FixedDeal {
                hands: vec![vec![]],
                community: cards("As")
            })
        );
    }

    #[test]
    fn impossible_fixed_deals_are_rejected_with_their_position() {
        for (text, error) in [
            ("AsKs/AsQs", "a card occurs twice"),
            ("AsKsQs", "3 cards for hand 1, but at most 2 are possible"),
            ("As/Ks/Qs/Js", "4 hands, but the game has at most 3"),
            (
                "As|2c3c4c5c6c7c",
                "6 cards for community cards, but at most 5 are possible",
            ),
            ("-/-", "the deal names no card"),
            (
                "As/1s",
                "`1s` is not a card; write a rank 2-9 T J Q K A and a suit c d h s, as in `As`",
            ),
        ] {
            assert_eq!(
                read(text),
                Err(format!("deals: deal 1 of 1, `{text}`: {error}"))
            );
        }
    }

    /// Card 4 is at place 0 and card 0 at place 2; each of the other three cards is at place 1
    /// equally often.
    #[test]
    fn fixed_cards_leave_the_rest_of_the_deck_uniformly_shuffled() {
        use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};
        let mut chance = ChaCha8Rng::seed_from_u64(1);
        let mut counts = [0_i32; 5];
        for _ in 0..30_000 {
            let mut deck = [0, 1, 2, 3, 4];
            crate::chance::shuffle(&mut deck, &mut chance);
            place_cards(&mut deck, 0, &[4]);
            place_cards(&mut deck, 2, &[0]);
            assert_eq!((deck[0], deck[2]), (4, 0));
            counts[usize::from(deck[1])] += 1;
        }
        // The expected number is 10,000 each, with a standard deviation of 82; five are allowed.
        assert!(
            counts[1..4]
                .iter()
                .all(|count| (count - 10_000).abs() < 410),
            "{counts:?}"
        );
    }

    #[test]
    fn deals_with_the_same_cards_are_equal_in_any_notation() {
        let deals = ["AsKs/-|2c", "Ks As | 2c", "As/Ks|2c", "AsKs|3c", "AsKs/Qd"];
        let deals: Vec<FixedDeal> = deals.map(|text| read(text).expect("a deal")).into();
        assert_eq!(first_with_same_cards(&deals), [0, 0, 2, 3, 4]);
    }

    #[test]
    fn a_deal_file_contains_one_deal_per_line() {
        assert_eq!(
            deal_lines("# hands\n\nAs/Ks # first\n  -/2c\n"),
            Ok(vec!["As/Ks".into(), "-/2c".into()])
        );
        assert_eq!(
            deal_lines("# none\n"),
            Err("the file contains no deals".into())
        );
    }
}
