//! Seating for two players: seat 0 acts first, and the players alternate in it.

use hattari_plugin::games::chance;
use rand::Rng;

/// The state that persists between deals: seats, and chips won, which have no effect on play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    pub(crate) finished: u32,
    pub(crate) planned: u32,
    /// Player in each seat of the current deal.
    pub(crate) players: [u8; 2],
    /// Chips won minus chips lost, by player.
    won: [i32; 2],
}

impl Block {
    /// Creates a block before its first deal.
    pub(crate) fn new(planned: u32) -> Block {
        Block {
            finished: 0,
            planned,
            players: [0, 1],
            won: [0; 2],
        }
    }

    /// Seats the players: randomly in the first deal of a block, then alternating. Must be called
    /// after the cards are dealt, so that the cards do not depend on the number of the deal.
    pub(crate) fn seat(&mut self, random: &mut impl Rng) {
        if self.finished > 0 || chance::below(random, 2) == 1 {
            self.players.reverse();
        }
    }

    /// Returns the chips won before this deal, by seat.
    pub(crate) fn results(&self, players: [u8; 2]) -> [i32; 2] {
        players.map(|player| self.won[usize::from(player)])
    }

    /// Ends a deal in which `seat` has won chips. Returns the payoffs by player.
    pub(crate) fn finish(
        &mut self,
        players: [u8; 2],
        seat: usize,
        chips: u32,
        payoffs: &mut [i64],
    ) {
        for (at, player) in players.into_iter().enumerate() {
            let (payoff, won) = (
                &mut payoffs[usize::from(player)],
                &mut self.won[usize::from(player)],
            );
            if at == seat {
                (*payoff, *won) = (chips.into(), won.saturating_add_unsigned(chips));
            } else {
                (*payoff, *won) = (-i64::from(chips), won.saturating_sub_unsigned(chips));
            }
        }
        self.finished += 1;
    }
}
