//! The steps of a deal: moves, transitions between streets, and the showdown.

use super::betting::{Choices, next_of};
use super::card::{self, CardSet, DECK_SIZE, NO_CARD};
use super::event;
use super::hand::{Strength, Tally, open_hand_strength};
use super::luck::StreetState;
use super::play::{Deal, Phase, SeatMove};
use super::pots::split;
use super::street::{BettingStructure, FirstToAct, NOBODY, OddChips, SEATS_MAX, Street};

impl Deal {
    /// Returns the legal betting actions of the seat to act.
    ///
    /// # Panics
    /// Panics if the deal is over.
    #[inline]
    pub fn choices(&self, form: &BettingStructure) -> Choices {
        self.betting
            .choices(form, &form.streets[usize::from(self.street)])
    }

    /// Returns the cards of a seat that only this seat can see.
    #[inline]
    pub fn hidden(&self, seat: u8) -> CardSet {
        self.hands[usize::from(seat)] & !self.shown[usize::from(seat)]
    }

    /// Applies a move of the seat to act. The move must be legal in this phase (see
    /// [`Deal::choices`]).
    #[inline]
    pub fn apply(&mut self, form: &BettingStructure, choice: SeatMove) {
        let seat = self.to_act;
        match choice {
            SeatMove::Open(card) => return self.choose(form, card),
            SeatMove::Fold => {
                self.betting.fold();
                self.record(event::FOLD, seat, 0, 0);
            }
            SeatMove::Call => {
                let chips = self.betting.call();
                self.record(
                    if chips == 0 {
                        event::CHECK
                    } else {
                        event::CALL
                    },
                    seat,
                    chips,
                    0,
                );
            }
            SeatMove::BringIn => {
                let chips = self.betting.bring_in(form);
                self.record(event::BRING_IN, seat, chips, 0);
            }
            SeatMove::RaiseTo(total) => {
                self.betting.raise_to(form, total);
                self.record(event::RAISE, seat, total, 0);
            }
        }
        self.to_act = self.betting.to_act;
        if self.to_act == NOBODY {
            self.end_street(form);
        }
    }

    /// Records the card that the seat to act will turn up. After the last choice, all chosen cards
    /// are turned up.
    fn choose(&mut self, form: &BettingStructure, card: u8) {
        let seat = self.to_act;
        let held = (0..)
            .zip(self.places(seat))
            .find(|&(_, &place)| self.deck[usize::from(place)] == card);
        self.chosen[usize::from(seat)] = held.map_or(0, |(number, _)| number);
        self.choosing &= !(1 << seat);
        self.to_act = next_of(self.choosing, seat, self.betting.players());
        if self.to_act != NOBODY {
            return;
        }
        for seat in self.in_play_from(self.button) {
            let place = self.places(seat)[usize::from(self.chosen[usize::from(seat)])];
            self.turn_up(seat, 1 << self.deck[usize::from(place)], event::OPEN);
        }
        self.phase = Phase::Bet;
        self.open_betting(form, 0);
        if self.to_act == NOBODY {
            self.end_street(form);
        }
    }

    /// Turns cards of a seat face up.
    fn turn_up(&mut self, seat: u8, cards: CardSet, kind: u8) {
        self.up[usize::from(seat)] |= cards;
        self.shown[usize::from(seat)] |= cards;
        self.record(kind, seat, 0, cards);
    }

