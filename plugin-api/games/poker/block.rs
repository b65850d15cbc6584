//! The state that persists from deal to deal: stacks, results and the button.

use super::street::{BettingStructure, SEATS_MAX};
use crate::seats::wrapped;

/// A block of a poker game. Each player keeps the seat with the player's number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Index of the block in its line-up.
    pub number: u64,
    /// Number of finished deals.
    pub finished: u32,
    /// Number of planned deals.
    pub planned: u32,
    /// Number of players.
    pub players: u8,
    /// Seat with the button in the current or next deal.
    pub button: u8,
    /// Chips of each seat before the current or next deal.
    pub stacks: [i64; SEATS_MAX],
    /// Net result of each seat in chips.
    pub results: [i64; SEATS_MAX],
    /// `true` if a seat has no chips and no rebuy is allowed.
    pub is_broke: bool,
    /// With balanced decks: number of remaining deals that each of two seats is to win.
    pub to_win: [u32; 2],
}

impl Block {
    /// Creates a block before its first deal.
    ///
    /// # Panics
    /// Panics if the number of players is not 2 to [`SEATS_MAX`].
    #[must_use]
    pub fn new(form: &BettingStructure, players: usize, deals: u32) -> Block {
        assert!(
            (2..=SEATS_MAX).contains(&players),
            "poker has 2 to {SEATS_MAX} players"
        );
        let mut stacks = [0; SEATS_MAX];
        stacks[..players].fill(form.stack);
        let players = u8::try_from(players).unwrap_or(0);
        Block {
            number: 0,
            finished: 0,
            planned: deals,
            players,
            button: 0,
            stacks,
            results: [0; SEATS_MAX],
            is_broke: false,
            to_win: [deals - deals / 2, deals / 2],
        }
    }

    /// Returns the chips of each seat at the start of the current or next deal.
    #[must_use]
    pub fn stacks_of(&self, form: &BettingStructure) -> [i64; SEATS_MAX] {
        let mut stacks = self.stacks;
        let mut seat = self.after(self.button);
        for &stack in form.stacks.iter().take(self.players.into()) {
            stacks[usize::from(seat)] = stack;
            seat = self.after(seat);
        }
        stacks
    }

    /// Closes a deal. `after` contains the chips of each seat after the deal. Writes the payoffs
    /// and prepares the next deal.
    pub fn finish(
        &mut self,
        form: &BettingStructure,
        after: &[i64; SEATS_MAX],
        payoffs: &mut [i64],
    ) {
        let before = self.stacks_of(form);
        for (seat, payoff) in payoffs
            .iter_mut()
            .enumerate()
            .take(usize::from(self.players))
        {
            *payoff = after[seat] - before[seat];
            self.results[seat] += *payoff;
            if form.carry {
                self.stacks[seat] = after[seat];
                if self.stacks[seat] == 0 {
                    self.stacks[seat] = form.rebuy;
                    self.is_broke |= form.rebuy == 0;
                }
            }
        }
        self.finished += 1;
    }

    /// Returns the seat after `seat`.
    #[inline]
    #[must_use]
    pub fn after(&self, seat: u8) -> u8 {
        wrapped(seat + 1, self.players)
    }
}
