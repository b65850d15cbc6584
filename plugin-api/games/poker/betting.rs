//! Betting: who has put in what, who is to act, and how much may be raised. Knows no cards.
//!
//! A raise is *whole* when it adds at least as much as the last whole bet or raise of the street
//! (the least bet where there is none yet), or completes a bring-in. A whole raise lets everybody
//! act again. A short one, which only a seat can make that goes all in, has to be called, but who
//! has acted since the last whole raise may raise again only where what he faces has grown by a
//! whole raise in sum. At fixed limit half a bet may be enough for that.

use super::street::{First, Form, Limit, NOBODY, SEATS_MAX, Street};
use serde::Serialize;

/// A set of seats, one bit each.
pub type SeatSet = u16;

/// The chips of a deal and the state of its current street.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Betting {
    players: u8,
    /// Chips that each seat has left to bet.
    pub stacks: [i64; SEATS_MAX],
    /// Chips that each seat has put in on this street; antes are not among them.
    pub bets: [i64; SEATS_MAX],
    /// Chips that each seat has put in in this deal.
    pub paid: [i64; SEATS_MAX],
    /// All chips put in.
    pub pot: i64,
    /// All chips put in before this street.
    pub street_pot: i64,
    /// Seats that have not folded.
    pub in_play: SeatSet,
    /// Of these, the ones with chips left.
    pub able: SeatSet,
    /// What a seat has to have put in on this street to stay in.
    pub level: i64,
    /// What the last whole bet or raise added, at least the least bet.
    whole: i64,
    /// The least total to bet or raise to that is whole.
    least: i64,
    /// Chips of the antes that are the main pot's, by seat; they count for no other.
    pub dead: [i64; SEATS_MAX],
    /// Whether the level is a forced bet that nobody has been able to post in full.
    short_post: bool,
    /// Whether the seat to act has to post the bring-in or more.
    owes_bring_in: bool,
    /// The bet that completes a bring-in, while that can be done; else 0.
    completes_to: i64,
    /// Bets and raises of this street.
    pub raises: u8,
    /// Seats that have acted since the last whole bet or raise.
    acted: SeatSet,
    /// [`Betting::level`] when each seat acted last.
    met: [i64; SEATS_MAX],
    /// Seats that have still to act on this street.
    waiting: SeatSet,
    /// The seat to act, [`NOBODY`] where the street is settled.
    pub to_act: u8,
    /// The seat that bet or raised last on this street, else the one that was first to act.
    pub leader: u8,
}

/// What the seat to act may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Choices {
    /// Folding is offered: there is something to call, or, where the rules let fold for free,
    /// somebody left to bet against.
    pub fold: bool,
    /// Chips that it takes to check (0) or call; `None` for the first to act where he has to bet.
    pub call: Option<i64>,
    /// Chips of the bring-in that the seat has to post, unless it bets more.
    pub bring_in: Option<i64>,
    /// Totals of this street that the seat may bet or raise to, lowest and highest.
    pub raise: Option<(i64, i64)>,
}

