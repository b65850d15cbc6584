//! What persists from deal to deal: stacks, results and the button.

use super::street::{Form, SEATS_MAX};

/// A block of a poker game. Players sit in the seat of their number throughout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Its number in its line-up.
    pub number: u64,
    /// Deals that are finished.
    pub finished: u32,
    /// Deals that are planned.
    pub planned: u32,
    /// Players of the table.
    pub players: u8,
    /// Seat with the button in the next deal, or in the one that is played.
    pub button: u8,
    /// Chips of each seat before the next deal, or the one that is played.
    pub stacks: [i64; SEATS_MAX],
    /// Chips that each seat has won in the block, less those lost.
    pub results: [i64; SEATS_MAX],
    /// Somebody has no chips left and is not given new ones.
    pub is_broke: bool,
    /// Deals still to come that each of two seats is to win, where decks are balanced.
    pub to_win: [u32; 2],
}

impl Block {
    /// A block before its first deal.
    ///
    /// # Panics
    /// If there are no seats for so many players.
    #[must_use]
    pub fn new(form: &Form, players: usize, deals: u32) -> Block {
        assert!(
            (2..=SEATS_MAX).contains(&players),
            "poker is played by 2 to {SEATS_MAX}"
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

    /// Chips of each seat in the deal that the button is for.
    #[must_use]
    pub fn stacks_of(&self, form: &Form) -> [i64; SEATS_MAX] {
        let mut stacks = self.stacks;
        let mut seat = self.after(self.button);
        for &stack in form.stacks.iter().take(self.players.into()) {
            stacks[usize::from(seat)] = stack;
            seat = self.after(seat);
        }
        stacks
    }

    /// Closes a deal that left every seat with `after` chips: payoffs by player, and what the next
    /// deal begins with.
    pub fn finish(&mut self, form: &Form, after: &[i64; SEATS_MAX], payoffs: &mut [i64]) {
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

    /// The seat after `seat`.
    #[inline]
    #[must_use]
    pub fn after(&self, seat: u8) -> u8 {
        if seat + 1 < self.players { seat + 1 } else { 0 }
    }
}
