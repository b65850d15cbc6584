//! The setup of a deal, random or from a record.

use super::card::{self, CardSet, PACK, PACK_SIZE, SUITED};
use super::deal::{Block, Deal, Memory};
use super::position::{Position, find_seat, seat_index};
use super::records::{NONE, PLAYERS, phase};
use super::seat_table::SeatTable;
use super::{Daihinmin, exchange};
use crate::cards::{set_of, union_of};
use crate::chance;
use crate::given::{self, FixedDeal};
use rand::Rng;

/// The properties of a deal that are fixed before its first decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Player in each seat: a permutation of 0 to 4.
    pub players: [u8; PLAYERS],
    /// Title of each seat: a permutation of 0 to 4, or all [`NONE`] in a fresh deal.
    pub titles: [u8; PLAYERS],
    /// Cards dealt to each seat, before the exchange.
    pub hands: [CardSet; PLAYERS],
    /// Order in which the deadlock rule gives the remaining places to seats: a permutation of 0 to
    /// 4.
    pub deadlock_order: [u8; PLAYERS],
}

impl Setup {
    /// Checks the permutations and the hands. Hands have 1 to 11 cards, and at least 3 if there is
    /// an exchange. Cards in no hand count as played, so that the end of a deal can be set up.
    ///
    /// # Errors
    /// Returns a description of the error.
    pub fn check(&self) -> Result<(), &'static str> {
        let permutation = |order: &[u8; PLAYERS]| (0..5).all(|number| order.contains(&number));
        if !permutation(&self.players) {
            return Err("the players of the seats must be 0 to 4, each once");
        }
        let titled = self.titles != [NONE; PLAYERS];
        if titled && !permutation(&self.titles) {
            return Err("the titles must be 0 to 4, each once, or all missing");
        }
        if !permutation(&self.deadlock_order) {
            return Err("the deadlock order must be the seats 0 to 4, each once");
        }
        let fewest = if titled { 3 } else { 1 };
        if self
            .hands
            .iter()
            .any(|hand| !(fewest..=11).contains(&hand.count_ones()))
        {
            return Err("a hand must have 1 to 11 cards, and at least 3 if there are titles");
        }
        let cards: u32 = self.hands.iter().map(|hand| hand.count_ones()).sum();
        let union = union_of(&self.hands);
        if union & !PACK != 0 || union.count_ones() != cards {
            return Err("a card occurs twice, or a hand contains an invalid card");
        }
        Ok(())
    }
}

impl Daihinmin {
    /// Starts a deal from a setup: moves the tribute and proceeds to the first decision. If no seat
    /// holds the three of diamonds, seat 0 leads. Copies the players of the setup to the block.
    ///
    /// # Errors
    /// Returns the errors of [`Setup::check`].
    pub fn start(
        &self,
        block: &mut Block,
        setup: &Setup,
        deal: &mut Deal,
    ) -> Result<(), &'static str> {
        setup.check()?;
        block.memory.players = setup.players;
        self.begin(block, setup, deal);
        Ok(())
    }

    /// Draws a setup: the cards, the seat that gets the first card, the deadlock order, and new
    /// seats if seats are redrawn. All random numbers are always drawn, so that the cards do not
    /// depend on which of them are used.
    pub(super) fn draw(&self, block: &mut Block, chance: &mut impl Rng) -> Setup {
        let piles = piles(chance);
        let [random_first, deadlock @ .., e, f, g, h] =
            chance::below_each(chance, [5, 5, 4, 3, 2, 5, 4, 3, 2]);
        let deadlock_order = permuted([0, 1, 2, 3, 4], deadlock);
        let is_redrawn = match self.options.seat_redraw {
            0 => false,
            1 => block.finished == 0,
            every => block.finished.is_multiple_of(every),
        };
        if is_redrawn {
            let players = &mut block.memory.players;
            if block.finished == 0 {
                players.copy_from_slice(&block.numbers[..PLAYERS]);
            }
            *players = permuted(*players, [e, f, g, h]);
        }
        let fresh = block.finished.is_multiple_of(self.options.rank_reset);
        let titles = if fresh {
            [NONE; PLAYERS]
        } else {
            let Memory {
                players, titles, ..
            } = &block.memory;
            players.map(|player| titles[usize::from(player)])
        };
        let given = block.given_deal(&self.given);
        let piles = given.map_or(piles, |given| piles_with(given, chance));
        // Cards are dealt one at a time around the table, so the first seats have more cards. With
        // titles, the daifugo is first.
        let first = if fresh {
            random_first as usize
        } else {
            seat_index(find_seat(|seat| titles[seat_index(seat)] == 0))
        };
        let hands = std::array::from_fn(|seat| piles[(seat + PLAYERS - first) % PLAYERS]);
        Setup {
            players: block.memory.players,
            titles,
            hands,
            deadlock_order,
        }
    }

    pub(super) fn begin(&self, block: &mut Block, setup: &Setup, deal: &mut Deal) {
        block.update_seat_points();
        let fresh = setup.titles[0] == NONE;
        let ask_last = u8::from(self.options.ask_last_player_again);
        deal.position = Position::new(setup.hands, self.rules, ask_last, self.deadlock_passes);
        deal.position.deadlock_order = setup.deadlock_order;
        deal.phase = phase::PLAY;
        deal.fresh = u8::from(fresh);
        let sizes = setup.hands.map(|hand| (hand.count_ones() & 63) as u8);
        deal.seats = SeatTable::new(setup.players, sizes, setup.titles, [NONE; PLAYERS]);
        for (seat, title) in (0..).zip(setup.titles) {
            deal.seat_with[seat_index(title)] = seat;
        }
        deal.dealt = setup.hands;
        deal.given = [0; 8];
        deal.received = [0; 8];
        deal.history.clear();
        if fresh || !self.options.exchange {
            deal.position.lead_first();
        } else {
            exchange::take_tribute(deal);
        }
    }
}