impl Betting {
    /// Betting without seats, settled.
    #[must_use]
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
            whole: 0,
            least: 0,
            dead: [0; SEATS_MAX],
            short_post: false,
            owes_bring_in: false,
            completes_to: 0,
            raises: 0,
            acted: 0,
            met: [0; SEATS_MAX],
            waiting: 0,
            to_act: NOBODY,
            leader: NOBODY,
        }
    }

    /// A new deal with these stacks; seats past `players` are empty.
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

    /// Number of seats.
    #[inline]
    #[must_use]
    pub fn players(&self) -> u8 {
        self.players
    }

    /// Takes an ante, or what is left of the stack: chips in the pot but in no bet. The chips
    /// taken.
    pub fn ante(&mut self, form: &Form, seat: u8, chips: i64) -> i64 {
        let chips = self.pay(seat, chips);
        self.street_pot += chips;
        if form.dead_antes {
            self.dead[usize::from(seat)] = chips;
        }
        chips
    }

    /// Takes a blind, or what is left of the stack, as a bet of the street to come. The chips
    /// taken.
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

    /// Opens the betting of a street; `first` is asked first, or the next seat that can act.
    /// `blind` is the whole amount of the blind posted, 0 without one. Leaves the street
    /// settled where nobody can bet against anybody.
    pub fn open(&mut self, form: &Form, street: &Street, first: u8, blind: i64) {
        // Most streets begin without posts: nothing in the pot that was not there before.
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
        self.whole = street.bet;
        self.least = self.level + street.bet;
        self.raises = 0;
        self.acted = 0;
        self.leader = first;
        let mut waiting = if is_posted {
            self.contested()
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
        self.owes_bring_in = street.first == First::LowCard && self.to_act != NOBODY;
        self.completes_to = if self.owes_bring_in { street.bet } else { 0 };
    }

    /// The seat to act posts the bring-in, or what it has of it. It is not asked again unless
    /// somebody raises. The chips added.
    pub fn bring_in(&mut self, form: &Form) -> i64 {
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

    /// The seats that can act, but for those that have put in as much as any other could: they are
    /// done before they are asked.
    fn contested(&self) -> SeatSet {
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

    /// Of the seats in play: the one with the most chips in this street's bet and behind, how many
    /// these are, and the most of any other.
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

    /// Chips that a seat has to add to stay in, all it has at most.
    #[inline]
    #[must_use]
    pub fn to_call(&self, seat: u8) -> i64 {
        let index = usize::from(seat);
        let level = if self.short_post {
            self.matched_level(seat)
        } else {
            self.level
        };
        (level - self.bets[index]).clamp(0, self.stacks[index])
    }

    /// What a seat owes where a post was short: no more than any other seat could match.
    #[cold]
    fn matched_level(&self, seat: u8) -> i64 {
        let (richest, most, second) = self.richest();
        self.level.min(if seat == richest { second } else { most })
    }

    /// The totals that a seat to act may bet or raise to, lowest and highest.
    #[inline]
    #[must_use]
    pub fn raise_bounds(&self, form: &Form, street: &Street, seat: u8) -> Option<(i64, i64)> {
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
        let grown = self.level - self.met[index];
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
            Limit::StreetPot if self.level != 0 => self.level + 1,
            Limit::FixedLimit => self.level + street.bet,
            _ => self.least,
        };
        let highest = match form.limit {
            Limit::NoLimit => all_in,
            Limit::PotLimit => self.level + self.pot + (self.level - self.bets[index]),
            Limit::FixedLimit => lowest,
            Limit::StreetPot => self.level + self.street_pot,
        };
        let highest = highest.max(lowest).min(all_in);
        Some((lowest.min(highest), highest))
    }

    /// Whether what a bet or a raise adds lets those act again who have acted.
    fn is_whole(&self, form: &Form, added: i64) -> bool {
        match form.limit {
            Limit::StreetPot => 1 <= added,
            Limit::FixedLimit if form.half_bet_counts => self.whole <= 2 * added,
            _ => self.whole <= added,
        }
    }

    /// What the seat to act may do.
    ///
    /// # Panics
    /// If nobody is to act.
    #[inline]
    #[must_use]
    pub fn choices(&self, form: &Form, street: &Street) -> Choices {
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

    /// The seat to act folds.
    pub fn fold(&mut self) {
        let bit = 1 << self.to_act;
        self.in_play &= !bit;
        self.able &= !bit;
        self.waiting &= !bit;
        self.proceed();
    }

    /// The seat to act checks or calls. The chips added.
    pub fn call(&mut self) -> i64 {
        let seat = self.to_act;
        let chips = self.to_call(seat);
        self.post(seat, chips);
        self.met[usize::from(seat)] = self.level;
        self.acted |= 1 << seat;
        self.waiting &= !(1 << seat);
        self.proceed();
        chips
    }

    /// The seat to act bets or raises to a total within [`Betting::raise_bounds`]. The chips added.
    pub fn raise_to(&mut self, form: &Form, total: i64) -> i64 {
        let seat = self.to_act;
        let index = usize::from(seat);
        let chips = self.post(seat, total - self.bets[index]);
        let added = total - self.level;
        if self.is_whole(form, added) || (self.completes_to != 0 && self.completes_to <= total) {
            self.acted = 0;
            // At fixed limit bets stay of one size; completing a bring-in adds less than one.
            self.whole = if form.limit == Limit::FixedLimit {
                self.whole
            } else {
                added.max(self.whole)
            };
        }
        self.least = if form.short_raise_counts {
            self.least.max(total + added)
        } else {
            total + self.whole
        };
        self.completes_to = 0;
        self.owes_bring_in = false;
        self.short_post = false;
        self.level = total;
        self.raises = self.raises.saturating_add(1);
        self.met[index] = total;
        self.acted |= 1 << seat;
        self.waiting = self.able & !(1 << seat);
        self.leader = seat;
        self.proceed();
        chips
    }

    /// On to the next seat that has to act; nobody where the street is settled or one seat is left.
    fn proceed(&mut self) {
        if self.in_play & (self.in_play - 1) == 0 {
            self.waiting = 0;
        }
        self.to_act = self.next(self.to_act);
    }

    /// The next seat clockwise that waits.
    #[inline]
    fn next(&self, seat: u8) -> u8 {
        next_of(self.waiting, seat, self.players)
    }

    /// Ends the street: a bet that nobody could match goes back. The seat and the chips, where
    /// there is one.
    pub fn close(&mut self) -> Option<(u8, i64)> {
        // Seats past the last have bet nothing, so that all places can be gone through alike.
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
        self.met = [0; SEATS_MAX];
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

/// The first of `seats` clockwise after `seat`, which itself comes last; [`NOBODY`] of none.
#[inline]
#[must_use]
pub fn next_of(seats: SeatSet, seat: u8, players: u8) -> u8 {
    if seats == 0 {
        return NOBODY;
    }
    // The seats twice over, so that going round the table is going on in the word.
    let twice = u32::from(seats) | u32::from(seats) << players;
    let found = seat + 1 + ((twice >> (seat + 1)).trailing_zeros() & 31) as u8;
    if found < players {
        found
    } else {
        found - players
    }
}
