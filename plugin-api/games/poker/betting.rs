//! Betting: the chips of each seat, the seat to act, and the size of raises. This module is
//! independent of cards.
//!
//! A raise is *whole* if it completes a bring-in or adds at least as much as the last whole bet or
//! raise of the street. The first bet is whole if it is at least the minimum bet. After a whole
//! raise, all seats may act again. A smaller raise is possible only all-in. After it, a seat that
//! has acted since the last whole raise must call or fold, unless it faces at least a whole raise
//! in total. At fixed limit, half a bet can count as whole.

use super::street::{BetLimit, BettingStructure, FirstToAct, NOBODY, SEATS_MAX, Street};
use serde::Serialize;

pub use crate::seats::next_of;

/// A set of seats, one bit per seat.
pub type SeatSet = u16;

/// The chips of a deal and the state of its current street.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Betting {
    players: u8,
    /// Remaining chips of each seat.
    pub stacks: [i64; SEATS_MAX],
    /// Chips of each seat in the bets of this street, without antes.
    pub bets: [i64; SEATS_MAX],
    /// Chips that each seat has paid in this deal.
    pub paid: [i64; SEATS_MAX],
    /// Chips paid by all seats.
    pub pot: i64,
    /// Chips paid by all seats before this street.
    pub street_pot: i64,
    /// Seats that have not folded.
    pub in_play: SeatSet,
    /// Seats in play that have chips.
    pub able: SeatSet,
    /// Bet of this street that a seat must match to stay in.
    pub level: i64,
    /// Size of the last whole bet or raise, at least the minimum bet.
    whole_raise: i64,
    /// Lowest total of a whole bet or raise.
    whole_total_min: i64,
    /// Dead antes by seat. They belong to the main pot and do not count as bets.
    pub dead: [i64; SEATS_MAX],
    /// `true` if the level is a forced bet that no seat could post in full.
    short_post: bool,
    /// `true` if the seat to act must post the bring-in or bet more.
    owes_bring_in: bool,
    /// Total that completes the bring-in, or 0 if that is not possible.
    completes_to: i64,
    /// Number of bets and raises of this street.
    pub raises: u8,
    /// Seats that have acted since the last whole bet or raise.
    acted: SeatSet,
    /// [`Betting::level`] at the last action of each seat.
    level_at_action: [i64; SEATS_MAX],
    /// Seats that must still act on this street.
    waiting: SeatSet,
    /// Seat to act, or [`NOBODY`] if the street is finished.
    pub to_act: u8,
    /// Seat that bet or raised last on this street, or else the first seat to act.
    pub leader: u8,
}

/// The legal actions of the seat to act.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Choices {
    /// `true` if the seat may fold: it faces a bet or must bet, or the rules allow free folds and
    /// another seat can bet.
    pub fold: bool,
    /// Chips needed to check (0) or call; `None` if the seat may do neither.
    pub call: Option<i64>,
    /// Chips of the bring-in, if the seat must post it or bet more.
    pub bring_in: Option<i64>,
    /// Lowest and highest total of this street for a bet or raise.
    pub raise: Option<(i64, i64)>,
}

impl Betting {
    /// Creates the state of a table without seats, in which no seat is to act.
    pub fn new() -> Betting {
        Betting {
            players: 0,
            stacks: [0; SEATS_MAX],
            bets: [0; SEATS_MAX],
            paid: [0; SEATS_MAX],
            pot: 0,
            street_pot: 0,
            in_play: 0,
            able: 0,
            level: 0,
            whole_raise: 0,
            whole_total_min: 0,
            dead: [0; SEATS_MAX],
            short_post: false,
            owes_bring_in: false,
            completes_to: 0,
            raises: 0,
            acted: 0,
            level_at_action: [0; SEATS_MAX],
            waiting: 0,
            to_act: NOBODY,
            leader: NOBODY,
        }
    }