    /// Deals the cards of the current street to the seats in play.
    pub(super) fn deal_street(&mut self, form: &BettingStructure) {
        let street = form.streets[usize::from(self.street)];
        let events = self.history.len();
        let is_open = self
            .in_play_from(0)
            .filter(|&seat| self.betting.stacks[usize::from(seat)] > 0)
            .nth(1)
            .is_some();
        self.street_states[usize::from(self.street)] = StreetState {
            in_play: self.betting.in_play,
            paid: self.betting.paid,
            pot: self.betting.pot,
            is_open,
            events,
        };
        let dealt_before = self.cards_dealt();
        let private = street.down + street.up;
        // If the deck is too short, the spare cards are dealt to the seats one by one. If they are
        // too few for that, one of them is a community card.
        let is_short = self.each < dealt_before + private;
        let (spare, count) = if is_short {
            self.spare_places()
        } else {
            ([0; DECK_SIZE], 0)
        };
        let is_common = is_short && count < self.betting.in_play.count_ones() as usize;
        let mut community = 0;
        for _ in 0..street.community {
            community |= 1 << self.deck[usize::from(self.community_place)];
            self.community_place += 1;
        }
        if is_common {
            community |= 1 << self.deck[usize::from(spare[0])];
        }
        self.community |= community;
        if self.street != 0 {
            self.record(event::STREET, NOBODY, 0, community);
        }
        if private == 0 || is_common {
            return;
        }
        let mut spare = spare[..count].iter().copied();
        for seat in self.in_play_from(self.next_seat(self.button)) {
            let mut face_up = 0;
            for number in dealt_before..dealt_before + private {
                let place = spare.next().unwrap_or(seat * self.each + number);
                let card = 1 << self.deck[usize::from(place)];
                self.places[usize::from(seat)][usize::from(number)] = place;
                self.hands[usize::from(seat)] |= card;
                if dealt_before + street.down <= number {
                    face_up |= card;
                }
            }
            if face_up != 0 {
                self.turn_up(seat, face_up, event::UP);
            }
        }
    }

    /// Returns the number of cards that each seat in play has been dealt.
    fn cards_dealt(&self) -> u8 {
        let seat = self.betting.in_play.trailing_zeros() as usize;
        self.hands
            .get(seat)
            .map_or(0, |hand| (hand.count_ones() & 7) as u8)
    }

    /// Returns the places in the deck of the cards that are left, and their number: the places
    /// after all hands, and those of cards that folded seats did not get.
    fn spare_places(&self) -> ([u8; DECK_SIZE], usize) {
        let (mut places, mut count) = ([0; DECK_SIZE], 0);
        let mut add = |from: u8, to: u8| {
            for place in from..to {
                places[count] = place;
                count += 1;
            }
        };
        add(self.betting.players() * self.each, 52);
        for seat in (0..self.betting.players()).filter(|&seat| !self.is_in_play(seat)) {
            let dealt = (self.hands[usize::from(seat)].count_ones() & 7) as u8;
            add(seat * self.each + dealt, (seat + 1) * self.each);
        }
        (places, count)
    }

    /// Starts the betting of the current street. `blind` is the full amount of the largest blind.
    /// Sets `to_act` to [`NOBODY`] if there is nothing to decide.
    pub(super) fn open_betting(&mut self, form: &BettingStructure, blind: i64) {
        let street = form.streets[usize::from(self.street)];
        let first = self.first_to_act(form, street);
        self.betting.open(form, &street, first, blind);
        self.to_act = self.betting.to_act;
    }

    fn first_to_act(&self, form: &BettingStructure, street: Street) -> u8 {
        let left = self.next_seat(self.button);
        let in_play = || self.in_play_from(left);
        let up = |seat: u8| self.up[usize::from(seat)];
        match street.first {
            FirstToAct::Button => self.button,
            FirstToAct::LeftOfButton => left,
            FirstToAct::AfterBlinds => self.after_posts(form),
            FirstToAct::LowCard => in_play()
                .min_by_key(|&seat| up(seat).trailing_zeros())
                .unwrap_or(left),
            // The first of equal hands acts first, but `max_by_key` returns the last; hence the
            // reversal.
            FirstToAct::HighHand => in_play()
                .rev()
                .max_by_key(|&seat| open_hand_strength(up(seat)))
                .unwrap_or(left),
        }
    }

