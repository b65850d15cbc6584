//! The information that an exchange of cards gives about two hands.
//!
//! The lower title lost its strongest cards to the upper title, which returned cards of its choice.
//! All deals are equally likely, and so are all gifts, because the choices of others are unknown.
//! So the weight of a pair of hands is the number of pairs of tribute and gift that lead to it.

use super::card::CardSet;
use crate::chance;
use rand::Rng;

/// Reorders the bits of a set by strength for tributes: a stronger card has a higher bit. Columns
/// are already in this order, but spades, the lowest bit of a column, are the strongest.
#[inline]
pub(super) fn by_strength(set: CardSet) -> u64 {
    let pairs = (set >> 1 & 0x5555_5555_5555_5555) | (set & 0x5555_5555_5555_5555) << 1;
    (pairs >> 2 & 0x3333_3333_3333_3333) | (pairs & 0x3333_3333_3333_3333) << 2
}

/// Reverses [`by_strength`]: returns the set with its bits in the order of cells.
#[inline]
pub(super) fn by_cell(set: u64) -> CardSet {
    // Reversing the bits of a column twice restores them.
    by_strength(set)
}

/// The information of a seat about the gift in an exchange.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GiftKnowledge {
    /// The upper title has not chosen yet.
    Due,
    /// Unknown cards, as many as the tribute.
    Unknown,
    /// Known cards, with bits in order of strength.
    Known(u64),
}

/// An exchange between two titles about which a seat lacks information.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tribute {
    /// Seat that got the tribute.
    pub upper: u8,
    /// Seat that lost the tribute.
    pub lower: u8,
    /// Number of cards of the tribute, 1 or 2.
    pub count: u32,
    /// Information about the gift.
    pub gift: GiftKnowledge,
}

impl Tribute {
    /// Returns the number of ways in which a deal and the exchange can have led to these two hands.
    /// Both hands have their bits in order of strength and include cards played since. The lower
    /// hand must have more cards than the gift.
    #[inline]
    pub(super) fn ways(&self, upper: u64, lower: u64) -> u64 {
        // The tribute consists of cards of the upper hand or of the gift that are stronger than all
        // other cards that the lower hand had.
        let choices = |held: u64, own: u64, given: u64| {
            let above = (held & !up_to_strongest(own)).count_ones()
                + (given & !up_to_strongest(own)).count_ones();
            choose(u64::from(above), self.count)
        };
        match self.gift {
            GiftKnowledge::Due => choices(upper, lower, 0),
            GiftKnowledge::Known(gift) => choices(upper, lower & !gift, gift),
            GiftKnowledge::Unknown => {
                let first = top(lower);
                let second = top(lower & !first);
                let others = u64::from(lower.count_ones()) - 1;
                if self.count == 1 {
                    return choices(upper, second, first) + others * choices(upper, first, 0);
                }
                // Three cases: the gift was the two strongest cards, the strongest and another, or
                // two others.
                let third = top(lower & !first & !second);
                choices(upper, third, first | second)
                    + (others - 1) * choices(upper, second, first)
                    + choose(others, 2) * choices(upper, first, 0)
            }
        }
    }
}

/// The cards of an exchange.
pub(super) struct ExchangedCards {
    /// Cards taken from the lower title.
    pub tribute: CardSet,
    /// Cards given by the upper title; empty before its choice.
    pub gift: CardSet,
}

impl Tribute {
    /// Draws one of the ways that [`Tribute::ways`] counts, all with equal probability. Returns
    /// `None` if there are none.
    pub(super) fn draw(
        &self,
        upper: u64,
        lower: u64,
        chance: &mut impl Rng,
    ) -> Option<ExchangedCards> {
        let gifts = match self.gift {
            GiftKnowledge::Due => vec![0],
            GiftKnowledge::Known(gift) => vec![gift],
            GiftKnowledge::Unknown => subsets(lower, self.count),
        };
        let mut ways = Vec::new();
        for gift in gifts {
            let taken = (upper | gift) & !up_to_strongest(lower & !gift);
            ways.extend(
                subsets(taken, self.count)
                    .into_iter()
                    .map(|set| (set, gift)),
            );
        }
        debug_assert_eq!(ways.len() as u64, self.ways(upper, lower));
        let count = u32::try_from(ways.len()).ok().filter(|&count| count > 0)?;
        let (tribute, gift) = ways[chance::below(chance, count) as usize];
        Some(ExchangedCards {
            tribute: by_cell(tribute),
            gift: by_cell(gift),
        })
    }
}

