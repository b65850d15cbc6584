//! The state of a block, which persists from deal to deal.

/// Maximum number of players of a game.
pub const PLAYERS_MAX: usize = 16;

/// A block: a sequence of deals that ends with a reset of all persistent state. Players are
/// numbered from 0 and keep their numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block<M> {
    /// Index of the block in its line-up, from 0. The rules may use it only to select from a list
    /// of the league, such as given deals.
    pub number: u64,
    /// Number of planned deals.
    pub planned: u32,
    /// Number of finished deals.
    pub finished: u32,
    /// Number of players.
    pub players: u8,
    /// The players in the order for which the game draws their seats ([`Seating::Drawn`]). The host
    /// draws it for every block, so that the number of a player does not tell the bots which
    /// entrant it is.
    ///
    /// [`Seating::Drawn`]: crate::Seating::Drawn
    pub numbers: [u8; PLAYERS_MAX],
    /// Sum of the payoffs of each player.
    pub totals: [i64; PLAYERS_MAX],
    /// State that the game keeps from deal to deal.
    pub memory: M,
}

impl<M> Block<M> {
    /// Creates a block before its first deal.
    ///
    /// # Panics
    /// Panics if there are more than [`PLAYERS_MAX`] players.
    pub fn new(players: usize, planned: u32, memory: M) -> Block<M> {
        assert!(players <= PLAYERS_MAX, "{players} players are too many");
        Block {
            number: 0,
            planned,
            finished: 0,
            players: u8::try_from(players).unwrap_or(0),
            numbers: std::array::from_fn(|place| place.to_le_bytes()[0]),
            totals: [0; PLAYERS_MAX],
            memory,
        }
    }

    /// Returns the place of a player in [`Block::numbers`]; 0 if there is no such player.
    #[must_use]
    pub fn place_of(&self, player: u8) -> u8 {
        let mut numbers = (0..self.players).zip(self.numbers);
        let found = numbers.find(|&(_, number)| number == player);
        found.map_or(0, |(place, _)| place)
    }

    /// Returns the total of each of `players`, limited to the range of `i32`; 0 for numbers without
    /// a player.
    #[inline]
    #[must_use]
    pub fn totals_of<const N: usize>(&self, players: [u8; N]) -> [i32; N] {
        players.map(|player| {
            let total = self.totals.get(usize::from(player)).copied().unwrap_or(0);
            let limited = total.clamp(i32::MIN.into(), i32::MAX.into());
            i32::try_from(limited).unwrap_or(0)
        })
    }

    /// Returns the given deal to play next, or `None` if `deals` is empty. Deals are used in order;
    /// a block continues where the block before it ended.
    #[inline]
    #[must_use]
    pub fn given_deal<'a, T>(&self, deals: &'a [T]) -> Option<&'a T> {
        let first = self.number.wrapping_mul(self.planned.into());
        let place = first.wrapping_add(self.finished.into());
        let turn = place.checked_rem(deals.len() as u64)?;
        deals.get(usize::try_from(turn).ok()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn given_deals_are_used_in_turn_across_blocks() {
        let deals = |number, deals: &[u8]| {
            [0, 1].map(|finished| {
                let block = Block {
                    number,
                    finished,
                    ..Block::new(2, 2, ())
                };
                block.given_deal(deals).copied()
            })
        };
        assert_eq!(deals(0, &[10, 11, 12]), [Some(10), Some(11)]);
        assert_eq!(deals(1, &[10, 11, 12]), [Some(12), Some(10)]);
        assert_eq!(deals(0, &[]), [None; 2]);
    }

    #[test]
    fn totals_are_limited_and_zero_for_numbers_without_a_player() {
        let mut block = Block::new(3, 1, ());
        block.totals[..3].copy_from_slice(&[-7, i64::MAX, i64::MIN]);
        let expected = [i32::MAX, 0, -7, i32::MIN];
        assert_eq!(block.totals_of([1, 255, 0, 2]), expected);
    }
}
