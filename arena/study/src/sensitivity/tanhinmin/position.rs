//! Positions of the search, reduced to the facts that affect the result. These are the owner of
//! each remaining card in order of strength, the rank of the card on the table among them, the turn
//! and the passes. Different deals can lead to equal positions.

/// Owners of the remaining cards, weakest first. Each owner takes `BITS` bits: 2 for up to four
/// players, 3 for more.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cards<const BITS: u32> {
    /// The owners, with the weakest card in the lowest bits.
    pub word: u64,
    /// Number of cards.
    pub count: u32,
}

impl<const BITS: u32> Cards<BITS> {
    /// Mask of the lowest bit of every owner.
    const LOWEST: u64 = if BITS == 2 {
        0x5555_5555_5555_5555
    } else {
        0x1249_2492_4924_9249
    };

    /// Creates a set from the owners of the cards, weakest card first.
    pub(super) fn new(owners: &[u8]) -> Self {
        let word = owners
            .iter()
            .rev()
            .fold(0, |word, &owner| word << BITS | u64::from(owner));
        Cards {
            word,
            count: u32::try_from(owners.len()).expect("`Size::check` limits the number of cards"),
        }
    }

    /// Returns the set without the card at `place`.
    #[inline]
    pub(super) fn without(self, place: u32) -> Self {
        let below = (1 << (BITS * place)) - 1;
        Cards {
            word: self.word & below | self.word >> BITS & !below,
            count: self.count - 1,
        }
    }

    /// Returns a mask with one bit, the lowest of the owner's bits, for every card of `player`.
    #[inline]
    pub(super) fn of(self, player: u32) -> u64 {
        let differs = self.word ^ (Self::LOWEST * u64::from(player));
        let any = if BITS == 2 {
            differs | differs >> 1
        } else {
            differs | differs >> 1 | differs >> 2
        };
        !any & Self::LOWEST & ((1 << (BITS * self.count)) - 1)
    }

    /// Returns the set of players with cards left, one bit each.
    #[inline]
    pub(super) fn active(self, players: u32) -> u32 {
        (0..players).fold(0, |active, player| {
            active | u32::from(self.of(player) != 0) << player
        })
    }

    /// Returns the place of the weakest card in a mask returned by [`Cards::of`].
    #[inline]
    pub(super) fn place(bits: u64) -> u32 {
        bits.trailing_zeros() / BITS
    }

    /// Returns the cards at `place` or above in a mask returned by [`Cards::of`].
    #[inline]
    pub(super) fn from_place(bits: u64, place: u32) -> u64 {
        bits >> (BITS * place) << (BITS * place)
    }
}

/// Value of [`Position::table`] if the table is empty.
pub(super) const EMPTY: u32 = 31;

/// A position of the search.
#[derive(Clone, Copy)]
pub(super) struct Position<const BITS: u32> {
    /// The remaining cards.
    pub cards: Cards<BITS>,
    /// Number of remaining cards that are weaker than the card on the table, or [`EMPTY`].
    pub table: u32,
    /// The player to move.
    pub turn: u32,
    /// The player who played the card on the table. If the table is empty, the player to move.
    pub last: u32,
    /// Players who have passed, one bit each: since the last card was played or, if passes are
    /// permanent, in this trick.
    pub passed: u32,
}

impl<const BITS: u32> Position<BITS> {
    /// Returns a number that is unique among positions with the same number of players.
    ///
    /// It contains the owners, a bit above them that marks their number, and the other fields.
    /// `Size` ensures that it fits.
    #[inline]
    pub(super) fn key(&self, players: u32) -> u64 {
        let cards = self.cards.word | 1 << (BITS * self.cards.count);
        let head = (cards << 5 | u64::from(self.table)) << BITS | u64::from(self.turn);
        (head << BITS | u64::from(self.last)) << players | u64::from(self.passed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<const BITS: u32>(owners: &[u8]) {
        let cards = Cards::<BITS>::new(owners);
        for player in 0..(1 << BITS) {
            let mut bits = cards.of(player);
            let mut places = Vec::new();
            while bits != 0 {
                places.push(Cards::<BITS>::place(bits) as usize);
                bits &= bits - 1;
            }
            let expected = (0..owners.len()).filter(|&place| u32::from(owners[place]) == player);
            assert_eq!(
                places,
                expected.collect::<Vec<_>>(),
                "{owners:?}, player {player}"
            );
        }
        for place in 0..owners.len() {
            let mut rest = owners.to_vec();
            rest.remove(place);
            assert_eq!(
                cards.without(u32::try_from(place).unwrap()),
                Cards::new(&rest)
            );
        }
    }

    #[test]
    fn cards_are_found_and_removed() {
        check::<2>(&[0, 2, 1, 2, 0, 3]);
        check::<2>(&[3; 16]);
        check::<3>(&[0, 2, 1, 2, 0, 5]);
        check::<3>(&[5, 0, 5, 4, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5]);
        assert_eq!(Cards::<3>::new(&[0, 2, 1, 2, 0, 5]).active(6), 0b10_0111);
    }
}
