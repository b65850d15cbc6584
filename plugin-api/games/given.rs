//! Deals that a league gives: how they are written, which of them is played, and how their cards
//! come into a deal that chance has filled.
//!
//! A deal is a text: hands with `/` between them, in the order in which seats are dealt, and behind
//! `|` what is common to all, where the game has such cards. A hand that is missing, empty or `-`,
//! and all cards that are not named, are drawn.

/// Deals of a file, one a line, without blank lines and what stands behind `#`.
///
/// # Errors
/// Where there is none.
pub fn lines(text: &str) -> Result<Vec<String>, String> {
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

/// The deal for this place of a block: those that are given are played in turn, from block to
/// block. `None` where none are. `number` is the block's in its line-up, `planned` its deals,
/// `finished` those that are over.
#[inline]
#[must_use]
pub fn in_turn<T>(deals: &[T], number: u64, planned: u32, finished: u32) -> Option<&T> {
    let place = number
        .wrapping_mul(planned.into())
        .wrapping_add(finished.into());
    let turn = place.checked_rem(deals.len() as u64)?;
    deals.get(usize::try_from(turn).ok()?)
}

/// Puts `card` at a place of a shuffled deck; what lies there goes where the card was. Cards put at
/// places one after the other leave the rest of the deck in an order that is as likely as any
/// other.
pub fn put(deck: &mut [u8], place: usize, card: u8) {
    if let Some(found) = deck.iter().position(|&other| other == card) {
        deck.swap(place, found);
    }
}

/// A deal that is given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Given {
    /// Numbers of the cards of each hand, in the order in which seats are dealt and hands get
    /// their cards.
    pub hands: Vec<Vec<u8>>,
    /// Those of the cards that are common to all, in their order.
    pub community: Vec<u8>,
}

/// What a game takes as a deal.
#[derive(Clone, Copy, Debug)]
pub struct Terms<'a> {
    /// The numbers of the cards that a text names, in its order, or what is wrong with it.
    pub cards: fn(&str) -> Result<Vec<u8>, String>,
    /// Most cards of each hand, in the order in which seats are dealt: as many hands at most.
    pub hands: &'a [usize],
    /// Most cards that are common to all.
    pub community: usize,
}

impl Terms<'_> {
    /// Reads the option `deals`.
    ///
    /// # Errors
    /// The number of the deal, counted from 1, and what is wrong with it.
    pub fn read(&self, deals: &[String]) -> Result<Vec<Given>, String> {
        let read = |(number, text): (usize, &String)| {
            self.deal(text).map_err(|error| {
                format!("deals: deal {number} of {}, `{text}`: {error}", deals.len())
            })
        };
        (1..).zip(deals).map(read).collect()
    }

    fn deal(&self, text: &str) -> Result<Given, String> {
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
        let given = Given {
            hands: (1..)
                .zip(hands.into_iter().zip(self.hands))
                .map(hand)
                .collect::<Result<_, _>>()?,
            community: list(community, self.community, "cards that are common to all")?,
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

/// The most hands that a deal names.
#[must_use]
pub fn most_hands(deals: &[Given]) -> usize {
    deals.iter().map(|deal| deal.hands.len()).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::poker::card;

    const TERMS: Terms<'static> = Terms {
        cards: card::parse_list,
        hands: &[2, 2, 2],
        community: 5,
    };

    fn read(text: &str) -> Result<Given, String> {
        TERMS
            .read(&[text.to_owned()])
            .map(|mut deals| deals.remove(0))
    }

    #[test]
    fn what_is_not_named_is_left_to_chance() {
        let cards = |text| card::parse_list(text).expect("cards");
        let full = Given {
            hands: vec![cards("AsKs"), cards("QdQh")],
            community: cards("2c3c4c"),
        };
        assert_eq!(read("AsKs / Qd Qh | 2c3c4c"), Ok(full));
        let some = Given {
            hands: vec![vec![], cards("As"), vec![]],
            community: vec![],
        };
        assert_eq!(read("-/As/"), Ok(some));
        assert_eq!(
            read("| As"),
            Ok(Given {
                hands: vec![vec![]],
                community: cards("As")
            })
        );
    }

    #[test]
    fn what_cannot_be_dealt_is_refused_with_its_place() {
        for (text, error) in [
            ("AsKs/AsQs", "a card occurs twice"),
            ("AsKsQs", "3 cards for hand 1, but at most 2 are possible"),
            ("As/Ks/Qs/Js", "4 hands, but the game has at most 3"),
            (
                "As|2c3c4c5c6c7c",
                "6 cards for cards that are common to all, but at most 5 are possible",
            ),
            ("-/-", "the deal names no card"),
            (
                "As/1s",
                "`1s` is not a card: a rank 2-9 T J Q K A and a suit c d h s, as in `As`",
            ),
        ] {
            assert_eq!(
                read(text),
                Err(format!("deals: number 1 of 1, `{text}`: {error}"))
            );
        }
    }

    #[test]
    fn deals_come_in_turn_from_block_to_block() {
        let turns =
            |number| [0, 1].map(|finished| in_turn(&[10, 11, 12], number, 2, finished).copied());
        assert_eq!(turns(0), [Some(10), Some(11)]);
        assert_eq!(turns(1), [Some(12), Some(10)]);
        assert_eq!(in_turn::<u8>(&[], 0, 2, 0), None);
    }

    /// Of three places of five, with 4 put at the first and 0 at the third, the three others are at
    /// the second equally often.
    #[test]
    fn the_rest_of_the_deck_stays_in_any_order() {
        use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};
        let mut chance = ChaCha8Rng::seed_from_u64(1);
        let mut counts = [0_i32; 5];
        for _ in 0..30_000 {
            let mut deck = [0, 1, 2, 3, 4];
            crate::chance::shuffle(&mut deck, &mut chance);
            put(&mut deck, 0, 4);
            put(&mut deck, 2, 0);
            assert_eq!((deck[0], deck[2]), (4, 0));
            counts[usize::from(deck[1])] += 1;
        }
        // Each 10,000, give or take five standard deviations of 82.
        assert!(
            counts[1..4]
                .iter()
                .all(|count| (count - 10_000).abs() < 410),
            "{counts:?}"
        );
    }

    #[test]
    fn a_file_has_a_deal_a_line() {
        assert_eq!(
            lines("# hands\n\nAs/Ks # first\n  -/2c\n"),
            Ok(vec!["As/Ks".into(), "-/2c".into()])
        );
        assert_eq!(lines("# none\n"), Err("the file contains no deals".into()));
    }
}