    /// Ends the betting of a street and moves to the next decision or to the end of the deal.
    pub(super) fn end_street(&mut self, form: &BettingStructure) {
        loop {
            if let Some((seat, chips)) = self.betting.close() {
                self.record(event::RETURN, seat, chips, 0);
            }
            let in_play = self.betting.in_play;
            if in_play & (in_play - 1) == 0 {
                let mut won = [0; SEATS_MAX];
                won[in_play.trailing_zeros() as usize] = self.betting.pot;
                return self.pay_out(&won);
            }
            let is_last = usize::from(self.street) + 1 == form.streets.len();
            if is_last || self.betting.able & (self.betting.able.wrapping_sub(1)) == 0 {
                return self.show_down(form);
            }
            self.street += 1;
            self.deal_street(form);
            if form.streets[usize::from(self.street)].opens {
                self.phase = Phase::Open;
                self.choosing = in_play;
                self.to_act = self.in_play_from(self.button).next().unwrap_or(NOBODY);
                return;
            }
            self.open_betting(form, 0);
            if self.to_act != NOBODY {
                return;
            }
        }
    }

    /// Shows all hands in play, deals the remaining cards and pays the best hands.
    fn show_down(&mut self, form: &BettingStructure) {
        for seat in self.contesting_from(self.betting.leader) {
            self.shown[usize::from(seat)] = self.hands[usize::from(seat)];
            self.record(event::SHOW, seat, 0, self.hands[usize::from(seat)]);
        }
        while usize::from(self.street) + 1 < form.streets.len() {
            self.street += 1;
            self.deal_street(form);
            self.show_late_cards();
        }
        let common = Tally::of(self.community);
        let mut strengths = [Strength::default(); SEATS_MAX];
        for seat in self.contesting_from(0) {
            let tally = card::cards(self.hands[usize::from(seat)]).fold(common, Tally::with);
            strengths[usize::from(seat)] = tally.strength();
        }
        let mut order = [NOBODY; SEATS_MAX];
        let left = self.next_seat(self.button);
        for (place, seat) in order.iter_mut().zip(self.clockwise_from(left)) {
            *place = seat;
        }
        let order = &mut order[..usize::from(self.betting.players())];
        if form.odd_chips == OddChips::HighCard {
            order.sort_by_key(|&seat| NO_CARD - card::highest(self.hands[usize::from(seat)]));
        }
        let won = split(&self.betting, &strengths, order);
        self.pay_out(&won);
    }

    /// Returns the seats that take part in the showdown, clockwise from `first`.
    fn contesting_from(&self, first: u8) -> impl DoubleEndedIterator<Item = u8> + use<> {
        let mucked = self.mucked;
        self.in_play_from(first)
            .filter(move |seat| mucked & 1 << seat == 0)
    }

    /// Turns up cards that were dealt face down after the hands were shown.
    fn show_late_cards(&mut self) {
        for seat in self.contesting_from(self.next_seat(self.button)) {
            let late = self.hidden(seat);
            if late != 0 {
                self.turn_up(seat, late, event::UP);
            }
        }
    }

    /// Shows all hands after the end of a deal, including folded hands and the cards that were not
    /// dealt because the deal ended early. If the deck is too short for these cards, only dealt
    /// cards are shown.
    pub fn reveal(&mut self, form: &BettingStructure) {
        let each = if self.each == form.cards_per_seat() {
            self.each
        } else {
            0
        };
        for seat in self.clockwise_from(0) {
            let index = usize::from(seat);
            let dealt = (self.hands[index].count_ones() & 7) as u8;
            for number in dealt..each {
                let place = seat * each + number;
                self.places[index][usize::from(number)] = place;
                self.hands[index] |= 1 << self.deck[usize::from(place)];
            }
            if self.shown[index] != self.hands[index] {
                self.shown[index] = self.hands[index];
                self.record(event::SHOW, seat, 0, self.hands[index]);
            }
        }
    }

    fn pay_out(&mut self, won: &[i64; SEATS_MAX]) {
        for seat in self.clockwise_from(self.next_seat(self.button)) {
            let chips = won[usize::from(seat)];
            if chips != 0 {
                self.betting.stacks[usize::from(seat)] += chips;
                self.betting.pot -= chips;
                self.record(event::WIN, seat, chips, 0);
            }
        }
        debug_assert_eq!(self.betting.pot, 0, "chips are lost");
        self.betting.street_pot = 0;
        self.phase = Phase::Over;
        self.to_act = NOBODY;
    }
}
