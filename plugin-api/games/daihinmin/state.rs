//! Play: what an action does to the table, who is next, and how tricks and deals end.

use super::card::{COLUMN_5, COLUMN_6, DIAMOND_3, column_set};
use super::deal::Deal;
use super::records::{Action, NONE, effect, event, phase, rule};
use bytemuck::Zeroable;

/// All five seats.
const ALL_SEATS: u8 = 0x1f;

impl Deal {
    /// Play begins: the holder of the three of diamonds leads; seat 0 where it is in no hand.
    pub(super) fn lead_first(&mut self) {
        let seat = (0..5).find(|&seat| self.hands[usize::from(seat)] & DIAMOND_3 != 0).unwrap_or(0);
        self.to_act = seat;
        self.last = seat;
    }

    /// Carries out a play or a pass of the seat to act.
    pub(super) fn play(&mut self, action: Action, deadlock_passes: u32) {
        let seat = self.to_act;
        let effects = action.effects;
        if action.is_pass() {
            self.public.passed |= 1 << seat;
            self.passes += 1;
            self.record(event::ACTION, seat, 0, action);
            if self.passes >= deadlock_passes {
                return self.settle_deadlock();
            }
        } else {
            self.lay(seat, action);
            if self.hands[usize::from(seat)] == 0 {
                self.public.out |= 1 << seat;
                self.place(seat);
                if let Some(left) = only(ALL_SEATS & !self.placed) {
                    self.place(left);
                    return self.close();
                }
            }
        }
        let waiting = ALL_SEATS & !(self.public.out | self.public.passed);
        // With `ask_last` all have to pass; without it all but one, be that the seat that played last or, where that
        // has gone out, any other.
        let trick_goes_on = if self.public.ask_last == 0 { waiting & waiting.wrapping_sub(1) } else { waiting };
        if effects & effect::CUT != 0 || trick_goes_on == 0 {
            return self.end_trick();
        }
        let next = self.next_of(waiting, seat);
        let skips = self.public.rules & rule::FIVE_SKIP != 0 && action.cells & column_set(COLUMN_5) != 0;
        // Nobody skips himself, and where nobody else is left to be asked the skipped seat is asked after all.
        self.to_act = if skips && next != seat { self.next_of(waiting, next) } else { next };
    }

    /// Lays a play on the table.
    #[inline]
    fn lay(&mut self, seat: u8, action: Action) {
        debug_assert_eq!(action.cards & !self.hands[usize::from(seat)], 0);
        self.passes = 0;
        self.last = seat;
        self.hands[usize::from(seat)] &= !action.cards;
        let public = &mut self.public;
        let effects = action.effects;
        public.gone |= action.cards;
        public.cards_left[usize::from(seat)] -= action.count;
        public.table = action;
        public.table_seat = seat;
        public.lock |= u8::from(effects & effect::LOCK != 0);
        public.lock &= u8::from(!action.is_lone_joker());
        public.revolution ^= u8::from(effects & effect::REVOLUTION != 0);
        public.eleven_back ^= u8::from(effects & effect::ELEVEN_BACK != 0);
        if public.rules & rule::SIX_REVERSE != 0 && action.cells & column_set(COLUMN_6) != 0 {
            public.rules ^= rule::BACKWARDS;
        }
        self.record(event::ACTION, seat, 0, action);
    }

    /// Clears the table; the seat that played last leads, or the next one with cards where it has none.
    fn end_trick(&mut self) {
        let public = &mut self.public;
        public.table = Action::zeroed();
        public.table_seat = NONE;
        public.lock = 0;
        public.eleven_back = 0;
        public.passed = 0;
        let playing = ALL_SEATS & !public.out;
        let leader = if playing & 1 << self.last == 0 { self.next_of(playing, self.last) } else { self.last };
        self.last = leader;
        self.to_act = leader;
        self.record(event::LEAD, leader, 0, Action::zeroed());
    }

    /// Nobody wants to play: those still in are placed in the order drawn for it with the cards.
    fn settle_deadlock(&mut self) {
        for seat in self.deadlock_order {
            if self.placed & 1 << seat == 0 {
                self.place(seat);
            }
        }
        self.close();
    }

    fn close(&mut self) {
        self.public.phase = phase::OVER;
        self.to_act = NONE;
    }

    /// The first of `seats`, which are not none, after `seat` in the direction of play; `seat` itself comes last.
    #[inline]
    fn next_of(&self, seats: u8, seat: u8) -> u8 {
        // The seats twice over, so that going round the table is going on in the word.
        let twice = u16::from(seats) | u16::from(seats) << 5;
        let found = if self.public.rules & rule::BACKWARDS == 0 {
            u32::from(seat) + 1 + (twice >> (seat + 1)).trailing_zeros()
        } else {
            (twice & ((1 << (seat + 5)) - 1)).ilog2()
        };
        let found = (found & 15) as u8;
        if found < 5 { found } else { found - 5 }
    }
}

/// The one seat of a set of one.
fn only(seats: u8) -> Option<u8> {
    (seats.count_ones() == 1).then(|| (seats.trailing_zeros() & 7) as u8)
}
