//! A table of two, at which seat 0 acts first and players take turns to sit there.

use hattari_plugin::games::chance;
use rand::Rng;

/// What persists from deal to deal: who acts first, and chips won, on which nothing hangs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    pub(crate) finished: u32,
    pub(crate) planned: u32,
    /// The player in each seat of the deal that is played.
    pub(crate) players: [u8; 2],
    /// Chips that each player has won, less those lost.
    won: [i32; 2],
}

impl Block {
    /// A block before its first deal.
    pub(crate) fn new(planned: u32) -> Block {
        Block {
            finished: 0,
            planned,
            players: [0, 1],
            won: [0; 2],
        }
    }

    /// Seats the players: by chance in the first deal of a block, then by turns. To be called after
    /// the cards are dealt, so that these do not depend on the number of the deal.
    pub(crate) fn seat(&mut self, random: &mut impl Rng) {
        if self.finished > 0 || chance::below(random, 2) == 1 {
            self.players.reverse();
        }
    }

    /// Chips won before this deal, by seat.
    pub(crate) fn results(&self, players: [u8; 2]) -> [i32; 2] {
        players.map(|player| self.won[usize::from(player)])
    }

    /// Closes a deal that `seat` has won so many chips in; payoffs by player.
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