    /// Starts a deal with the given stacks; seats from `players` on are empty.
    pub fn start(&mut self, players: u8, stacks: &[i64; SEATS_MAX]) {
        let all = (1 << players) - 1;
        *self = Betting {
            players,
            stacks: *stacks,
            in_play: all,
            able: all,
            ..Betting::new()
        };
    }

    /// Returns the number of seats.
    #[inline]
    pub fn players(&self) -> u8 {
        self.players
    }

    /// Takes an ante, at most the stack, into the pot. It does not count as a bet. Returns the
    /// chips taken.
    pub fn ante(&mut self, form: &BettingStructure, seat: u8, chips: i64) -> i64 {
        let chips = self.pay(seat, chips);
        self.street_pot += chips;
        if form.dead_antes {
            self.dead[usize::from(seat)] = chips;
        }
        chips
    }

    /// Takes chips, at most the stack, as a bet of the current street or, for blinds, of the next
    /// one. Returns the chips taken.
    pub fn post(&mut self, seat: u8, chips: i64) -> i64 {
        let chips = self.pay(seat, chips);
        self.bets[usize::from(seat)] += chips;
        chips
    }

    fn pay(&mut self, seat: u8, chips: i64) -> i64 {
        let index = usize::from(seat);
        let chips = chips.min(self.stacks[index]);
        self.stacks[index] -= chips;
        self.paid[index] += chips;
        self.pot += chips;
        if self.stacks[index] == 0 {
            self.able &= !(1 << seat);
        }
        chips
    }

    /// Starts the betting of a street with seat `first`, or with the next seat that can act.
    /// `blind` is the full amount of the largest blind, or 0. The street is finished immediately if
    /// no two seats can bet against each other.
    pub fn open(&mut self, form: &BettingStructure, street: &Street, first: u8, blind: i64) {
        // Most streets begin without posts, so the pot has not changed.
        let is_posted = blind != 0 || self.pot != self.street_pot;
        let posted = if is_posted {
            self.seats().map(|seat| self.bets[seat]).max().unwrap_or(0)
        } else {
            0
        };
        self.level = if form.whole_blind {
            posted.max(blind)
        } else {
            posted
        };
        self.short_post = posted < self.level;
        self.whole_raise = street.bet;
        self.whole_total_min = self.level + street.bet;
        self.raises = 0;
        self.acted = 0;
        self.leader = first;
        let mut waiting = if is_posted {
            self.seats_able_to_bet()
        } else {
            self.able
        };
        if waiting.count_ones() == 1 && self.to_call((waiting.trailing_zeros() & 15) as u8) == 0 {
            waiting = 0;
        }
        self.waiting = waiting;
        self.to_act = if waiting & 1 << first != 0 {
            first
        } else {
            self.next(first)
        };
        self.owes_bring_in = street.first == FirstToAct::LowCard && self.to_act != NOBODY;
        self.completes_to = if self.owes_bring_in { street.bet } else { 0 };
    }

    /// Posts the bring-in, at most the stack, for the seat to act. The seat acts again only after a
    /// raise. Returns the chips added.
    pub fn bring_in(&mut self, form: &BettingStructure) -> i64 {
        let seat = self.to_act;
        let chips = self.post(seat, form.bring_in);
        self.level = if form.whole_blind {
            form.bring_in
        } else {
            chips
        };
        self.short_post = chips < self.level;
        self.owes_bring_in = false;
        self.waiting &= !(1 << seat);
        self.proceed();
        chips
    }

    /// Returns the seats that have chips and whose bets another seat in play can still exceed.
    fn seats_able_to_bet(&self) -> SeatSet {
        let (richest, most, second) = self.richest();
        let mut seats = self.able;
        for seat in (0..self.players).filter(|seat| self.able & 1 << seat != 0) {
            let contested = if seat == richest { second } else { most };
            if contested <= self.bets[usize::from(seat)] {
                seats &= !(1 << seat);
            }
        }
        seats
    }

