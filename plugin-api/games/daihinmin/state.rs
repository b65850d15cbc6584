//! Play: the effect of an action on the table, the next seat, and the end of tricks and deals.

use super::card::{COLUMN_5, COLUMN_6, JOKER_SET, column_set};
use super::position::{EventLog, Position, seat_index};
use super::records::{Action, NONE, effect, event, flag, kind, rule};
use bytemuck::Zeroable;

/// All five seats.
const ALL_SEATS: u8 = 0x1f;

impl Position {
    /// Applies a play or a pass of the seat to act.
    #[inline]
    pub(super) fn advance(&mut self, action: &Action, log: &mut impl EventLog) {
        // The action stays in registers, because table and record take it as whole words.
        let words = action.words();
        if words[2] & 0xff == u64::from(kind::PASS) {
            self.pass(log);
        } else {
            self.apply_play(words, log);
        }
    }

    fn pass(&mut self, log: &mut impl EventLog) {
        let seat = self.to_act;
        self.passed |= 1 << seat;
        self.passes += 1;
        log.record(event::ACTION, seat, self.flags, 0, Action::PASS.words());
        if self.passes >= self.deadlock_passes {
            return self.settle_deadlock(log);
        }
        let waiting = self.waiting();
        if self.all_have_passed(waiting) {
            return self.end_trick(log);
        }
        self.to_act = self.next_of(waiting, seat);
    }

    /// Puts a play on the table.
    fn apply_play(&mut self, words: [u64; 3], log: &mut impl EventLog) {
        let [cards, cells, small] = words;
        let seat = self.to_act;
        let effects = (small >> Action::EFFECTS_SHIFT & 0xff) as u8;
        debug_assert_eq!(cards & !self.hands[seat_index(seat)], 0);
        self.passes = 0;
        self.last = seat;
        self.hands[seat_index(seat)] &= !cards;
        self.gone |= cards;
        self.situation.table = Action::from_words(cards, cells, small);
        self.flags &= !flag::EMPTY;
        if effects & !effect::CUT != 0 || cards == JOKER_SET {
            self.apply_revolution_and_lock(effects, cards == JOKER_SET);
        }
        if self.situation.rules & rule::SIX_REVERSE != 0 && cells & column_set(COLUMN_6) != 0 {
            self.situation.rules ^= rule::BACKWARDS;
        }
        log.record(event::ACTION, seat, self.flags, 0, words);
        if self.hands[seat_index(seat)] == 0 && self.go_out(seat, log) {
            return;
        }
        let waiting = self.waiting();
        if effects & effect::CUT != 0 || self.all_have_passed(waiting) {
            return self.end_trick(log);
        }
        let next = self.next_of(waiting, seat);
        let skips =
            self.situation.rules & rule::FIVE_SKIP != 0 && cells & column_set(COLUMN_5) != 0;
        // The acting seat is not skipped. If no other seat is left, the skipped seat acts after
        // all.
        self.to_act = if skips && next != seat {
            self.next_of(waiting, next)
        } else {
            next
        };
    }

    /// Gives a seat without cards its place. Returns `true` if that ends the deal.
    #[inline(never)]
    fn go_out(&mut self, seat: u8, log: &mut impl EventLog) -> bool {
        self.out |= 1 << seat;
        self.take_place(seat, log);
        let left = ALL_SEATS & !self.placed;
        if !left.is_power_of_two() {
            return false;
        }
        self.take_place((left.trailing_zeros() & 7) as u8, log);
        self.to_act = NONE;
        true
    }

    /// Applies the effects of a play to the lock of suits and the order of ranks.
    #[inline(never)]
    fn apply_revolution_and_lock(&mut self, effects: u8, lone_joker: bool) {
        let turned = |effect, flag| if effects & effect == 0 { 0 } else { flag };
        self.flags ^= turned(effect::REVOLUTION, flag::REVOLUTION)
            | turned(effect::ELEVEN_BACK, flag::ELEVEN_BACK);
        self.flags |= turned(effect::LOCK, flag::LOCK);
        if lone_joker {
            self.flags &= !flag::LOCK;
        }
        self.update_situation();
    }

    fn update_situation(&mut self) {
        let up = |flag| self.flags & flag != 0;
        self.situation.lock = up(flag::LOCK);
        self.situation.reversed = up(flag::REVOLUTION) != up(flag::ELEVEN_BACK);
    }

    /// Returns the seats that may still act in this trick.
    #[inline]
    fn waiting(&self) -> u8 {
        ALL_SEATS & !(self.out | self.passed)
    }

    /// Returns `true` if enough seats have passed to end the trick: all if `ask_last` is set,
    /// otherwise all but one. The remaining one need not be the seat that played last, which may
    /// have no cards.
    #[inline]
    fn all_have_passed(&self, waiting: u8) -> bool {
        waiting == 0 || (self.ask_last == 0 && waiting & (waiting - 1) == 0)
    }

    /// Clears the table. The seat that played last leads, or the next seat with cards if it has
    /// none.
    fn end_trick(&mut self, log: &mut impl EventLog) {
        self.situation.table = Action::zeroed();
        self.flags = self.flags & flag::REVOLUTION | flag::EMPTY;
        self.update_situation();
        self.passed = 0;
        let playing = ALL_SEATS & !self.out;
        let leader = if playing & 1 << self.last == 0 {
            self.next_of(playing, self.last)
        } else {
            self.last
        };
        self.last = leader;
        self.to_act = leader;
        log.record(event::LEAD, leader, self.flags, 0, [0; 3]);
    }

    /// Ends a deal that makes no progress: the remaining places are given in the order drawn at the
    /// start.
    #[cold]
    fn settle_deadlock(&mut self, log: &mut impl EventLog) {
        for seat in self.deadlock_order {
            if self.placed & 1 << seat == 0 {
                self.take_place(seat, log);
            }
        }
        self.to_act = NONE;
    }

    /// Gives a seat the next place.
    fn take_place(&mut self, seat: u8, log: &mut impl EventLog) {
        let place = (self.placed.count_ones() & 7) as u8;
        self.placed |= 1 << seat;
        self.places[seat_index(seat)] = place;
        log.record(event::OUT, seat, self.flags, place, [0; 3]);
    }

    /// Returns the first seat of `seats` after `seat` in the direction of play; `seat` itself comes
    /// last. `seats` must not be empty.
    #[inline]
    fn next_of(&self, seats: u8, seat: u8) -> u8 {
        let direction = usize::from(self.situation.rules & rule::BACKWARDS != 0);
        NEXT[direction][seat_index(seat)][usize::from(seats & ALL_SEATS)]
    }
}

/// The results of [`Position::next_of`] by direction, seat and set of seats.
static NEXT: [[[u8; 32]; 8]; 2] = {
    let mut table = [[[0; 32]; 8]; 2];
    let mut index = 0;
    while index < 2 * 5 * 32 {
        let (direction, seat, seats) = (index / 160, index / 32 % 5, index % 32);
        // Steps go from far to near, so that the nearest seat is written last.
        let mut step = 5;
        while step > 0 {
            let other = (seat + if direction == 0 { step } else { 5 - step }) % 5;
            if seats >> other & 1 == 1 {
                table[direction][seat][seats] = [0, 1, 2, 3, 4][other];
            }
            step -= 1;
        }
        index += 1;
    }
    table
};