/// Returns all subsets of `of` with `count` (1 or 2) cards.
fn subsets(of: u64, count: u32) -> Vec<u64> {
    let cards = (0..64).map(|card| 1 << card).filter(|card| of & card != 0);
    if count == 1 {
        return cards.collect();
    }
    cards
        .flat_map(|card| {
            let others = subsets(of & (card - 1), 1).into_iter();
            others.map(move |other| card | other)
        })
        .collect()
}

/// Returns the strongest card of a set, as a set.
#[inline]
pub(super) fn top(set: u64) -> u64 {
    if set == 0 { 0 } else { 1 << set.ilog2() }
}

/// Returns all bits up to and including the strongest card of a set.
#[inline]
fn up_to_strongest(set: u64) -> u64 {
    if set == 0 {
        0
    } else {
        u64::MAX >> set.leading_zeros()
    }
}

/// Returns the number of subsets with `count` (1 or 2) of `of` cards.
#[inline]
fn choose(of: u64, count: u32) -> u64 {
    if count == 1 {
        of
    } else {
        of * of.saturating_sub(1) / 2
    }
}

#[cfg(test)]
mod tests {
    use super::super::card::{PACK, SUITED, parse_set};
    use super::super::strongest;
    use super::*;

    #[test]
    fn the_strength_order_matches_the_tribute_order() {
        // The joker, then ranks from the two down, equal ranks in the order of the suits.
        let strongest_card = |hand: CardSet| match hand & !SUITED {
            0 => {
                let in_column = hand & (0xf << (hand.ilog2() / 4 * 4));
                in_column & in_column.wrapping_neg()
            }
            joker => joker,
        };
        let (mut rest, mut ordered) = (PACK, by_strength(PACK));
        while rest != 0 {
            let first = strongest_card(rest);
            assert_eq!(strongest(rest, 1), first);
            assert_eq!(by_cell(top(ordered)), first);
            ordered &= !by_strength(first);
            rest &= !first;
        }
        assert_eq!(by_cell(by_strength(PACK)), PACK);
    }

    /// Counts the ways by definition: all gifts, and all tributes that were taken by the rule.
    fn by_definition(count: u8, upper: CardSet, lower: CardSet, gifts: &[CardSet]) -> u64 {
        let taken_rightly = |gift: CardSet| -> u64 {
            let dealt = |tribute: CardSet| (lower & !gift) | tribute;
            subsets(upper | gift, count.into())
                .into_iter()
                .filter(|&t| strongest(dealt(t), count) == t)
                .map(|_| 1)
                .sum()
        };
        gifts.iter().map(|&gift| taken_rightly(gift)).sum()
    }

    #[track_caller]
    fn check(count: u8, upper: &str, lower: &str) {
        let (upper, lower) = (parse_set(upper).unwrap(), parse_set(lower).unwrap());
        let tribute = |gift| Tribute {
            upper: 0,
            lower: 1,
            count: count.into(),
            gift,
        };
        let ways = |gift, lower| tribute(gift).ways(by_strength(upper), by_strength(lower));
        let gifts = subsets(lower, count.into());
        assert_eq!(
            ways(GiftKnowledge::Unknown, lower),
            by_definition(count, upper, lower, &gifts)
        );
        assert_eq!(
            ways(GiftKnowledge::Due, lower),
            by_definition(count, upper, lower, &[0])
        );
        for gift in gifts {
            let expected = by_definition(count, upper, lower, &[gift]);
            assert_eq!(
                ways(GiftKnowledge::Known(by_strength(gift)), lower),
                expected
            );
        }
    }

    #[test]
    fn counts_of_tributes_match_enumeration() {
        for count in [1, 2] {
            check(count, "S3 H9 DK S2", "S4 H5 D6 C7");
            check(count, "S3 H9 DK CA", "S4 H5 DA SA");
            check(count, "S3 H3", "C2 JK H2 D2");
            check(
                count,
                "JK S2 H2 D2 C2 SA HA DA CA SK HK",
                "S3 H3 D3 C3 S4 H4 D4 C4 S5 H5",
            );
            check(count, "H3 H4 H5 S6 DJ C2", "S3 D4 S9 H9 DQ CQ D2");
        }
    }
}