    /// Returns the seat in play with the largest sum of bet and stack, this sum, and the second
    /// largest.
    fn richest(&self) -> (u8, i64, i64) {
        let (mut richest, mut most, mut second) = (NOBODY, 0, 0);
        for seat in (0..self.players).filter(|seat| self.in_play & 1 << seat != 0) {
            let total = self.bets[usize::from(seat)] + self.stacks[usize::from(seat)];
            if most < total || richest == NOBODY {
                (richest, most, second) = (seat, total, most);
            } else {
                second = second.max(total);
            }
        }
        (richest, most, second)
    }

    fn seats(&self) -> std::ops::Range<usize> {
        0..usize::from(self.players)
    }

    /// Returns the chips that a seat must add to stay in, at most its stack.
    #[inline]
    pub fn to_call(&self, seat: u8) -> i64 {
        let index = usize::from(seat);
        let level = if self.short_post {
            self.matched_level(seat)
        } else {
            self.level
        };
        (level - self.bets[index]).clamp(0, self.stacks[index])
    }

    /// Returns the bet that a seat must match after a short post: the level, but at most what
    /// another seat can match.
    #[cold]
    fn matched_level(&self, seat: u8) -> i64 {
        let (richest, most, second) = self.richest();
        self.level.min(if seat == richest { second } else { most })
    }

    /// Returns the lowest and highest total to which a seat may bet or raise, or `None` if it may
    /// do neither.
    #[inline]
    pub fn raise_bounds(
        &self,
        form: &BettingStructure,
        street: &Street,
        seat: u8,
    ) -> Option<(i64, i64)> {
        let index = usize::from(seat);
        let all_in = self.bets[index] + self.stacks[index];
        let level = if self.owes_bring_in {
            form.bring_in
        } else {
            self.level
        };
        let raises_max = form.raises_max_on(street);
        if all_in <= level || (raises_max != 0 && raises_max <= self.raises) {
            return None;
        }
        let grown = self.level - self.level_at_action[index];
        let reopens = (form.short_raise_reopens && grown > 0) || self.is_whole(form, grown);
        if self.acted & 1 << seat != 0 && !reopens {
            return None;
        }
        let others = self.able & !(1 << seat);
        let answers = |other: usize| {
            others & 1 << other != 0 && self.level < self.bets[other] + self.stacks[other]
        };
        if !self.seats().any(answers) {
            return None;
        }
        let lowest = match form.limit {
            _ if self.completes_to != 0 => self.completes_to,
            BetLimit::StreetPot if self.level != 0 => self.level + 1,
            BetLimit::FixedLimit => self.level + street.bet,
            _ => self.whole_total_min,
        };
        let highest = match form.limit {
            BetLimit::NoLimit => all_in,
            BetLimit::PotLimit => self.level + self.pot + (self.level - self.bets[index]),
            BetLimit::FixedLimit => lowest,
            BetLimit::StreetPot => self.level + self.street_pot,
        };
        let highest = highest.max(lowest).min(all_in);
        Some((lowest.min(highest), highest))
    }

    /// Returns `true` if a bet or raise by `added` chips is whole, so that all seats may act again.
    fn is_whole(&self, form: &BettingStructure, added: i64) -> bool {
        match form.limit {
            BetLimit::StreetPot => 1 <= added,
            BetLimit::FixedLimit if form.half_bet_counts => self.whole_raise <= 2 * added,
            _ => self.whole_raise <= added,
        }
    }