/// Permutes items by random numbers below 5, 4, 3 and 2 (Fisher-Yates from the end).
fn permuted(mut items: [u8; PLAYERS], drawn: [u32; PLAYERS - 1]) -> [u8; PLAYERS] {
    for (last, drawn) in (1..PLAYERS).rev().zip(drawn) {
        items.swap(last, drawn as usize);
    }
    items
}

/// Sizes of the piles into which the pack is dealt.
pub(super) const PILES: [usize; PLAYERS] = [11, 11, 11, 10, 10];

/// Returns five piles that contain the given cards. All divisions of the other cards are equally
/// likely.
fn piles_with(given: &FixedDeal, chance: &mut impl Rng) -> [CardSet; PLAYERS] {
    let mut deck: [u8; PACK_SIZE] = std::array::from_fn(|place| DECK[place]);
    chance::shuffle(&mut deck, chance);
    let mut first = 0;
    for (hand, size) in given.hands.iter().zip(PILES) {
        given::place_cards(&mut deck, first, hand);
        first += size;
    }
    let mut rest = deck.as_slice();
    PILES.map(|size| set_of(rest.split_off(..size).expect("the piles contain all cards")))
}

/// Returns five piles of 11, 11, 11, 10 and 10 cards. All divisions are equally likely.
fn piles(chance: &mut impl Rng) -> [CardSet; PLAYERS] {
    // For each card, draws a number below the number of undealt cards, six numbers per random word.
    // The first pile gets the rest.
    let mut drawn = [0; PACK_SIZE - PILES[0]];
    let mut undealt = 53;
    for six in drawn.chunks_exact_mut(6) {
        let bounds = [
            undealt,
            undealt - 1,
            undealt - 2,
            undealt - 3,
            undealt - 4,
            undealt - 5,
        ];
        six.copy_from_slice(&chance::below_each(chance, bounds));
        undealt -= 6;
    }
    let mut drawn = drawn.iter();
    let mut deck = DECK;
    let mut last = PACK_SIZE;
    let mut piles = [PACK, 0, 0, 0, 0];
    for (pile, size) in piles[1..].iter_mut().zip(&PILES[1..]) {
        for &drawn in drawn.by_ref().take(*size) {
            last -= 1;
            let drawn = (drawn & 63) as usize;
            *pile |= 1 << deck[drawn];
            deck[drawn] = deck[last & 63];
        }
    }
    piles[0] &= !(piles[1] | piles[2] | piles[3] | piles[4]);
    piles
}

/// The cards of the pack, the joker last. The length is 64, so that an index of six bits needs no
/// bounds check.
const DECK: [u8; 64] = {
    // The suited cards have successive numbers from 4.
    assert!(SUITED == ((1 << (PACK_SIZE - 1)) - 1) << 4);
    let mut deck = [card::JOKER; 64];
    let mut card = 4;
    let mut index = 0;
    while index < PACK_SIZE - 1 {
        deck[index] = card;
        index += 1;
        card += 1;
    }
    deck
};
