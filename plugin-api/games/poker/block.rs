//! The state that persists from deal to deal: stacks and the button.

use super::street::{BettingStructure, SEATS_MAX};
use crate::seats::wrapped;

/// A block of a poker game. Each player keeps the seat with the player's number.
pub type Block = crate::Block<Memory>;

/// State that poker keeps from deal to deal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Memory {
    /// Seat with the button in the current or next deal.
    pub button: u8,
    /// Chips of each seat before the current or next deal.
    pub stacks: [i64; SEATS_MAX],
    /// `true` if a seat has no chips and no rebuy is allowed.
    pub is_broke: bool,
    /// With balanced decks: number of remaining deals that each of two seats is to win.
    pub to_win: [u32; 2],
}

impl Memory {
    /// Returns the memory before the first of `deals` deals.
    pub fn new(form: &BettingStructure, players: usize, deals: u32) -> Memory {
        let mut stacks = [0; SEATS_MAX];
        stacks[..players].fill(form.stack);
        Memory {
            button: 0,
            stacks,
            is_broke: false,
            to_win: [deals - deals / 2, deals / 2],
        }
    }

    /// Keeps the chips of the first `players` seats after a deal.
    pub fn keep(&mut self, form: &BettingStructure, players: u8, after: &[i64; SEATS_MAX]) {
        let stacks = self.stacks.iter_mut().zip(after);
        for (stack, &chips) in stacks.take(players.into()) {
            *stack = if chips == 0 { form.rebuy } else { chips };
            self.is_broke |= *stack == 0;
        }
    }
}

impl Block {
    /// Returns the chips of each seat at the start of the current or next deal.
    pub fn stacks(&self, form: &BettingStructure) -> [i64; SEATS_MAX] {
        let mut stacks = self.memory.stacks;
        let mut seat = self.after(self.memory.button);
        for &stack in form.stacks.iter().take(self.players.into()) {
            stacks[usize::from(seat)] = stack;
            seat = self.after(seat);
        }
        stacks
    }

    /// Returns the payoff of each seat of a deal that ends with the chips `after`.
    pub fn payoffs(&self, form: &BettingStructure, after: &[i64; SEATS_MAX]) -> [i64; SEATS_MAX] {
        let before = self.stacks(form);
        std::array::from_fn(|seat| after[seat] - before[seat])
    }

    /// Returns the seat after `seat`.
    #[inline]
    pub fn after(&self, seat: u8) -> u8 {
        wrapped(seat + 1, self.players)
    }
}