    /// Returns the legal actions of the seat to act.
    ///
    /// # Panics
    /// Panics if no seat is to act.
    #[inline]
    pub fn choices(&self, form: &BettingStructure, street: &Street) -> Choices {
        let seat = self.to_act;
        let to_call = self.to_call(seat);
        let raise = self.raise_bounds(form, street, seat);
        if self.owes_bring_in {
            let bring_in = Some(form.bring_in.min(self.stacks[usize::from(seat)]));
            return Choices {
                fold: false,
                call: None,
                bring_in,
                raise,
            };
        }
        let must_bet = street.must_bet && self.level == 0 && raise.is_some();
        let others = self.able & !(1 << seat);
        let fold = must_bet || to_call != 0 || (form.free_folds && others != 0);
        Choices {
            fold,
            call: (!must_bet).then_some(to_call),
            bring_in: None,
            raise,
        }
    }

    /// Folds the hand of the seat to act.
    pub fn fold(&mut self) {
        let bit = 1 << self.to_act;
        self.in_play &= !bit;
        self.able &= !bit;
        self.waiting &= !bit;
        self.proceed();
    }

    /// Checks or calls for the seat to act. Returns the chips added.
    #[inline]
    pub fn call(&mut self) -> i64 {
        let seat = self.to_act;
        let chips = self.to_call(seat);
        self.post(seat, chips);
        self.level_at_action[usize::from(seat)] = self.level;
        self.acted |= 1 << seat;
        self.waiting &= !(1 << seat);
        self.proceed();
        chips
    }

    /// Bets or raises to a total within [`Betting::raise_bounds`]. Returns the chips added.
    pub fn raise_to(&mut self, form: &BettingStructure, total: i64) -> i64 {
        let seat = self.to_act;
        let index = usize::from(seat);
        let chips = self.post(seat, total - self.bets[index]);
        let added = total - self.level;
        if self.is_whole(form, added) || (self.completes_to != 0 && self.completes_to <= total) {
            self.acted = 0;
            // At fixed limit, the size of bets is constant. Completing a bring-in adds less than
            // one bet.
            if form.limit != BetLimit::FixedLimit {
                self.whole_raise = added.max(self.whole_raise);
            }
        }
        self.whole_total_min = if form.short_raise_counts {
            self.whole_total_min.max(total + added)
        } else {
            total + self.whole_raise
        };
        self.completes_to = 0;
        self.owes_bring_in = false;
        self.short_post = false;
        self.level = total;
        self.raises = self.raises.saturating_add(1);
        self.level_at_action[index] = total;
        self.acted |= 1 << seat;
        self.waiting = self.able & !(1 << seat);
        self.leader = seat;
        self.proceed();
        chips
    }

    /// Moves to the next seat that must act. If one seat is left or the street is finished, no seat
    /// acts.
    fn proceed(&mut self) {
        if self.in_play & (self.in_play - 1) == 0 {
            self.waiting = 0;
        }
        self.to_act = self.next(self.to_act);
    }

    /// Returns the next waiting seat clockwise after `seat`, or [`NOBODY`] if no seat is waiting.
    #[inline]
    fn next(&self, seat: u8) -> u8 {
        next_of(self.waiting, seat, self.players)
    }

    /// Ends the street. Gives the unmatched part of the highest bet back to its seat. Returns the
    /// seat and the chips, or `None` if every chip is matched.
    pub fn close(&mut self) -> Option<(u8, i64)> {
        // Empty seats have no bets, so the loop can include all of them.
        let (mut most, mut second) = (0, 0);
        for bet in self.bets {
            second = second.max(bet.min(most));
            most = most.max(bet);
        }
        let over = most - second;
        let returned = (over > 0).then(|| {
            let seat = (0..self.players)
                .find(|&seat| self.bets[usize::from(seat)] == most)
                .unwrap_or(0);
            let index = usize::from(seat);
            self.stacks[index] += over;
            self.paid[index] -= over;
            self.pot -= over;
            self.able |= self.in_play & 1 << seat;
            (seat, over)
        });
        self.bets = [0; SEATS_MAX];
        self.level_at_action = [0; SEATS_MAX];
        self.level = 0;
        self.short_post = false;
        self.street_pot = self.pot;
        returned
    }
}

impl Default for Betting {
    fn default() -> Betting {
        Betting::new()
    }
}
